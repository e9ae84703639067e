// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The problem of fe-iiee and the files that it writes.

#include <optional>
#include <string>
#include <vector>

#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/known_field.hpp"
#include "fem/output/field_file.hpp"
#include "io/far_field_files.hpp"
#include "io/near_field_files.hpp"
#include "programs/fem/combined.hpp"
#include "programs/fem/sweep_request.hpp"
#include "programs/sensitivity/dual_waves.hpp"
#include "results/error_report.hpp"
#include "results/radiation_report.hpp"
#include "results/scattering_report.hpp"
#include "run/run.hpp"
#include "truncation/read_truncation.hpp"

namespace curlew::fe_iiee {

using truncation::TruncatedProblem;
using truncation::TruncationResult;

struct Setup {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::Model model;
  truncation::TruncationOptions options;
  std::vector<truncation::ArrivingWave> waves;
  std::vector<fem::Excitation> sources;  ///< dipoles and currents
  truncation::FarFieldRequest far_field;
  std::vector<io::NearFieldRequest> near_fields;
  programs::DualWaves duals;  ///< of [[sensitivity]]; empty without it
  programs::SweepRequest sweep;
  bool write_fields = true;
  fem::FieldCells field_cells;
  results::AccuracyRequest accuracy;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S, where a port has none of its own
  int touchstone = 1;                          ///< version of the file of S
  bool is_driven_by_ports() const { return waves.empty() && sources.empty(); }
  /// Waves, dipoles and currents do not have the symmetry of the planes: each is the sum of parts that do.
  bool splits() const { return !is_driven_by_ports() && !options.names.symmetry.empty(); }
};

/// Surfaces whose condition other tables than [[boundary]] state.
std::vector<std::string> elsewhere_of(const Setup& setup);

/// Plane waves, or dipoles and currents, or all reported modes of the ports, which S needs.
struct Drive {
  std::vector<truncation::Excitation> excitations;
  std::vector<std::string> labels;
  std::vector<std::string> ports;  ///< regions of the driven ports; empty for waves and sources
  std::vector<std::size_t> shown;  ///< excitations whose fields are written, of ports the excited ones
  /// Place of all ports at once, a sum of columns that is not solved for.
  std::optional<std::size_t> combined{};

  /// What tells the arrays of shown excitation i apart.
  std::string suffix(std::size_t i) const;
};
/// Appends the column of all ports at once, if it is asked for.
void add_combined(const programs::CombinedExcitation& combined, const TruncatedProblem& problem, Drive& drive,
                  TruncationResult& result);
/// @param k of the exterior medium [1/m]
Drive make_drive(const Setup& setup, const TruncatedProblem& problem, double k);

/// The currents of one right-hand side. @param n points
fields::SurfaceCurrents column_of(const fields::SurfaceCurrents& all, std::size_t c, std::size_t n);
/// The field of one right-hand side alone, in its own directions.
fields::FarField far_field_of(const TruncatedProblem& problem, const TruncationResult& result,
                              std::size_t column, const std::vector<fields::Direction>& directions,
                              const fields::Exterior& outside, Device device);
/// What feeds a right-hand side, and what of it goes into the loads of other ports [W].
struct FeedPower {
  results::PowerBudget budget;
  double coupled = 0;
};
/// @param c column @param radiated [W]
FeedPower feed_power(const TruncatedProblem& problem, const TruncationResult& result, const Drive& drive,
                     std::size_t c, double radiated);
/// Where the far field of a wave is asked for: towards the wave, or the directions of the config.
std::vector<fields::Direction> directions_of(const Setup& setup, const truncation::ArrivingWave& wave);

/// What arrives by the waves of a right-hand side; null where none does.
fem::IncidentField incident_of(const truncation::Excitation& excitation);
/// Minus that: what leaves the scattered field of a total one.
fem::IncidentField negative(fem::IncidentField field);

/// rcs.csv, a table of one line per wave.
class ScatteringOutput {
 public:
  ScatteringOutput(const Setup& setup, run::Run& run);
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result);
  void close() {
    writer_.close();
    report_.close();
  }

 private:
  /// Scattering by the power in the far field, absorption by that through S', extinction by the forward
  /// field. Nothing where the sum over the sphere would take long. @param c column of a wave
  std::optional<results::Sections> sections(const TruncatedProblem& problem, const TruncationResult& result,
                                            std::size_t c, const fields::Exterior& outside) const;

  const Setup& setup_;
  Device device_;
  io::RcsWriter writer_;
  results::ScatteringReport report_;
};

/// farfield.csv, directivity, gain and match of every excited port or source.
class RadiationOutput {
 public:
  RadiationOutput(const Setup& setup, run::Run& run);
  /// @param combined of the ports @param s against the modes' own impedances, empty without ports
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
           const Drive& drive, const programs::CombinedExcitation& combined, const Eigen::MatrixXcd& s);
  void close() { report_.close(); }

 private:
  /// @param left of what the port or source gives, without what goes into other ports [W]
  void check_balance(const std::string& name, double radiated, double left);

  const Setup& setup_;
  run::Run& run_;
  results::RadiationReport report_;
};

/// E and H inside S of the first excitations, a step per frequency; of waves the scattered ones too.
class FieldOutput {
 public:
  FieldOutput(const Setup& setup, const TruncatedProblem& problem, run::Run& run);
  void add(double frequency, const TruncationResult& result, const Drive& drive);
  void close() { file_.close(); }

 private:
  Offset num_dofs_;
  fem::FieldFile file_;
};

}  // namespace curlew::fe_iiee
