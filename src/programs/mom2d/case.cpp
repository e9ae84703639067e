// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mom2d/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "io/config.hpp"
#include "io/csv.hpp"
#include "io/frequency.hpp"
#include "io/key.hpp"
#include "io/ranges.hpp"
#include "io/schema/mom2d_keys.hpp"
#include "job/dense_memory.hpp"
#include "run/curve_input.hpp"

namespace curlew::programs {
namespace {

namespace keys = io::keys;
using mom2d::Point2;

// ---- words ----

constexpr io::Choice<LengthUnit, 3> units(keys::unit, {{"m", LengthUnit::metre},
                                                       {"mm", LengthUnit::millimetre},
                                                       {"wavelength", LengthUnit::wavelength}});
constexpr io::Choice<mom2d::Polarization, 2> polarizations(keys::formulation::polarization,
                                                           {{"tm", mom2d::Polarization::tm},
                                                            {"te", mom2d::Polarization::te}});
constexpr io::Choice<mom2d::Method, 2> methods(keys::formulation::method,
                                               {{"mom", mom2d::Method::mom}, {"lcn", mom2d::Method::lcn}});
constexpr io::Choice<mom2d::Equation, 3> equations(keys::formulation::equation,
                                                   {{"efie", mom2d::Equation::efie},
                                                    {"mfie", mom2d::Equation::mfie},
                                                    {"cfie", mom2d::Equation::cfie}});
constexpr io::Choice<mom2d::DielectricEquation, 2> dielectric_equations(
    keys::formulation::dielectric,
    {{"muller", mom2d::DielectricEquation::muller}, {"pmchwt", mom2d::DielectricEquation::pmchwt}});
constexpr io::Choice<bool, 2> integrations(keys::formulation::integration,
                                           {{"accurate", false}, {"paper", true}});
constexpr io::Choice<bool, 2> interpolations(keys::formulation::interpolation,
                                             {{"neighbours", true}, {"cell", false}});
constexpr io::Choice<Shape::Kind, 7> shapes(keys::contour::type, {{"circle", Shape::Kind::circle},
                                                                  {"ellipse", Shape::Kind::ellipse},
                                                                  {"rectangle", Shape::Kind::rectangle},
                                                                  {"strip", Shape::Kind::strip},
                                                                  {"polyline", Shape::Kind::polyline},
                                                                  {"spline", Shape::Kind::spline},
                                                                  {"curve", Shape::Kind::curve}});

// ---- numbers ----

void require_count(const io::Config& table, std::string_view key, const std::vector<double>& values,
                   std::size_t count) {
  table.require(values.size() == count, key,
                count == 1 ? "must be a number" : fmt::format("must be a list of {} numbers", count));
}

Point2 read_point(const io::Config& table, const io::Key<std::vector<double>>& key) {
  const auto v = io::read(table, key);
  require_count(table, io::name_of(key), v, 2);
  return {v[0], v[1]};
}

// ---- contours ----

std::vector<Point2> read_points(const io::Config& contour, run::Run& run) {
  std::vector<Point2> points;
  if (const auto rows = io::find(contour, keys::contour::points)) {
    for (const auto& p : *rows) {
      contour.require(p.size() == 2, "points", "must be a list of [x, y]");
      points.push_back({p[0], p[1]});
    }
    return points;
  }
  const auto file = contour.resolve_path(io::get(contour, keys::contour::file));
  run.depends_on(file);
  const auto table = io::read_csv(file);
  const auto x = table.numbers("x"), y = table.numbers("y");
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
  return points;
}

void read_drawn(const io::Config& t, Shape& s, run::Run& run) {
  s.points = read_points(t, run);
  const bool same_ends = s.points.size() > 2 && s.points.front().x == s.points.back().x &&
                         s.points.front().y == s.points.back().y;
  s.closed = io::read(t, keys::contour::closed, same_ends);
}

/// Numbers of a .geo and a .brep are in the config's unit; a STEP file has its own, and curves.h5 is in
/// metres.
void read_curve(const io::Config& t, Shape& s, run::Run& run) {
  const auto kind = std::filesystem::path(io::get(t, keys::contour::file)).extension();
  s.curve_in_metres = kind != ".geo" && kind != ".brep";
  s.curve = std::make_shared<mesh::PhysicalCurve>(run::load_curve(t, "m", run));
  s.closed = s.curve->closed;
}

Shape read_shape(const io::Config& t, run::Run& run) {
  Shape s;
  s.kind = shapes.read(t);
  switch (s.kind) {
    case Shape::Kind::circle: {
      s.center = read_point(t, keys::contour::center);
      const auto radius = io::get(t, keys::contour::radius);
      require_count(t, "radius", radius, 1);
      s.extent = {radius[0], radius[0]};
      break;
    }
    case Shape::Kind::ellipse:
    case Shape::Kind::rectangle:
      s.center = read_point(t, keys::contour::center);
      s.extent = read_point(t, s.kind == Shape::Kind::ellipse ? keys::contour::radius : keys::contour::size);
      s.rotation = io::read(t, keys::contour::rotation) * pi / 180;
      break;
    case Shape::Kind::strip:
      s.start = read_point(t, keys::contour::start), s.end = read_point(t, keys::contour::end);
      s.closed = false;
      break;
    case Shape::Kind::polyline:
    case Shape::Kind::spline:
      read_drawn(t, s, run);
      break;
    case Shape::Kind::curve:
      read_curve(t, s, run);
      break;
  }
  return s;
}

// ---- materials and boundaries, found by the names of contours ----

using Media = std::map<std::string, std::shared_ptr<const material::Medium>>;

/// The table of a list whose `region` names this.
std::optional<io::Config> table_of(const io::Config& config, const char* list, const std::string& name) {
  for (const auto& table : config.tables(list)) {
    const auto regions = table.get<std::vector<std::string>>("region");
    if (std::find(regions.begin(), regions.end(), name) != regions.end()) return table;
  }
  return std::nullopt;
}

void read_boundary(const io::Config& config, const io::Config& contour, Media& media, StatedBody& body) {
  if (const auto name = io::find(contour, keys::contour::material)) {
    const auto table = table_of(config, "material", *name);
    contour.require(table.has_value(), "material", fmt::format("no [[material]] has region = \"{}\"", *name));
    body.boundary = mom2d::Boundary::dielectric;
    auto& medium = media[table->path()];
    if (!medium)
      medium =
          std::make_shared<material::Medium>(material::read_medium(*table, material::MediumKind::isotropic));
    body.medium = medium;
  }
  const auto boundary = table_of(config, "boundary", body.name);
  if (!boundary) return;
  boundary->require(body.boundary != mom2d::Boundary::dielectric, "region",
                    fmt::format("contour \"{}\" has a material and cannot be a boundary, too", body.name));
  if (boundary->choice("type", {"pec", "impedance"}) == "pec") return;
  body.boundary = mom2d::Boundary::impedance;
  body.wall = material::read_wall(*boundary);
}

StatedBody read_body(const io::Config& config, const io::Config& t, const mom2d::Problem& formulation,
                     std::size_t number, Media& media, run::Run& run) {
  StatedBody body;
  body.place = io::Place(t, "type");
  body.grading = io::read(t, keys::contour::grading, formulation.method == mom2d::Method::mom ? 0 : 16);
  body.cells = io::find(t, keys::contour::cells);
  body.states_cells = body.cells.has_value();
  body.shape = read_shape(t, run);
  const bool is_named = body.shape.curve && !body.shape.curve->name.empty();
  body.name = io::read(t, keys::contour::name,
                       is_named ? body.shape.curve->name : fmt::format("contour{}", number + 1));
  read_boundary(config, t, media, body);
  return body;
}

/// Every region of a boundary must be a contour.
void check_names(const io::Config& config, const Mom2dCase& c) {
  std::vector<std::string> names;
  for (const auto& body : c.bodies) names.push_back(body.name);
  for (const auto& boundary : config.tables("boundary")) {
    for (const auto& region : boundary.get<std::vector<std::string>>("region")) {
      boundary.require(std::find(names.begin(), names.end(), region) != names.end(), "region",
                       fmt::format("\"{}\" is not a contour (contours: {})", region, fmt::join(names, ", ")));
    }
  }
}

// ---- formulation, waves and output ----

void read_bodies(const io::Config& config, Mom2dCase& c, run::Run& run) {
  const auto f = config.table("formulation");
  mom2d::Problem& p = c.formulation;
  p.polarization = polarizations.read(f);
  p.method = methods.read(f);
  p.nodes = io::read(f, keys::formulation::nodes, p.method == mom2d::Method::mom ? 1 : 8);
  p.dielectric = dielectric_equations.read(f);
  p.alpha = io::read(f, keys::formulation::alpha);
  p.paper_mom = integrations.read(f);
  p.neighbours = interpolations.read(f);
  c.near_distance = io::read(f, keys::formulation::near_distance);
  const auto contours = config.tables("contour");
  if (contours.empty()) config.error("contour", "there is none: at least one [[contour]] is needed");
  Media media;
  for (std::size_t i = 0; i < contours.size(); ++i)
    c.bodies.push_back(read_body(config, contours[i], p, i, media, run));
  const bool open =
      std::any_of(c.bodies.begin(), c.bodies.end(), [](const auto& b) { return !b.shape.closed; });
  p.equation = equations.read(f, open || p.paper_mom ? mom2d::Equation::efie : mom2d::Equation::cfie);
  check_names(config, c);
}

std::vector<double> read_incidence(const io::Config& excitation) {
  if (!excitation.has("phi")) return excitation.get_or<std::vector<double>>("phi", {0.0});
  return io::angle_list(excitation, "phi");
}

NearFieldGrid read_near_field(const io::Config& grid, const Mom2dCase& c) {
  constexpr int most_points = 1'000'000;
  const double unit = metres(c.unit, c.frequencies.front());
  const double wavelength = speed_of_light / c.frequencies.back();
  const auto range_of = [&](const char* key) {
    auto range = grid.get<std::vector<double>>(key);
    require_count(grid, key, range, 3);
    grid.require(range[2] >= 1 && range[2] <= most_points && range[2] == std::floor(range[2]), key,
                 fmt::format("{} must be [start, stop, points], points a whole number from 1 to {}", key,
                             most_points));
    grid.require(unit * std::max(std::abs(range[0]), std::abs(range[1])) <= 1e9 * wavelength, key,
                 fmt::format("{} = [{}, {}, ..]: too many wavelengths from the origin for double precision: "
                             "at most 1e9 are possible",
                             key, range[0], range[1]));
    return range;
  };
  const auto x = range_of("x"), y = range_of("y");
  return {unit * x[0], unit * x[1], unit * y[0], unit * y[1], int(x[2]), int(y[2])};
}

void read_output(const io::Config& output, Mom2dCase& c) {
  c.angles_deg = output.has("angles") ? io::linear_range(output, "angles")
                                      : (output.get_or<std::vector<double>>("angles", {0, 359, 360}),
                                         io::linspace(0, 359, 360));
  c.monostatic = output.get_or<bool>("monostatic", false);
  if (output.has("near_field")) c.near_field = read_near_field(output.table("near_field"), c);
}

void read_solver(const io::Config& solver, const run::Run& run, Mom2dCase& c) {
  const auto words = solver.choice_or("precision", {"automatic", "double", "mixed"}, "automatic");
  c.precision = words == "double"  ? linalg::LuPrecision::full
                : words == "mixed" ? linalg::LuPrecision::mixed
                                   : linalg::LuPrecision::automatic;
  if (run.precision() == run::Precision::single_precision) c.precision = linalg::LuPrecision::mixed;
  c.limits.device = job::read_device_memory(solver.table("expert"));
  c.limits.gpus = solver.integer_in_or("gpus", 1, 64, 1);
  if (run.device() != Device::cuda) c.limits.gpus = 1;
  solver.require(c.limits.gpus <= std::max(1, num_devices()), "gpus",
                 fmt::format("gpus = {}: this machine has {}", c.limits.gpus, num_devices()));
  solver.require(c.limits.gpus == 1 || c.precision != linalg::LuPrecision::mixed, "gpus",
                 fmt::format("gpus = {}: several GPUs factor in double precision, not in single or mixed",
                             c.limits.gpus));
  solver.allow({"method", "tolerance", "max_iterations"});
}

}  // namespace

Mom2dCase read_mom2d_case(const io::Config& config, run::Run& run) {
  Mom2dCase c;
  c.file = config.file();
  config.get_or<std::string>("title", "");
  c.unit = units.read(config);
  if (!config.has("frequency") && c.unit == LengthUnit::wavelength)
    c.frequencies = {speed_of_light};  // only relative lengths matter: the wavelength is 1 m
  else
    c.frequencies = io::frequencies(config);
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.incidence_deg = read_incidence(excitation);
  read_output(config.table("output"), c);
  read_solver(config.table("solver"), run, c);
  c.accuracy = results::read_accuracy(config);
  read_bodies(config, c, run);
  c.adaptive = io::adaptive_sweep(config, c.frequencies);
  c.refinement = job::read_refinement_or_default(config, job::RefinedProblem::contours, run);
  config.check_unknown_keys();
  if (c.adaptive) fix_cells(c);
  return c;
}

}  // namespace curlew::programs
