// SPDX-License-Identifier: BSD-3-Clause
// FarFieldOutput of open_problem.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "programs/fem/open_problem.hpp"

namespace curlew::programs {

FarFieldOutput::FarFieldOutput(const fem::NedelecSpace& space, const fem::Model& model,
                               const fem::FarFieldRequest& request, bool has_waves, bool has_feeds,
                               run::Run& run)
    : run_(run), calculator_(space, model, request) {
  if (has_feeds) pattern_ = std::make_unique<results::PatternOutput>(request.formats, run);
  if (has_waves) rcs_ = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), run.provenance());
}

void FarFieldOutput::add_feed(const std::string& port, const fem::FeedPower& feed, const Complex* x,
                              double frequency, const fem::IncidentField& known) {
  const auto radiation = calculator_.compute(x, 1, frequency, known).front();
  const double copies = calculator_.copies();
  const fem::FeedPower total{copies * feed.accepted, copies * feed.incident};
  const auto rows = fem::pattern_rows(radiation, port, total, frequency);
  const auto best = *std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.directivity < b.directivity; });
  for (const auto& row : rows) pattern_->row(row);
  const double efficiency = radiation.radiated / total.accepted;
  run_.results()["radiation"].push_back({{"frequency_hz", frequency},
                                         {"port", port},
                                         {"radiated_w", radiation.radiated},
                                         {"accepted_w", total.accepted},
                                         {"incident_w", total.incident},
                                         {"efficiency", efficiency},
                                         {"directivity_dbi", io::power_decibel(best.directivity)},
                                         {"gain_dbi", io::power_decibel(best.gain)},
                                         {"realized_gain_dbi", io::power_decibel(best.realized_gain)},
                                         {"theta_deg", best.theta_deg},
                                         {"phi_deg", best.phi_deg}});
  pattern_table_.push_back({fmt::format("{:.6f}", 1e-9 * frequency), port,
                            fmt::format("{:.6g}", radiation.radiated), fmt::format("{:.4f}", efficiency),
                            fmt::format("{:.3f}", io::power_decibel(best.directivity)),
                            fmt::format("{:.3f}", io::power_decibel(best.gain)),
                            fmt::format("{:.3f}", io::power_decibel(best.realized_gain)),
                            fmt::format("{:g}, {:g}", best.theta_deg, best.phi_deg)});
  if (efficiency > 1.01)
    run_.warn(
        fmt::format("port {}: {:.4f} times the accepted power is radiated: the mesh is too coarse, or a "
                    "source lies outside of the radiating surface",
                    port, efficiency));
}

void FarFieldOutput::add_wave(const fem::Excitation& wave, const Complex* x, double frequency,
                              const fem::IncidentField& known) {
  const auto rows = fem::rcs_rows(calculator_.compute(x, 1, frequency, known).front(), wave, frequency);
  double greatest = 0;
  for (const auto& row : rows) {
    rcs_->row(row);
    greatest = std::max(greatest, row.rcs_theta + row.rcs_phi);
  }
  run_.results()["scattering"].push_back({{"frequency_hz", frequency},
                                          {"theta_inc_deg", rows[0].theta_inc_deg},
                                          {"phi_inc_deg", rows[0].phi_inc_deg},
                                          {"polarization", wave.polarization},
                                          {"greatest_rcs_dbsm", io::power_decibel(greatest)}});
  rcs_table_.push_back({fmt::format("{:.6f}", 1e-9 * frequency), fmt::format("{:g}", rows[0].theta_inc_deg),
                        fmt::format("{:g}", rows[0].phi_inc_deg), wave.polarization,
                        fmt::format("{:.3f}", io::power_decibel(greatest))});
}

void FarFieldOutput::close() {
  if (pattern_) {
    pattern_->close();
    run_.table("radiation", {"frequency GHz", "port", "radiated W", "efficiency", "directivity dBi",
                             "gain dBi", "realized dBi", "towards theta, phi"});
    for (const auto& row : pattern_table_) run_.row(row);
  }
  if (rcs_) {
    rcs_->close();
    run_.table("radar cross-section",
               {"frequency GHz", "theta inc", "phi inc", "polarization", "greatest dBsm"});
    for (const auto& row : rcs_table_) run_.row(row);
  }
}

}  // namespace curlew::programs
