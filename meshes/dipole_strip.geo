// A strip dipole along z with a gap of no width in the middle, for [mesh] unit = "m". Surfaces: upper, lower; they share
// the edges across which the voltage stands. A strip of width w acts as a wire of radius w/4.
DefineConstant[
  length = {0.47, Name "Geometry/Length"},
  width = {0.001, Name "Geometry/Width"},
  cells = {41, Name "Mesh/Cells along each arm"},
  across = {2, Name "Mesh/Cells across"}
];
Point(1) = {-width / 2, 0, -length / 2};
Point(2) = {width / 2, 0, -length / 2};
Point(3) = {width / 2, 0, 0};
Point(4) = {-width / 2, 0, 0};
Point(5) = {width / 2, 0, length / 2};
Point(6) = {-width / 2, 0, length / 2};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {3, 5}; Line(6) = {5, 6}; Line(7) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {-3, 5, 6, 7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve{1, 3, 6} = across + 1;
Transfinite Curve{2, 4, 5, 7} = cells + 1;
Transfinite Surface{1, 2} Alternated;
Physical Surface("lower") = {1};
Physical Surface("upper") = {2};
