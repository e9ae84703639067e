// Spherical cavity of perfectly conducting walls, radius 1, for [mesh] unit = "m".
// With order = 2 in [mesh] the cells follow the sphere; with order = 1 the volume itself has an error of order h^2.
// Volume: cavity. Surface: walls.
SetFactory("OpenCASCADE");
DefineConstant[ radius = {1, Name "Geometry/Radius"} ];
Sphere(1) = {0, 0, 0, radius};
Physical Volume("cavity") = {1};
Physical Surface("walls") = Boundary{ Volume{1}; };
