// A car cabin, 3.5 m^3 of air around two front seats and a rear bench, for [mesh] unit = "m".
// x points to the rear, y to the right, z upwards. Volume: air. Surfaces: firewall (x = 0), windows (windscreen and
// rear window), floor, roof, seats, body (sides and rear bulkhead).
//
// Unknowns by [mesh] size, at order 2 (measured, Gmsh 4.8.4), beside the cars of Cheik Ahamed and Magoules (2014),
// table 1. Rows of order 2 hold 23 to 28 nonzeros, as theirs do (trilinear hexahedra: 23.8 in the largest).
//   size   0.4732   0.1784   0.158    0.0766   0.0686   0.0368    0.0332
//   here   1 789    8 733    11 462   61 200   88 219   479 902   645 912
//   there  1 727    8 439    11 637   62 357   85 001   479 169   648 849
SetFactory("OpenCASCADE");
DefineConstant[
  width = {1.45, Name "Geometry/Width of the cabin"},
  seats = {1, Name "Geometry/1 with seats, 0 an empty cabin"}
];
If (width < 1.2)
  Error("width = %g m: must be at least 1.2 m, the seats are 0.5 m each", width);
EndIf
length = 2.75;
height = 1.2;
bonnet = 0.65;
shelf = 0.75;
e = 1e-3;

// The cabin's side view, in the plane y = 0, and one for each part of a seat.
Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Point(3) = {length, 0, shelf};
Point(4) = {2.2, 0, height};
Point(5) = {0.75, 0, height};
Point(6) = {0, 0, bonnet};
For i In {1:6}
  Line(i) = {i, i % 6 + 1};
EndFor
Curve Loop(1) = {1:6};
Plane Surface(1) = {1};
cabin() = Extrude{0, width, 0}{ Surface{1}; };
air = cabin(1);

If (seats)
  // Front cushions, on the floor; backs, leaning to the rear.
  left = width / 4 - 0.25;
  right = 3 * width / 4 - 0.25;
  Box(11) = {0.95, left, -0.1, 0.55, 0.5, 0.48};
  Box(12) = {0.95, right, -0.1, 0.55, 0.5, 0.48};
  For side In {0:1}
    y = side ? right : left;
    p = newp;
    Point(p) = {1.35, y, 0.3};
    Point(p + 1) = {1.5, y, 0.3};
    Point(p + 2) = {1.75, y, 1.0};
    Point(p + 3) = {1.63, y, 1.0};
    l = newl;
    Line(l) = {p, p + 1};
    Line(l + 1) = {p + 1, p + 2};
    Line(l + 2) = {p + 2, p + 3};
    Line(l + 3) = {p + 3, p};
    c = newll;
    Curve Loop(c) = {l, l + 1, l + 2, l + 3};
    s = news;
    Plane Surface(s) = {c};
    back() = Extrude{0, 0.5, 0}{ Surface{s}; };
    backs(side) = back(1);
    Recursive Delete{ Surface{s}; }
  EndFor
  // The rear bench, from side to side.
  Box(21) = {2.0, -0.1, -0.1, 0.9, width + 0.2, 0.48};
  Box(22) = {2.45, -0.1, 0.3, 0.45, width + 0.2, 0.25};
  air() = BooleanDifference{ Volume{air}; Delete; }{ Volume{11, 12, 21, 22, backs()}; Delete; };
EndIf

firewall() = Surface In BoundingBox{-e, -e, -e, e, width + e, bonnet + e};
windows() = Surface In BoundingBox{-e, -e, bonnet - e, 0.75 + e, width + e, height + e};
windows() += Surface In BoundingBox{2.2 - e, -e, shelf - e, length + e, width + e, height + e};
floor() = Surface In BoundingBox{-e, -e, -e, length + e, width + e, e};
roof() = Surface In BoundingBox{-e, -e, height - e, length + e, width + e, height + e};
body() = Surface In BoundingBox{-e, -e, -e, length + e, e, height + e};
body() += Surface In BoundingBox{-e, width - e, -e, length + e, width + e, height + e};
body() += Surface In BoundingBox{length - e, -e, -e, length + e, width + e, height + e};
lining() = Boundary{ Volume{air()}; };
lining() -= {firewall(), windows(), floor(), roof(), body()};
Physical Volume("air") = {air()};
Physical Surface("firewall") = {firewall()};
Physical Surface("windows") = {windows()};
Physical Surface("floor") = {floor()};
Physical Surface("roof") = {roof()};
Physical Surface("body") = {body()};
If (seats)
  Physical Surface("seats") = {lining()};
EndIf
