// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of antennas, the same in every program: rows of farfield.csv, `radiation` in summary.json, and the
// table at the end of a run, computed from the far field and the powers of one feed (power.hpp).

#include <span>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "fields/far_field.hpp"
#include "io/far_field_files.hpp"
#include "io/pattern_files.hpp"
#include "results/pattern_output.hpp"
#include "results/power.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// The far field of one feed at one frequency.
struct FeedPattern {
  std::string port;  ///< or the label of a source
  double frequency;  ///< [Hz]
  std::span<const fields::Direction> directions;
  std::span<const Complex> e_theta, e_phi;  ///< [directions] E r exp(jkr) [V], peak
  double impedance = vacuum_impedance;      ///< of the medium around [ohm]
};

/// A row for each direction: fields, directivity, gains, axial ratio, gain of both circular polarisations.
std::vector<io::FarFieldRow> far_field_rows(const FeedPattern& pattern, const PowerBudget& budget);

/// The row with the greatest directivity, of those that differ by rounding the first: on the axis all phi are
/// one direction. @param rows not empty
const io::FarFieldRow& greatest(const std::vector<io::FarFieldRow>& rows);

class RadiationReport {
 public:
  RadiationReport(io::PatternFormats formats, run::Run& run) : run_(run), files_(formats, run) {}
  /// Writes the rows of a feed, and appends to results.radiation: frequency_hz, port, radiated_w, accepted_w,
  /// incident_w, efficiency, total_efficiency, and of the direction of the greatest directivity
  /// directivity_dbi, gain_dbi, realized_gain_dbi, theta_deg, phi_deg. Warns if more is radiated than
  /// accepted.
  void add(const FeedPattern& pattern, const PowerBudget& budget);
  /// Closes the files and prints the table. The numbers of a single feed at a single frequency become members
  /// of `results` too, so that the table of a sweep has them by short names.
  void close();

 private:
  run::Run& run_;
  PatternOutput files_;
  std::vector<std::vector<std::string>> table_;
  /// For every feed the row with the greatest directivity, and the efficiency.
  std::vector<std::pair<io::FarFieldRow, double>> best_;
};

}  // namespace curlew::results
