// Dielectric resonator antenna, for [mesh] unit = "mm": a rectangular resonator on a slot in an infinite ground plane
// (z = 0) over a rectangular cavity, which a coaxial probe (SMA) feeds from below; a layer of air and a perfectly
// matched layer around the resonator. The slot is centred at the origin, along x.
// Volumes: air, resonator, cavity, teflon, pml. Surfaces: walls (all metal and the back of the layer), feed.
SetFactory("OpenCASCADE");
DefineConstant[
  resonator_x = 15, resonator_y = 15, resonator_z = 7,
  slot_length = 18, slot_width = 2,
  cavity_x = 40, cavity_y = 40, cavity_z = 10,
  slot_to_wall = 5,      // from the slot's middle to the nearest wall of the cavity
  probe_to_slot = 20, probe_length = 4,
  air = 14,              // around the resonator
  layer = 10,
  size_air = 6.62, size_resonator = 3.4, size_cavity = 5.2, size_slot = 2, size_feed = 1.1
];
pin = 0.635;             // SMA: 50 ohm with teflon
shield = 2.05;
coax = 6;
x1 = resonator_x / 2 + air;
y1 = resonator_y / 2 + air;
z1 = resonator_z + air;
py = -probe_to_slot;

Box(1) = {-x1 - layer, -y1 - layer, 0, 2 * (x1 + layer), 2 * (y1 + layer), z1 + layer};
Box(2) = {-x1, -y1, 0, 2 * x1, 2 * y1, z1};
Box(3) = {-resonator_x / 2, -resonator_y / 2, 0, resonator_x, resonator_y, resonator_z};
Box(4) = {-cavity_x / 2, slot_to_wall - cavity_y, -cavity_z, cavity_x, cavity_y, cavity_z};
Cylinder(5) = {0, py, -cavity_z - coax, 0, 0, coax, shield};
Cylinder(6) = {0, py, -cavity_z - coax, 0, 0, coax + probe_length, pin};
BooleanDifference{ Volume{4}; Delete; }{ Volume{6}; }
BooleanDifference{ Volume{5}; Delete; }{ Volume{6}; Delete; }
Rectangle(1000) = {-slot_length / 2, -slot_width / 2, 0, slot_length, slot_width};
BooleanFragments{ Volume{1, 2, 3, 4, 5}; Delete; }{ Surface{1000}; Delete; }

e = 1e-3;
outer() = Volume In BoundingBox{-x1 - layer - e, -y1 - layer - e, -e, x1 + layer + e, y1 + layer + e, z1 + layer + e};
inner() = Volume In BoundingBox{-x1 - e, -y1 - e, -e, x1 + e, y1 + e, z1 + e};
resonator() = Volume In BoundingBox{-resonator_x / 2 - e, -resonator_y / 2 - e, -e, resonator_x / 2 + e,
                                    resonator_y / 2 + e, resonator_z + e};
cavity() = Volume In BoundingBox{-cavity_x / 2 - e, slot_to_wall - cavity_y - e, -cavity_z - e, cavity_x / 2 + e,
                                 slot_to_wall + e, e};
teflon() = Volume In BoundingBox{-shield - e, py - shield - e, -cavity_z - coax - e, shield + e, py + shield + e,
                                 -cavity_z + e};
pml() = outer();
pml() -= {inner()};
air() = inner();
air() -= {resonator()};
feed() = Surface In BoundingBox{-shield - e, py - shield - e, -cavity_z - coax - e, shield + e, py + shield + e,
                                -cavity_z - coax + e};
slot() = Surface In BoundingBox{-slot_length / 2 - e, -slot_width / 2 - e, -e, slot_length / 2 + e,
                                slot_width / 2 + e, e};
// The ground plane lies between volumes above the cavity: its faces are those of the plane z = 0, without the slot.
ground() = Surface In BoundingBox{-2 * x1 - layer, -2 * y1 - 2 * cavity_y, -e, 2 * x1 + layer, 2 * y1 + layer, e};
ground() -= {slot()};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {feed(), ground()};
Physical Volume("air") = {air()};
Physical Volume("resonator") = {resonator()};
Physical Volume("cavity") = {cavity()};
Physical Volume("teflon") = {teflon()};
Physical Volume("pml") = {pml()};
Physical Surface("walls") = {walls(), ground()};
Physical Surface("feed") = {feed()};

MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{cavity()}; } } = size_cavity;
MeshSize{ PointsOf{ Volume{resonator()}; } } = size_resonator;
MeshSize{ PointsOf{ Surface{slot()}; } } = size_slot;
MeshSize{ PointsOf{ Volume{teflon()}; } } = size_feed;
probe() = Surface In BoundingBox{-pin - e, py - pin - e, -cavity_z - e, pin + e, py + pin + e, e};
MeshSize{ PointsOf{ Surface{probe()}; } } = size_feed;
Mesh.MeshSizeExtendFromBoundary = 1;
Mesh.MeshSizeFromPoints = 1;
