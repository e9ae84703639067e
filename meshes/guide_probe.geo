// WR-90 guide (22.86 x 10.16 mm, along z), short-circuited at z = 0, with a coaxial probe through its floor (SMA), for
// [mesh] unit = "mm".
// Volumes: air, teflon. Surfaces: walls (all metal), guide (z = length), coax (the end of the line below).
SetFactory("OpenCASCADE");
DefineConstant[
  depth = {6.2, Name "Geometry/Length of the probe in the guide"}, back = {5.6, Name "Geometry/From the short circuit"},
  length = {30, Name "Geometry/Length of the guide"}, line = {5, Name "Geometry/Length of the coaxial line"},
  inner = {0.635, Name "Geometry/Radius of the probe"}, outer = {2.05, Name "Geometry/Inner radius of the shield"},
  size_probe = {1, Name "Mesh/Size at the probe"}, size_guide = {5, Name "Mesh/Size in the guide"}
];
a = 22.86;
b = 10.16;
Box(1) = {-a / 2, 0, 0, a, b, length};
Cylinder(2) = {0, -line, back, 0, line, 0, outer};
Cylinder(3) = {0, -line, back, 0, line + depth, 0, inner};
BooleanDifference{ Volume{1, 2}; Delete; }{ Volume{3}; Delete; }
BooleanFragments{ Volume{:}; Delete; }{}
e = 1e-3;
coax() = Surface In BoundingBox{-outer - e, -line - e, back - outer - e, outer + e, -line + e, back + outer + e};
guide() = Surface In BoundingBox{-a, -e, length - e, a, b + e, length + e};
teflon() = Volume In BoundingBox{-outer - e, -line - e, back - outer - e, outer + e, e, back + outer + e};
air() = Volume{:};
air() -= teflon();
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {coax(), guide()};
Physical Volume("air") = air();
Physical Volume("teflon") = teflon();
Physical Surface("walls") = walls();
Physical Surface("guide") = guide();
Physical Surface("coax") = coax();

MeshSize{ PointsOf{ Volume{:}; } } = size_guide;
MeshSize{ PointsOf{ Volume{teflon()}; } } = size_probe;
probe() = Surface In BoundingBox{-inner - e, -line - e, back - inner - e, inner + e, depth + e, back + inner + e};
MeshSize{ PointsOf{ Surface{probe()}; } } = size_probe;
