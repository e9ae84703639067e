// A square plate in z = 0, for [mesh] unit = "m". With cells > 0 squares cut in two, else triangles of Gmsh's.
// Surface: plate.
DefineConstant[ side = {1, Name "Geometry/Side"}, cells = {0, Name "Mesh/Cells along the side"} ];
Point(1) = {-side / 2, -side / 2, 0};
Point(2) = {side / 2, -side / 2, 0};
Point(3) = {side / 2, side / 2, 0};
Point(4) = {-side / 2, side / 2, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
If (cells > 0)
  Transfinite Curve{1:4} = cells + 1;
  Transfinite Surface{1} Alternated;
EndIf
Physical Surface("plate") = {1};
