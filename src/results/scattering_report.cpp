// SPDX-License-Identifier: BSD-3-Clause
#include "results/scattering_report.hpp"

#include <algorithm>
#include <functional>

#include "base/constants.hpp"
#include "results/cells.hpp"

namespace curlew::results {
namespace {

/// A column of the table: empty cells for values that a program does not compute.
struct Column {
  std::string title;
  std::function<std::string(const ScatteredWave&)> cell;
};

std::string decibels(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", io::power_decibel(*value)) : "";
}

std::vector<Column> columns(bool is_plane) {
  const std::string db = is_plane ? " dBm" : " dBsm", unit = is_plane ? " m" : " m2";
  const auto section = [](double Sections::*part) {
    return
        [part](const ScatteredWave& w) { return w.sections ? fmt::format("{:.6g}", *w.sections.*part) : ""; };
  };
  return {
      {frequency_title, [](const auto& w) { return in_ghz(w.frequency); }},
      {"theta inc deg",
       [](const auto& w) { return w.theta_inc_deg ? fmt::format("{:g}", *w.theta_inc_deg) : ""; }},
      {"phi inc deg", [](const auto& w) { return fmt::format("{:g}", w.phi_inc_deg); }},
      {"polarization", [](const auto& w) { return w.polarization; }},
      {"greatest" + db, [](const auto& w) { return decibels(w.greatest); }},
      {"back" + db, [](const auto& w) { return decibels(w.backscatter); }},
      {"forward" + db, [](const auto& w) { return decibels(w.forward); }},
      {"scattering" + unit, section(&Sections::scattering)},
      {"absorption" + unit, section(&Sections::absorption)},
      {"extinction" + unit, section(&Sections::extinction)},
      {"imbalance",
       [](const auto& w) { return w.sections ? fmt::format("{:.1e}", w.sections->imbalance) : ""; }},
  };
}

}  // namespace

ScatteredWave wave_of_rows(std::span<const io::RcsRow> rows) {
  const io::RcsRow& first = rows.front();
  ScatteredWave wave{first.frequency, first.theta_inc_deg, first.phi_inc_deg, first.polarization};
  const auto unit = [](double theta_deg, double phi_deg) {
    return fields::Direction{theta_deg * pi / 180, phi_deg * pi / 180}.radial();
  };
  const auto back = unit(first.theta_inc_deg, first.phi_inc_deg);
  for (const auto& row : rows) {
    const double rcs = row.rcs_theta + row.rcs_phi;
    wave.greatest = std::max(rcs, wave.greatest.value_or(0));
    if (norm(unit(row.theta_deg, row.phi_deg) - back) < 1e-9) wave.backscatter = rcs;
  }
  return wave;
}

run::Value ScatteringReport::numbers(const ScatteredWave& wave) const {
  const bool is_plane = space_ == Space::plane;
  run::Value value{std::initializer_list<run::Field>{}};
  const auto state = [&](const std::string& name, const std::optional<double>& level) {
    if (level) value[name + (is_plane ? "_dbm" : "_dbsm")] = io::power_decibel(*level);
  };
  state("greatest_rcs", wave.greatest);
  state("backscatter", wave.backscatter);
  state("forward", wave.forward);
  if (!wave.sections) return value;
  const std::string unit = is_plane ? "_width_m" : "_m2";
  value["scattering" + unit] = wave.sections->scattering;
  value["absorption" + unit] = wave.sections->absorption;
  value["extinction" + unit] = wave.sections->extinction;
  value["power_balance_error"] = wave.sections->imbalance;
  return value;
}

void ScatteringReport::add(const ScatteredWave& wave) {
  run::Value entry = numbers(wave);
  entry["frequency_hz"] = wave.frequency;
  if (wave.theta_inc_deg) entry["theta_inc_deg"] = *wave.theta_inc_deg;
  entry["phi_inc_deg"] = wave.phi_inc_deg;
  entry["polarization"] = wave.polarization;
  run_.results()["scattering"].push_back(entry);
  waves_.push_back(wave);
}

void ScatteringReport::close() {
  if (waves_.size() == 1) {
    const run::Value single = numbers(waves_.front());
    for (const auto& [name, value] : std::get<run::Value::Record>(single.data()))
      run_.results()[name] = value;
  }
  auto all = columns(space_ == Space::plane);
  std::erase_if(all, [&](const Column& column) {
    return std::all_of(waves_.begin(), waves_.end(), [&](const auto& w) { return column.cell(w).empty(); });
  });
  std::vector<std::string> titles;
  for (const Column& column : all) titles.push_back(column.title);
  const bool cut = waves_.size() > most_rows;
  run_.table(cut ? fmt::format("scattering, first {} of {}", most_rows, waves_.size()) : "scattering",
             titles);
  for (std::size_t i = 0; i < std::min(waves_.size(), most_rows); ++i) {
    std::vector<std::string> cells;
    for (const Column& column : all) cells.push_back(column.cell(waves_[i]));
    run_.row(cells);
  }
}

ScatteredWave WaveFiles::write(double frequency, const io::PlaneWaveRequest& wave,
                               std::span<const fields::Direction> directions, const Complex* e_theta,
                               const Complex* e_phi, double amplitude) {
  std::vector<io::RcsRow> rows;
  for (std::size_t d = 0; d < directions.size(); ++d) {
    rows.push_back({frequency, wave.theta_deg, wave.phi_deg, wave.polarization,
                    directions[d].theta * 180 / pi, directions[d].phi * 180 / pi,
                    fields::radar_cross_section(e_theta[d], amplitude),
                    fields::radar_cross_section(e_phi[d], amplitude)});
    csv_.row(rows.back());
  }
  return wave_of_rows(rows);
}

}  // namespace curlew::results
