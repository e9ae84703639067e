// For scripts with a ConvexProfile to include: the body's surface, called body_name, and the air around it.
ring_size = size;
offset = 0;
Call ConvexProfile;
Call RevolvedSurface;
body() = faces();
Physical Surface(Str(body_name)) = {body()};
If (layer > 0)
  offset = distance + layer;
  Call ConvexProfile;
  Call RevolvedSurface;
  outer() = faces();
  Physical Surface("S") = {outer()};
  Surface Loop(1) = {body()};
  Surface Loop(2) = {outer()};
  If (distance > 0)
    offset = distance;
    Call ConvexProfile;
    Call RevolvedSurface;
    middle_faces() = faces();
    Physical Surface("S_prime") = {middle_faces()};
    Surface Loop(3) = {middle_faces()};
    Volume(1) = {3, 1};
    Volume(2) = {2, 3};
    Physical Volume("inner") = {1};
    Physical Volume("outer") = {2};
  Else
    Volume(1) = {2, 1};
    Physical Volume("air") = {1};
  EndIf
EndIf
Transfinite Curve{:} = 2;
Transfinite Surface{:};
Mesh.MeshSizeMax = size;
