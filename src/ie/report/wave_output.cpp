// SPDX-License-Identifier: BSD-3-Clause
#include "ie/report/wave_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hertz.hpp"

namespace curlew::ie {
namespace {

std::vector<fields::Direction> back_directions(const IeConfig& c) {
  std::vector<fields::Direction> out;
  for (const auto& wave : c.waves) out.push_back({wave.wave.theta, wave.wave.phi});
  return out;
}

/// Cross-sections of the first waves in one direction each [m^2].
std::vector<double> sections_in(const FarFields& fields, const Complex* x,
                                const std::vector<fields::Direction>& directions) {
  const auto far = fields.each(x, directions);
  std::vector<double> out;
  for (std::size_t w = 0; w < directions.size(); ++w)
    out.push_back(fields::radar_cross_section(far.e_theta[w], 1) +
                  fields::radar_cross_section(far.e_phi[w], 1));
  return out;
}

void warn_of_imbalance(const IeConfig& c, double frequency, double k,
                       const std::vector<CrossSections>& sections, const std::vector<double>& back,
                       const PowerBalance& balance, run::Run& run) {
  std::size_t count = 0, worst = 0;
  for (std::size_t w = 0; w < sections.size(); ++w) {
    // Forward amplitude f and a relative error e of the solution: extinction is Im f with an error of e |f|,
    // which for bodies far below the wavelength exceeds it.
    const double unknown = 4 * pi / k * c.solver.krylov.tolerance * std::sqrt(back[w] / (4 * pi));
    if (sections[w].imbalance() <= balance.worst || std::abs(sections[w].extinction) <= unknown) continue;
    if (count == 0 || sections[w].imbalance() > sections[worst].imbalance()) worst = w;
    ++count;
  }
  if (count == 0) return;
  const auto& wave = c.waves[worst];
  run.warn(
      fmt::format("{}: extinction differs from scattering + absorption for {} of {} waves, by up to "
                  "{:.1e} (from {:g} {:g} {}): {}",
                  hertz(frequency), count, sections.size(), sections[worst].imbalance(), wave.theta_deg,
                  wave.phi_deg, wave.polarization, balance.cause));
}

}  // namespace

std::vector<green::ArrivingWave> printed_waves(const IeConfig& c, std::size_t most) {
  std::vector<green::ArrivingWave> out;
  for (std::size_t w = 0; w < std::min(c.waves.size(), most); ++w) out.push_back(c.waves[w].wave);
  return out;
}

fields::FarField wave_pattern(const IeConfig& c, bool monostatic, const FarFields& fields, const Complex* x) {
  return monostatic ? fields.each(x, back_directions(c))
                    : fields.pattern(x, Index(c.waves.size()), c.pattern());
}

void add_sections(const IeConfig& c, const FarFields& fields, const Complex* x,
                  std::vector<CrossSections> sections, WaveResults& results) {
  auto directions = back_directions(c);
  directions.resize(sections.size());
  results.back = sections_in(fields, x, directions);
  for (std::size_t w = 0; w < directions.size(); ++w) directions[w] = forward(c.waves[w].wave);
  results.forward = sections_in(fields, x, directions);
  results.sections = std::move(sections);
}

void report_waves(const IeConfig& c, bool monostatic, double frequency, double k, const WaveResults& results,
                  const PowerBalance& balance, results::WaveFiles& files, run::Run& run) {
  const auto pattern = monostatic ? back_directions(c) : c.pattern();
  const std::size_t rows = monostatic ? 1 : pattern.size();
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
    auto scattered = files.write(frequency, c.waves[w], std::span(pattern).subspan(monostatic ? w : 0, rows),
                                 &results.far.e_theta[w * rows], &results.far.e_phi[w * rows]);
    if (w < results.sections.size()) {
      const auto& q = results.sections[w];
      scattered.backscatter = results.back[w], scattered.forward = results.forward[w];
      scattered.sections = {q.scattering, q.absorption, q.extinction, q.imbalance()};
    }
    files.add(scattered);
  }
  warn_of_imbalance(c, frequency, k, results.sections, results.back, balance, run);
}

}  // namespace curlew::ie
