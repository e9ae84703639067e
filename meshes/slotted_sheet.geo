// A square metal sheet without thickness in the plane z = 0, with a narrow slot along x in its middle, in a ball of air.
// Cells grow from the edges of the slot to the air, by a factor of 50 and more. For [mesh] unit = "mm".
// Volume: air. Surfaces: sheet, outer (the sphere).
SetFactory("OpenCASCADE");
DefineConstant[
  side = {30, Name "Geometry/Side of the sheet"},
  slot = {15, Name "Geometry/Length of the slot"}, opening = {0.5, Name "Geometry/Width of the slot"},
  radius = {40, Name "Geometry/Radius of the air"},
  size_slot = {0.15, Name "Mesh/Size at the edges of the slot"}, size_far = {7.5, Name "Mesh/Size in the air"},
  growth = {0.7, Name "Mesh/Growth with the distance from the slot"}
];
Sphere(1) = {0, 0, 0, radius};
Rectangle(100) = {-side / 2, -side / 2, 0, side, side};
Rectangle(101) = {-slot / 2, -opening / 2, 0, slot, opening};
BooleanDifference{ Surface{100}; Delete; }{ Surface{101}; }
BooleanFragments{ Volume{1}; Delete; }{ Surface{100, 101}; Delete; }
e = 1e-3;
hole() = Surface In BoundingBox{-slot / 2 - e, -opening / 2 - e, -e, slot / 2 + e, opening / 2 + e, e};
sheet() = Surface In BoundingBox{-side / 2 - e, -side / 2 - e, -e, side / 2 + e, side / 2 + e, e};
sheet() -= hole();
outer() = CombinedBoundary{ Volume{:}; };
Physical Volume("air") = Volume{:};
Physical Surface("sheet") = sheet();
Physical Surface("outer") = outer();

// Distance from the slot: of a point from a rectangle.
Field[1] = MathEval;
Field[1].F = Sprintf("min(%g, %g + %g * sqrt(max(0, abs(x) - %g)^2 + max(0, abs(y) - %g)^2 + z^2))",
                     size_far, size_slot, growth, slot / 2, opening / 2);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
