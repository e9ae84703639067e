// Straight section of WR-90 guide (22.86 x 10.16 mm, along z), for [mesh] unit = "mm".
// Volume: air. Surfaces: walls, port1 (z = 0), port2 (z = length).
SetFactory("OpenCASCADE");
DefineConstant[ length = {30, Name "Geometry/Length along z"} ];
a = 22.86;
b = 10.16;
Box(1) = {0, 0, 0, a, b, length};

e = 1e-3;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = Boundary{ Volume{1}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {1};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
