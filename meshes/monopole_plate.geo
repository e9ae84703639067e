// A monopole on a square plate in the plane z = 0, for [mesh] unit = "mm": a strip of `width` in the plane x = 0, which acts as
// a wire of a quarter of the width as radius, with a lumped port of height `gap` at its foot. Surfaces: plate, port, strip.
// With solid = 1 also the volume air, a box around all, for finite elements.
SetFactory("OpenCASCADE");
DefineConstant[
  side = {150, Name "Geometry/Side of the plate"},
  height = {70, Name "Geometry/Height of the monopole with its port"},
  width = {6, Name "Geometry/Width of the strip"}, gap = {6, Name "Geometry/Height of the port"},
  foot_x = {0, Name "Geometry/x of the foot from the middle"}, foot_y = {0, Name "Geometry/y of the foot from the middle"},
  solid = {0, Name "Geometry/1: with a box of air"}, margin = {12, Name "Geometry/From the antenna to the sides of the box"},
  size = {15, Name "Mesh/Size"}, size_rim = {6, Name "Mesh/Size at the rim of the plate"},
  size_edge = {0.6, Name "Mesh/Size at the strip"}
];
Rectangle(1001) = {-side / 2, -side / 2, 0, side, side};
Point(1101) = {foot_x, foot_y - width / 2, 0}; Point(1102) = {foot_x, foot_y + width / 2, 0};
Point(1103) = {foot_x, foot_y + width / 2, gap}; Point(1104) = {foot_x, foot_y - width / 2, gap};
Point(1105) = {foot_x, foot_y + width / 2, height}; Point(1106) = {foot_x, foot_y - width / 2, height};
Line(1101) = {1101, 1102}; Line(1102) = {1102, 1103}; Line(1103) = {1103, 1104}; Line(1104) = {1104, 1101};
Line(1105) = {1103, 1105}; Line(1106) = {1105, 1106}; Line(1107) = {1106, 1104};
Curve Loop(1101) = {1101, 1102, 1103, 1104}; Plane Surface(1102) = {1101};
Curve Loop(1102) = {1105, 1106, 1107, -1103}; Plane Surface(1103) = {1102};
If (solid)
  b = side / 2 + margin;
  Box(1) = {-b, -b, -margin, 2 * b, 2 * b, height + 2 * margin};
  BooleanFragments{ Volume{1}; Delete; }{ Surface{1001, 1102, 1103}; Delete; }
Else
  BooleanFragments{ Surface{1001}; Delete; }{ Surface{1102, 1103}; Delete; }
EndIf

e = 1e-3;
h = side / 2 + e;
port() = Surface In BoundingBox{foot_x - e, foot_y - width / 2 - e, -e, foot_x + e, foot_y + width / 2 + e, gap + e};
strip() = Surface In BoundingBox{foot_x - e, foot_y - width / 2 - e, gap - e, foot_x + e, foot_y + width / 2 + e, height + e};
plate() = Surface In BoundingBox{-h, -h, -e, h, h, e};
Physical Surface("plate") = plate();
Physical Surface("port") = port();
Physical Surface("strip") = strip();
If (solid)
  Physical Volume("air") = Volume{:};
EndIf

wire() = Boundary{ Surface{port(), strip()}; };
rim() = Curve In BoundingBox{-h, -h, -e, h, -h + 2 * e, e};
rim() += Curve In BoundingBox{-h, h - 2 * e, -e, h, h, e};
rim() += Curve In BoundingBox{-h, -h, -e, -h + 2 * e, h, e};
rim() += Curve In BoundingBox{h - 2 * e, -h, -e, h, h, e};
Field[1] = Distance;
Field[1].CurvesList = {wire()};
Field[1].Sampling = 100;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size_edge; Field[2].SizeMax = size;
Field[2].DistMin = 0; Field[2].DistMax = 2.5 * size;
Field[3] = Distance;
Field[3].CurvesList = {rim()};
Field[3].Sampling = 100;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = size_rim; Field[4].SizeMax = size;
Field[4].DistMin = 0; Field[4].DistMax = 30;
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
