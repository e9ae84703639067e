// SPDX-License-Identifier: BSD-3-Clause
// The problem of a Case at one frequency.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "mom2d/halved.hpp"
#include "programs/mom2d/case.hpp"

namespace curlew::programs {
namespace {

using mom2d::Point2;

/// Most cells of one contour: a larger matrix would exceed 16 TB.
constexpr int most_cells = 1'000'000;

Point2 scaled(double unit, Point2 p) {
  return {unit * p.x, unit * p.y};
}

mom2d::Contour draw_curve(const Shape& s, double unit, mom2d::Division division) {
  const double scale = s.curve_in_metres ? 1.0 : unit;
  std::vector<mom2d::Section> sections;
  for (const auto& section : s.curve->sections) {
    const auto point = [curve = s.curve, &section, scale](double parameter) {
      const auto p = evaluate(section, parameter);
      return Point2{scale * p.x, scale * p.y};
    };
    sections.push_back({point, section.analytic, section.periodic});
  }
  return mom2d::make_curve(sections, s.curve->closed, division);
}

mom2d::Contour draw(const Shape& s, double unit, mom2d::Division division) {
  const auto points = [&] {
    std::vector<Point2> out;
    for (const auto& p : s.points) out.push_back(scaled(unit, p));
    return out;
  };
  const Point2 center = scaled(unit, s.center), extent = scaled(unit, s.extent);
  switch (s.kind) {
    case Shape::Kind::circle:
      return mom2d::make_circle(center, extent.x, division);
    case Shape::Kind::ellipse:
      return mom2d::make_ellipse(center, extent, s.rotation, division);
    case Shape::Kind::rectangle:
      return mom2d::make_rectangle(center, extent, s.rotation, division);
    case Shape::Kind::strip:
      return mom2d::make_strip(scaled(unit, s.start), scaled(unit, s.end), division);
    case Shape::Kind::polyline:
      return mom2d::make_polyline(points(), s.closed, division);
    case Shape::Kind::spline:
      return mom2d::make_spline(points(), s.closed, division);
    case Shape::Kind::curve:
      break;
  }
  return draw_curve(s, unit, division);
}

/// Default number of cells of a contour: about ten nodes per wavelength (LCN), twenty pulses (MoM).
int default_cells(const mom2d::Contour& trial, const mom2d::Problem& problem, double index) {
  const double wavelengths =
      mom2d::contour_length(trial) * problem.wavenumber * std::max(index, 1.0) / (2 * pi);
  const double per_wavelength = problem.method == mom2d::Method::mom ? 20 : 12;
  const double cells = std::ceil(wavelengths * per_wavelength / problem.nodes);
  if (!(cells <= most_cells))
    throw InputError(
        fmt::format("contour \"{}\" is {:.3g} wavelengths long and needs {:.3g} cells, but at most {} are "
                    "possible: check frequency, unit and material",
                    trial.name, wavelengths, cells, most_cells));
  return std::max(8, int(cells));
}

double index_of(const mom2d::Material& m) {
  return std::abs(std::sqrt(m.epsilon_r * m.mu_r));
}

/// @param halvings as in Mom2dCase
mom2d::Body body_at(const StatedBody& stated, const mom2d::Problem& problem, double unit, double frequency,
                    std::optional<int> halvings) {
  // A trial contour with few cells gives the length and finds errors.
  mom2d::Division division{stated.cells.value_or(1), stated.grading};
  mom2d::Body body;
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
  if (!stated.states_cells) body.contour = draw(stated.shape, unit, division);
  for (int i = 0; i < halvings.value_or(0); ++i) body.contour = mom2d::halved(body.contour);
  body.contour.name = stated.name;
  return body;
}

}  // namespace

double metres(LengthUnit unit, double frequency) {
  return unit == LengthUnit::metre ? 1.0 : unit == LengthUnit::millimetre ? 1e-3 : speed_of_light / frequency;
}

mom2d::Problem problem_at(const Mom2dCase& c, double frequency) {
  mom2d::Problem p = c.formulation;
  p.wavenumber = wavenumber(frequency);
  p.near_distance = c.near_distance * speed_of_light / frequency;
  for (const auto& body : c.bodies) {
    try {
      p.bodies.push_back(body_at(body, p, metres(c.unit, frequency), frequency, c.halvings));
    } catch (const InputError& e) {
      body.place.error(e.what());
    }
  }
  return p;
}

void fix_cells(Mom2dCase& c) {
  std::vector<int> most(c.bodies.size(), 1);
  for (const double frequency : c.frequencies) {
    const auto problem = problem_at(c, frequency);
    for (std::size_t i = 0; i < c.bodies.size(); ++i)
      if (!c.bodies[i].cells)
        most[i] = std::max(
            most[i], default_cells(problem.bodies[i].contour, problem, index_of(problem.bodies[i].material)));
  }
  for (std::size_t i = 0; i < c.bodies.size(); ++i)
    if (!c.bodies[i].cells) c.bodies[i].cells = most[i];
}

}  // namespace curlew::programs
