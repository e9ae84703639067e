// H-plane T-junction of WR-90 guides (22.86 x 10.16 mm), for [mesh] unit = "mm".
// Volume: air. Surfaces: walls, port1 and port2 (the ends of the straight guide), port3 (of the branch).
SetFactory("OpenCASCADE");
DefineConstant[
  arm = {25, Name "Geometry/Length of each arm"}, size_edge = {2, Name "Mesh/Size at the edges of the junction"},
  size_guide = {5, Name "Mesh/Size in the guides"}
];
a = 22.86;
b = 10.16;
Box(1) = {0, 0, -a / 2 - arm, a, b, a + 2 * arm};
Box(2) = {a, 0, -a / 2, arm, b, a};
BooleanUnion{ Volume{1}; Delete; }{ Volume{2}; Delete; }
e = 1e-3;
end = a / 2 + arm;
port1() = Surface In BoundingBox{-e, -e, -end - e, a + e, b + e, -end + e};
port2() = Surface In BoundingBox{-e, -e, end - e, a + e, b + e, end + e};
port3() = Surface In BoundingBox{a + arm - e, -e, -a, a + arm + e, b + e, a};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2(), port3()};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = walls();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
Physical Surface("port3") = port3();

MeshSize{ PointsOf{ Volume{:}; } } = size_guide;
MeshSize{ PointsOf{ Curve{ Curve In BoundingBox{a - e, -e, -a / 2 - e, a + e, b + e, a / 2 + e} }; } } = size_edge;
