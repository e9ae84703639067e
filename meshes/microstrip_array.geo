// An array of n x n rectangular patches on a substrate over a ground plane, each fed by a probe with a lumped port across
// the substrate, in a box of air, for [mesh] unit = "mm". Resonant lengths are along x.
// Volumes: substrate, air. Surfaces: patches, ground (z = 0), open (the other sides of the box), port1 to port(n^2), row by
// row along x.
SetFactory("OpenCASCADE");
DefineConstant[
  n = {4, Name "Geometry/Patches along each side"}, pitch = {61, Name "Geometry/From patch to patch"},
  length = {27.9, Name "Geometry/Length along x"}, width = {38, Name "Geometry/Width along y"},
  height = {1.6, Name "Geometry/Height of the substrate"}, feed = {7, Name "Geometry/x of the feed from the middle"},
  strip = {1.2, Name "Geometry/Width of the feed"}, margin = {30, Name "Geometry/Air beside the board"},
  above = {40, Name "Geometry/Air above the board"},
  size_air = {15, Name "Mesh/Size in air"}, size_board = {8, Name "Mesh/Size in the substrate"},
  size_edge = {4, Name "Mesh/Size at patches and feeds"}
];
side = n * pitch;
half = side / 2 + margin;
Box(1) = {-side / 2, -side / 2, 0, side, side, height};
Box(2) = {-half, -half, 0, 2 * half, 2 * half, height + above};
sheets() = {};
For i In {0:n-1}
  For j In {0:n-1}
    k = i * n + j;
    x0 = (j - (n - 1) / 2) * pitch;
    y0 = (i - (n - 1) / 2) * pitch;
    Rectangle(1000 + k) = {x0 - length / 2, y0 - width / 2, height, length, width};
    p = newp;
    Point(p) = {x0 + feed, y0 - strip / 2, 0}; Point(p + 1) = {x0 + feed, y0 + strip / 2, 0};
    Point(p + 2) = {x0 + feed, y0 + strip / 2, height}; Point(p + 3) = {x0 + feed, y0 - strip / 2, height};
    l = newl;
    Line(l) = {p, p + 1}; Line(l + 1) = {p + 1, p + 2}; Line(l + 2) = {p + 2, p + 3}; Line(l + 3) = {p + 3, p};
    c = newll;
    Curve Loop(c) = {l, l + 1, l + 2, l + 3}; Plane Surface(2000 + k) = {c};
    sheets() += {1000 + k, 2000 + k};
  EndFor
EndFor
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{sheets()}; Delete; }

e = 1e-3;
patches() = {};
ports() = {};
For i In {0:n-1}
  For j In {0:n-1}
    x0 = (j - (n - 1) / 2) * pitch;
    y0 = (i - (n - 1) / 2) * pitch;
    port() = Surface In BoundingBox{x0 + feed - e, y0 - strip / 2 - e, -e, x0 + feed + e, y0 + strip / 2 + e, height + e};
    Physical Surface(Sprintf("port%g", i * n + j + 1)) = port();
    ports() += port();
    patches() += Surface In BoundingBox{x0 - length / 2 - e, y0 - width / 2 - e, height - e, x0 + length / 2 + e, y0 + width / 2 + e, height + e};
  EndFor
EndFor
substrate() = Volume In BoundingBox{-side / 2 - e, -side / 2 - e, -e, side / 2 + e, side / 2 + e, height + e};
air() = Volume{:};
air() -= substrate();
ground() = Surface In BoundingBox{-half - e, -half - e, -e, half + e, half + e, e};
open() = CombinedBoundary{ Volume{:}; };
open() -= ground();
Physical Volume("substrate") = substrate();
Physical Volume("air") = air();
Physical Surface("patches") = patches();
Physical Surface("ground") = ground();
Physical Surface("open") = open();

MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{substrate()}; } } = size_board;
MeshSize{ PointsOf{ Surface{patches(), ports()}; } } = size_edge;
