// An eighth of a strip dipole along z, for [mesh] unit = "m", in a ball of air and a spherical perfectly matched layer.
// The strip lies in the plane x = 0, |y| < width / 2, |z| < length / 2, with a gap |z| < gap / 2 that a lumped port
// feeds. x = 0 and y = 0 are magnetic, z = 0 is an electric symmetry plane: an impedance Z of the whole dipole is 2 Z
// in this model (half of the voltage, a quarter of the current).
// Volumes: air, pml. Surfaces: strip, feed, magnetic (x = 0 and y = 0), electric (z = 0), back (of the layer).
SetFactory("OpenCASCADE");
DefineConstant[
  length = {0.47, Name "Geometry/Length"}, width = {0.02, Name "Geometry/Width"},
  gap = {0.01, Name "Geometry/Gap of the feed"},
  radius = {0.4, Name "Geometry/Radius of the air"}, layer = {0.15, Name "Geometry/Thickness of the layer"},
  size_air = {0.06, Name "Mesh/Size in air"}, size_edge = {0.006, Name "Mesh/Size at the strip"}
];
Sphere(1) = {0, 0, 0, radius + layer, 0, Pi/2, Pi/2};
Sphere(2) = {0, 0, 0, radius, 0, Pi/2, Pi/2};
Point(1001) = {0, 0, 0};
Point(1002) = {0, width / 2, 0};
Point(1003) = {0, width / 2, gap / 2};
Point(1004) = {0, 0, gap / 2};
Point(1005) = {0, width / 2, length / 2};
Point(1006) = {0, 0, length / 2};
Line(1001) = {1001, 1002}; Line(1002) = {1002, 1003}; Line(1003) = {1003, 1004}; Line(1004) = {1004, 1001};
Line(1005) = {1003, 1005}; Line(1006) = {1005, 1006}; Line(1007) = {1006, 1004};
Curve Loop(1001) = {1001, 1002, 1003, 1004}; Plane Surface(1001) = {1001};
Curve Loop(1002) = {1005, 1006, 1007, -1003}; Plane Surface(1002) = {1002};
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{1001, 1002}; Delete; }

e = 1e-4;
air() = Volume In BoundingBox{-e, -e, -e, radius + e, radius + e, radius + e};
pml() = Volume{:};
pml() -= air();
feed() = Surface In BoundingBox{-e, -e, -e, e, width / 2 + e, gap / 2 + e};
strip() = Surface In BoundingBox{-e, -e, gap / 2 - e, e, width / 2 + e, length / 2 + e};
big = radius + layer + e;
magnetic() = Surface In BoundingBox{-e, -e, -e, e, big, big};
magnetic() += Surface In BoundingBox{-e, -e, -e, big, e, big};
magnetic() -= feed();
magnetic() -= strip();
electric() = Surface In BoundingBox{-e, -e, -e, big, big, e};
back() = CombinedBoundary{ Volume{:}; };
back() -= {feed(), strip(), magnetic(), electric()};
Physical Volume("air") = air();
Physical Volume("pml") = pml();
Physical Surface("feed") = feed();
Physical Surface("strip") = strip();
Physical Surface("magnetic") = magnetic();
Physical Surface("electric") = electric();
Physical Surface("back") = back();

outline() = Boundary{ Surface{feed(), strip()}; };
Field[1] = Distance;
Field[1].CurvesList = {outline()};
Field[1].NumPointsPerCurve = 80;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size_edge;
Field[2].SizeMax = size_air;
Field[2].DistMin = 0.002;
Field[2].DistMax = 0.25;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
