// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/model/stated_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "mom2d/halved.hpp"

namespace curlew::mom2d {
namespace {

/// Largest number of cells of one contour: a larger matrix would exceed 16 TB.
constexpr int most_cells = 1'000'000;

/// Halvings towards corners that each pass adds: errors at a corner with the outer angle γ then fall by
/// 2^(-5π/γ), with the halves of all cells, by 0.18 or less. More halvings of cells that are graded already
/// change nothing.
constexpr int graded_per_pass = 4, most_graded = 45;

Point2 scaled(double unit, Point2 p) {
  return {unit * p.x, unit * p.y};
}

Contour draw_curve(const Shape& s, double unit, Division division) {
  const double scale = s.curve_in_metres ? 1.0 : unit;
  std::vector<Section> sections;
  for (const auto& section : s.curve->sections) {
    const auto point = [curve = s.curve, &section, scale](double parameter) {
      const auto p = evaluate(section, parameter);
      return Point2{scale * p.x, scale * p.y};
    };
    sections.push_back({point, section.analytic, section.periodic});
  }
  return make_curve(sections, s.curve->closed, division);
}

Contour draw(const Shape& s, double unit, Division division) {
  const auto points = [&] {
    std::vector<Point2> out;
    for (const auto& p : s.points) out.push_back(scaled(unit, p));
    return out;
  };
  const Point2 center = scaled(unit, s.center), extent = scaled(unit, s.extent);
  switch (s.kind) {
    case Shape::Kind::circle:
      return make_circle(center, extent.x, division);
    case Shape::Kind::ellipse:
      return make_ellipse(center, extent, s.rotation, division);
    case Shape::Kind::rectangle:
      return make_rectangle(center, extent, s.rotation, division);
    case Shape::Kind::polyline:
      return make_polyline(points(), s.closed, division);
    case Shape::Kind::spline:
      return make_spline(points(), s.closed, division);
    case Shape::Kind::curve:
      break;
  }
  return draw_curve(s, unit, division);
}

/// Default number of cells of a contour: about ten nodes per wavelength (LCN), twenty pulses (MoM).
int default_cells(const Contour& trial, const Problem& problem, double index) {
  const double wavelengths = contour_length(trial) * problem.wavenumber * std::max(index, 1.0) / (2 * pi);
  const double per_wavelength = problem.method == Method::mom ? 20 : 12;
  const double cells = std::ceil(wavelengths * per_wavelength / problem.nodes);
  if (!(cells <= most_cells))
    throw InputError(
        fmt::format("contour \"{}\" is {:.3g} wavelengths long and needs {:.3g} cells, but at most {} are "
                    "possible: check frequency, unit and material",
                    trial.name, wavelengths, cells, most_cells));
  return std::max(8, int(cells));
}

double index_of(const Material& m) {
  return std::abs(std::sqrt(m.epsilon_r * m.mu_r));
}

/// @param halvings as in StatedProblem
Body body_at(const StatedBody& stated, const Problem& problem, double unit, double frequency,
             std::optional<int> halvings) {
  // A trial contour with few cells gives the length and finds errors.
  Division division{stated.cells.value_or(1), stated.grading};
  Body body;
  body.contour = draw(stated.shape, unit, division);
  body.contour.name = stated.name;
  body.boundary = stated.boundary;
  if (stated.medium) {
    body.material.epsilon_r = stated.medium->permittivity(frequency);
    body.material.mu_r = stated.medium->mu_r[0];
  }
  if (stated.wall) body.surface_impedance = stated.wall->impedance(frequency);
  if (!stated.cells) division.cells = default_cells(body.contour, problem, index_of(body.material));
  if (halvings && !stated.states_cells) division.cells = (division.cells + 1) / 2;
  if (halvings && stated.deepens) {
    division.halvings = *halvings;
    division.grading = std::min(graded_per_pass * (*halvings + 1), most_graded);
    halvings.reset();
  }
  if (!stated.states_cells) body.contour = draw(stated.shape, unit, division);
  for (int i = 0; i < halvings.value_or(0); ++i) body.contour = halved(body.contour);
  body.contour.name = stated.name;
  return body;
}

}  // namespace

double metres(LengthUnit unit, double frequency) {
  return unit == LengthUnit::metre ? 1.0 : unit == LengthUnit::millimetre ? 1e-3 : speed_of_light / frequency;
}

Problem StatedProblem::at(double frequency) const {
  Problem p = formulation;
  p.wavenumber = wavenumber(frequency);
  for (const auto& body : bodies) {
    try {
      p.bodies.push_back(body_at(body, p, metres(unit, frequency), frequency, halvings));
    } catch (const InputError& e) {
      body.place.error(e.what());
    }
  }
  return p;
}

bool StatedProblem::deepens() const {
  return std::ranges::all_of(bodies, &StatedBody::deepens);
}

void StatedProblem::fix_cells(const std::vector<double>& frequencies) {
  std::vector<int> most(bodies.size(), 1);
  for (const double frequency : frequencies) {
    const auto problem = at(frequency);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (!bodies[i].cells)
        most[i] = std::max(
            most[i], default_cells(problem.bodies[i].contour, problem, index_of(problem.bodies[i].material)));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].cells) bodies[i].cells = most[i];
}

}  // namespace curlew::mom2d
