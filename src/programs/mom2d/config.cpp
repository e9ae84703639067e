// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mom2d/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "io/config_error.hpp"
#include "io/csv.hpp"
#include "io/ranges.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"
#include "mesh/curves.hpp"
#include "programs/dense_memory.hpp"
#include "run/curve_input.hpp"

namespace curlew::programs {
namespace {

using mom2d::Point2;

/// Of one contour: the matrix of so many would fill 16 TB.
constexpr int most_cells = 1'000'000;

bool in_wavelengths(const io::Config& config) {
  return config.choice_or("unit", {"m", "mm", "wavelength"}, "m") == "wavelength";
}

/// [m] of one unit of length of the config.
double unit_of(const io::Config& config, double frequency) {
  const auto unit = config.choice_or("unit", {"m", "mm", "wavelength"}, "m");
  return unit == "m" ? 1.0 : (unit == "mm" ? 1e-3 : speed_of_light / frequency);
}

std::vector<double> list_of(const io::Config& table, const char* key, std::size_t count) {
  auto values = table.get<std::vector<double>>(key);
  table.require(values.size() == count, key, fmt::format("must be a list of {} numbers", count));
  return values;
}

Point2 point_of(const io::Config& table, const char* key, double unit) {
  const auto v = list_of(table, key, 2);
  return {unit * v[0], unit * v[1]};
}

std::vector<double> angle_list(const io::Config& table, const char* key,
                               const std::vector<double>& fallback) {
  if (!table.has(key)) return table.get_or<std::vector<double>>(key, fallback);
  return io::angle_list(table, key);
}

// ---- materials and boundaries, found by the names of contours ----

mom2d::Material read_material(const io::Config& table, double frequency) {
  const auto medium = material::read_medium(table, material::MediumKind::isotropic);
  mom2d::Material m;
  m.epsilon_r = medium.permittivity(frequency);
  m.mu_r = medium.mu_r[0];
  return m;
}

/// The table of a list whose `region` names this.
std::optional<io::Config> table_of(const io::Config& config, const char* list, const std::string& name) {
  for (const auto& table : config.tables(list)) {
    const auto regions = table.get<std::vector<std::string>>("region");
    if (std::find(regions.begin(), regions.end(), name) != regions.end()) return table;
  }
  return std::nullopt;
}

void read_boundary(const io::Config& config, const io::Config& contour, double frequency, mom2d::Body& body) {
  if (contour.has("material")) {
    const auto name = contour.get<std::string>("material");
    const auto material = table_of(config, "material", name);
    contour.require(material.has_value(), "material",
                    fmt::format("no [[material]] has region = \"{}\"", name));
    body.boundary = mom2d::Boundary::dielectric;
    body.material = read_material(*material, frequency);
  }
  const auto boundary = table_of(config, "boundary", body.contour.name);
  if (!boundary) return;
  boundary->require(body.boundary != mom2d::Boundary::dielectric, "region",
                    fmt::format("contour \"{}\" has a material: it is no boundary", body.contour.name));
  if (boundary->choice("type", {"pec", "impedance"}) == "pec") return;
  body.boundary = mom2d::Boundary::impedance;
  body.surface_impedance = material::read_wall(*boundary)->impedance(frequency);
}

/// Every region that is named must be a contour (boundaries) or a contour's material.
void check_names(const io::Config& config, const mom2d::Problem& problem) {
  std::vector<std::string> names;
  for (const auto& body : problem.bodies) names.push_back(body.contour.name);
  for (const auto& boundary : config.tables("boundary")) {
    for (const auto& region : boundary.get<std::vector<std::string>>("region")) {
      boundary.require(std::find(names.begin(), names.end(), region) != names.end(), "region",
                       fmt::format("\"{}\" is not a contour (contours: {})", region, fmt::join(names, ", ")));
    }
  }
}

// ---- contours ----

std::vector<Point2> read_points(const io::Config& contour, double unit, run::Run& run) {
  if (contour.has("points")) {
    std::vector<Point2> points;
    for (const auto& p : contour.get<std::vector<std::vector<double>>>("points")) {
      contour.require(p.size() == 2, "points", "must be a list of [x, y]");
      points.push_back({unit * p[0], unit * p[1]});
    }
    return points;
  }
  const auto file = contour.resolve_path(contour.get<std::string>("file"));
  run.depends_on(file);
  const auto table = io::read_csv(file);
  const auto x = table.numbers("x"), y = table.numbers("y");
  std::vector<Point2> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back({unit * x[i], unit * y[i]});
  return points;
}

/// A physical curve of a geometry. Numbers of a .geo and a .brep are in the config's unit; a STEP file states
/// its own, and curves.h5 is in metres.
mom2d::Contour make_physical_curve(const io::Config& t, double unit, mom2d::Division division,
                                   run::Run& run) {
  const auto kind = std::filesystem::path(t.get<std::string>("file")).extension();
  const double scale = kind == ".geo" || kind == ".brep" ? unit : 1.0;
  const auto curve = std::make_shared<mesh::PhysicalCurve>(run::load_curve(t, "m", run));
  std::vector<mom2d::Section> sections;
  for (const auto& section : curve->sections) {
    const auto point = [curve, &section, scale](double parameter) {
      const auto p = evaluate(section, parameter);
      return Point2{scale * p.x, scale * p.y};
    };
    sections.push_back({point, section.analytic, section.periodic});
  }
  auto contour = mom2d::make_curve(sections, curve->closed, division);
  contour.name = curve->name;
  return contour;
}

mom2d::Contour make_contour(const io::Config& t, double unit, mom2d::Division division, run::Run& run) {
  const auto type =
      t.choice("type", {"circle", "ellipse", "rectangle", "strip", "polyline", "spline", "curve"});
  const auto center = [&] {
    return t.has("center") ? point_of(t, "center", unit)
                           : (t.get_or<std::vector<double>>("center", {0.0, 0.0}), Point2{});
  };
  const auto rotation = [&] { return t.get_or<double>("rotation", 0.0) * pi / 180; };
  if (type == "circle") return mom2d::make_circle(center(), unit * t.positive("radius"), division);
  if (type == "ellipse")
    return mom2d::make_ellipse(center(), point_of(t, "radius", unit), rotation(), division);
  if (type == "rectangle")
    return mom2d::make_rectangle(center(), point_of(t, "size", unit), rotation(), division);
  if (type == "strip")
    return mom2d::make_strip(point_of(t, "start", unit), point_of(t, "end", unit), division);
  if (type == "curve") return make_physical_curve(t, unit, division, run);
  const auto points = read_points(t, unit, run);
  const bool same_ends =
      points.size() > 2 && points.front().x == points.back().x && points.front().y == points.back().y;
  const bool closed = t.get_or<bool>("closed", same_ends);
  return type == "polyline" ? mom2d::make_polyline(points, closed, division)
                            : mom2d::make_spline(points, closed, division);
}

/// Cells of a contour that states none: about ten nodes per wavelength (LCN), twenty pulses (MoM).
int default_cells(const mom2d::Contour& trial, const mom2d::Problem& problem, double index) {
  const double wavelengths =
      mom2d::contour_length(trial) * problem.wavenumber * std::max(index, 1.0) / (2 * pi);
  const double per_wavelength = problem.method == mom2d::Method::mom ? 20 : 12;
  const double cells = std::ceil(wavelengths * per_wavelength / problem.nodes);
  if (!(cells <= most_cells))
    throw InputError(
        fmt::format("contour \"{}\" is {:.3g} wavelengths long and needs {:.3g} cells, more than the {} that "
                    "are possible: "
                    "check frequency, unit and material",
                    trial.name, wavelengths, cells, most_cells));
  return std::max(8, int(cells));
}

mom2d::Body read_contour(const io::Config& config, const io::Config& t, const mom2d::Problem& problem,
                         double frequency, std::size_t number, run::Run& run) {
  const double unit = unit_of(config, frequency);
  mom2d::Division division;
  division.grading = t.integer_in_or("grading", 0, 45, problem.method == mom2d::Method::mom ? 0 : 16);
  mom2d::Body body;
  try {
    // A first one with the least cells tells the length and finds the errors.
    division.cells = t.has("cells") ? t.integer_in("cells", 1, most_cells) : 1;
    body.contour = make_contour(t, unit, division, run);
    if (body.contour.name.empty()) body.contour.name = fmt::format("contour{}", number + 1);
    body.contour.name = t.get_or<std::string>("name", body.contour.name);
    read_boundary(config, t, frequency, body);
    if (!t.has("cells")) {
      const double index = std::abs(std::sqrt(body.material.epsilon_r * body.material.mu_r));
      division.cells = default_cells(body.contour, problem, index);
      const auto name = body.contour.name;
      body.contour = make_contour(t, unit, division, run);
      body.contour.name = name;
    }
  } catch (const io::ConfigError&) {
    throw;
  } catch (const InputError& e) {
    t.error("type", e.what());
  }
  return body;
}

}  // namespace

Mom2dConfig read_mom2d_config(const io::Config& config, run::Run& run) {
  Mom2dConfig c;
  config.get_or<std::string>("title", "");
  if (!config.has("frequency") && in_wavelengths(config)) {
    c.frequencies = {speed_of_light};  // lengths are all that matters: the wavelength is 1 m
  } else {
    c.frequencies = io::frequency_list(config.table("frequency"));
  }
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.incidence_deg = angle_list(excitation, "phi", {0.0});
  const auto output = config.table("output");
  c.angles_deg = output.has("angles") ? io::linear_range(output, "angles")
                                      : (output.get_or<std::vector<double>>("angles", {0, 359, 360}),
                                         io::linspace(0, 359, 360));
  c.monostatic = output.get_or<bool>("monostatic", false);
  if (output.has("near_field")) {
    const auto grid = output.table("near_field");
    const double unit = unit_of(config, c.frequencies.front());
    const auto x = list_of(grid, "x", 3), y = list_of(grid, "y", 3);
    const double wavelength = speed_of_light / *std::max_element(c.frequencies.begin(), c.frequencies.end());
    for (const auto& [key, range] : {std::pair{"x", x}, std::pair{"y", y}}) {
      grid.require(range[2] >= 1 && range[2] <= most_cells && range[2] == std::floor(range[2]), key,
                   fmt::format("{} must be [start, stop, points], points a whole number from 1 to {}", key,
                               most_cells));
      grid.require(unit * std::max(std::abs(range[0]), std::abs(range[1])) <= 1e9 * wavelength, key,
                   fmt::format("{} = [{}, {}, ..]: so many wavelengths from the origin phases are lost to "
                               "rounding: at most 1e9",
                               key, range[0], range[1]));
    }
    c.near_field = NearFieldGrid{unit * x[0], unit * x[1], unit * y[0], unit * y[1], int(x[2]), int(y[2])};
  }
  const auto words =
      config.table("solver").choice_or("precision", {"automatic", "double", "mixed"}, "automatic");
  c.precision = words == "double"
                    ? linalg::LuPrecision::full
                    : (words == "mixed" ? linalg::LuPrecision::mixed : linalg::LuPrecision::automatic);
  if (run.precision() == run::Precision::single_precision) c.precision = linalg::LuPrecision::mixed;
  c.device_memory = read_device_memory(config.table("solver"));
  config.table("solver").allow({"method", "tolerance", "max_iterations"});
  return c;
}

mom2d::Problem read_mom2d_problem(const io::Config& config, double frequency, run::Run& run) {
  mom2d::Problem p;
  p.wavenumber = wavenumber(frequency);
  const auto f = config.table("formulation");
  p.polarization = f.choice_or("polarization", {"tm", "te"}, "tm") == "tm" ? mom2d::Polarization::tm
                                                                           : mom2d::Polarization::te;
  p.method = f.choice_or("method", {"mom", "lcn"}, "lcn") == "mom" ? mom2d::Method::mom : mom2d::Method::lcn;
  p.nodes = f.integer_in_or("nodes", 1, 12, p.method == mom2d::Method::mom ? 1 : 8);
  p.dielectric = f.choice_or("dielectric", {"muller", "pmchwt"}, "muller") == "muller"
                     ? mom2d::DielectricEquation::muller
                     : mom2d::DielectricEquation::pmchwt;
  p.alpha = f.get_or<double>("alpha", 0.5);
  p.paper_mom = f.choice_or("integration", {"accurate", "paper"}, "accurate") == "paper";
  p.neighbours = f.choice_or("interpolation", {"neighbours", "cell"}, "neighbours") == "neighbours";
  p.near_distance = f.get_or<double>("near_distance", 0.0) * speed_of_light / frequency;
  const auto contours = config.tables("contour");
  if (contours.empty()) config.error("contour", "there is none: at least one [[contour]] is needed");
  bool open = false;
  for (std::size_t i = 0; i < contours.size(); ++i) {
    p.bodies.push_back(read_contour(config, contours[i], p, frequency, i, run));
    open = open || !p.bodies.back().contour.closed;
  }
  const auto equation =
      f.choice_or("equation", {"efie", "mfie", "cfie"}, open || p.paper_mom ? "efie" : "cfie");
  p.equation = equation == "efie" ? mom2d::Equation::efie
                                  : (equation == "mfie" ? mom2d::Equation::mfie : mom2d::Equation::cfie);
  check_names(config, p);
  return p;
}

}  // namespace curlew::programs
