// Three-resonator H-plane iris filter in WR-90 guide (22.86 x 10.16 mm, along z), for [mesh] unit = "mm".
// Four inductive irises, gap1 to gap4, and three resonators, length1 to length3; the last ones are as the first unless
// they are given: symmetrical about the middle.
// The values come from scripts/design_iris_filter.py: passband 9.75 to 10.25 GHz, return loss 19 dB.
// Volume: air. Surfaces: walls, port1 (z = 0), port2 (the other end).
SetFactory("OpenCASCADE");
DefineConstant[
  gap1 = {12.36, Name "Geometry/Opening of the outer irises"},
  gap2 = {8.86, Name "Geometry/Opening of the inner irises"},
  gap3 = {gap2, Name "Geometry/Opening of the second inner iris"},
  gap4 = {gap1, Name "Geometry/Opening of the last iris"},
  length1 = {15.31, Name "Geometry/Length of the outer resonators"},
  length2 = {17.02, Name "Geometry/Length of the middle resonator"},
  length3 = {length1, Name "Geometry/Length of the last resonator"},
  thickness = {2, Name "Geometry/Thickness of the irises"},
  feed = {15, Name "Geometry/Guide at either end"},
  edge_size = {0.5, Name "Mesh/Cell size at the edges of the irises"},
  layers = {1, Name "Mesh/Layers of cells along y"}
];
a = 22.86;
b = 10.16;
gaps() = {gap1, gap2, gap3, gap4};
lengths() = {length1, length2, length3, feed};
For i In {0 : 3}
  If (gaps(i) <= 0 || gaps(i) >= a)
    Error("gap%g = %g mm: must be between 0 and the width of the guide, %g mm", i + 1, gaps(i), a);
  EndIf
  If (lengths(i) <= 0 || thickness <= 0 || layers < 1)
    Error("length1, length2, length3, feed, thickness and layers must be positive");
  EndIf
EndFor

// The floor: one rectangle for every section, first in the x-y plane.
z = feed;
Rectangle(1) = {0, 0, 0, a, feed};
For i In {0 : 3}
  Rectangle(10 + i) = {(a - gaps(i)) / 2, z, 0, gaps(i), thickness};
  z += thickness;
  Rectangle(20 + i) = {0, z, 0, a, lengths(i)};
  z += lengths(i);
EndFor
Coherence;
Rotate{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Surface{:}; }

// Cells are finer at the edges of the irises, where H grows without bound, and elsewhere as large as [mesh] size
// allows. Nothing varies along y in such a filter: a few layers of tall cells suffice.
MeshSize{ PointsOf{ Surface{:}; } } = 100;
MeshSize{ PointsOf{ Surface{10 : 13}; } } = edge_size;
Extrude{0, b, 0}{ Surface{:}; Layers{layers}; }

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, z - e, a + e, b + e, z + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
