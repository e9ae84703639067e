// A strip dipole along z, in the plane x = 0, with a square feed in its middle, for [mesh] unit = "m". With cells > 0
// squares cut in two, else triangles of Gmsh's. Surfaces: arms, feed.
DefineConstant[
  length = {0.46, Name "Geometry/Length"}, width = {0.02, Name "Geometry/Width and length of the feed"},
  cells = {0, Name "Mesh/Cells across"}
];
Point(1) = {0, -width / 2, -length / 2};
Point(2) = {0, width / 2, -length / 2};
Point(3) = {0, width / 2, -width / 2};
Point(4) = {0, -width / 2, -width / 2};
Point(5) = {0, width / 2, width / 2};
Point(6) = {0, -width / 2, width / 2};
Point(7) = {0, width / 2, length / 2};
Point(8) = {0, -width / 2, length / 2};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {3, 5}; Line(6) = {5, 6}; Line(7) = {6, 4};
Line(8) = {5, 7}; Line(9) = {7, 8}; Line(10) = {8, 6};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Curve Loop(2) = {-3, 5, 6, 7};
Plane Surface(2) = {2};
Curve Loop(3) = {8, 9, 10, -6};
Plane Surface(3) = {3};
If (cells > 0)
  Transfinite Curve{1, 3, 5, 6, 7, 9} = cells + 1;
  Transfinite Curve{2, 4, 8, 10} = cells * Round((length / width - 1) / 2) + 1;
  Transfinite Surface{1, 2, 3} Alternated;
EndIf
Physical Surface("arms") = {1, 3};
Physical Surface("feed") = {2};
