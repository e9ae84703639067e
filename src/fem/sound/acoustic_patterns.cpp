// SPDX-License-Identifier: BSD-3-Clause
// Far-field results of an open fluid: sound_pattern.csv, radiated power, cross-sections.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/decibel.hpp"
#include "base/hertz.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/sound/acoustic_case.hpp"
#include "io/csv.hpp"

namespace curlew::fem {
namespace {

constexpr double degrees = 180 / pi;

class Patterns : public job::Sink<AcousticSolution> {
 public:
  Patterns(const AcousticCase& c, const LagrangeSpace& space, run::Run& run)
      : case_(c), radiation_(space, c.model), run_(run), directions_(c.model.far_field->directions()) {}
  void open() override;
  void add(std::size_t, double frequency, const AcousticSolution& s) override;
  void close() override;

 private:
  bool has_wave() const { return case_.model.wave.has_value(); }
  /// 4 pi |p|^2 / |p_w|^2 [m^2] over 4 pi m^2.
  double target_strength(Complex pressure) const {
    return decibel(std::abs(pressure) / case_.model.wave->amplitude);
  }
  void add_radiation(double frequency, const SoundPattern& pattern);
  void add_scattering(double frequency, const SoundPattern& pattern);
  void check(double frequency, const SoundPattern& pattern);

  const AcousticCase& case_;
  SoundRadiation radiation_;
  run::Run& run_;
  std::vector<fields::Direction> directions_;
  std::optional<io::CsvWriter> csv_;
  std::vector<std::vector<std::string>> table_;
  std::vector<run::Value> entries_;
};

void Patterns::open() {
  auto comments = io::provenance_lines(run_.provenance());
  comments.emplace_back(
      "outgoing pressure times r exp(jkr) in Pa m, peak; level re 20 uPa (rms) at 1 m; theta from +z, "
      "phi from +x");
  comments.emplace_back("target strength: 20 log10 of the pressure over that of the plane wave, re 1 m");
  const std::vector<std::string> columns{"frequency_hz",     "theta_deg",         "phi_deg",
                                         "re_pressure_pa_m", "im_pressure_pa_m",  "level_db",
                                         "directivity_dbi",  "target_strength_db"};
  csv_.emplace(run_.output("sound_pattern.csv"), comments, columns);
}

void Patterns::add(std::size_t, double frequency, const AcousticSolution& s) {
  const auto pattern = radiation_.pattern(s, directions_);
  const double impedance = radiation_.exterior().density() * radiation_.exterior().speed();
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const Complex p = pattern.pressure[i];
    csv_->row({frequency, directions_[i].theta * degrees, directions_[i].phi * degrees, p.real(), p.imag(),
               sound_pressure_level(std::norm(p)), power_decibel(pattern.directivity(i, impedance)),
               has_wave() ? io::Cell(target_strength(p)) : io::Cell("")});
  }
  check(frequency, pattern);
  has_wave() ? add_scattering(frequency, pattern) : add_radiation(frequency, pattern);
}

void Patterns::add_radiation(double frequency, const SoundPattern& pattern) {
  const std::size_t best = pattern.strongest();
  const double impedance = radiation_.exterior().density() * radiation_.exterior().speed();
  const double level = sound_pressure_level(std::norm(pattern.pressure[best])),
               directivity = power_decibel(pattern.directivity(best, impedance)),
               theta = directions_[best].theta * degrees, phi = directions_[best].phi * degrees;
  run::Value entry{
      {"radiated_w", pattern.power}, {"level_at_1m_db", level}, {"directivity_dbi", directivity}};
  entries_.push_back(entry);
  entry["frequency_hz"] = frequency;
  entry["theta_deg"] = theta;
  entry["phi_deg"] = phi;
  run_.results()["radiation"].push_back(entry);
  table_.push_back({fmt::format("{:.4f}", frequency), fmt::format("{:.6g}", pattern.power),
                    fmt::format("{:.2f}", level), fmt::format("{:.3f}", directivity),
                    fmt::format("{:g}, {:g}", theta, phi)});
}

void Patterns::add_scattering(double frequency, const SoundPattern& pattern) {
  const auto& wave = *case_.model.wave;
  const auto& sections = *pattern.sections;
  const double greatest = target_strength(pattern.pressure[pattern.strongest()]);
  run::Value entry{{"greatest_target_strength_db", greatest},
                   {"scattering_m2", sections.scattering},
                   {"absorption_m2", sections.absorption},
                   {"extinction_m2", sections.extinction},
                   {"power_balance_error", sections.imbalance()}};
  const auto back = std::ranges::find_if(
      directions_, [&](const auto& d) { return norm(d.radial() + wave.direction()) < 1e-9; });
  if (back != directions_.end())
    entry["backscatter_target_strength_db"] =
        target_strength(pattern.pressure[std::size_t(back - directions_.begin())]);
  entries_.push_back(entry);
  entry["frequency_hz"] = frequency;
  entry["theta_inc_deg"] = wave.theta * degrees;
  entry["phi_inc_deg"] = wave.phi * degrees;
  run_.results()["scattering"].push_back(entry);
  table_.push_back({fmt::format("{:.4f}", frequency), fmt::format("{:.4f}", greatest),
                    fmt::format("{:.6g}", sections.scattering), fmt::format("{:.6g}", sections.absorption),
                    fmt::format("{:.6g}", sections.extinction), fmt::format("{:.1e}", sections.imbalance())});
}

void Patterns::check(double frequency, const SoundPattern& pattern) {
  if (!pattern.far_power) return;
  const double difference =
      std::abs(*pattern.far_power - pattern.power) / std::max(std::abs(pattern.power), *pattern.far_power);
  if (difference > 0.02)
    run_.warn(
        fmt::format("{}: the power through the inner face of the layers and that of the far field "
                    "differ by {:.2g} % of the larger: the layer reflects, or the mesh is too coarse",
                    hertz(frequency), 100 * difference));
}

void Patterns::close() {
  csv_->close();
  if (entries_.size() == 1)
    for (const auto& [name, value] : std::get<run::Value::Record>(entries_.front().data()))
      run_.results()[name] = value;
  if (has_wave())
    run_.table("scattering", {"frequency Hz", "greatest target strength dB", "scattering m2", "absorption m2",
                              "extinction m2", "imbalance"});
  else
    run_.table("radiation",
               {"frequency Hz", "radiated W", "level at 1 m dB", "directivity dBi", "towards theta, phi"});
  for (const auto& row : table_) run_.row(row);
}

}  // namespace

std::unique_ptr<job::Sink<AcousticSolution>> sound_patterns(const AcousticCase& c, const SoundSystem& system,
                                                            run::Run& run) {
  return std::make_unique<Patterns>(c, system.space(), run);
}

}  // namespace curlew::fem
