// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All of a config of mom2d as values. It is read once; quantities that depend on frequency are computed from
// it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/frequency.hpp"
#include "io/place.hpp"
#include "job/refinement.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"
#include "mesh/curves.hpp"
#include "mom2d/problem.hpp"
#include "mom2d/solve.hpp"
#include "results/error_report.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// A contour as it is drawn, in the config's unit of length.
struct Shape {
  enum class Kind { circle, ellipse, rectangle, strip, polyline, spline, curve };
  Kind kind = Kind::circle;
  mom2d::Point2 center{};
  mom2d::Point2 extent{};  ///< half axes of a circle or ellipse, sides of a rectangle
  double rotation = 0;     ///< [rad]
  mom2d::Point2 start{}, end{};
  std::vector<mom2d::Point2> points{};
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
  mom2d::Boundary boundary = mom2d::Boundary::pec;
  std::shared_ptr<const material::Medium> medium;  ///< of a dielectric
  material::SurfaceLawPtr wall;                    ///< of an impedance
  io::Place place;                                 ///< for errors found at a frequency
};

struct NearFieldGrid {
  double x0, x1, y0, y1;  ///< [m]
  int nx, ny;
};

enum class LengthUnit { metre, millimetre, wavelength };

struct Mom2dCase {
  std::string file;                 ///< config file, for messages
  std::vector<double> frequencies;  ///< [Hz]
  std::optional<io::AdaptiveSweep> adaptive;
  std::vector<double> incidence_deg;  ///< directions the waves come from
  std::vector<double> angles_deg;     ///< observation
  bool monostatic = false;
  std::optional<NearFieldGrid> near_field;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  linalg::DenseLimits limits;
  results::AccuracyRequest accuracy;
  LengthUnit unit = LengthUnit::metre;
  mom2d::Problem formulation;  ///< without bodies and wave number
  double near_distance = 0;    ///< wavelengths
  std::vector<StatedBody> bodies;
  std::optional<job::Refinement> refinement;
  std::optional<int>
      halvings;  ///< how often the cells of the first pass were halved; empty: no adaptive passes
};

/// @throws InputError with file and line, also for unknown keys
Mom2dCase read_mom2d_case(const io::Config& config, run::Run& run);

/// Operations that take as long at the speed of dense products, of the cases of tests/scripts/time_test.py.
constexpr double mom2d_fill(double unknowns) {
  return 1000 * unknowns * unknowns;
}

/// [m] of one unit of length.
double metres(LengthUnit unit, double frequency);

/// The problem at one frequency [Hz]: lengths in wavelengths, losses and default cells depend on it.
/// @throws InputError with file and line
mom2d::Problem problem_at(const Mom2dCase& c, double frequency);

/// Sets the cells of contours without `cells` by the shortest wavelength, for all frequencies: an adaptive
/// sweep needs the same unknowns at all frequencies.
/// @throws InputError with file and line
void fix_cells(Mom2dCase& c);

}  // namespace curlew::programs
