// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S of a run: which entries are drawn, and how.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "report/chart.hpp"

namespace curlew::report {

/// Entries (to, from), counted from 1, over all frequencies.
struct Entry {
  int to, from;
  std::vector<Complex> s;
  std::vector<double> error = {};  ///< of abs(S); NaN if unknown, empty if there is no error estimate
};
struct Scattering {
  std::vector<double> frequencies;  ///< [Hz], ascending
  std::vector<Entry> entries;
};
/// S from `results` of a summary.json; no entries if there is none.
Scattering read_scattering(const nlohmann::ordered_json& results);

/// Entries of equal magnitude, as of symmetric or reciprocal devices, share a curve; the first is drawn.
struct EntryGroup {
  std::string name;  ///< "S12 = S21"
  const Entry* entry;
};
/// The greatest first, without entries that are negligible compared with it.
std::vector<EntryGroup> group_entries(const Scattering& scattering);

/// abs(S) in dB with bars, also between the frequencies where it is known there (between.hpp).
Curve level_of(const Entry& entry, const std::vector<double>& frequencies, const std::string& name);
/// dB with bars, phase, group delay, standing wave ratio and the Smith chart.
std::string draw_scattering(const Scattering& scattering);

}  // namespace curlew::report
