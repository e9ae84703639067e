// For other scripts to include: closed surfaces with elliptic cross-sections around the x axis, triangulated by the
// script itself. Gmsh meshes surfaces in their parameters, which are singular at a tip: it may never finish there. Here
// every triangle is a surface of its own, so there is nothing to search for; its sides are splines whose middle lies
// on the true surface: geometry order 2 is exact there too.
//
// Stations: three lists of 2 m + 1 numbers, x, and the half axes along y and z; even ones are rings of nodes, odd ones
// the middles between them. Half axes of 0 at the ends are tips.

// Call RevolvedSurface: station_x(), station_y(), station_z(), ring_size (longest edge around a ring), least_around (of them)
// to faces(), tags of surfaces with their normals outwards.
Macro RevolvedSurface
  faces() = {};
  For i_ring In {0:#station_x() - 1:2}
    // The ring of points_b points and edges_b curves, turned by half a step at every second ring. A tip has no curve.
    ring_half = station_y(i_ring);
    If (station_z(i_ring) > ring_half)
      ring_half = station_z(i_ring);
    EndIf
    points_b = 1; edges_b = 0;
    If (ring_half > 1e-9 * ring_size)
      points_b = Ceil(2 * Pi * ring_half / ring_size - 1e-6);
      points_b = points_b < least_around ? least_around : points_b;
      edges_b = points_b;
    EndIf
    turn_b = 0.5 * ((i_ring / 2) % 2);
    first_b = newp;
    For j In {0:points_b - 1}
      angle = 2 * Pi * (j + turn_b) / points_b;
      Point(first_b + j) = {station_x(i_ring), station_y(i_ring) * Cos(angle), station_z(i_ring) * Sin(angle)};
    EndFor
    curve_b = newc;
    For j In {0:edges_b - 1}
      angle = 2 * Pi * (j + 0.5 + turn_b) / points_b;
      middle = newp;
      Point(middle) = {station_x(i_ring), station_y(i_ring) * Cos(angle), station_z(i_ring) * Sin(angle)};
      Spline(curve_b + j) = {first_b + j, middle, first_b + (j + 1) % points_b};
    EndFor
  If (i_ring > 0)
      Call ZipRings;
    EndIf
    first_a = first_b; points_a = points_b; edges_a = edges_b; turn_a = turn_b; curve_a = curve_b;
  EndFor
Return

// The strip between the rings a and b: from one cross edge to the next by a triangle on a or on b, the one whose middle
// comes first.
Macro ZipRings
  j_a = 0; j_b = 0;
  cross_start = newc;
  cross_next = cross_start;
  Call CrossEdge;
  For i_zip In {1:edges_a + edges_b}
    on_a = j_b == edges_b;
    If (j_a < edges_a && j_b < edges_b)
      on_a = (j_a + 0.5 + turn_a) / edges_a < (j_b + 0.5 + turn_b) / edges_b;
    EndIf
    cross_last = cross_next;
    cross_next = i_zip == edges_a + edges_b ? cross_start : cross_last + 1;
    face = news;
    If (on_a)
      j_a += 1;
      Curve Loop(face) = {curve_a + j_a - 1, cross_next, -cross_last};
    Else
      j_b += 1;
      Curve Loop(face) = {cross_next, -(curve_b + j_b - 1), -cross_last};
    EndIf
    If (cross_next != cross_start)
      Call CrossEdge;
    EndIf
    Surface(face) = {face};
    faces() += face;
  EndFor
Return

// The curve cross_next from point j_a of ring a to point j_b of ring b.
Macro CrossEdge
  angle_a = 2 * Pi * (j_a + turn_a) / points_a;
  angle_b = 2 * Pi * (j_b + turn_b) / points_b;
  If (edges_a == 0)
    angle_a = angle_b;
  ElseIf (edges_b == 0)
    angle_b = angle_a;
  EndIf
  angle = (angle_a + angle_b) / 2;
  middle = newp;
  Point(middle) = {station_x(i_ring - 1), station_y(i_ring - 1) * Cos(angle), station_z(i_ring - 1) * Sin(angle)};
  Spline(cross_next) = {first_a + j_a % points_a, middle, first_b + j_b % points_b};
Return

// Call GradedSteps: a piece of length `span` to `steps` (even) and fraction(). Within tip_length of an end that is a
// corner (graded_a, graded_b) steps shrink as the root of the distance. Fields there go as its power nu - 1, 0 < nu < 1:
// equal steps h leave an error of h^(2 nu + 1), these of h^2 and less.
Macro GradedSteps
  length_a = graded_a ? tip_length : 0;
  length_b = graded_b ? tip_length : 0;
  room = span / (graded_a + graded_b > 1 ? 2 : 1);
  length_a = length_a > room ? room : length_a;
  length_b = length_b > room ? room : length_b;
  measure_all = span + length_a + length_b;
  steps = 2 * Ceil(measure_all / (ring_size * Sqrt(3) / 2) - 1e-6);
  fraction() = {};
  For j In {1:steps}
    measured = measure_all * j / steps;
    If (measured < 2 * length_a)
      fraction() += measured^2 / (4 * length_a) / span;
    ElseIf (measure_all - measured < 2 * length_b)
      fraction() += 1 - (measure_all - measured)^2 / (4 * length_b) / span;
    Else
      fraction() += (measured - length_a) / span;
    EndIf
  EndFor
Return

// Call ConvexProfile: a body of revolution from arcs that straight lines join, moved outwards by `offset`:
// arc_x(), arc_r() (centres), arc_radius() (0: a corner or tip), arc_from(), arc_to() (directions of the normal
// from +x, in radians, falling from Pi to 0), to the stations, at most ring_size * Sqrt(3) / 2 apart.
Macro ConvexProfile
  station_x() = {}; station_y() = {};
  For i_arc In {0:#arc_x() - 1}
    arc_offset = arc_radius(i_arc) + offset;
    piece_x = arc_x(i_arc) + arc_offset * Cos(arc_from(i_arc));
    piece_r = arc_r(i_arc) + arc_offset * Sin(arc_from(i_arc));
    If (#station_x() == 0)
      station_x() += piece_x; station_y() += 0;
    EndIf
    before_x = station_x(#station_x() - 1); before_r = station_y(#station_y() - 1);
    span = Hypot(piece_x - before_x, piece_r - before_r);
    graded_a = 0;
    If (i_arc > 0)
      graded_a = arc_radius(i_arc - 1) + offset == 0;
    EndIf
    graded_b = arc_offset == 0;
    Call GradedSteps;
    For j In {1:steps}
      station_x() += before_x + (piece_x - before_x) * fraction(j - 1);
      station_y() += before_r + (piece_r - before_r) * fraction(j - 1);
    EndFor
    graded_a = graded_a && span < 1e-9 * ring_size;
    span = arc_offset * (arc_from(i_arc) - arc_to(i_arc));
    graded_b = 0;
    If (i_arc < #arc_x() - 1)
      gap = Hypot(arc_x(i_arc + 1) - arc_x(i_arc) - arc_offset * Cos(arc_to(i_arc)),
                  arc_r(i_arc + 1) - arc_r(i_arc) - arc_offset * Sin(arc_to(i_arc)));
      graded_b = arc_radius(i_arc + 1) + offset == 0 && gap < 1e-9 * ring_size;
    EndIf
    Call GradedSteps;
    For j In {1:steps}
      angle = arc_from(i_arc) + (arc_to(i_arc) - arc_from(i_arc)) * fraction(j - 1);
      station_x() += arc_x(i_arc) + arc_offset * Cos(angle);
      station_y() += arc_r(i_arc) + arc_offset * Sin(angle);
    EndFor
  EndFor
  // Sines of Pi are no exact zeros.
  station_y(0) = 0; station_y(#station_y() - 1) = 0;
  station_z() = station_y();
Return
