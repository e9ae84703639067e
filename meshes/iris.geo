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
  edge_size = {0.3, Name "Mesh/Cell size at the edges of the iris"},
  layers = {1, Name "Mesh/Layers of cells along y"}
];
a = 22.86;
b = 10.16;
If (gap <= 0 || gap >= a)
  Error("gap = %g mm: must be between 0 and the width of the guide, %g mm", gap, a);
EndIf
If (thickness <= 0 || feed <= 0 || distance <= 0 || slab <= 0 || tail <= 0 || layers < 1)
  Error("thickness, feed, distance, slab, tail and layers must be positive");
EndIf
z1 = feed;
z2 = z1 + thickness;
z3 = z2 + distance;
z4 = z3 + slab;
length = z4 + tail;

// The floor: one rectangle for every section, first in the x-y plane.
Rectangle(1) = {0, 0, 0, a, feed};
Rectangle(2) = {(a - gap) / 2, z1, 0, gap, thickness};
Rectangle(3) = {0, z2, 0, a, distance};
Rectangle(4) = {0, z3, 0, a, slab};
Rectangle(5) = {0, z4, 0, a, tail};
Coherence;
Rotate{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Surface{:}; }

// Cells are finer at the edges of the iris, where H grows without bound, and elsewhere as large as [mesh] size allows.
// Nothing varies along y in this device: a few layers of tall cells suffice.
MeshSize{ PointsOf{ Surface{:}; } } = 100;
MeshSize{ PointsOf{ Surface{2}; } } = edge_size;
Extrude{0, b, 0}{ Surface{:}; Layers{layers}; }

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
slab_volume() = Volume In BoundingBox{-e, -e, z3 - e, a + e, b + e, z4 + e};
air() = Volume{:};
air() -= {slab_volume()};
Physical Volume("air") = {air()};
Physical Volume("slab") = {slab_volume()};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
