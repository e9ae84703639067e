// Unit cell of a thick metal plate with square holes (a dichroic plate), for [mesh] unit = "mm". The metal is left out.
// Opposite sides are meshed alike by Periodic Surface.
// Volumes: air. Surfaces: left, right, front, back (the cell's sides), top, bottom (its open ends), metal.
SetFactory("OpenCASCADE");
DefineConstant[
  period = {13, Name "Geometry/Period of the square lattice"},
  hole = {11, Name "Geometry/Side of a hole"},
  thickness = {5, Name "Geometry/Thickness of the plate"},
  gap = {7, Name "Geometry/Air on both sides of the plate"},
  edge_size = {1, Name "Mesh/Cell size at the edges of the hole"}
];
If (hole <= 0 || hole >= period)
  Error("hole = %g mm: must be between 0 and the period, %g mm", hole, period);
EndIf
If (thickness <= 0 || gap <= 0)
  Error("thickness and gap must be positive");
EndIf

top = gap + thickness / 2;
Box(1) = {-period / 2, -period / 2, thickness / 2, period, period, gap};
Box(2) = {-period / 2, -period / 2, -top, period, period, gap};
Box(3) = {-hole / 2, -hole / 2, -thickness / 2, hole, hole, thickness};
v() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2, 3}; Delete; };

e = 1e-3;
all() = Surface{:};
For side In {0:1}   // above, below
  low = side == 0 ? thickness / 2 : -top;
  high = low + gap;
  x0() = Surface In BoundingBox{-period/2 - e, -period/2 - e, low - e, -period/2 + e, period/2 + e, high + e};
  x1() = Surface In BoundingBox{ period/2 - e, -period/2 - e, low - e,  period/2 + e, period/2 + e, high + e};
  y0() = Surface In BoundingBox{-period/2 - e, -period/2 - e, low - e, period/2 + e, -period/2 + e, high + e};
  y1() = Surface In BoundingBox{-period/2 - e,  period/2 - e, low - e, period/2 + e,  period/2 + e, high + e};
  Periodic Surface{x1()} = {x0()} Translate{period, 0, 0};
  Periodic Surface{y1()} = {y0()} Translate{0, period, 0};
  left() += x0();
  right() += x1();
  front() += y0();
  back() += y1();
EndFor
up() = Surface In BoundingBox{-period/2 - e, -period/2 - e, top - e, period/2 + e, period/2 + e, top + e};
down() = Surface In BoundingBox{-period/2 - e, -period/2 - e, -top - e, period/2 + e, period/2 + e, -top + e};
rest() = all();
rest() -= {left(), right(), front(), back(), up(), down()};

// Cells are finer at the edges of the hole, where the field grows without bound.
MeshSize{ PointsOf{ Volume{:}; } } = 100;
MeshSize{ Point In BoundingBox{-hole/2 - e, -hole/2 - e, -thickness/2 - e, hole/2 + e, hole/2 + e, thickness/2 + e} } = edge_size;

Physical Volume("air") = v();
Physical Surface("left") = left();
Physical Surface("right") = right();
Physical Surface("front") = front();
Physical Surface("back") = back();
Physical Surface("top") = up();
Physical Surface("bottom") = down();
Physical Surface("metal") = rest();
