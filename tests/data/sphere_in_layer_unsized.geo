// A sphere in air in a spherical perfectly matched layer, whole or a quarter at x > 0, y > 0, without sizes.
// Volumes: body, air, pml. Surfaces: body_surface, back, of a quarter x_plane and y_plane.
SetFactory("OpenCASCADE");
DefineConstant[radius = 1, air = 0.5, layer = 1, quarter = 0];
turn = quarter ? Pi / 2 : 2 * Pi;
Sphere(1) = {0, 0, 0, radius, -Pi / 2, Pi / 2, turn};
Sphere(2) = {0, 0, 0, radius + air, -Pi / 2, Pi / 2, turn};
Sphere(3) = {0, 0, 0, radius + air + layer, -Pi / 2, Pi / 2, turn};
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{2}; };
BooleanDifference(4) = { Volume{2}; Delete; }{ Volume{1}; };
BooleanFragments{ Volume{1, 4, 5}; Delete; }{ }
e = 1e-6;
far = 2 * (radius + air + layer);
x_plane() = Surface In BoundingBox{-e, -e, -far, e, far, far};
y_plane() = Surface In BoundingBox{-e, -e, -far, far, e, far};
body_surface() = Boundary{ Volume{1}; };
back() = CombinedBoundary{ Volume{:}; };
If(quarter)
  body_surface() -= {x_plane(), y_plane()};
  back() -= {x_plane(), y_plane()};
  Physical Surface("x_plane") = {x_plane()};
  Physical Surface("y_plane") = {y_plane()};
EndIf
Physical Volume("body") = {1};
Physical Volume("air") = {4};
Physical Volume("pml") = {5};
Physical Surface("body_surface") = {body_surface()};
Physical Surface("back") = {back()};
