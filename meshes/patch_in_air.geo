// Half (y > 0) of a rectangular patch at height h over an infinite ground plane (z = 0), fed by a strip from the ground
// with a lumped port at its foot, for [mesh] unit = "m", in a half ball of air and a spherical perfectly matched layer.
// y = 0 is a magnetic symmetry plane: an impedance Z of the whole antenna is 2 Z in this model (half of the current).
// Volumes: air, pml. Surfaces: patch (with the strip), port, ground, magnetic (y = 0), back (of the layer).
SetFactory("OpenCASCADE");
DefineConstant[
  length = {0.12, Name "Geometry/Length along x"}, width = {0.15, Name "Geometry/Width along y"},
  height = {0.03, Name "Geometry/Height over the ground"},
  feed = {0.025, Name "Geometry/x of the feed from the middle"}, strip = {0.004, Name "Geometry/Width of the feed"},
  gap = {0.002, Name "Geometry/Height of the port"},
  radius = {0.16, Name "Geometry/Radius of the air"}, layer = {0.08, Name "Geometry/Thickness of the layer"},
  size_air = {0.04, Name "Mesh/Size in air"}, size_edge = {0.0025, Name "Mesh/Size at edges and feed"}
];
Sphere(1) = {0, 0, 0, radius + layer, 0, Pi/2, Pi};
Sphere(2) = {0, 0, 0, radius, 0, Pi/2, Pi};
Rectangle(1001) = {-length / 2, 0, height, length, width / 2};
Point(1101) = {feed, 0, 0}; Point(1102) = {feed, strip / 2, 0};
Point(1103) = {feed, strip / 2, gap}; Point(1104) = {feed, 0, gap};
Point(1105) = {feed, strip / 2, height}; Point(1106) = {feed, 0, height};
Line(1101) = {1101, 1102}; Line(1102) = {1102, 1103}; Line(1103) = {1103, 1104}; Line(1104) = {1104, 1101};
Line(1105) = {1103, 1105}; Line(1106) = {1105, 1106}; Line(1107) = {1106, 1104};
Curve Loop(1101) = {1101, 1102, 1103, 1104}; Plane Surface(1102) = {1101};
Curve Loop(1102) = {1105, 1106, 1107, -1103}; Plane Surface(1103) = {1102};
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{1001, 1102, 1103}; Delete; }

e = 1e-5;
big = radius + layer + e;
air() = Volume In BoundingBox{-radius - e, -e, -e, radius + e, radius + e, radius + e};
pml() = Volume{:};
pml() -= air();
port() = Surface In BoundingBox{feed - e, -e, -e, feed + e, strip / 2 + e, gap + e};
patch() = Surface In BoundingBox{feed - e, -e, gap - e, feed + e, strip / 2 + e, height + e};
patch() += Surface In BoundingBox{-length / 2 - e, -e, height - e, length / 2 + e, width / 2 + e, height + e};
ground() = Surface In BoundingBox{-big, -e, -e, big, big, e};
magnetic() = Surface In BoundingBox{-big, -e, -e, big, e, big};
back() = CombinedBoundary{ Volume{:}; };
back() -= {ground(), magnetic()};
Physical Volume("air") = air();
Physical Volume("pml") = pml();
Physical Surface("port") = port();
Physical Surface("patch") = patch();
Physical Surface("ground") = ground();
Physical Surface("magnetic") = magnetic();
Physical Surface("back") = back();

outline() = Boundary{ Surface{patch(), port()}; };
Field[1] = Distance;
Field[1].CurvesList = {outline()};
Field[1].NumPointsPerCurve = 80;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size_edge;
Field[2].SizeMax = size_air;
Field[2].DistMin = 0.002;
Field[2].DistMax = 0.1;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
