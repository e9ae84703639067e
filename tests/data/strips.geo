// One or two strip dipoles along z in planes x = const, each with a lumped feed in its middle, in a ball "in" and a
// shell "shell" around it. half = 1: y > 0 alone. Surfaces: feed1, feed2, strip, inner (between ball and shell),
// back (outside of the shell), plane (y = 0, half = 1).
SetFactory("OpenCASCADE");
DefineConstant[ length = 0.47, width = 0.04, gap = 0.04, radius = 0.32, shell = 0.2, n = 1, distance = 0.2, half = 0,
  size_air = 0.12, size_edge = 0.03 ];
angle = half ? Pi : 2*Pi;
Sphere(1) = {0, 0, 0, radius + shell, -Pi/2, Pi/2, angle};
Sphere(2) = {0, 0, 0, radius, -Pi/2, Pi/2, angle};
y0 = half ? 0 : -width/2;
wy = half ? width/2 : width;
e = 1e-5;
tools() = {};
For i In {0:n-1}
  x = n == 1 ? 0 : (i - 0.5)*distance;
  Rectangle(100 + 10*i) = {-gap/2, y0, 0, gap, wy};
  Rectangle(101 + 10*i) = {gap/2, y0, 0, length/2 - gap/2, wy};
  Rectangle(102 + 10*i) = {-length/2, y0, 0, length/2 - gap/2, wy};
  part() = {100 + 10*i, 101 + 10*i, 102 + 10*i};
  Rotate{{0, 1, 0}, {0, 0, 0}, -Pi/2}{ Surface{part()}; }
  Translate{x, 0, 0}{ Surface{part()}; }
  tools() += {part()};
EndFor
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{tools()}; Delete; }
c = radius + e;
in() = Volume In BoundingBox{-c, -c, -c, c, c, c};
sh() = Volume{:}; sh() -= {in()};
Physical Volume("in") = {in()};
Physical Volume("shell") = {sh()};
feeds() = {}; strips() = {};
For i In {0:n-1}
  x = n == 1 ? 0 : (i - 0.5)*distance;
  f() = Surface In BoundingBox{x - e, y0 - e, -gap/2 - e, x + e, y0 + wy + e, gap/2 + e};
  s() = Surface In BoundingBox{x - e, y0 - e, -length/2 - e, x + e, y0 + wy + e, length/2 + e};
  s() -= {f()};
  feeds() += {f()}; strips() += {s()};
  Physical Surface(Sprintf("feed%g", i + 1)) = {f()};
EndFor
Physical Surface("strip") = {strips()};
back() = CombinedBoundary{ Volume{:}; };
big = radius + shell + 1e-3;
inner() = Surface In BoundingBox{-c, -c, -c, c, c, c};
inner() -= {feeds(), strips()};
If (half)
  plane() = Surface In BoundingBox{-big, -1e-4, -big, big, 1e-4, big};
  back() -= {plane()};
  inner() -= {plane()};
  Physical Surface("plane") = {plane()};
EndIf
Physical Surface("back") = {back()};
Physical Surface("inner") = {inner()};
outline() = Boundary{ Surface{feeds(), strips()}; };
Field[1] = Distance;
Field[1].CurvesList = {outline()};
Field[1].NumPointsPerCurve = 40;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size_edge;
Field[2].SizeMax = size_air;
Field[2].DistMin = 0.002;
Field[2].DistMax = 0.25;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
