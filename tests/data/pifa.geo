// A planar inverted-F antenna on a plate in z = 0, for [mesh] unit = "mm": a sheet at `height`, shorted to the plate by a strip
// at its corner, fed by a strip beside it. Surfaces: plate, patch, short, port.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {26, Name "Geometry/Length of the sheet, x"}, width = {14, Name "Geometry/Width of the sheet, y"},
  height = {7, Name "Geometry/Height of the sheet"}, strip = {2, Name "Geometry/Width of short and feed"},
  feed = {5, Name "Geometry/From the short to the feed, y"},
  plate_x = {90, Name "Geometry/Length of the plate"}, plate_y = {40, Name "Geometry/Width of the plate"}
];
Rectangle(1001) = {-6, -6, 0, plate_x, plate_y};
Rectangle(1002) = {0, 0, height, length, width};
Rectangle(1003) = {0, 0, 0, height, strip};
Rectangle(1004) = {0, feed, 0, height, strip};
Rotate{ {0, 1, 0}, {0, 0, 0}, -Pi / 2 }{ Surface{1003, 1004}; }
BooleanFragments{ Surface{1001:1004}; Delete; }{}
e = 1e-3;
Physical Surface("plate") = Surface In BoundingBox{-6 - e, -6 - e, -e, plate_x, plate_y, e};
Physical Surface("patch") = Surface In BoundingBox{-e, -e, height - e, length + e, width + e, height + e};
Physical Surface("short") = Surface In BoundingBox{-e, -e, -e, e, strip + e, height + e};
Physical Surface("port") = Surface In BoundingBox{-e, feed - e, -e, e, feed + strip + e, height + e};
