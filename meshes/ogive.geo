// The metallic ogive of Woo et al. (1993), IEEE Antennas and Propagation Magazine 35(1): half-length 5 in along x, half
// angle 22.62 degrees, radius 1 in; and S at a distance around it. For [mesh] unit = "mm".
// Volume: air. Surfaces: body (metal, S' at the same time), S.
SetFactory("OpenCASCADE");
DefineConstant[
  half_length = {127, Name "Geometry/Half of the length"},
  radius = {25.4, Name "Geometry/Radius in the middle"},
  distance = {25, Name "Geometry/Distance of S from the body"},
  tip_size = {3, Name "Mesh/Cell size at the tips"}
];
If (half_length <= radius || radius <= 0 || distance <= 0)
  Error("radius must be positive and below half_length, distance positive");
EndIf
// An eighth, by turning an arc around a centre below the axis; faces with a single pole are meshed far quicker.
below = (half_length^2 - radius^2) / (2 * radius);
Point(1) = {0, 0, 0}; Point(2) = {half_length, 0, 0}; Point(3) = {0, radius, 0}; Point(4) = {0, -below, 0};
Line(1) = {1, 2}; Circle(2) = {2, 4, 3}; Line(3) = {3, 1};
Curve Loop(1) = {1, 2, 3};
Plane Surface(1) = {1};
part() = Extrude{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Surface{1}; };
body() = {part(1)};
For i In {1 : 3}
  copy() = Rotate{ {1, 0, 0}, {0, 0, 0}, i * Pi / 2 }{ Duplicata{ Volume{part(1)}; } };
  body() += {copy()};
EndFor
For i In {0 : 3}
  copy() = Symmetry{ 1, 0, 0, 0 }{ Duplicata{ Volume{body(i)}; } };
  body() += {copy()};
EndFor
// S: a capsule, convex.
rod = half_length - radius;
Cylinder(1000) = {-rod, 0, 0, 2 * rod, 0, 0, radius + distance};
Sphere(1001) = {-rod, 0, 0, radius + distance};
Sphere(1002) = {rod, 0, 0, radius + distance};
capsule() = BooleanUnion{ Volume{1000}; Delete; }{ Volume{1001, 1002}; Delete; };
air() = BooleanDifference{ Volume{capsule()}; Delete; }{ Volume{body()}; Delete; };
c = 1.01;
inner() = Surface In BoundingBox{-c * half_length, -c * radius, -c * radius, c * half_length, c * radius, c * radius};
outer() = Boundary{ Volume{air()}; };
outer() -= {inner()};
tips() = Point In BoundingBox{-c * half_length, -1, -1, -0.99 * half_length, 1, 1};
tips() += Point In BoundingBox{0.99 * half_length, -1, -1, c * half_length, 1, 1};
MeshSize{ tips() } = tip_size;
Physical Volume("air") = {air()};
Physical Surface("body") = {inner()};
Physical Surface("S") = {outer()};
