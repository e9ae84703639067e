// Closed cylinder about z with a piston as its one end, for [mesh] unit = "m".
// Volume: air. Surfaces: piston (z = 0), end (z = length), side.
SetFactory("OpenCASCADE");
DefineConstant[
  radius = {0.15, Name "Geometry/Radius"},
  length = {1.2, Name "Geometry/Length"}
];
If (radius <= 0 || length <= 0)
  Error("radius and length must be positive");
EndIf
Cylinder(1) = {0, 0, 0, 0, 0, length, radius};
e = 1e-6 * (radius + length);
r = radius + e;
Physical Volume("air") = {1};
Physical Surface("piston") = Surface In BoundingBox{-r, -r, -e, r, r, e};
Physical Surface("end") = Surface In BoundingBox{-r, -r, length - e, r, r, length + e};
side() = Boundary{ Volume{1}; };
side() -= Surface In BoundingBox{-r, -r, -e, r, r, e};
side() -= Surface In BoundingBox{-r, -r, length - e, r, r, length + e};
Physical Surface("side") = side();
