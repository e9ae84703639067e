// WR-90 guide (22.86 x 10.16 mm, along z) with a dielectric slab across it, for [mesh] unit = "mm".
// Volumes: air (both sides), slab. Surfaces: walls, port1 (z = 0), port2 (the other end).
SetFactory("OpenCASCADE");
DefineConstant[
  thickness = {8, Name "Geometry/Thickness of the slab"},
  feed = {15, Name "Geometry/Length of guide on either side"}
];
a = 22.86;
b = 10.16;
If (thickness <= 0 || feed <= 0)
  Error("thickness and feed must be positive");
EndIf
length = 2 * feed + thickness;
Box(1) = {0, 0, 0, a, b, feed};
Box(2) = {0, 0, feed, a, b, thickness};
Box(3) = {0, 0, feed + thickness, a, b, feed};
Coherence;

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = CombinedBoundary{ Volume{1, 2, 3}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {1, 3};
Physical Volume("slab") = {2};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
