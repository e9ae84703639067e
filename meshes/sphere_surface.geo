// A closed spherical surface for ie-solve, radius 1, for [mesh] unit = "m". Triangles only.
// Surface: sphere. With core > 0 a second sphere of that radius inside it: surface core (a coated conductor).
SetFactory("OpenCASCADE");
DefineConstant[
  radius = {1, Name "Geometry/Radius"},
  core = {0, Name "Geometry/Radius of the sphere inside"}
];
Sphere(1) = {0, 0, 0, radius};
Physical Surface("sphere") = Boundary{ Volume{1}; };
If (core > 0)
  Sphere(2) = {0, 0, 0, core};
  Physical Surface("core") = Boundary{ Volume{2}; };
EndIf
