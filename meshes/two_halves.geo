// A sphere in two halves that touch, for [mesh] unit = "m". Volumes upper (z > 0) and lower.
// Surfaces upper_dome, lower_dome, cut (between the halves).
SetFactory("OpenCASCADE");
DefineConstant[ radius = {1, Name "Geometry/Radius"} ];
Sphere(1) = {0, 0, 0, radius, 0, Pi/2};
Sphere(2) = {0, 0, 0, radius, -Pi/2, 0};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
e = 1e-5;
upper() = Volume In BoundingBox{-radius - e, -radius - e, -e, radius + e, radius + e, radius + e};
lower() = Volume In BoundingBox{-radius - e, -radius - e, -radius - e, radius + e, radius + e, e};
cut() = Surface In BoundingBox{-radius - e, -radius - e, -e, radius + e, radius + e, e};
upper_dome() = Boundary{ Volume{upper()}; };
lower_dome() = Boundary{ Volume{lower()}; };
For i In {0 : #upper_dome() - 1}
  upper_dome(i) = Abs(upper_dome(i));
EndFor
For i In {0 : #lower_dome() - 1}
  lower_dome(i) = Abs(lower_dome(i));
EndFor
upper_dome() -= {cut()};
lower_dome() -= {cut()};
Physical Volume("upper") = upper();
Physical Volume("lower") = lower();
Physical Surface("upper_dome") = upper_dome();
Physical Surface("lower_dome") = lower_dome();
Physical Surface("cut") = cut();
