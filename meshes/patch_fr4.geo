// Half (y > 0) of a rectangular patch on a substrate over an infinite ground plane (z = 0), fed by a probe with a lumped
// port across the substrate, for [mesh] unit = "mm", in a half ball of air and a spherical perfectly matched layer.
// y = 0 is a magnetic symmetry plane: an impedance Z of the whole antenna is 2 Z in this model (half of the current).
// Volumes: substrate, air, pml. Surfaces: patch, port, board (ground under the substrate), ground (beside it),
// magnetic (y = 0), back (of the layer).
SetFactory("OpenCASCADE");
DefineConstant[
  length = {29, Name "Geometry/Length along x"}, width = {38, Name "Geometry/Width along y"},
  height = {1.6, Name "Geometry/Height of the substrate"},
  board_x = {60, Name "Geometry/Substrate along x"}, board_y = {60, Name "Geometry/Substrate along y"},
  feed = {7, Name "Geometry/x of the feed from the middle"}, strip = {1.2, Name "Geometry/Width of the feed"},
  radius = {55, Name "Geometry/Radius of the air"}, layer = {30, Name "Geometry/Thickness of the layer"},
  size_air = {20, Name "Mesh/Size in air"}, size_board = {8, Name "Mesh/Size in the substrate"},
  size_edge = {3, Name "Mesh/Size at edges and feed"}
];
If (Sqrt(board_x^2 / 4 + board_y^2 / 4 + height^2) >= radius)
  Error("the substrate must lie inside the air: radius = %g mm is below half its diagonal", radius);
EndIf
Sphere(1) = {0, 0, 0, radius + layer, 0, Pi/2, Pi};
Sphere(2) = {0, 0, 0, radius, 0, Pi/2, Pi};
Box(3) = {-board_x / 2, 0, 0, board_x, board_y / 2, height};
Rectangle(1001) = {-length / 2, 0, height, length, width / 2};
Point(1101) = {feed, 0, 0}; Point(1102) = {feed, strip / 2, 0};
Point(1103) = {feed, strip / 2, height}; Point(1104) = {feed, 0, height};
Line(1101) = {1101, 1102}; Line(1102) = {1102, 1103}; Line(1103) = {1103, 1104}; Line(1104) = {1104, 1101};
Curve Loop(1101) = {1101, 1102, 1103, 1104}; Plane Surface(1102) = {1101};
BooleanFragments{ Volume{1, 2, 3}; Delete; }{ Surface{1001, 1102}; Delete; }

e = 1e-3;
big = radius + layer + e;
inner() = Volume In BoundingBox{-radius - e, -e, -e, radius + e, radius + e, radius + e};
substrate() = Volume In BoundingBox{-board_x / 2 - e, -e, -e, board_x / 2 + e, board_y / 2 + e, height + e};
air() = inner();
air() -= substrate();
pml() = Volume{:};
pml() -= inner();
port() = Surface In BoundingBox{feed - e, -e, -e, feed + e, strip / 2 + e, height + e};
patch() = Surface In BoundingBox{-length / 2 - e, -e, height - e, length / 2 + e, width / 2 + e, height + e};
ground() = Surface In BoundingBox{-big, -e, -e, big, big, e};
board() = Surface In BoundingBox{-board_x / 2 - e, -e, -e, board_x / 2 + e, board_y / 2 + e, e};
ground() -= board();
magnetic() = Surface In BoundingBox{-big, -e, -e, big, e, big};
back() = CombinedBoundary{ Volume{:}; };
back() -= {ground(), board(), magnetic()};
Physical Volume("substrate") = substrate();
Physical Volume("air") = air();
Physical Volume("pml") = pml();
Physical Surface("port") = port();
Physical Surface("patch") = patch();
Physical Surface("board") = board();
Physical Surface("ground") = ground();
Physical Surface("magnetic") = magnetic();
Physical Surface("back") = back();

MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{substrate()}; } } = size_board;
MeshSize{ PointsOf{ Surface{patch(), port()}; } } = size_edge;
Mesh.MeshSizeExtendFromBoundary = 1;
Mesh.MeshSizeFromPoints = 1;
