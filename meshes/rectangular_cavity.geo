// Rectangular cavity of perfectly conducting walls, 1 x 0.75 x 0.5, for [mesh] unit = "m".
// Volume: cavity. Surface: walls.
SetFactory("OpenCASCADE");
DefineConstant[
  a = {1.00, Name "Geometry/Length along x"},
  b = {0.75, Name "Geometry/Length along y"},
  d = {0.50, Name "Geometry/Length along z"}
];
Box(1) = {0, 0, 0, a, b, d};
Physical Volume("cavity") = {1};
Physical Surface("walls") = Boundary{ Volume{1}; };
