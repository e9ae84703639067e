// A microstrip line with an open stub (a band-stop filter) in a metal box, for [mesh] unit = "mm"; the line is along z.
// Volumes: substrate, air. Surfaces: strip, box (the four walls), port1 (z = 0), port2 (z = length).
SetFactory("OpenCASCADE");
DefineConstant[
  width = {1.5, Name "Geometry/Width of line and stub"}, height = {0.8, Name "Geometry/Thickness of the substrate"},
  stub = {4, Name "Geometry/Length of the stub"}, length = {10, Name "Geometry/Length of the line"},
  box_width = {14, Name "Geometry/Width of the box"}, box_height = {6, Name "Geometry/Height of the box"},
  size_strip = {0.6, Name "Mesh/Size at the strip"}, size_far = {3, Name "Mesh/Size at the box"}
];
Box(1) = {-box_width / 2, 0, 0, box_width, height, length};
Box(2) = {-box_width / 2, height, 0, box_width, box_height - height, length};
Rectangle(100) = {-width / 2, 0, 0, width, length};
Rectangle(101) = {width / 2, (length - width) / 2, 0, stub, width};
Rotate{ {1, 0, 0}, {0, 0, 0}, Pi / 2 }{ Surface{100, 101}; }
Translate{0, height, 0}{ Surface{100, 101}; }
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{100, 101}; Delete; }
e = 1e-4;
strip() = Surface In BoundingBox{-width / 2 - e, height - e, -e, width / 2 + stub + e, height + e, length + e};
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

MeshSize{ PointsOf{ Volume{:}; } } = size_far;
MeshSize{ PointsOf{ Surface{strip()}; } } = size_strip;
