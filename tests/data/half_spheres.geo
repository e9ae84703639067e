// A ball "body", air and a layer "pml" around it; half = 1: z > 0 alone, over the surface "plane". source > 0: small
// cells around the origin, for a source there. Surfaces: body_surface, back (outside of the layer).
SetFactory("OpenCASCADE");
DefineConstant[ radius = 1, air = 0.5, layer = 1, size_body = 0.3, size_air = 0.42, half = 1, source = 0, growth = 0.3 ];
low = half ? 0 : -Pi/2;
Sphere(1) = {0, 0, 0, radius, low, Pi/2, 2*Pi};
Sphere(2) = {0, 0, 0, radius + air, low, Pi/2, 2*Pi};
Sphere(3) = {0, 0, 0, radius + air + layer, low, Pi/2, 2*Pi};
BooleanFragments{ Volume{1, 2, 3}; Delete; }{ }
e = 1e-3; b = radius + e; c = radius + air + e;
body() = Volume In BoundingBox{-b, -b, -b, b, b, b};
in() = Volume In BoundingBox{-c, -c, -c, c, c, c};
around() = in(); around() -= {body()};
pml() = Volume{:}; pml() -= {in()};
Physical Volume("body") = {body()};
Physical Volume("air") = {around()};
Physical Volume("pml") = {pml()};
back() = CombinedBoundary{ Volume{:}; };
surface() = Surface In BoundingBox{-b, -b, -b, b, b, b};
If (half)
  big = radius + air + layer + e;
  plane() = Surface In BoundingBox{-big, -big, -e, big, big, e};
  back() -= {plane()};
  surface() -= {plane()};
  Physical Surface("plane") = {plane()};
EndIf
Physical Surface("back") = {back()};
Physical Surface("body_surface") = {surface()};
MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{body()}; } } = size_body;
If (source > 0)
  Field[1] = MathEval;
  Field[1].F = Sprintf("%g + %g * sqrt(x^2 + y^2 + z^2)", source, growth);
  Background Field = 1;
  Mesh.MeshSizeExtendFromBoundary = 0;
EndIf
