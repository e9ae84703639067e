// A ball of air in a spherical perfectly matched layer, with small cells around one or two sources on the x axis,
// at x = -separation/2 and +separation/2.
// Volumes: air, pml. Surfaces: layer_inner, back (the outside of the layer).
SetFactory("OpenCASCADE");
DefineConstant[
  radius = 0.3, layer = 0.3, separation = 0,
  size_source = 0.02, growth = 0.2, size_far = 0.1
];
Sphere(1) = {0, 0, 0, radius};
Sphere(2) = {0, 0, 0, radius + layer};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; };
BooleanFragments{ Volume{1, 3}; Delete; }{ }
inner() = Boundary{ Volume{1}; };
back() = CombinedBoundary{ Volume{:}; };
Physical Volume("air") = {1};
Physical Volume("pml") = {3};
Physical Surface("layer_inner") = {inner()};
Physical Surface("back") = {back()};

// Cells grow with the distance from the nearest source.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g * sqrt((x + %g)^2 + y^2 + z^2)", size_source, growth, separation / 2);
Field[2] = MathEval;
Field[2].F = Sprintf("%g + %g * sqrt((x - %g)^2 + y^2 + z^2)", size_source, growth, separation / 2);
Field[3] = MathEval;
Field[3].F = Sprintf("%g", size_far);
Field[4] = Min;
Field[4].FieldsList = {1, 2, 3};
Background Field = 4;
Mesh.MeshSizeExtendFromBoundary = 0;
