// Three-resonator H-plane iris filter in WR-90 guide (22.86 x 10.16 mm, along z), for [mesh] unit = "mm".
// Four inductive irises, symmetrical about the middle: gap1, gap2, gap2, gap1; resonators length1, length2, length1.
// The values come from scripts/design_iris_filter.py: passband 9.75 to 10.25 GHz, return loss 19 dB.
// Volume: air. Surfaces: walls, port1 (z = 0), port2 (the other end).
SetFactory("OpenCASCADE");
DefineConstant[
  gap1 = {12.36, Name "Geometry/Opening of the outer irises"},
  gap2 = {8.86, Name "Geometry/Opening of the inner irises"},
  length1 = {15.31, Name "Geometry/Length of the outer resonators"},
  length2 = {17.02, Name "Geometry/Length of the middle resonator"},
  thickness = {2, Name "Geometry/Thickness of the irises"},
  feed = {15, Name "Geometry/Guide at either end"},
  edge_size = {1.2, Name "Mesh/Cell size at the edges of the irises"}
];
a = 22.86;
b = 10.16;
If (gap1 <= 0 || gap1 >= a || gap2 <= 0 || gap2 >= a)
  Error("gap1 = %g, gap2 = %g mm: must be between 0 and the width of the guide, %g mm", gap1, gap2, a);
EndIf
If (length1 <= 0 || length2 <= 0 || thickness <= 0 || feed <= 0)
  Error("length1, length2, thickness and feed must be positive");
EndIf
gaps() = {gap1, gap2, gap2, gap1};
lengths() = {length1, length2, length1, feed};
z = 0;
Box(1) = {0, 0, 0, a, b, feed};
z += feed;
For i In {0 : 3}
  Box(10 + i) = {(a - gaps(i)) / 2, 0, z, gaps(i), b, thickness};
  z += thickness;
  Box(20 + i) = {0, 0, z, a, b, lengths(i)};
  z += lengths(i);
EndFor
Coherence;

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, z - e, a + e, b + e, z + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};

// Finer at the edges, where H grows without bound; the rest is as large as [mesh] size allows.
MeshSize{ PointsOf{ Volume{:}; } } = 100;
MeshSize{ PointsOf{ Volume{10 : 13}; } } = edge_size;
