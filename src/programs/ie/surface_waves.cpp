// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ie/results/cross_sections.hpp"
#include "ie/results/far_fields.hpp"

namespace curlew::programs {
namespace {

/// Waves of a frequency whose cross-sections are computed; rcs.csv has all.
constexpr std::size_t most_rows = 20;
/// Of extinction, beyond which the balance of powers is worth a warning.
constexpr double worst_imbalance = 0.05;

std::vector<ie::PlaneWave> printed_waves(const SurfaceConfig& c) {
  std::vector<ie::PlaneWave> out;
  for (std::size_t w = 0; w < std::min(c.waves.size(), most_rows); ++w) out.push_back(c.waves[w].wave);
  return out;
}

std::vector<fields::Direction> back_directions(const SurfaceConfig& c) {
  std::vector<fields::Direction> out;
  for (const auto& wave : c.waves) out.push_back({wave.wave.theta, wave.wave.phi});
  return out;
}

/// What may leave the powers of an equation unbalanced, and the way out.
std::string cause_of_imbalance(const ie::Problem& p) {
  switch (p.equation) {
    case ie::Equation::efie:
      return "the mesh is too coarse, or solver.tolerance too loose";
    case ie::Equation::mfie:
      return "the mesh is too coarse, the body thin or sharp (equation = \"efie\"), or an "
             "interior resonance near (\"cfie\" has none)";
    default:
      return "the mesh is too coarse, or the body thin or sharp, where the CFIE needs finer edges than the "
             "EFIE: equation = \"efie\", or alpha = 0.8";
  }
}

void warn_of_imbalance(const SurfaceConfig& c, const SurfaceSolution& s,
                       const std::vector<ie::CrossSections>& sections, const std::vector<double>& back,
                       run::Run& run) {
  const double k = s.system.scene().regions[0].k.real();
  std::size_t count = 0, worst = 0;
  for (std::size_t w = 0; w < sections.size(); ++w) {
    // Forward amplitude f and a relative error e of the solution: extinction is Im f, known to e |f| only,
    // which for bodies far below the wavelength is more than all of it.
    const double unknown = 4 * pi / k * c.solver.krylov.tolerance * std::sqrt(back[w] / (4 * pi));
    if (sections[w].imbalance() <= worst_imbalance || std::abs(sections[w].extinction) <= unknown) continue;
    if (count == 0 || sections[w].imbalance() > sections[worst].imbalance()) worst = w;
    ++count;
  }
  if (count == 0) return;
  const auto& wave = c.waves[worst];
  run.warn(
      fmt::format("{:.6g} Hz: extinction differs from scattering + absorption for {} of {} waves, by up to "
                  "{:.1e} (from {:g} {:g} {}): {}",
                  s.frequency, count, sections.size(), sections[worst].imbalance(), wave.theta_deg,
                  wave.phi_deg, wave.polarization, cause_of_imbalance(s.system.problem())));
}

}  // namespace

std::vector<results::ScatteredWave> write_rcs(const SurfaceConfig& c, const SurfaceSolution& s,
                                              io::RcsWriter& csv) {
  const ie::FarFields fields(s.system);
  const auto back = back_directions(c), directions = c.monostatic ? back : pattern(c);
  const auto far = c.monostatic ? fields.each(s.x.data(), back)
                                : fields.pattern(s.x.data(), Index(c.waves.size()), directions);
  const std::size_t rows = c.monostatic ? 1 : directions.size();
  std::vector<results::ScatteredWave> scattered;
  std::vector<io::RcsRow> of_wave;
  for (std::size_t i = 0; i < far.e_theta.size(); ++i) {
    const auto& wave = c.waves[i / rows];
    const auto& d = directions[c.monostatic ? i : i % rows];
    of_wave.push_back({s.frequency, wave.theta_deg, wave.phi_deg, wave.polarization, d.theta * 180 / pi,
                       d.phi * 180 / pi, fields::radar_cross_section(far.e_theta[i], 1),
                       fields::radar_cross_section(far.e_phi[i], 1)});
    csv.row(of_wave.back());
    if (of_wave.size() < rows) continue;
    scattered.push_back(results::wave_of_rows(of_wave));
    of_wave.clear();
  }
  return scattered;
}

void report_waves(const SurfaceConfig& c, const SurfaceSolution& s,
                  std::vector<results::ScatteredWave> scattered, results::ScatteringReport& report,
                  run::Run& run) {
  const auto waves = printed_waves(c);
  const auto sections = ie::cross_sections(s.system, s.x.data(), waves);
  const auto directions = back_directions(c);
  const auto far = ie::FarFields(s.system).each(s.x.data(), std::span(directions).first(waves.size()));
  std::vector<double> back;
  for (std::size_t w = 0; w < waves.size(); ++w) {
    const auto& q = sections[w];
    back.push_back(fields::radar_cross_section(far.e_theta[w], 1) +
                   fields::radar_cross_section(far.e_phi[w], 1));
    scattered[w].backscatter = back[w];
    scattered[w].sections = {q.scattering, q.absorption, q.extinction, q.imbalance()};
  }
  for (const auto& wave : scattered) report.add(wave);
  warn_of_imbalance(c, s, sections, back, run);
}

}  // namespace curlew::programs
