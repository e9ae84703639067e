// The metal cone-sphere of Woo, Wang, Schuh, Sanders (1993), IEEE Antennas Propag. Magazine 35(1), 84, for
// [mesh] unit = "in": a cone around the x axis, tip at x = -length, that runs smoothly into a sphere at x = 0.
// Surface: cone_sphere; half angle 7 degrees, length 23.821 and radius 2.947 by default.
// With layer > 0 the air around it as well, for fe-iiee: surface S at distance + layer from it and, with
// distance > 0, S_prime at that distance. Volumes: air; inner and outer (inside and outside S_prime).
DefineConstant[
  length = {23.821, Name "Geometry/Length of the cone"},
  half_angle = {7, Name "Geometry/Half angle of the cone, degrees"},
  size = {1, Name "Mesh/Longest edge"},
  tip_length = {0, Name "Mesh/Length over which edges get shorter towards a tip, 0: nowhere"},
  least_around = {4, Name "Mesh/Fewest edges around a ring"},
  distance = {0, Name "Geometry/Distance of S_prime from the body, 0: none"},
  layer = {0, Name "Geometry/Distance of S from S_prime or the body, 0: surface only"}
];
If (length <= 0 || half_angle <= 0 || half_angle >= 90 || size <= 0 || distance < 0 || layer < 0)
  Error("length > 0, 0 < half_angle < 90, size > 0, distance >= 0 and layer >= 0 are needed");
EndIf
Include "revolved.geo";
alpha = half_angle * Pi / 180;
radius = length * Tan(alpha) / Cos(alpha);
arc_x() = {-length, radius * Sin(alpha)};
arc_r() = {0, 0};
arc_radius() = {0, radius};
arc_from() = {Pi, Pi / 2 + alpha};
arc_to() = {Pi / 2 + alpha, 0};
body_name = Str("cone_sphere");
Include "in_shells.geo";
