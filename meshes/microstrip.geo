// A shielded microstrip line along z, for [mesh] unit = "mm": a strip without thickness on a substrate, in a metal box.
// Volumes: substrate, air. Surfaces: strip, box (the four walls), port1 (z = 0), port2 (z = length).
SetFactory("OpenCASCADE");
DefineConstant[
  width = {0.6, Name "Geometry/Width of the strip"}, height = {0.635, Name "Geometry/Thickness of the substrate"},
  box_width = {6, Name "Geometry/Width of the box"}, box_height = {4, Name "Geometry/Height of the box"},
  length = {0.2, Name "Geometry/Length"},
  size_edge = {0.012, Name "Mesh/At the edges of the strip"}, size_far = {0.8, Name "Mesh/Far from the strip"},
  growth = {0.35, Name "Mesh/Growth with the distance from the edges"}
];
Box(1) = {-box_width/2, 0, 0, box_width, height, length};
Box(2) = {-box_width/2, height, 0, box_width, box_height - height, length};
Rectangle(100) = {0, 0, 0, width, length};
Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{100}; }
Translate {-width/2, height, 0} { Surface{100}; }
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{100}; Delete; }
e = 1e-4;
strip() = Surface In BoundingBox{-width/2 - e, height - e, -e, width/2 + e, height + e, length + e};
port1() = Surface In BoundingBox{-box_width, -e, -e, box_width, box_height + e, e};
port2() = Surface In BoundingBox{-box_width, -e, length - e, box_width, box_height + e, length + e};
box() = CombinedBoundary{ Volume{:}; };
box() -= {port1(), port2()};
Physical Volume("substrate") = Volume In BoundingBox{-box_width, -e, -e, box_width, height + e, length + e};
Physical Volume("air") = Volume In BoundingBox{-box_width, height - e, -e, box_width, box_height + e, length + e};
Physical Surface("strip") = strip();
Physical Surface("box") = box();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();

// Small cells at the two edges of the strip, where the field has its singularity.
Field[1] = MathEval;
Field[1].F = Sprintf("min(%g, %g + %g * min(sqrt((x - %g)^2 + (y - %g)^2), sqrt((x + %g)^2 + (y - %g)^2)))",
                     size_far, size_edge, growth, width/2, height, width/2, height);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
