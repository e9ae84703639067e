// WR-75 guide (19.05 x 9.525 x 45.72 mm, along z) with a dielectric block on its floor, for [mesh] unit = "mm".
// Volumes: air, puck. Surfaces: walls, port1 (z = 0), port2 (z = 45.72).
SetFactory("OpenCASCADE");
a = 19.05;
b = 9.525;
length = 45.72;
Box(1) = {0, 0, 0, a, b, length};
Box(2) = {5.296, 0, 19.05, 8.458, 3.8, 7.62};
// Of the two, 2 keeps its number and the rest of the guide becomes 1 or 3: the block is what lies in its box.
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }

e = 1e-3;
puck() = Volume In BoundingBox{5.296 - e, -e, 19.05 - e, 13.754 + e, 3.8 + e, 26.67 + e};
air() = Volume{:};
air() -= {puck()};
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {air()};
Physical Volume("puck") = {puck()};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
