// A ring of microstrip in a closed metal box, for [mesh] unit = "mm". Volumes: substrate, air. Surfaces: ring, box.
SetFactory("OpenCASCADE");
DefineConstant[
  radius = {5, Name "Geometry/Mean radius"}, width = {1.2, Name "Geometry/Width of the line"},
  height = {1.27, Name "Geometry/Thickness of the substrate"}, side = {18, Name "Geometry/Side of the box"},
  cover = {6, Name "Geometry/Height of the box"}
];
Box(1) = {-side / 2, -side / 2, 0, side, side, height};
Box(2) = {-side / 2, -side / 2, height, side, side, cover - height};
Disk(101) = {0, 0, height, radius + width / 2};
Disk(102) = {0, 0, height, radius - width / 2};
BooleanDifference(103) = { Surface{101}; Delete; }{ Surface{102}; Delete; };
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{103}; Delete; }
e = 1e-3;
r = radius + width / 2 + e;
around() = Surface In BoundingBox{-r, -r, height - e, r, r, height + e};
inside = radius - width / 2 + e;
around() -= Surface In BoundingBox{-inside, -inside, height - e, inside, inside, height + e};
Physical Volume("substrate") = Volume In BoundingBox{-side, -side, -e, side, side, height + e};
Physical Volume("air") = Volume In BoundingBox{-side, -side, height - e, side, side, cover + e};
Physical Surface("ring") = around();
Physical Surface("box") = CombinedBoundary{ Volume{:}; };
