// A rectangular patch at height h over a ground plane as a pair: the patch, its image in the plane z = 0, and the strip
// that feeds it from the ground with the strip's image, for [mesh] unit = "mm". Surface "port" is the foot of the strip,
// |z| < gap; "patch" and "image" take in what is beside it: an impedance Z of the patch over the ground is 2 Z here
// (twice the voltage at the same current). Triangles only, in rows that are thinner towards the edges of the patch and
// the feed: the current along an edge and the charge at it are singular there.
DefineConstant[
  length = {120, Name "Geometry/Length along x"}, width = {150, Name "Geometry/Width along y"},
  height = {30, Name "Geometry/Height over the ground"},
  feed = {25, Name "Geometry/x of the feed from the middle"}, strip = {4, Name "Geometry/Width of the feed"},
  gap = {2, Name "Geometry/Height of the port over the ground"},
  cells = {8, Name "Mesh/Cells between edges and feed"}, across = {4, Name "Mesh/Cells across the feed"},
  up = {11, Name "Mesh/Cells along the feed"}, bump = {0.1, Name "Mesh/Smallest over largest cell"}
];
x() = {-length / 2, feed, length / 2};
y() = {-width / 2, -strip / 2, strip / 2, width / 2};
For side In {0 : 1}
  p = 100 + 100 * side;  // points p + 4 i + j, lines along x p + 20 + 4 i + j, along y p + 40 + 4 i + j
  For i In {0 : 2}
    For j In {0 : 3}
      Point(p + 4 * i + j) = {x(i), y(j), (1 - 2 * side) * height};
    EndFor
  EndFor
  For i In {0 : 1}
    For j In {0 : 3}
      Line(p + 20 + 4 * i + j) = {p + 4 * i + j, p + 4 * (i + 1) + j};
      Transfinite Curve{p + 20 + 4 * i + j} = (i == 0 ? 3 * cells / 2 : cells) + 1 Using Bump bump;
    EndFor
  EndFor
  For i In {0 : 2}
    For j In {0 : 2}
      Line(p + 40 + 4 * i + j) = {p + 4 * i + j, p + 4 * i + j + 1};
      If (j == 1)
        Transfinite Curve{p + 40 + 4 * i + j} = across + 1;
      Else
        Transfinite Curve{p + 40 + 4 * i + j} = cells + 1 Using Bump bump;
      EndIf
    EndFor
  EndFor
  For i In {0 : 1}
    For j In {0 : 2}
      s = p + 60 + 4 * i + j;
      Curve Loop(s) = {p + 20 + 4 * i + j, p + 40 + 4 * (i + 1) + j, -(p + 21 + 4 * i + j), -(p + 40 + 4 * i + j)};
      Plane Surface(s) = {s};
    EndFor
  EndFor
  Point(p + 80) = {feed, y(1), (1 - 2 * side) * gap}; Point(p + 81) = {feed, y(2), (1 - 2 * side) * gap};
  Line(p + 80) = {p + 80, p + 5}; Line(p + 81) = {p + 81, p + 6}; Line(p + 82) = {p + 80, p + 81};
  Transfinite Curve{p + 80, p + 81} = up + 1;
  Transfinite Curve{p + 82} = across + 1;
  Curve Loop(p + 80) = {p + 82, p + 81, -(p + 45), -(p + 80)};
  Plane Surface(p + 80) = {p + 80};
EndFor
Line(1) = {280, 180}; Line(2) = {281, 181};
Transfinite Curve{1, 2} = 3;
Curve Loop(1) = {282, 2, -182, -1};
Plane Surface(1) = {1};
Transfinite Surface{:} Alternated;
Physical Surface("port") = {1};
Physical Surface("patch") = {160, 161, 162, 164, 165, 166, 180};
Physical Surface("image") = {260, 261, 262, 264, 265, 266, 280};
