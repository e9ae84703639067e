// A metal plate without thickness across a WR-90 guide (22.86 x 10.16 mm, along z), with a narrow slot at half height,
// for [mesh] unit = "mm". Cells grow from the edges of the slot to the guide.
// Volume: air. Surfaces: walls, plate, port1 (z = 0), port2 (z = length).
SetFactory("OpenCASCADE");
DefineConstant[
  slot = {15, Name "Geometry/Length of the slot"}, opening = {0.5, Name "Geometry/Width of the slot"},
  length = {40, Name "Geometry/Length of the guide"},
  size_slot = {0.1, Name "Mesh/Size at the edges of the slot"}, size_far = {5, Name "Mesh/Size in the guide"},
  growth = {0.9, Name "Mesh/Growth with the distance from the slot"}
];
a = 22.86;
b = 10.16;
z0 = length / 2;
Box(1) = {0, 0, 0, a, b, length};
Rectangle(100) = {0, 0, z0, a, b};
Rectangle(101) = {(a - slot) / 2, (b - opening) / 2, z0, slot, opening};
BooleanDifference{ Surface{100}; Delete; }{ Surface{101}; }
BooleanFragments{ Volume{1}; Delete; }{ Surface{100, 101}; Delete; }
e = 1e-3;
hole() = Surface In BoundingBox{(a - slot) / 2 - e, (b - opening) / 2 - e, z0 - e, (a + slot) / 2 + e, (b + opening) / 2 + e, z0 + e};
plate() = Surface In BoundingBox{-e, -e, z0 - e, a + e, b + e, z0 + e};
plate() -= hole();
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = walls();
Physical Surface("plate") = plate();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();

x1 = (a - slot) / 2; x2 = (a + slot) / 2; y1 = (b - opening) / 2; y2 = (b + opening) / 2;
// Distance from the slot: of a point from a rectangle.
Field[1] = MathEval;
Field[1].F = Sprintf("min(%g, %g + %g * sqrt(max(0, max(%g - x, x - %g))^2 + max(0, max(%g - y, y - %g))^2 + (z - %g)^2))",
                     size_far, size_slot, growth, x1, x2, y1, y2, z0);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
