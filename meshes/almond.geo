// The NASA almond of Woo, Wang, Schuh, Sanders (1993), IEEE Antennas Propag. Magazine 35(1), 84, for [mesh] unit = "in":
// nose at x = -0.416667 d, tip at x = 0.583333 d, y = 3 z at every cross-section. Surface: almond.
SetFactory("OpenCASCADE");
DefineConstant[ d = {9.936, Name "Geometry/Length"} ];
n = 40;
For i In {0:n}
  // The elliptic nose, by its angle so that the points follow the round end.
  a = Pi / 2 * i / n;
  Point(1 + i) = {-0.416667 * d * Cos(a), 0, 0.064444 * d * Sin(a)};
EndFor
For i In {1:n - 1}
  t = 0.583333 * i / n;
  Point(1 + n + i) = {t * d, 0, 1.61115 * d * (Sqrt(1 - (t / 2.08335)^2) - 0.96)};
EndFor
Point(1 + 2 * n) = {0.583333 * d, 0, 0};
Spline(1) = {1:1 + n};
Spline(2) = {1 + n:1 + 2 * n};
s1[] = Extrude { {1, 0, 0}, {0, 0, 0}, 2 * Pi } { Curve{1}; };
s2[] = Extrude { {1, 0, 0}, {0, 0, 0}, 2 * Pi } { Curve{2}; };
Dilate { {0, 0, 0}, {1, 3, 1} } { Surface{s1[1], s2[1]}; }
Coherence;
Physical Surface("almond") = Surface{:};
