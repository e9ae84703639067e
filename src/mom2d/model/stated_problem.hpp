// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Contours, their materials and the formulation of a config, read once; the problem at a frequency follows
// from them.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/place.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"
#include "mesh/curves.hpp"
#include "mom2d/problem.hpp"

namespace curlew::mom2d {

/// A contour as it is drawn, in the config's unit of length.
struct Shape {
  enum class Kind { circle, ellipse, rectangle, polyline, spline, curve };
  Kind kind = Kind::circle;
  Point2 center{};
  Point2 extent{};      ///< half axes of a circle or ellipse, sides of a rectangle
  double rotation = 0;  ///< [rad]
  std::vector<Point2> points{};
  bool closed = true;
  std::shared_ptr<const mesh::PhysicalCurve> curve{};
  bool curve_in_metres = false;
};

/// One [[contour]] with the [[material]] inside or the [[boundary]] on it.
struct StatedBody {
  std::string name;
  Shape shape;
  std::optional<int> cells;   ///< empty: chosen by the wavelength
  bool states_cells = false;  ///< cells were set; else adaptive passes begin with half of them
  int grading = 0;
  bool deepens = false;  ///< passes grade its cells further, since neither cells nor grading are set
  Boundary boundary = Boundary::pec;
  std::shared_ptr<const material::Medium> medium;  ///< of a dielectric
  material::SurfaceLawPtr wall;                    ///< of an impedance
  io::Place place;                                 ///< for errors found at a frequency
};

enum class LengthUnit { metre, millimetre, wavelength };

/// [m] of one unit of length.
double metres(LengthUnit unit, double frequency);

struct StatedProblem {
  LengthUnit unit = LengthUnit::metre;
  Problem formulation;  ///< without bodies and wave number
  std::vector<StatedBody> bodies;
  std::optional<int>
      halvings;  ///< how often the cells of the first pass were halved; empty: no adaptive passes

  /// The problem at one frequency [Hz]: lengths in wavelengths, losses and default cells depend on it.
  /// @throws InputError with file and line
  Problem at(double frequency) const;
  /// Whether each pass resolves corners by more than half the innermost cells of the one before.
  bool deepens() const;
  /// Sets the cells of contours without `cells` by the shortest wavelength, for all frequencies: an adaptive
  /// sweep needs the same unknowns at all frequencies.
  /// @throws InputError with file and line
  void fix_cells(const std::vector<double>& frequencies);
};

/// Files that a config names.
struct ContourFiles {
  /// The curve of a [[contour]] with type = "curve".
  std::function<mesh::PhysicalCurve(const io::Config& contour)> load_curve;
  /// Called with a file of points before it is read.
  std::function<void(const std::string& path)> depends_on;
};

/// The word of `unit`.
LengthUnit read_length_unit(const io::Config& config);
/// Reads [[contour]], [[material]], [[boundary]] and [formulation].
/// @throws InputError with file and line
StatedProblem read_stated_problem(const io::Config& config, const ContourFiles& files);

}  // namespace curlew::mom2d
