// A straight coaxial line along z, for [mesh] unit = "mm" (SMA: 50 ohm with teflon).
// Volume: teflon. Surfaces: pin, shield, port1 (z = 0), port2 (z = length).
SetFactory("OpenCASCADE");
DefineConstant[
  inner = {0.635, Name "Geometry/Radius of the pin"}, outer = {2.05, Name "Geometry/Inner radius of the shield"},
  length = {10, Name "Geometry/Length"}
];
Cylinder(1) = {0, 0, 0, 0, 0, length, outer};
Cylinder(2) = {0, 0, 0, 0, 0, length, inner};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
e = 1e-3;
port1() = Surface In BoundingBox{-outer - e, -outer - e, -e, outer + e, outer + e, e};
port2() = Surface In BoundingBox{-outer - e, -outer - e, length - e, outer + e, outer + e, length + e};
pin() = Surface In BoundingBox{-inner - e, -inner - e, -e, inner + e, inner + e, length + e};
shield() = Boundary{ Volume{:}; };
shield() -= {port1(), port2(), pin()};
Physical Volume("teflon") = Volume{:};
Physical Surface("pin") = pin();
Physical Surface("shield") = shield();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
