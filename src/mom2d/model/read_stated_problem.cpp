// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/key.hpp"
#include "io/schema/mom2d_keys.hpp"
#include "mom2d/model/stated_problem.hpp"

namespace curlew::mom2d {
namespace {

namespace keys = io::keys;

// ---- words ----

constexpr io::Choice<LengthUnit, 3> units(keys::mesh_unit, {{"m", LengthUnit::metre},
                                                            {"mm", LengthUnit::millimetre},
                                                            {"wavelength", LengthUnit::wavelength}});
constexpr io::Choice<Polarization, 2> polarizations(keys::polarization,
                                                    {{"tm", Polarization::tm}, {"te", Polarization::te}});
constexpr io::Choice<Method, 2> methods(keys::formulation::method,
                                        {{"mom", Method::mom}, {"lcn", Method::lcn}});
constexpr io::Choice<Equation, 3> equations(keys::formulation::equation, {{"efie", Equation::efie},
                                                                          {"mfie", Equation::mfie},
                                                                          {"cfie", Equation::cfie}});
constexpr io::Choice<bool, 2> integrations(keys::formulation::integration,
                                           {{"accurate", false}, {"paper", true}});
constexpr io::Choice<Shape::Kind, 7> shapes(keys::contour::type, {{"circle", Shape::Kind::circle},
                                                                  {"ellipse", Shape::Kind::ellipse},
                                                                  {"rectangle", Shape::Kind::rectangle},
                                                                  {"strip", Shape::Kind::polyline},
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

std::vector<Point2> read_points(const io::Config& contour, const ContourFiles& files) {
  std::vector<Point2> points;
  if (const auto rows = io::find(contour, keys::contour::points)) {
    for (const auto& p : *rows) {
      contour.require(p.size() == 2, "points", "must be a list of [x, y]");
      points.push_back({p[0], p[1]});
    }
    return points;
  }
  const auto file = contour.resolve_path(io::get(contour, keys::contour::file));
  files.depends_on(file);
  const auto table = io::read_csv(file);
  const auto x = table.numbers("x"), y = table.numbers("y");
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
  return points;
}

void read_drawn(const io::Config& t, Shape& s, const ContourFiles& files) {
  s.points = read_points(t, files);
  const bool same_ends = s.points.size() > 2 && s.points.front().x == s.points.back().x &&
                         s.points.front().y == s.points.back().y;
  s.closed = io::read(t, keys::contour::closed, same_ends);
}

/// Numbers of a .geo and a .brep are in the config's unit; a STEP file has its own, and curves.h5 is in
/// metres.
void read_curve(const io::Config& t, Shape& s, const ContourFiles& files) {
  const auto kind = std::filesystem::path(io::get(t, keys::contour::file)).extension();
  s.curve_in_metres = kind != ".geo" && kind != ".brep";
  s.curve = std::make_shared<mesh::PhysicalCurve>(files.load_curve(t));
  s.closed = s.curve->closed;
}

Shape read_shape(const io::Config& t, const ContourFiles& files) {
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
    case Shape::Kind::polyline:
    case Shape::Kind::spline:
      read_drawn(t, s, files);
      break;
    case Shape::Kind::curve:
      read_curve(t, s, files);
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
    body.boundary = Boundary::dielectric;
    auto& medium = media[table->path()];
    if (!medium)
      medium =
          std::make_shared<material::Medium>(material::read_medium(*table, material::MediumKind::isotropic));
    body.medium = medium;
  }
  const auto boundary = table_of(config, "boundary", body.name);
  if (!boundary) return;
  boundary->require(body.boundary != Boundary::dielectric, "region",
                    fmt::format("contour \"{}\" has a material and cannot be a boundary, too", body.name));
  if (boundary->choice("type", {"pec", "impedance"}) == "pec") return;
  body.boundary = Boundary::impedance;
  body.wall = material::read_wall(*boundary);
}

StatedBody read_body(const io::Config& config, const io::Config& t, const Problem& formulation,
                     std::size_t number, Media& media, const ContourFiles& files) {
  StatedBody body;
  body.place = io::Place(t, "type");
  body.grading = io::read(t, keys::contour::grading, formulation.method == Method::mom ? 0 : 16);
  body.cells = io::find(t, keys::contour::cells);
  body.states_cells = body.cells.has_value();
  body.deepens = !body.states_cells && !t.has("grading") && formulation.method == Method::lcn;
  body.shape = read_shape(t, files);
  const bool is_named = body.shape.curve && !body.shape.curve->name.empty();
  body.name = io::read(t, keys::contour::name,
                       is_named ? body.shape.curve->name : fmt::format("contour{}", number + 1));
  read_boundary(config, t, media, body);
  return body;
}

/// Every region of a boundary must be a contour.
void check_names(const io::Config& config, const StatedProblem& c) {
  std::vector<std::string> names;
  for (const auto& body : c.bodies) names.push_back(body.name);
  for (const auto& boundary : config.tables("boundary")) {
    for (const auto& region : boundary.get<std::vector<std::string>>("region")) {
      boundary.require(std::find(names.begin(), names.end(), region) != names.end(), "region",
                       fmt::format("\"{}\" is not a contour (contours: {})", region, fmt::join(names, ", ")));
    }
  }
}

}  // namespace

LengthUnit read_length_unit(const io::Config& config) {
  return units.read(config.table("mesh"));
}

StatedProblem read_stated_problem(const io::Config& config, const ContourFiles& files) {
  StatedProblem c;
  c.unit = read_length_unit(config);
  const auto f = config.table("formulation");
  Problem& p = c.formulation;
  p.polarization = polarizations.read(config.table("excitation"));
  p.method = methods.read(f);
  p.nodes = io::read(f, keys::formulation::nodes, p.method == Method::mom ? 1 : 8);
  p.alpha = io::read(f, keys::formulation::alpha);
  const bool paper = integrations.read(f);
  p.paper_mom = paper && p.method == Method::mom;
  p.neighbours = !paper;
  const auto contours = config.tables("contour");
  if (contours.empty()) config.error("contour", "there is none: at least one [[contour]] is needed");
  Media media;
  for (std::size_t i = 0; i < contours.size(); ++i)
    c.bodies.push_back(read_body(config, contours[i], p, i, media, files));
  const bool open =
      std::any_of(c.bodies.begin(), c.bodies.end(), [](const auto& b) { return !b.shape.closed; });
  p.equation = equations.read(f, open || p.paper_mom ? Equation::efie : Equation::cfie);
  check_names(config, c);
  return c;
}

}  // namespace curlew::mom2d
