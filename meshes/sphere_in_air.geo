// A sphere and the surface S at a distance around it. The sphere's surface is both the body's and S' of the
// truncation. Volumes: air, and body if it is filled. Surfaces: body, S; of a quarter x_plane and y_plane too.
SetFactory("OpenCASCADE");
DefineConstant[
  radius = {0.5, Name "Geometry/Radius of the sphere"},
  distance = {0.1, Name "Geometry/Distance of S from the sphere"},
  filled = {0, Choices {0, 1}, Name "Geometry/1: the inside is part of the mesh (a dielectric), 0: it is not (metal)"},
  quarter = {0, Choices {0, 1}, Name "Geometry/1: only x > 0, y > 0"}
];
If (radius <= 0 || distance <= 0)
  Error("radius and distance must be positive");
EndIf
sector = quarter ? Pi / 2 : 2 * Pi;
Sphere(1) = {0, 0, 0, radius + distance, -Pi / 2, Pi / 2, sector};
Sphere(2) = {0, 0, 0, radius, -Pi / 2, Pi / 2, sector};
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
planes() = {};
If (quarter)
  b = 2 * (radius + distance);
  t = 1e-3 * radius;
  x_plane() = Surface In BoundingBox{-t, -b, -b, t, b, b};
  y_plane() = Surface In BoundingBox{-b, -t, -b, b, t, b};
  planes() = {x_plane(), y_plane()};
  Physical Surface("x_plane") = {x_plane()};
  Physical Surface("y_plane") = {y_plane()};
EndIf
inner() = Surface In BoundingBox{-e * radius, -e * radius, -e * radius, e * radius, e * radius, e * radius};
inner() -= {planes()};
outer() = Surface{:};
outer() -= {inner(), planes()};
Physical Surface("body") = {inner()};
Physical Surface("S") = {outer()};
