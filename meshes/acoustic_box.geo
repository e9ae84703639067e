// Closed rectangular box, for [mesh] unit = "m". Volume: air. Surfaces: x0, x1, y0, y1, z0, z1.
SetFactory("OpenCASCADE");
DefineConstant[
  length_x = {1, Name "Geometry/Length along x"},
  length_y = {0.8, Name "Geometry/Length along y"},
  length_z = {0.6, Name "Geometry/Length along z"}
];
If (length_x <= 0 || length_y <= 0 || length_z <= 0)
  Error("length_x, length_y and length_z must be positive");
EndIf
Box(1) = {0, 0, 0, length_x, length_y, length_z};
e = 1e-6 * (length_x + length_y + length_z);
Physical Volume("air") = {1};
Physical Surface("x0") = Surface In BoundingBox{-e, -e, -e, e, length_y + e, length_z + e};
Physical Surface("x1") = Surface In BoundingBox{length_x - e, -e, -e, length_x + e, length_y + e, length_z + e};
Physical Surface("y0") = Surface In BoundingBox{-e, -e, -e, length_x + e, e, length_z + e};
Physical Surface("y1") = Surface In BoundingBox{-e, length_y - e, -e, length_x + e, length_y + e, length_z + e};
Physical Surface("z0") = Surface In BoundingBox{-e, -e, -e, length_x + e, length_y + e, e};
Physical Surface("z1") = Surface In BoundingBox{-e, -e, length_z - e, length_x + e, length_y + e, length_z + e};
