// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Physical curves of a geometry, for programs without volume mesh: piecewise polynomials through
// Chebyshev-Lobatto points, exact to rounding. Source: Trefethen (2013), Approximation Theory and
// Approximation Practice, ch. 2 and 5.

#include <functional>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "io/provenance.hpp"

namespace curlew::mesh {

/// One curve of the geometry, without corners.
struct CurveSection {
  static constexpr int points_per_piece = 17;  ///< polynomials of degree 16
  std::vector<double> ends;                    ///< [pieces + 1] parameters, from 0 to 1
  /// [pieces, points_per_piece] points [m] at the parameters a + (b - a) (1 - cos(k pi/16))/2
  std::vector<Vec3<double>> points;
  bool analytic = false;  ///< no jumps in any derivative: line, arc, Bezier curve
  bool periodic = false;  ///< closed, analytic there too: circle, ellipse
};

/// Sections that follow each other, in the plane z = const.
struct PhysicalCurve {
  std::string name;
  bool closed = false;
  std::vector<CurveSection> sections;
};

/// The point [m] at a parameter in [0, 1].
Vec3<double> evaluate(const CurveSection& section, double t);
/// [m] by a thousand chords of each section.
double length(const PhysicalCurve& curve);
/// Approximates a function to 1e-13 of `size` by bisecting the interval.
/// @param point [m] of the parameter in [0, 1]
/// @throws InputError if it has a corner inside
CurveSection follow(const std::function<Vec3<double>(double)>& point, double size);

/// Sections in any order and direction as one contour: each begins where the one before ends.
/// @param size [m] of the curve; ends closer than 1e-8 of it are one point
/// @throws InputError, naming the curve, if three ends meet in a point or there are several contours
PhysicalCurve join_sections(const std::string& name, std::vector<CurveSection> sections, double size);

/// curves.h5: format "curlew-curves", version 1.
void write_curves(const std::vector<PhysicalCurve>& curves, const std::string& path,
                  const io::Provenance& provenance, const std::string& read_files = "");
/// @throws InputError if the file has another format or is damaged
std::vector<PhysicalCurve> read_curves(const std::string& path);
bool is_curve_file(const std::string& path);

}  // namespace curlew::mesh
