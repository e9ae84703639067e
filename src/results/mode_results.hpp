// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of resonator modes, electromagnetic and acoustic.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "results/error_report.hpp"

namespace curlew::results {

/// Unit of frequencies on the screen.
struct ModeUnit {
  const char* name;
  double per_hertz;
  int digits;
  std::string shown(double frequency) const { return fmt::format("{:.{}f}", per_hertz * frequency, digits); }
};
inline constexpr ModeUnit modes_in_hz{"Hz", 1, 6}, modes_in_ghz{"GHz", 1e-9, 9};

/// Frequency, Q and residual of each mode, in a table and the summary.
/// @param more(mode, entry) adds further entries of a mode to the summary
template <class Mode, class More>
void state_modes(const std::vector<Mode>& modes, ModeUnit unit, run::Run& run, const More& more) {
  run.table("modes", {"mode", std::string("frequency ") + unit.name, "Q", "residual"});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& mode = modes[i];
    const double f = mode.frequency.real();
    const bool is_damped = std::isfinite(mode.q);
    run.solver("eigen", 1, mode.residual);
    run::Value entry{{"frequency_hz", f}, {"residual", mode.residual}};
    entry["q"] = is_damped ? run::Value(mode.q) : run::Value();
    more(mode, entry);
    run.results()["modes"].push_back(entry);
    run.results()[fmt::format("f{}_hz", i + 1)] = f;
    run.row({fmt::format("{}", i + 1), unit.shown(f), is_damped ? fmt::format("{:.6g}", mode.q) : "lossless",
             fmt::format("{:.1e}", mode.residual)});
  }
}

/// The bar of the frequency of mode i, from 0. @param f, error, elements [Hz]
inline void add_mode_bar(std::size_t i, double f, double error, double elements, ModeUnit unit,
                         ErrorReport& report, run::Run& run) {
  report.add({f,
              fmt::format("mode {}", i + 1),
              "Hz",
              f,
              error,
              elements,
              error / f,
              fmt::format("{} {}", unit.shown(f), unit.name),
              fmt::format("{:.2g} {}, {:.2g} %", unit.per_hertz * error, unit.name, 100 * error / f),
              {{"frequency_error_hz", error}}});
  run.results()[fmt::format("f{}_error_hz", i + 1)] = error;
}
/// The bar of Q, if finite. @param loss, elements bars of 1/Q
inline void add_q_bar(std::size_t i, double f, double q, double loss, double elements, ErrorReport& report) {
  if (!std::isfinite(q)) return;
  const double wrong = q * q * loss;
  report.add({f,
              fmt::format("mode {} Q", i + 1),
              "1",
              q,
              wrong,
              q * q * elements,
              wrong / q,
              fmt::format("{:.6g}", q),
              fmt::format("{:.2g}, {:.2g} %", wrong, 100 * wrong / q),
              {{"q_error", wrong}}});
}

}  // namespace curlew::results
