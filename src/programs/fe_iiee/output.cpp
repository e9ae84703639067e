// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fields/far_power.hpp"
#include "fields/optical_theorem.hpp"
#include "io/array_names.hpp"
#include "programs/fem/driven.hpp"

namespace curlew::fe_iiee {

namespace {

constexpr std::size_t most_field_columns = 4;  // excitations whose fields are written
constexpr double most_pairs = 5e8;  // of points and directions, for the powers in the far field of all waves

double degrees(double radians) {
  return radians * 180 / pi;
}

double norm2(Vec3<Complex> a) {
  return std::norm(a.x) + std::norm(a.y) + std::norm(a.z);
}

}  // namespace

fields::SurfaceCurrents column_of(const fields::SurfaceCurrents& all, std::size_t c, std::size_t n) {
  fields::SurfaceCurrents one(1, Offset(n));
  std::copy_n(&all.electric[c * n], n, one.electric.begin());
  std::copy_n(&all.magnetic[c * n], n, one.magnetic.begin());
  return one;
}

fields::FarField far_field_of(const TruncatedProblem& problem, const TruncationResult& result,
                              std::size_t column, const std::vector<fields::Direction>& directions,
                              const fields::Exterior& outside, Device device) {
  const auto one = column_of(result.inner, column, std::size_t(problem.inner_points().size()));
  return fields::far_field(problem.inner_points(), one, directions, outside, device);
}

FeedPower feed_power(const TruncatedProblem& problem, const TruncationResult& result, const Drive& drive,
                     std::size_t c, double radiated) {
  const int driven = drive.excitations[c].mode;
  if (driven < 0) return {results::source_budget(result.source_power[c], radiated)};
  const auto& modes = problem.system().modes();
  const auto n = std::size_t(problem.system().space().num_dofs());
  const auto waves = problem.system().outgoing(&result.x[c * n], driven,
                                               std::ldexp(1.0, -int(problem.surfaces().planes.size())));
  double reflected = 0, coupled = 0;
  for (std::size_t m = 0; m < modes.size(); ++m)
    (modes[m].port == modes[std::size_t(driven)].port ? reflected : coupled) += std::norm(waves[m]);
  return {results::port_budget(1, reflected, radiated), coupled};
}

namespace {

FeedPower feed_power(const programs::CombinedExcitation& combined, const Eigen::MatrixXcd& s,
                     double radiated) {
  FeedPower power{combined.budget(s), combined.coupled(s)};
  power.budget.radiated = radiated;
  return power;
}

}  // namespace

std::vector<fields::Direction> directions_of(const Setup& setup, const truncation::ArrivingWave& wave) {
  if (!setup.far_field.monostatic) return setup.far_field.directions;
  return {{wave.theta_deg * pi / 180, wave.phi_deg * pi / 180}};
}

std::string Drive::suffix(std::size_t i) const {
  return io::excitation_suffix(i, shown.size(), ports.empty() ? "" : ports[shown[i]]);
}

std::vector<std::string> elsewhere_of(const Setup& setup) {
  const auto& names = setup.options.names;
  std::vector<std::string> elsewhere{names.outer};
  if (setup.splits()) elsewhere.insert(elsewhere.end(), names.symmetry.begin(), names.symmetry.end());
  return elsewhere;
}

Drive make_drive(const Setup& s, const TruncatedProblem& problem, double k) {
  Drive drive;
  for (const auto& wave : s.waves) {
    drive.excitations.push_back({{wave.at(k)}});
    drive.labels.push_back(
        fmt::format("wave from theta {:g} phi {:g}, {}", wave.theta_deg, wave.phi_deg, wave.polarization));
  }
  for (const auto& source : s.sources) {
    drive.excitations.push_back({{}, -1, source});
    drive.labels.push_back(source.label);
  }
  if (!drive.labels.empty()) {
    drive.shown.resize(drive.labels.size());
    std::iota(drive.shown.begin(), drive.shown.end(), std::size_t(0));
    for (const auto& wave : s.duals.added) {
      drive.excitations.push_back({{wave.at(k)}});
      drive.labels.emplace_back("dual wave");
    }
    return drive;
  }
  const auto& ports = problem.system().ports();
  const auto& modes = problem.system().modes();
  for (std::size_t m = 0; m < modes.size(); ++m) {
    drive.excitations.push_back({{}, int(m)});
    drive.labels.push_back(fem::mode_label(ports, modes[m]));
    drive.ports.push_back(ports[std::size_t(modes[m].port)]->region);
  }
  for (const Eigen::Index m : programs::excited_modes(ports, modes)) drive.shown.push_back(std::size_t(m));
  return drive;
}

void add_combined(const programs::CombinedExcitation& combined, const TruncatedProblem& problem, Drive& drive,
                  TruncationResult& result) {
  if (!combined.is_given()) return;
  const auto append = [&](auto& columns, std::size_t n) {
    const auto sum = combined.of(columns.data(), n);
    columns.insert(columns.end(), sum.begin(), sum.end());
  };
  append(result.x, std::size_t(problem.system().space().num_dofs()));
  for (auto [currents, points] : {std::pair{&result.inner, std::size_t(problem.inner_points().size())},
                                  std::pair{&result.outer, std::size_t(problem.outer_points().size())}}) {
    append(currents->electric, points);
    append(currents->magnetic, points);
    ++currents->count;
  }
  drive.combined = drive.excitations.size();
  drive.shown.push_back(drive.excitations.size());
  drive.excitations.push_back({});
  drive.labels.push_back(programs::CombinedExcitation::name);
  drive.ports.push_back("combined");
}

fem::IncidentField incident_of(const truncation::Excitation& excitation) {
  if (excitation.waves.empty()) return nullptr;
  return [waves = excitation.waves](Vec3<double> point) {
    fem::KnownField sum{};
    for (const auto& wave : waves) sum.e += wave.electric(point), sum.curl += wave.curl(point);
    return sum;
  };
}

fem::IncidentField negative(fem::IncidentField field) {
  return [field = std::move(field)](Vec3<double> point) {
    const fem::KnownField known = field(point);
    return fem::KnownField{-known.e, -known.curl};
  };
}

std::optional<results::Sections> ScatteringOutput::sections(const TruncatedProblem& problem,
                                                            const TruncationResult& result, std::size_t c,
                                                            const fields::Exterior& outside) const {
  const auto& points = problem.inner_points();
  const auto wave = setup_.waves[c].at(outside.k);
  const double power = 0.5 * norm2(wave.amplitude) / outside.impedance;  // [W/m^2]
  // The wave's own currents radiate nothing outside of S'.
  const auto currents = column_of(result.inner, c, std::size_t(points.size()));
  const auto scattered =
      fields::far_power(points, currents, outside, most_pairs / double(setup_.waves.size()), device_);
  if (!scattered) return std::nullopt;
  const fields::Direction forward = fields::forward(wave.direction);
  const auto far = fields::far_field(points, currents, std::span(&forward, 1), outside, device_);
  results::Sections sections{scattered->front() / power,
                             0 - fields::radiated_power(points, currents).front() / power,
                             fields::extinction(far, wave), 0};
  sections.imbalance = std::abs(sections.extinction - sections.scattering - sections.absorption) /
                       std::max(std::abs(sections.extinction), 1e-300);
  return sections;
}

ScatteringOutput::ScatteringOutput(const Setup& setup, run::Run& run)
    : setup_(setup), device_(run.device()), writer_(run.output("rcs.csv"), run.provenance()), report_(run) {}

void ScatteringOutput::add(double frequency, const TruncatedProblem& problem,
                           const TruncationResult& result) {
  const auto outside = problem.exterior(frequency);
  for (std::size_t c = 0; c < setup_.waves.size(); ++c) {
    const auto& wave = setup_.waves[c];
    const auto directions = directions_of(setup_, wave);
    const auto far = far_field_of(problem, result, c, directions, outside, device_);
    std::vector<io::RcsRow> rows;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      rows.push_back({frequency, wave.theta_deg, wave.phi_deg, wave.polarization,
                      degrees(directions[d].theta), degrees(directions[d].phi),
                      fields::radar_cross_section(far.e_theta[d], 1),
                      fields::radar_cross_section(far.e_phi[d], 1)});
      writer_.row(rows.back());
    }
    auto scattered = results::wave_of_rows(rows);
    scattered.sections = sections(problem, result, c, outside);
    report_.add(scattered);
  }
}

RadiationOutput::RadiationOutput(const Setup& setup, run::Run& run)
    : setup_(setup), run_(run), report_(setup.far_field.formats, run) {}

void RadiationOutput::add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                          const Drive& drive, const programs::CombinedExcitation& combined,
                          const Eigen::MatrixXcd& s) {
  const auto outside = problem.exterior(frequency);
  const auto& directions = setup_.far_field.directions;
  const std::size_t m = directions.size();
  const auto far =
      fields::far_field(problem.inner_points(), result.inner, directions, outside, run_.device());
  const auto radiated = fields::radiated_power(problem.inner_points(), result.inner);
  for (const std::size_t c : drive.shown) {
    const FeedPower feed = drive.combined == c ? feed_power(combined, s, radiated[c])
                                               : feed_power(problem, result, drive, c, radiated[c]);
    report_.add({drive.labels[c], frequency, directions, std::span(far.e_theta).subspan(c * m, m),
                 std::span(far.e_phi).subspan(c * m, m), outside.impedance},
                feed.budget);
    check_balance(drive.labels[c], radiated[c], feed.budget.accepted - feed.coupled);
  }
}

void RadiationOutput::check_balance(const std::string& name, double radiated, double left) {
  if (setup_.model.is_lossless() && std::abs(radiated / left - 1) > 0.03)
    run_.warn(
        fmt::format("\"{}\" of a lossless structure accepts {:.5g} W but radiates {:.5g} W: the mesh is too "
                    "coarse at the port, the source or the inner surface",
                    name, left, radiated));
}

FieldOutput::FieldOutput(const Setup& setup, const TruncatedProblem& problem, run::Run& run)
    : num_dofs_(problem.system().space().num_dofs()),
      file_(problem.system().space(), setup.model, setup.sweep.written[0], setup.field_cells,
            run.output("fields.vtkhdf"), run.output("surfaces.vtkhdf"), run.provenance()) {}

void FieldOutput::add(double frequency, const TruncationResult& result, const Drive& drive) {
  file_.begin_step(frequency);
  const std::size_t count = std::min(drive.shown.size(), most_field_columns);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = drive.shown[i];
    const Complex* x = &result.x[c * std::size_t(num_dofs_)];
    const std::string what = ", " + drive.labels[c];
    if (const auto incident = incident_of(drive.excitations[c]))
      file_.add(x, frequency, "_scattered" + drive.suffix(i), "scattered ", what, negative(incident));
    file_.add(x, frequency, drive.suffix(i), "total ", what);
  }
}

}  // namespace curlew::fe_iiee
