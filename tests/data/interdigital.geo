// An interdigital filter, for [mesh] unit = "mm": three rods of a quarter of a wavelength in a box, grounded at alternate ends;
// coaxial lines tap the outer ones. Volume: air, teflon. Surfaces: walls (all metal), port1, port2 (ends of the lines).
SetFactory("OpenCASCADE");
DefineConstant[
  rod = {17.5, Name "Geometry/Length of the rods"}, r = {2, Name "Geometry/Radius of the rods"},
  pitch = {9, Name "Geometry/Between the axes of the rods"}, side = {7, Name "Geometry/From the outer rods to the side walls"},
  height = {20, Name "Geometry/Of the box along the rods"}, depth = {12, Name "Geometry/Of the box across"},
  tap = {4.5, Name "Geometry/Height of the lines above the grounded ends"}, line = {4, Name "Geometry/Length of the lines"},
  inner = {0.635, Name "Geometry/Radius of the lines' wires"}, outer = {2.05, Name "Geometry/Of their shields"}
];
x = pitch + side;
Box(1) = {-x, 0, 0, 2 * x, depth, height};
Cylinder(2) = {-x - line, depth / 2, tap, line, 0, 0, outer};
Cylinder(3) = {x, depth / 2, tap, line, 0, 0, outer};
Cylinder(4) = {-pitch, depth / 2, 0, 0, 0, rod, r};
Cylinder(5) = {0, depth / 2, height - rod, 0, 0, rod, r};
Cylinder(6) = {pitch, depth / 2, 0, 0, 0, rod, r};
Cylinder(7) = {-x - line, depth / 2, tap, line + side, 0, 0, inner};
Cylinder(8) = {pitch, depth / 2, tap, line + side, 0, 0, inner};
BooleanDifference{ Volume{1, 2, 3}; Delete; }{ Volume{4:8}; Delete; }
BooleanFragments{ Volume{:}; Delete; }{}
e = 1e-3;
port1() = Surface In BoundingBox{-x - line - e, 0, 0, -x - line + e, depth, height};
port2() = Surface In BoundingBox{x + line - e, 0, 0, x + line + e, depth, height};
teflon() = Volume In BoundingBox{-x - line - e, 0, 0, -x + e, depth, height};
teflon() += Volume In BoundingBox{x - e, 0, 0, x + line + e, depth, height};
air() = Volume{:};
air() -= teflon();
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = air();
Physical Volume("teflon") = teflon();
Physical Surface("walls") = walls();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
