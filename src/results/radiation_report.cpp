// SPDX-License-Identifier: BSD-3-Clause
#include "results/radiation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hertz.hpp"
#include "results/cells.hpp"

namespace curlew::results {

namespace {

constexpr double degrees = 180 / pi;

std::string decibels(double value) {
  return fmt::format("{:.3f}", io::power_decibel(value));
}

}  // namespace

std::vector<io::FarFieldRow> far_field_rows(const FeedPattern& pattern, const PowerBudget& budget) {
  std::vector<io::FarFieldRow> rows;
  for (std::size_t i = 0; i < pattern.directions.size(); ++i) {
    const auto& to = pattern.directions[i];
    const Complex t = pattern.e_theta[i], p = pattern.e_phi[i];
    const double u = fields::radiation_intensity(t, p, pattern.impedance);
    const auto circular = fields::circular_components(t, p);
    const double right = fields::radiation_intensity(circular.right, 0, pattern.impedance),
                 left = fields::radiation_intensity(circular.left, 0, pattern.impedance);
    rows.push_back({pattern.frequency, pattern.port, to.theta * degrees, to.phi * degrees, t, p,
                    directivity(u, budget), gain(u, budget), realized_gain(u, budget),
                    fields::axial_ratio_db(t, p), gain(right, budget), gain(left, budget)});
  }
  return rows;
}

const io::FarFieldRow& greatest(const std::vector<io::FarFieldRow>& rows) {
  return *std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return (1 + 1e-9) * a.directivity < b.directivity;
  });
}

void RadiationReport::add(const FeedPattern& pattern, const PowerBudget& budget) {
  const auto rows = far_field_rows(pattern, budget);
  for (const auto& row : rows) files_.row(row);
  const auto best = greatest(rows);
  const double efficiency = radiation_efficiency(budget), total = total_efficiency(budget);
  run_.results()["radiation"].push_back({{"frequency_hz", pattern.frequency},
                                         {"port", pattern.port},
                                         {"radiated_w", budget.radiated},
                                         {"accepted_w", budget.accepted},
                                         {"incident_w", budget.incident},
                                         {"efficiency", efficiency},
                                         {"total_efficiency", total},
                                         {"directivity_dbi", io::power_decibel(best.directivity)},
                                         {"gain_dbi", io::power_decibel(best.gain)},
                                         {"realized_gain_dbi", io::power_decibel(best.realized_gain)},
                                         {"theta_deg", best.theta_deg},
                                         {"phi_deg", best.phi_deg}});
  best_.push_back({best, efficiency});
  table_.push_back({in_ghz(pattern.frequency), pattern.port, fmt::format("{:.6g}", budget.radiated),
                    fmt::format("{:.4f}", efficiency), fmt::format("{:.4f}", total),
                    decibels(best.directivity), decibels(best.gain), decibels(best.realized_gain),
                    fmt::format("{:g}, {:g}", best.theta_deg, best.phi_deg)});
  if (std::isinf(budget.accepted))
    run_.warn(
        fmt::format("{}, {}: a dipole lies in a lossy body, where the power lost around a point is "
                    "infinite: gains are 0 (-300 dB); fields and directivity are valid",
                    pattern.port, hertz(pattern.frequency)));
  if (!accepts_power(budget))
    run_.warn(fmt::format(
        "port {}, {}: all power is reflected (|S| = 1), so that gain and efficiency are undefined: "
        "they are written as 0 (-300 dB); fields, directivity and realized gain are valid",
        pattern.port, hertz(pattern.frequency)));
  if (efficiency > 1.01)
    run_.warn(
        fmt::format("port {}: {:.4f} times the accepted power is radiated: the mesh is too coarse, or a "
                    "source lies outside of the radiating surface",
                    pattern.port, efficiency));
}

void RadiationReport::close() {
  files_.close();
  if (best_.size() == 1) {
    const auto& [row, efficiency] = best_.front();
    auto& results = run_.results();
    results["directivity_dbi"] = io::power_decibel(row.directivity);
    results["gain_dbi"] = io::power_decibel(row.gain);
    results["realized_gain_dbi"] = io::power_decibel(row.realized_gain);
    results["efficiency"] = efficiency;
  }
  run_.table("radiation, greatest in the directions of output.far_field",
             {frequency_title, "port", "radiated W", "efficiency", "total efficiency", "directivity dBi",
              "gain dBi", "realized dBi", "towards theta, phi"});
  for (const auto& row : table_) run_.row(row);
}

}  // namespace curlew::results
