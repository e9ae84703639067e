// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of the surface equations as files and tables.

#include <optional>

#include "ie/report/radiated_near_field.hpp"
#include "io/csv.hpp"
#include "io/touchstone.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/surface_problem.hpp"
#include "results/radiation_report.hpp"
#include "results/result_seconds.hpp"
#include "results/s_parameters.hpp"

namespace curlew::programs {

/// Triangles as cells of a file of fields.
io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh);

/// impedance.csv, ports.csv, NAME.sNp, the table of ports, and s_parameters of the summary.
class PortFiles {
 public:
  PortFiles(const ie::SurfaceConfig& config, run::Run& run);
  void add(const ie::SurfaceConfig& config, const ie::SurfaceSolution& solution);
  void close();

 private:
  run::Run& run_;
  double reference_;  ///< [ohm]
  std::vector<std::string> names_;
  std::vector<results::SPoint> points_;
  io::CsvWriter csv_;
  io::Touchstone touchstone_;
  std::vector<std::vector<std::string>> rows_;
};

/// Far fields of one frequency: of the dipoles together, and of each port driven by 1 W.
/// @param radiated of the currents of dipoles and ports
void add_radiation(const ie::SurfaceConfig& config, const ie::SurfaceSolution& solution,
                   const ie::RadiatedFields& radiated, results::RadiationReport& report);

/// Everything but error bars and derivatives.
class SurfaceFiles : public job::SinkOf<ie::SurfaceSolution, SurfaceProblem> {
 public:
  using SinkOf::SinkOf;
  void open() override;
  void add(std::size_t number, double frequency, const ie::SurfaceSolution& s) override;
  void close() override;

 private:
  void write_waves(const ie::SurfaceSolution& s);

  results::ResultSeconds seconds_;
  std::optional<results::WaveFiles> waves_;
  std::optional<results::RadiationReport> radiation_;
  std::optional<PortFiles> ports_;
  std::optional<results::CombinedExcitation> combined_;
  std::optional<io::VtkHdfWriter> currents_;
  std::optional<ie::RadiatedFieldOutput> near_;
};

}  // namespace curlew::programs
