// A cavity whose section is a square of 2 by 2 without a quarter, 0.5 high, for [mesh] unit = "m". Volume: air. Surface: walls.
SetFactory("OpenCASCADE");
Box(1) = {-1, -1, 0, 2, 2, 0.5};
Box(2) = {0, 0, -1, 2, 2, 3};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
walls() = Boundary{ Volume{3}; };
Physical Volume("air") = {3};
Physical Surface("walls") = walls();
