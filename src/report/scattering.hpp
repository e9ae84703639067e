// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S of a run: which entries are drawn, and how.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/types.hpp"

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
/// Groups, the greatest first, without negligible ones, as in the pictures of curlew_em.
std::vector<EntryGroup> group_entries(const Scattering& scattering);

/// dB with bars, phase, group delay, standing wave ratio and the Smith chart; for one frequency a table.
std::string draw_scattering(const Scattering& scattering);

double decibels(double magnitude);

}  // namespace curlew::report
