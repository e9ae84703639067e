// The COBRA cavity, an S-shaped duct of metal without thickness that is open at x = 0 and closed at its other end, in a
// box of air, for [mesh] unit = "mm". The cross-section of 84 mm by 110 mm goes 10 mm along x, turns by 35 degrees towards
// -y about a point below it, goes 80 mm straight, turns back, and ends after 100 mm along x.
// Volume: air. Surfaces: walls (the duct and its end), open (the box).
SetFactory("OpenCASCADE");
DefineConstant[
  height = {84, Name "Geometry/Height of the duct, along y at its mouth"}, width = {110, Name "Geometry/Width of the duct, along z"},
  mouth = {10, Name "Geometry/Length of the first straight part"}, middle = {80, Name "Geometry/Length of the second straight part"},
  end = {100, Name "Geometry/Length of the third straight part"}, angle = {35, Name "Geometry/Angle of the bends in degrees"},
  radius = {186, Name "Geometry/Outer radius of the bends"}, margin = {12, Name "Geometry/Air beside the duct"},
  hxt = {0, Name "Mesh/Parallel algorithm, which differs from run to run", Choices{0, 1}}
];
a = angle * Pi / 180;
inner = radius - height;
// Lower wall from the mouth on: the inner side of the first bend, the outer side of the second; the upper wall the other
// way round.
Point(1) = {0, 0, 0};
Point(2) = {mouth, 0, 0};
Point(3) = {mouth + inner * Sin(a), inner * (Cos(a) - 1), 0};
Point(4) = {mouth + inner * Sin(a) + middle * Cos(a), inner * (Cos(a) - 1) - middle * Sin(a), 0};
x_end = mouth + (inner + radius) * Sin(a) + middle * Cos(a);
y_end = (inner + radius) * (Cos(a) - 1) - middle * Sin(a);
Point(5) = {x_end, y_end, 0};
Point(6) = {x_end + end, y_end, 0};
Point(7) = {x_end + end, y_end + height, 0};
Point(8) = {x_end, y_end + height, 0};
Point(9) = {mouth + radius * Sin(a) + middle * Cos(a), height + radius * (Cos(a) - 1) - middle * Sin(a), 0};
Point(10) = {mouth + radius * Sin(a), height + radius * (Cos(a) - 1), 0};
Point(11) = {mouth, height, 0};
Point(12) = {0, height, 0};
Point(13) = {mouth, -inner, 0};
Point(14) = {x_end, y_end + radius, 0};
Line(1) = {1, 2};
Circle(2) = {2, 13, 3};
Line(3) = {3, 4};
Circle(4) = {4, 14, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Circle(8) = {8, 14, 9};
Line(9) = {9, 10};
Circle(10) = {10, 13, 11};
Line(11) = {11, 12};
Line(12) = {12, 1};
Curve Loop(1) = {1:12};
Plane Surface(1) = {1};
Extrude{0, 0, width}{ Surface{1}; }
Box(2) = {-margin, y_end - margin, -margin, x_end + end + 2 * margin, height - y_end + 2 * margin, width + 2 * margin};
BooleanFragments{ Volume{2}; Delete; }{ Volume{1}; Delete; }

e = 1e-3;
duct() = Volume In BoundingBox{-e, y_end - e, -e, x_end + end + e, height + e, width + e};
walls() = Abs(Boundary{ Volume{duct()}; });
walls() -= Surface In BoundingBox{-e, -e, -e, e, height + e, width + e};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = walls();
Physical Surface("open") = CombinedBoundary{ Volume{:}; };
If (hxt)
  Mesh.Algorithm3D = 10;
EndIf
