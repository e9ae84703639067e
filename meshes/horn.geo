// A pyramidal horn, for [mesh] unit = "mm": half of it (y >= 0) or a quarter (x >= 0 as well) in air between
// planes of symmetry. The guide is along z, E of its TE10 along y; walls without thickness. A plug of metal behind
// the guide's port is not meshed, so that the port is on the boundary.
// Dimensions of Badia et al. (2020), IEEE Access 8, table 1; length is the axial one from guide to aperture.
// Volumes: air. Surfaces: walls (metal), port, x_plane (quarter only), y_plane, S_prime, S.
SetFactory("OpenCASCADE");
DefineConstant[
  a = {22.86, Name "Geometry/Width of the guide"},
  b = {10.16, Name "Geometry/Height of the guide"},
  width = {186.1, Name "Geometry/Width of the aperture"},
  height = {147.5, Name "Geometry/Height of the aperture"},
  length = {295.3, Name "Geometry/Axial length from guide to aperture"},
  feed = {20, Name "Geometry/Length of the guide"},
  gap = {5, Name "Geometry/Distance of S' from the horn"},
  distance = {6, Name "Geometry/Distance of S from S'"},
  guide_size = {4, Name "Mesh/Cell size at the guide"},
  quarter = {1, Choices {0, 1}, Name "Geometry/1: a quarter, 0: a half"}
];
If (a <= 0 || b <= 0 || width < a || height < b || length <= 0 || feed <= 0 || gap <= 0 || distance <= 0)
  Error("lengths must be positive and the aperture not smaller than the guide");
EndIf
x0 = quarter ? 0 : -1;  // where the part begins, in half widths
c = 1e-3 * a;

// The truncating surfaces follow the horn: a frustum around it, blunt behind the port.
Macro Frustum  // volume v between z1, z2 with half sides (p1, q1), (p2, q2)
  n = newp;
  Point(n) = {x0 * p1, 0, z1};
  Point(n + 1) = {p1, 0, z1}; Point(n + 2) = {p1, q1, z1}; Point(n + 3) = {x0 * p1, q1, z1};
  Point(n + 4) = {x0 * p2, 0, z2}; Point(n + 5) = {p2, 0, z2}; Point(n + 6) = {p2, q2, z2}; Point(n + 7) = {x0 * p2, q2, z2};
  m = newl;
  Line(m) = {n, n + 1}; Line(m + 1) = {n + 1, n + 2}; Line(m + 2) = {n + 2, n + 3}; Line(m + 3) = {n + 3, n};
  Line(m + 4) = {n + 4, n + 5}; Line(m + 5) = {n + 5, n + 6}; Line(m + 6) = {n + 6, n + 7}; Line(m + 7) = {n + 7, n + 4};
  Line(m + 8) = {n, n + 4}; Line(m + 9) = {n + 1, n + 5}; Line(m + 10) = {n + 2, n + 6}; Line(m + 11) = {n + 3, n + 7};
  l = newll;
  Curve Loop(l) = {m, m + 1, m + 2, m + 3}; Plane Surface(l) = {l};
  Curve Loop(l + 1) = {m + 4, m + 5, m + 6, m + 7}; Plane Surface(l + 1) = {l + 1};
  Curve Loop(l + 2) = {m, m + 9, -(m + 4), -(m + 8)}; Plane Surface(l + 2) = {l + 2};
  Curve Loop(l + 3) = {m + 1, m + 10, -(m + 5), -(m + 9)}; Plane Surface(l + 3) = {l + 3};
  Curve Loop(l + 4) = {m + 2, m + 11, -(m + 6), -(m + 10)}; Plane Surface(l + 4) = {l + 4};
  Curve Loop(l + 5) = {m + 3, m + 8, -(m + 7), -(m + 11)}; Plane Surface(l + 5) = {l + 5};
  Surface Loop(v) = {l, l + 1, l + 2, l + 3, l + 4, l + 5}; Volume(v) = {v};
Return
// Guide and flare.
v = 1; z1 = -feed; p1 = a / 2; q1 = b / 2; z2 = 0; p2 = a / 2; q2 = b / 2;
Call Frustum;
v = 2; z1 = 0; p1 = a / 2; q1 = b / 2; z2 = length; p2 = width / 2; q2 = height / 2;
Call Frustum;
// S' and S: the slopes of the flare, `gap` and `gap + distance` outside of it and around its ends.
sx = (width - a) / 2 / length; sy = (height - b) / 2 / length;
v = 3; d = gap;
z1 = -feed - d; z2 = length + d;
p1 = a / 2 + d * Sqrt(1 + sx * sx) + sx * d; q1 = b / 2 + d * Sqrt(1 + sy * sy) + sy * d;
p2 = p1 + sx * (z2 - z1); q2 = q1 + sy * (z2 - z1);
Call Frustum;
v = 4; d = gap + distance;
z1 = -feed - d; z2 = length + d;
p1 = a / 2 + d * Sqrt(1 + sx * sx) + sx * d; q1 = b / 2 + d * Sqrt(1 + sy * sy) + sy * d;
p2 = p1 + sx * (z2 - z1); q2 = q1 + sy * (z2 - z1);
Call Frustum;
// The plug.
v = 5; z1 = -feed - gap / 2; p1 = a / 2; q1 = b / 2; z2 = -feed; p2 = a / 2; q2 = b / 2;
Call Frustum;
BooleanFragments{ Volume{:}; Delete; }{ }
Coherence;

far = 10 * (length + width + height);
guide() = Volume In BoundingBox{-a, -c, -feed - c, a, b, c};
flare() = Volume In BoundingBox{-width / 2 - c, -c, -c, width / 2 + c, height / 2 + c, length + c};
plug() = Volume In BoundingBox{-a, -c, -feed - gap / 2 - c, a, b, -feed + c};
d = gap + c;
within() = Volume In BoundingBox{-far, -far, -feed - d, far, far, length + d};
all() = Volume{:};
x_plane() = Surface In BoundingBox{-c, -far, -far, c, far, far};
y_plane() = Surface In BoundingBox{-far, -c, -far, far, c, far};
port() = Surface In BoundingBox{-a, -c, -feed - c, a, b, -feed + c};
throat() = Surface In BoundingBox{-a, -c, -c, a, b, c};
aperture() = Surface In BoundingBox{-far, -far, length - c, far, far, length + c};
S() = CombinedBoundary{ Volume{all()}; };
S() -= {x_plane(), y_plane()};
S_prime() = CombinedBoundary{ Volume{within()}; };
S_prime() -= {x_plane(), y_plane()};
walls() = CombinedBoundary{ Volume{guide(), flare(), plug()}; };
walls() -= {x_plane(), y_plane(), aperture()};
air() = all();
air() -= {plug()};
MeshSize{ PointsOf{ Volume{guide(), plug()}; } } = guide_size;
Delete{ Volume{plug()}; }
// Of the planes, what bounds the plug is no face of a cell.
inside() = CombinedBoundary{ Volume{air()}; };
Physical Volume("air") = {air()};
Physical Surface("S") = {S()};
Physical Surface("S_prime") = {S_prime()};
Physical Surface("walls") = {walls()};
Physical Surface("port") = {port()};
If (quarter)
  x_faces() = {};
  For i In {0 : #x_plane() - 1}
    For k In {0 : #inside() - 1}
      If (Abs(inside(k)) == x_plane(i))
        x_faces() += {x_plane(i)};
      EndIf
    EndFor
  EndFor
  Physical Surface("x_plane") = {x_faces()};
EndIf
y_faces() = {};
For i In {0 : #y_plane() - 1}
  For k In {0 : #inside() - 1}
    If (Abs(inside(k)) == y_plane(i))
      y_faces() += {y_plane(i)};
    EndIf
  EndFor
EndFor
Physical Surface("y_plane") = {y_faces()};
