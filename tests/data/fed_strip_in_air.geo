// The strip dipole of fed_strip.geo inside of two spheres, for [mesh] unit = "m"; the feed is a square.
// Volumes: ball, shell. Surfaces: arms, feed, S_prime (of the ball), S.
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.36};
Sphere(2) = {0, 0, 0, 0.28};
w = 0.02; cut[] = {-0.23, -0.01, 0.01, 0.23};
For i In {0:2}
  Rectangle(101 + i) = {-w / 2, cut[i], 0, w, cut[i + 1] - cut[i]};
EndFor
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{101:103}; Delete; }
e = 1e-4; r = 0.28 + e;
ball() = Volume In BoundingBox{-r, -r, -r, r, r, r};
shell() = Volume{:}; shell() -= {ball()};
feed() = Surface In BoundingBox{-w, -0.01 - e, -e, w, 0.01 + e, e};
arms() = Surface In BoundingBox{-w, -0.24, -e, w, 0.24, e}; arms() -= {feed()};
inner() = CombinedBoundary{ Volume{ball()}; };
outer() = CombinedBoundary{ Volume{:}; };
Physical Volume("ball") = {ball()};
Physical Volume("shell") = {shell()};
Physical Surface("feed") = {feed()};
Physical Surface("arms") = {arms()};
Physical Surface("S_prime") = {inner()};
Physical Surface("S") = {outer()};
