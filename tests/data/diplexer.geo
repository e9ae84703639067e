// A diplexer in WR-62 guides (15.799 x 7.899 mm), H-plane, for [mesh] unit = "mm": from a T-junction a cavity between two irises
// leads to port2 (x < 0), another, shorter one to port3 (x > 0). Volume: air. Surfaces: walls, port1, port2, port3.
SetFactory("OpenCASCADE");
DefineConstant[
  gap = {8.4, Name "Geometry/Width of the irises"}, t = {1.5, Name "Geometry/Thickness of the irises"},
  low = {13, Name "Geometry/Length of the cavity of port2"}, high = {11, Name "Geometry/Length of the cavity of port3"},
  arm = {9, Name "Geometry/From the junction to the first iris"}, feed = {14, Name "Geometry/Length of the guides at the ports"}
];
a = 15.799; b = 7.899;
Box(1) = {-a / 2, -feed, 0, a, feed, b};
Box(2) = {-a / 2 - arm, 0, 0, a + 2 * arm, a, b};
n = 2;
For side In {0:1}
  s = 2 * side - 1;
  cavity = side ? high : low;
  x = a / 2 + arm;
  For part In {0:3}
    l = part == 1 ? cavity : (part == 3 ? feed : t);
    w = part == 0 || part == 2 ? gap : a;
    n = n + 1;
    Box(n) = {side ? x : -x - l, (a - w) / 2, 0, l, w, b};
    x = x + l;
  EndFor
  end~{side} = x;
EndFor
BooleanUnion{ Volume{1}; Delete; }{ Volume{2:n}; Delete; }
e = 1e-3;
port1() = Surface In BoundingBox{-a, -feed - e, -e, a, -feed + e, b + e};
port2() = Surface In BoundingBox{-end_0 - e, -e, -e, -end_0 + e, a + e, b + e};
port3() = Surface In BoundingBox{end_1 - e, -e, -e, end_1 + e, a + e, b + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2(), port3()};
Physical Volume("air") = Volume{:};
Physical Surface("walls") = walls();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
Physical Surface("port3") = port3();
