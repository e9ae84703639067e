// The metal ogive of Woo, Wang, Schuh, Sanders (1993), IEEE Antennas Propag. Magazine 35(1), 84, for [mesh] unit = "in":
// an arc turned around its chord, the x axis; half angle 22.62 degrees at the tips. Surface: ogive.
// With layer > 0 the air around it as well, for fe-iiee: surface S at distance + layer from the ogive and, with
// distance > 0, S_prime at that distance. Volumes: air; inner and outer (inside and outside S_prime).
DefineConstant[
  half_length = {5, Name "Geometry/Half length"},
  half_width = {1, Name "Geometry/Greatest radius"},
  size = {1, Name "Mesh/Longest edge"},
  tip_length = {0, Name "Mesh/Length over which edges get shorter towards a tip, 0: nowhere"},
  least_around = {4, Name "Mesh/Fewest edges around a ring"},
  distance = {0, Name "Geometry/Distance of S_prime from the ogive, 0: none"},
  layer = {0, Name "Geometry/Distance of S from S_prime or the ogive, 0: surface only"}
];
If (half_width <= 0 || half_length < half_width || size <= 0 || distance < 0 || layer < 0)
  Error("half_length >= half_width > 0, size > 0, distance >= 0 and layer >= 0 are needed");
EndIf
Include "revolved.geo";
depth = (half_length^2 - half_width^2) / (2 * half_width);   // of the arc's centre below the axis
tip_angle = Atan2(depth, half_length);                       // direction of the normal at the tip x > 0
arc_x() = {-half_length, 0, half_length};
arc_r() = {0, -depth, 0};
arc_radius() = {0, depth + half_width, 0};
arc_from() = {Pi, Pi - tip_angle, tip_angle};
arc_to() = {Pi - tip_angle, tip_angle, 0};
body_name = Str("ogive");
Include "in_shells.geo";
