// An aircraft-like conductor for [mesh] unit = "m", nose at x = 0, of length `length`: a fuselage with a blunt cone as nose, a
// swept wing and a fin with sharp edges, and below the fuselage an intake, whose round duct is closed behind.
// Surface: aircraft. All other dimensions follow from the length.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {1, Name "Geometry/Length"},
  duct_radius = {0.025, Name "Geometry/Radius of the duct over the length"},
  duct_depth = {0.35, Name "Geometry/Depth of the duct over the length"},
  thickness = {0.01, Name "Geometry/Thickness of wing and fin over the length"},
  half = {0, Choices{0, 1}, Name "Geometry/The half y > 0 alone, open at y = 0"}
];
If (length <= 0 || duct_radius <= 0 || duct_radius > 0.03 || duct_depth <= 0 || duct_depth > 0.4 || thickness <= 0)
  Error("length and thickness > 0, 0 < duct_radius <= 0.03, 0 < duct_depth <= 0.4 are needed");
EndIf
l = length;
t = thickness * l;

Cone(1) = {0, 0, 0, 0.2 * l, 0, 0, 0.01 * l, 0.05 * l};
Cylinder(2) = {0.2 * l, 0, 0, 0.6 * l, 0, 0, 0.05 * l};
Cone(3) = {0.8 * l, 0, 0, 0.2 * l, 0, 0, 0.05 * l, 0.03 * l};
Box(4) = {0.3 * l, -0.035 * l, -0.095 * l, 0.45 * l, 0.07 * l, 0.07 * l};

Point(101) = {0.38 * l, 0, -t / 2}; Point(102) = {0.72 * l, 0.4 * l, -t / 2}; Point(103) = {0.82 * l, 0.4 * l, -t / 2};
Point(104) = {0.76 * l, 0, -t / 2}; Point(105) = {0.82 * l, -0.4 * l, -t / 2}; Point(106) = {0.72 * l, -0.4 * l, -t / 2};
For i In {1:6}
  Line(100 + i) = {100 + i, 101 + i % 6};
EndFor
Curve Loop(101) = {101:106}; Plane Surface(101) = {101};
wing() = Extrude{0, 0, t}{ Surface{101}; };

Point(201) = {0.76 * l, -t / 2, 0}; Point(202) = {0.92 * l, -t / 2, 0.2 * l}; Point(203) = {0.99 * l, -t / 2, 0.2 * l};
Point(204) = {0.96 * l, -t / 2, 0};
For i In {1:4}
  Line(200 + i) = {200 + i, 201 + i % 4};
EndFor
Curve Loop(201) = {201:204}; Plane Surface(201) = {201};
fin() = Extrude{0, t, 0}{ Surface{201}; };

whole() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2, 3, 4, wing(1), fin(1)}; Delete; };
duct = newv;
Cylinder(duct) = {0.29 * l, 0, -0.0625 * l, 0.01 * l + duct_depth * l, 0, 0, duct_radius * l};
whole() = BooleanDifference{ Volume{whole()}; Delete; }{ Volume{duct}; Delete; };
If (half)
  side = newv;
  Box(side) = {-l, 0, -l, 3 * l, l, 2 * l};
  whole() = BooleanIntersection{ Volume{whole()}; Delete; }{ Volume{side}; Delete; };
EndIf
skin() = Boundary{ Volume{whole()}; };
If (half)
  e = 1e-6 * l;
  skin() -= {Surface In BoundingBox{-l, -e, -l, 2 * l, e, l}};
EndIf
Physical Surface("aircraft") = {skin()};
