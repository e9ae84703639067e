// A closed circular cylinder along z, for [mesh] unit = "mm". Volume: dielectric. Surface: walls.
SetFactory("OpenCASCADE");
DefineConstant[ radius = {27.4, Name "Geometry/Radius"}, height = {54.8, Name "Geometry/Height"} ];
Cylinder(1) = {0, 0, 0, 0, 0, height, radius};
walls() = Boundary{ Volume{1}; };
Physical Volume("dielectric") = {1};
Physical Surface("walls") = walls();
