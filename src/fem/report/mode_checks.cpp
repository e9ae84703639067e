// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/mode_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fem/ports/port_shape.hpp"
#include "results/s_parameters.hpp"

namespace curlew::fem {
namespace {

/// Findings of one port over all frequencies.
struct PortFindings {
  int unseen = 0;               ///< largest number of propagating modes that are not reported
  double unseen_frequency = 0;  ///< [Hz] the first one with any
  double reflected = 0;         ///< greatest |S11| of a reported mode with matched continuation of its guide
  double reflected_frequency = 0;
};

/// Below a cut-off γ is real, on a lossy line at very low frequency α = β.
bool travels(const ModeState& mode) {
  return mode.propagates && std::abs(mode.gamma.imag()) > 1.1 * std::abs(mode.gamma.real());
}

/// A hollow guide with known cut-offs, which em-lint checks.
bool is_left_to_lint(const Port& port, const MaxwellSystem& system) {
  const auto family = port.modes.front().family;
  return (family == ModeFamily::te || family == ModeFamily::tm) && system.model().mirrors.empty() &&
         detect_port_shape(*system.space().mesh, {port.region, port.triangles}, port.name).has_value();
}

/// |(Z - Z*)/(Z + Z)| of power waves normalised to the mode's own impedance, 0 for another.
double reflection_of_match(const Port& port, const ModeState& mode, std::optional<Complex> reference) {
  const bool is_own = !port.reference_impedance && !(reference && mode.is_of_line());
  return is_own && mode.propagates && !port.has_terminals() ? std::abs(mode.power_phase.imag()) : 0;
}

void look_at(const MaxwellSystem& system, double frequency, std::optional<Complex> reference,
             std::vector<PortFindings>& found) {
  const auto states = system.mode_states(frequency);
  std::vector<int> unseen(found.size(), 0);
  for (std::size_t m = 0; m < states.size(); ++m) {
    const ModePlace& place = system.all_modes()[m];
    const auto p = std::size_t(place.port);
    const Port& port = *system.ports()[p];
    if (place.mode >= port.num_reported) {
      if (travels(states[m])) ++unseen[p];
      continue;
    }
    const double reflected = reflection_of_match(port, states[m], reference);
    if (reflected > found[p].reflected)
      found[p].reflected = reflected, found[p].reflected_frequency = frequency;
  }
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (unseen[p] > 0 && found[p].unseen == 0) found[p].unseen_frequency = frequency;
    found[p].unseen = std::max(found[p].unseen, unseen[p]);
  }
}

}  // namespace

void check_modes(const MaxwellSystem& system, std::span<const double> frequencies,
                 std::optional<Complex> reference, run::Run& run) {
  constexpr double worth_a_word = 0.03;  // -30 dB
  std::vector<PortFindings> found(system.ports().size());
  for (const double f : frequencies) look_at(system, f, reference, found);
  for (std::size_t p = 0; p < found.size(); ++p) {
    const Port& port = *system.ports()[p];
    const auto& [unseen, first, reflected, where] = found[p];
    if (unseen > 0 && !is_left_to_lint(port, system))
      run.warn(
          fmt::format("port \"{}\": from {:.5g} GHz on {} modes travel, but S contains {}: the power of the "
                      "{} is missing in S; set modes = {}",
                      port.region, 1e-9 * first, port.num_reported + unseen,
                      port.num_reported == 1 ? "one" : std::to_string(port.num_reported),
                      unseen == 1 ? "other" : "others", port.num_reported + unseen));
    if (reflected > worth_a_word)
      run.warn(fmt::format(
          "port \"{}\": its guide is lossy and has a complex impedance. S of power waves is not 0 for the "
          "matched guide, but |S11| = {:.1f} dB at {:.5g} GHz; scikit-rf's network.renormalize(network.z0, "
          "s_def=\"traveling\") converts the file to travelling waves, for which it is 0",
          port.region, results::decibel(reflected), 1e-9 * where));
  }
}

}  // namespace curlew::fem
