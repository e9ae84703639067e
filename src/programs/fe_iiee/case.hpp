// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A config of fe-iiee on one mesh, as values.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"
#include "fem/output/field_cells.hpp"
#include "fem/setup/sweep_request.hpp"
#include "fields/dual_waves.hpp"
#include "io/near_field_files.hpp"
#include "results/error_report.hpp"
#include "run/run.hpp"
#include "truncation/read_truncation.hpp"

namespace curlew::fe_iiee {

struct TruncatedCase {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::Model model;
  truncation::TruncationOptions options;
  std::vector<truncation::ArrivingWave> waves;
  std::vector<fem::Excitation> sources;  ///< dipoles and currents
  truncation::FarFieldRequest far_field;
  std::vector<io::NearFieldRequest> near_fields;
  fields::DualWaves duals;  ///< of [[sensitivity]]; empty without it
  fem::SweepRequest sweep;
  bool write_fields = true;
  fem::FieldCells field_cells;
  results::AccuracyRequest accuracy;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at ports that set none
  int touchstone = 1;                          ///< version of the Touchstone file
  bool is_driven_by_ports() const { return waves.empty() && sources.empty(); }
  /// Waves, dipoles and currents do not have the symmetry of the planes: each is the sum of parts that do.
  bool splits() const { return !is_driven_by_ports() && !options.names.symmetry.empty(); }
  /// Surfaces whose boundary condition is set by tables other than [[boundary]].
  std::vector<std::string> elsewhere() const;
  /// Directions in which the far field of a wave is computed: back towards its source, or those of the
  /// config.
  std::vector<fields::Direction> directions(const truncation::ArrivingWave& wave) const;
};

/// @throws InputError with file and line, for unknown keys too
TruncatedCase read_case(mesh::Mesh mesh, const io::Config& config, run::Run& run);

}  // namespace curlew::fe_iiee
