// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[output.near_field]] of ie-solve: fields radiated by currents, and the total field.

#include <functional>
#include <string>
#include <vector>

#include "green/plane_wave.hpp"
#include "ie/sources/dipole_sources.hpp"
#include "io/near_field_files.hpp"
#include "run/run.hpp"

namespace curlew::ie {

/// A known field at a point.
using KnownField = std::function<green::FieldPair(Vec3<double>)>;

class RadiatedFieldOutput {
 public:
  /// @param regions [points] as of regions_of: -1 without field, 0 outside, others inside bodies
  RadiatedFieldOutput(const std::vector<io::NearFieldRequest>& requests, std::vector<int> regions,
                      run::Run& run);

  const std::vector<Vec3<double>>& points() const { return points_; }
  const std::vector<int>& regions() const { return regions_; }
  void begin_step(double frequency) { files_.begin_step(frequency); }
  /// Adds the field of a driven port.
  void add(const std::string& excitation, const std::string& suffix, const io::NearFieldValues& radiated) {
    files_.add(excitation, "total", suffix, radiated);
  }
  /// Adds the scattered field (total minus incident) and the total one.
  /// @param radiated the scattered field outside, the total one in regions > 0
  void add_scattered(const std::string& excitation, const std::string& suffix,
                     const io::NearFieldValues& radiated, const KnownField& incident);
  /// The same for dipoles; at a point in their region their field is added to the total one.
  void add_dipoles(const std::string& suffix, const io::NearFieldValues& radiated,
                   const DipoleSources& dipoles);
  void close() { files_.close(); }

 private:
  std::vector<Vec3<double>> points_;
  std::vector<int> regions_;
  io::NearFieldFiles files_;
};

}  // namespace curlew::ie
