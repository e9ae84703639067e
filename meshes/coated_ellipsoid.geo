// An ellipsoid in a coating of the same shape, alone, or in air and a spherical layer around it; for [mesh] order = 2.
// Volumes: core, coating; with air > 0: air, pml. Surfaces: core_surface, outside; with air > 0: layer_inner, back.
SetFactory("OpenCASCADE");
DefineConstant[
  axis_x = 0.15, axis_y = 0.18, axis_z = 0.24,  // half axes of the whole
  core_share = 0.65,                            // half axes of the core over those of the whole
  air = 0, layer = 0.25,                   // thickness of the air beyond the longest half axis, and of the layer
  size_body = 0.06, size_air = 0.12
];
Sphere(1) = {0, 0, 0, core_share};
Sphere(2) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {axis_x, axis_y, axis_z}} { Volume{1, 2}; }
BooleanDifference(12) = { Volume{2}; Delete; }{ Volume{1}; };
If(air > 0)
  longest = axis_x;
  If(axis_y > longest)
    longest = axis_y;
  EndIf
  If(axis_z > longest)
    longest = axis_z;
  EndIf
  Sphere(3) = {0, 0, 0, longest + air};
  Sphere(4) = {0, 0, 0, longest + air + layer};
  BooleanDifference(14) = { Volume{4}; Delete; }{ Volume{3}; };
  BooleanDifference(13) = { Volume{3}; Delete; }{ Volume{1, 12}; };
  BooleanFragments{ Volume{1, 12, 13, 14}; Delete; }{ }
Else
  BooleanFragments{ Volume{1, 12}; Delete; }{ }
EndIf
core_surface() = Abs(Boundary{ Volume{1}; });
outside() = Abs(Boundary{ Volume{12}; });
outside() -= {core_surface()};
Physical Volume("core") = {1};
Physical Volume("coating") = {12};
Physical Surface("core_surface") = {core_surface()};
Physical Surface("outside") = {outside()};
If(air > 0)
  inner() = Abs(Boundary{ Volume{13}; });
  inner() -= {outside()};
  back() = CombinedBoundary{ Volume{:}; };
  Physical Volume("air") = {13};
  Physical Volume("pml") = {14};
  Physical Surface("layer_inner") = {inner()};
  Physical Surface("back") = {back()};
EndIf
MeshSize{ PointsOf{ Volume{:}; } } = size_air;
MeshSize{ PointsOf{ Volume{1, 12}; } } = size_body;
