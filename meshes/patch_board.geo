// A rectangular patch on a board of finite size with ground on all of its lower face, fed by a strip through the board with
// a lumped port on all of its length, for [mesh] unit = "mm". Surfaces: patch, ground, port, bare (the other faces of the
// board). With solid = 1 also the volume substrate, for finite elements.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {36, Name "Geometry/Length along x"}, width = {46, Name "Geometry/Width along y"},
  height = {5, Name "Geometry/Height of the board"},
  board_x = {70, Name "Geometry/Board along x"}, board_y = {80, Name "Geometry/Board along y"},
  feed = {9, Name "Geometry/x of the feed from the middle"}, strip = {3, Name "Geometry/Width of the feed"},
  solid = {0, Name "Geometry/1: with the volume"},
  size_board = {9, Name "Mesh/Size on the board"}, size_edge = {4, Name "Mesh/Size at the patch"},
  size_feed = {1.5, Name "Mesh/Size at the feed"}
];
Box(1) = {-board_x / 2, -board_y / 2, 0, board_x, board_y, height};
Rectangle(1001) = {-length / 2, -width / 2, height, length, width};
Point(1101) = {feed, -strip / 2, 0}; Point(1102) = {feed, strip / 2, 0};
Point(1103) = {feed, strip / 2, height}; Point(1104) = {feed, -strip / 2, height};
Line(1101) = {1101, 1102}; Line(1102) = {1102, 1103}; Line(1103) = {1103, 1104}; Line(1104) = {1104, 1101};
Curve Loop(1101) = {1101, 1102, 1103, 1104}; Plane Surface(1102) = {1101};
BooleanFragments{ Volume{1}; Delete; }{ Surface{1001, 1102}; Delete; }

e = 1e-3;
x = board_x / 2 + e; y = board_y / 2 + e;
port() = Surface In BoundingBox{feed - e, -strip / 2 - e, -e, feed + e, strip / 2 + e, height + e};
patch() = Surface In BoundingBox{-length / 2 - e, -width / 2 - e, height - e, length / 2 + e, width / 2 + e, height + e};
ground() = Surface In BoundingBox{-x, -y, -e, x, y, e};
bare() = Surface In BoundingBox{-x, -y, -e, x, y, height + e};
bare() -= {port(), patch(), ground()};
Physical Surface("patch") = patch();
Physical Surface("ground") = ground();
Physical Surface("port") = port();
Physical Surface("bare") = bare();
If (solid)
  Physical Volume("substrate") = Volume{:};
EndIf

MeshSize{ PointsOf{ Surface{bare(), ground()}; } } = size_board;
MeshSize{ PointsOf{ Surface{patch()}; } } = size_edge;
MeshSize{ PointsOf{ Surface{port()}; } } = size_feed;
Mesh.MeshSizeFromPoints = 1;
