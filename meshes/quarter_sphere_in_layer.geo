// x > 0, y > 0 of the space around a hollow sphere, and of a layer around it. Volumes: air, layer. Surfaces: body,
// back (the outside of the layer), planes (x = 0 and y = 0).
SetFactory("OpenCASCADE");
DefineConstant[ radius = 0.1, air = 0.05, layer = 0.15 ];  // of the body; thickness of the air and of the layer
r[] = {radius, radius + air, radius + air + layer};
For i In {0 : 2}
  Sphere(i + 1) = {0, 0, 0, r[i], -Pi / 2, Pi / 2, Pi / 2};
EndFor
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{2}; };
BooleanDifference(4) = { Volume{2}; Delete; }{ Volume{1}; Delete; };
BooleanFragments{ Volume{4, 5}; Delete; }{ }
b = 2 * r[2];
t = 1e-3 * radius;
planes() = Surface In BoundingBox{-t, -b, -b, t, b, b};
planes() += Surface In BoundingBox{-b, -t, -b, b, t, b};
e = 1.01 * radius;
body() = Surface In BoundingBox{-e, -e, -e, e, e, e};
back() = CombinedBoundary{ Volume{:}; };
back() -= {planes(), body()};
Physical Volume("air") = {4};
Physical Volume("layer") = {5};
Physical Surface("body") = {body()};
Physical Surface("planes") = {planes()};
Physical Surface("back") = {back()};
