// Closed cylinder about z with a piston as its one end, for [mesh] unit = "m".
// Volume: air. Surfaces: piston (z = 0), end (z = length), side.
//
// Unknowns by [mesh] size, at order 2 on straight or curved cells (measured, Gmsh 4.8.4), beside the cylinders of
// Cheik Ahamed and Magoules (2014), HPCC, doi 10.1109/hpcc.2014.16, table 1:
//   size   0.0682   0.0328   0.0159
//   here   2 634    18 744   142 103
//   there  2 717    19 041   142 049
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
