// WR-90 guide (22.86 x 10.16 mm, along z) with a symmetrical inductive iris, and behind it a dielectric slab (air as
// long as its material says so), for [mesh] unit = "mm".
// Volumes: air, slab. Surfaces: walls, port1 (z = 0), port2 (the other end).
SetFactory("OpenCASCADE");
DefineConstant[
  gap = {12, Name "Geometry/Width of the opening"},
  thickness = {2, Name "Geometry/Thickness of the iris"},
  feed = {20, Name "Geometry/Guide before the iris"},
  distance = {10, Name "Geometry/Guide between iris and slab"},
  slab = {5, Name "Geometry/Thickness of the slab"},
  tail = {15, Name "Geometry/Guide behind the slab"},
  edge_size = {1, Name "Mesh/Cell size at the edges of the iris"}
];
a = 22.86;
b = 10.16;
If (gap <= 0 || gap >= a)
  Error("gap = %g mm: must be between 0 and the width of the guide, %g mm", gap, a);
EndIf
If (thickness <= 0 || feed <= 0 || distance <= 0 || slab <= 0 || tail <= 0)
  Error("thickness, feed, distance, slab and tail must be positive");
EndIf
z1 = feed;
z2 = z1 + thickness;
z3 = z2 + distance;
z4 = z3 + slab;
length = z4 + tail;
Box(1) = {0, 0, 0, a, b, feed};
Box(2) = {(a - gap) / 2, 0, z1, gap, b, thickness};
Box(3) = {0, 0, z2, a, b, distance};
Box(4) = {0, 0, z3, a, b, slab};
Box(5) = {0, 0, z4, a, b, tail};
Coherence;

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = CombinedBoundary{ Volume{1 : 5}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {1, 2, 3, 5};
Physical Volume("slab") = {4};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};

// Finer at the edges, where H grows without bound; the rest is as large as [mesh] size allows.
MeshSize{ PointsOf{ Volume{1 : 5}; } } = 100;
MeshSize{ PointsOf{ Volume{2}; } } = edge_size;
