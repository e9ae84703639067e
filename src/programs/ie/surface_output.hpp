// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of the surface equations as files and tables.

#include <memory>

#include "io/vtkhdf.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "programs/ie/surface_problem.hpp"
#include "results/result_seconds.hpp"

namespace curlew::results {
class RadiationReport;
}  // namespace curlew::results

namespace curlew::programs {

class PortFiles;

/// Triangles as cells of a file of fields.
io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh);

/// Everything but error bars and derivatives.
class SurfaceFiles : public job::SinkOf<SurfaceSolution, SurfaceProblem> {
 public:
  SurfaceFiles(const SurfaceProblem& problem, run::Run& run);
  ~SurfaceFiles() override;
  void open() override;
  void add(std::size_t number, double frequency, const SurfaceSolution& s) override;
  void close() override;

 private:
  void write_waves(const SurfaceSolution& s);

  results::ResultSeconds seconds_;
  std::unique_ptr<results::WaveFiles> waves_;
  std::unique_ptr<results::RadiationReport> radiation_;
  std::unique_ptr<PortFiles> ports_;
  std::unique_ptr<results::CombinedExcitation> combined_;
  std::unique_ptr<io::VtkHdfWriter> currents_;
  std::unique_ptr<RadiatedFieldOutput> near_;
};

}  // namespace curlew::programs
