// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of scattering of a plane wave, the same in every program: `scattering` in summary.json and the
// table at the end.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fields/far_field.hpp"
#include "io/far_field_files.hpp"
#include "io/plane_waves.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// Powers over the power density of the wave: cross-sections [m^2], in two dimensions widths [m].
struct Sections {
  double scattering, absorption, extinction;
  double imbalance;  ///< share of extinction that is neither scattered nor absorbed
};

/// One wave at one frequency; values that a program does not compute stay empty.
struct ScatteredWave {
  double frequency = 0;                   ///< [Hz]
  std::optional<double> theta_inc_deg{};  ///< where the wave comes from; not in two dimensions
  double phi_inc_deg = 0;
  std::string polarization{};
  /// Radar cross-section [m^2], echo width [m].
  std::optional<double> greatest{}, backscatter{}, forward{};
  std::optional<Sections> sections{};
};

/// Summary of the rows of one wave in rcs.csv: the greatest value, and that of backscattering if it is among
/// them. @param rows at least one
ScatteredWave wave_of_rows(std::span<const io::RcsRow> rows);

class ScatteringReport {
 public:
  /// Three or two dimensions, with different names and units.
  enum class Space { volume, plane };
  /// Largest number of lines of the table on the screen; summary.json and the files have all.
  static constexpr std::size_t most_rows = 20;

  explicit ScatteringReport(run::Run& run, Space space = Space::volume) : run_(run), space_(space) {}
  /// Appends to results.scattering.
  void add(const ScatteredWave& wave);
  /// The table; for a single wave at a single frequency its numbers as members of `results` too, so that the
  /// table of a sweep has them by short names.
  void close();

 private:
  run::Value numbers(const ScatteredWave& wave) const;

  run::Run& run_;
  Space space_;
  std::vector<ScatteredWave> waves_;
};

/// rcs.csv, and the report of its waves.
class WaveFiles {
 public:
  explicit WaveFiles(run::Run& run) : csv_(run.output("rcs.csv"), run.provenance()), report_(run) {}
  /// Writes the rows of a wave. @param e_theta, e_phi [directions] E r [V] of its scattered field
  /// @param amplitude [V/m] @returns their summary, for add()
  ScatteredWave write(double frequency, const io::PlaneWaveRequest& wave,
                      std::span<const fields::Direction> directions, const Complex* e_theta,
                      const Complex* e_phi, double amplitude = 1);
  void add(const ScatteredWave& wave) { report_.add(wave); }
  void close() {
    csv_.close();
    report_.close();
  }

 private:
  io::RcsWriter csv_;
  ScatteringReport report_;
};

}  // namespace curlew::results
