// A D-shaped cylinder: a flat side and a half ellipse, joined by quarter circles. For mom2d: the curve is followed
// exactly. Lengths in the unit of the config.
DefineConstant[ width = {1.0, Name "width of the flat side"} ];
DefineConstant[ depth = {0.6, Name "depth of the half ellipse"} ];
DefineConstant[ radius = {0.1, Name "radius of the rounded corners"} ];
h = width / 2;
Point(1) = {0, -h, 0};      Point(2) = {0, h, 0};
Point(3) = {radius, h + radius, 0};   Point(4) = {radius, -h - radius, 0};
Point(5) = {radius, h, 0};  Point(6) = {radius, -h, 0};  // centres of the corners
Point(7) = {radius, 0, 0};  Point(8) = {radius + depth, 0, 0};
Line(1) = {1, 2};
Circle(2) = {2, 5, 3};
Ellipse(3) = {3, 7, 3, 8};
Ellipse(4) = {8, 7, 3, 4};
Circle(5) = {4, 6, 1};
Physical Curve("d_shape") = {1, 2, 3, 4, 5};
