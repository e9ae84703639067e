// A sphere and the surface S at a distance around it. The sphere's surface is both the body's and S' of the
// truncation. Volumes: air, and body if it is filled. Surfaces: body, S.
SetFactory("OpenCASCADE");
DefineConstant[
  radius = {0.5, Name "Geometry/Radius of the sphere"},
  distance = {0.1, Name "Geometry/Distance of S from the sphere"},
  filled = {0, Choices {0, 1}, Name "Geometry/1: the inside is part of the mesh (a dielectric), 0: it is not (metal)"}
];
If (radius <= 0 || distance <= 0)
  Error("radius and distance must be positive");
EndIf
Sphere(1) = {0, 0, 0, radius + distance};
Sphere(2) = {0, 0, 0, radius};
If (filled)
  BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
  body() = Volume In BoundingBox{-1.01 * radius, -1.01 * radius, -1.01 * radius, 1.01 * radius, 1.01 * radius, 1.01 * radius};
  air() = Volume{:};
  air() -= {body()};
  Physical Volume("body") = {body()};
  Physical Volume("air") = {air()};
Else
  air() = BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; };
  Physical Volume("air") = {air()};
EndIf
e = 1.01;
inner() = Surface In BoundingBox{-e * radius, -e * radius, -e * radius, e * radius, e * radius, e * radius};
outer() = Surface{:};
outer() -= {inner()};
Physical Surface("body") = {inner()};
Physical Surface("S") = {outer()};
