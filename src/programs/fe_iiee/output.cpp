// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "programs/fem/driven.hpp"

namespace curlew::fe_iiee {

namespace {

constexpr std::size_t most_field_columns = 4;  // excitations whose fields are written

double degrees(double radians) {
  return radians * 180 / pi;
}

/// The field of one right-hand side alone, in its own directions.
fields::FarField far_field_of(const TruncatedProblem& problem, const TruncationResult& result,
                              std::size_t column, const std::vector<fields::Direction>& directions,
                              const fields::Exterior& outside) {
  const auto n = std::size_t(problem.inner_points().size());
  fields::SurfaceCurrents one(1, Offset(n));
  std::copy_n(&result.inner.electric[column * n], n, one.electric.begin());
  std::copy_n(&result.inner.magnetic[column * n], n, one.magnetic.begin());
  return fields::far_field(problem.inner_points(), one, directions, outside);
}

/// Power that drives a right-hand side [W], what is reflected of it, and how it is called.
struct Supply {
  double accepted = 1;
  std::optional<double> reflected{};
};

Supply supply_of(const TruncatedProblem& problem, const TruncationResult& result, const Drive& drive,
                 std::size_t c) {
  const int mode = drive.excitations[c].mode;
  if (mode < 0) return {result.source_power[c]};
  const auto n = std::size_t(problem.system().space().num_dofs());
  const auto waves = problem.system().outgoing(&result.x[c * n], mode,
                                               std::ldexp(1.0, -int(problem.surfaces().planes.size())));
  Supply supply{1, std::norm(waves[std::size_t(mode)])};  // of 1 W
  for (const Complex s : waves) supply.accepted -= std::norm(s);
  return supply;
}

}  // namespace

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
    return drive;
  }
  const auto ported = problem.system().ported();
  for (std::size_t m = 0; m < ported.modes().size(); ++m) {
    drive.excitations.push_back({{}, int(m)});
    drive.labels.push_back(fem::mode_label(ported, ported.modes()[m]));
  }
  for (const Eigen::Index m : programs::excited_modes(ported)) drive.shown.push_back(std::size_t(m));
  return drive;
}

ScatteringOutput::ScatteringOutput(const Setup& setup, run::Run& run)
    : setup_(setup), run_(run), writer_(run.output("rcs.csv"), run.provenance()) {
  run.table(
      setup.far_field.monostatic ? "monostatic radar cross-section" : "largest bistatic radar cross-section",
      {"frequency GHz", "theta", "phi", "polarization", "RCS dBsm"});
}

void ScatteringOutput::add(double frequency, const TruncatedProblem& problem,
                           const TruncationResult& result) {
  const auto outside = problem.exterior(frequency);
  for (std::size_t c = 0; c < setup_.waves.size(); ++c) {
    const auto& wave = setup_.waves[c];
    const fields::Direction back{wave.theta_deg * pi / 180, wave.phi_deg * pi / 180};
    const auto directions = setup_.far_field.monostatic ? std::vector{back} : setup_.far_field.directions;
    const auto far = far_field_of(problem, result, c, directions, outside);
    double largest = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const io::RcsRow row{frequency,
                           wave.theta_deg,
                           wave.phi_deg,
                           wave.polarization,
                           degrees(directions[d].theta),
                           degrees(directions[d].phi),
                           fields::radar_cross_section(far.e_theta[d], 1),
                           fields::radar_cross_section(far.e_phi[d], 1)};
      writer_.row(row);
      largest = std::max(largest, row.rcs_theta + row.rcs_phi);
    }
    if (c < 20)
      run_.row({fmt::format("{:.6f}", 1e-9 * frequency), fmt::format("{:g}", wave.theta_deg),
                fmt::format("{:g}", wave.phi_deg), wave.polarization,
                fmt::format("{:.4f}", io::power_decibel(largest))});
    auto& results = run_.results();
    if (setup_.waves.size() == 1 && setup_.frequencies.size() == 1)
      results["rcs_dbsm"] = io::power_decibel(largest);
  }
}

RadiationOutput::RadiationOutput(const Setup& setup, run::Run& run)
    : setup_(setup), run_(run), writer_(setup.far_field.formats, run) {
  run.table("radiation", {"frequency GHz", "port", "directivity dBi", "realised gain dBi", "|S11| dB",
                          "radiated / accepted"});
}

void RadiationOutput::add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                          const Drive& drive) {
  const auto outside = problem.exterior(frequency);
  const auto& directions = setup_.far_field.directions;
  const auto far = fields::far_field(problem.inner_points(), result.inner, directions, outside);
  const auto radiated = fields::radiated_power(problem.inner_points(), result.inner);
  for (const std::size_t c : drive.shown) {
    const Supply supply = supply_of(problem, result, drive, c);
    const double given = supply.reflected ? 1 : supply.accepted;
    double largest = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Complex t = far.e_theta[c * directions.size() + d], p = far.e_phi[c * directions.size() + d];
      const double directivity = fields::directivity(t, p, radiated[c], outside.impedance);
      writer_.row({frequency, drive.labels[c], degrees(directions[d].theta), degrees(directions[d].phi), t, p,
                   directivity, fields::directivity(t, p, supply.accepted, outside.impedance),
                   fields::directivity(t, p, given, outside.impedance), fields::axial_ratio_db(t, p)});
      largest = std::max(largest, directivity);
    }
    report(frequency, drive.labels[c], largest, radiated[c], supply.accepted, supply.reflected);
  }
}

void RadiationOutput::report(double frequency, const std::string& name, double directivity, double radiated,
                             double accepted, std::optional<double> reflected) {
  const double given = reflected ? 1 : accepted;
  run_.row({fmt::format("{:.6f}", 1e-9 * frequency), name,
            fmt::format("{:.4f}", io::power_decibel(directivity)),
            fmt::format("{:.4f}", io::power_decibel(directivity * radiated / given)),
            reflected ? fmt::format("{:.3f}", io::power_decibel(*reflected)) : "-",
            fmt::format("{:.5f}", radiated / accepted)});
  auto& results = run_.results();
  run::Value row{{"frequency_hz", frequency},
                 {"port", name},
                 {"directivity_dbi", io::power_decibel(directivity)},
                 {"radiated_w", radiated},
                 {"accepted_w", accepted}};
  if (reflected) row["s11_db"] = io::power_decibel(*reflected);
  if (setup_.frequencies.size() == 1)
    for (const char* key : {"directivity_dbi", "s11_db"})
      if (row.contains(key)) results[key] = row[key];
  results["radiation"].push_back(row);
  if (setup_.model.is_lossless() && std::abs(radiated / accepted - 1) > 0.03)
    run_.warn(
        fmt::format("\"{}\" of a lossless structure takes {:.5g} W and radiates {:.5g} W: the mesh is too "
                    "coarse at the port, the source or the inner surface",
                    name, accepted, radiated));
}

FieldOutput::FieldOutput(const Setup& setup, const TruncatedProblem& problem, run::Run& run)
    : setup_(setup),
      space_(problem.system().space()),
      grid_(space_, materials(setup.frequencies[0])),
      writer_(run.output("fields.vtkhdf"), grid_.grid(), run.provenance()) {
  writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(setup.frequencies[0])), 1,
                            {"1", "real part of epsilon_r"});
}

void FieldOutput::add(double frequency, const TruncationResult& result, const Drive& drive) {
  writer_.begin_step(frequency);
  const std::size_t count = std::min(drive.shown.size(), most_field_columns);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = drive.shown[i];
    const auto fields = grid_.evaluate(&result.x[c * std::size_t(space_.num_dofs())], materials(frequency),
                                       2 * pi * frequency);
    const std::string suffix = drive.shown.size() == 1 ? "" : fmt::format("_{}", i + 1);
    writer_.point_array("E" + suffix, fields.e, 3, {"V/m", "total electric field, " + drive.labels[c]});
    writer_.point_array("H" + suffix, fields.h, 3, {"A/m", "total magnetic field, " + drive.labels[c]});
  }
}

}  // namespace curlew::fe_iiee
