// WR-90 guide (22.86 x 10.16 mm, along z) with a symmetrical inductive iris, without sizes of cells, for [mesh] unit = "mm". Volume: air. Surfaces: walls, port1 (z = 0), port2.
SetFactory("OpenCASCADE");
DefineConstant[ gap = {12, Name "Width of the opening"}, thickness = {2, Name "Thickness of the iris"} ];
a = 22.86; b = 10.16; feed = 20;
Box(1) = {0, 0, 0, a, b, feed};
Box(2) = {(a - gap) / 2, 0, feed, gap, b, thickness};
Box(3) = {0, 0, feed + thickness, a, b, feed};
Coherence;
e = 1e-3;
end = 2 * feed + thickness;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, end - e, a + e, b + e, end + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {Volume{:}};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
