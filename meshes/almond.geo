// The NASA almond of Woo, Wang, Schuh, Sanders (1993), IEEE Antennas Propag. Magazine 35(1), 84, for [mesh] unit = "in":
// nose at x = -0.416667 d, tip at x = 0.583333 d, y = 3 z at every cross-section. Surface: almond.
DefineConstant[
  d = {9.936, Name "Geometry/Length"},
  size = {0.25, Name "Mesh/Longest edge around a cross-section"},
  tip_length = {0, Name "Mesh/Length over which edges get shorter towards the tip, 0: nowhere"},
  least_around = {8, Name "Mesh/Fewest edges around a ring"}
];
If (d <= 0 || size <= 0 || tip_length < 0)
  Error("d and size must be positive, tip_length not negative");
EndIf
Include "revolved.geo";

// From u to x and z: the nose, an ellipse by its angle, for u in -1 ... 0, the rest for u in 0 ... 1, closer towards the tip.
Macro AlmondProfile
  If (u < 0)
    x = 0.416667 * d * Sin(Pi / 2 * u);
    z = 0.064444 * d * Cos(Pi / 2 * u);
  Else
    along = 1 - (1 - u)^2;
    x = 0.583333 * d * along;
    z = 1.61115 * d * (Sqrt(1 - (0.583333 * along / 2.08335)^2) - 0.96);
  EndIf
Return

// Stations at equal steps of length, along the edge y, in sizes (within tip_length of the tip in sizes times the root of the
// distance over tip_length: GradedSteps of revolved.geo), plus turns of the normal in thirds of a right angle.
fine = 400;
measure() = {0};
tip_x = 0.583333 * d;
x_last = -0.416667 * d; z_last = 0; turn_last = Pi / 2;
For i In {1:fine}
  u = -1 + 2 * i / fine;
  Call AlmondProfile;
  turn = Atan2(z - z_last, x - x_last);
  shrink = 1;
  If (tip_x - x < tip_length)
    shrink = (Sqrt(tip_x - x_last) + Sqrt(tip_x - x)) / (2 * Sqrt(tip_length));
  EndIf
  measure() += measure(i - 1) + Hypot(x - x_last, 3 * (z - z_last)) / (shrink * size * Sqrt(3) / 2) + Fabs(turn - turn_last) / (Pi / 6);
  x_last = x; z_last = z; turn_last = turn;
EndFor
steps = 2 * Ceil(measure(fine));
station_x() = {-0.416667 * d}; station_z() = {0};
i = 1;
For k In {1:steps - 1}
  wanted = measure(fine) * k / steps;
  For skip In {i:fine}
    If (measure(i) < wanted)
      i += 1;
    EndIf
  EndFor
  u = -1 + 2 * (i - (measure(i) - wanted) / (measure(i) - measure(i - 1))) / fine;
  Call AlmondProfile;
  station_x() += x; station_z() += z;
EndFor
station_x() += 0.583333 * d; station_z() += 0;
station_y() = {};
For k In {0:steps}
  station_y() += 3 * station_z(k);
EndFor

ring_size = size;
Call RevolvedSurface;
Physical Surface("almond") = faces();
Transfinite Curve{:} = 2;
Transfinite Surface{:};
