// A sphere in air in a spherical perfectly matched layer, for [mesh] order = 2.
// Volumes: body, air, pml. Surfaces: body_surface, layer_inner, back (the outside of the layer).
SetFactory("OpenCASCADE");
DefineConstant[
  radius = 1, air = 0.5, layer = 1,      // of the body; thickness of the air around it and of the layer
  size_body = 0.25, size_air = 0.4
];
Sphere(1) = {0, 0, 0, radius};
Sphere(2) = {0, 0, 0, radius + air};
Sphere(3) = {0, 0, 0, radius + air + layer};
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{2}; };
BooleanDifference(4) = { Volume{2}; Delete; }{ Volume{1}; };
BooleanFragments{ Volume{1, 4, 5}; Delete; }{ }
body_surface() = Boundary{ Volume{1}; };
inner() = Boundary{ Volume{4}; };
inner() -= {body_surface()};
back() = CombinedBoundary{ Volume{:}; };
Physical Volume("body") = {1};
Physical Volume("air") = {4};
Physical Volume("pml") = {5};
Physical Surface("body_surface") = {body_surface()};
Physical Surface("layer_inner") = {inner()};
Physical Surface("back") = {back()};
MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{1}; } } = size_body;
