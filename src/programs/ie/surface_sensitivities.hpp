// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]] of the surface equations: cross-sections, S and impedances.
//
// With the EFIE on conductors and PMCHWT on dielectrics Z = Z^T, and the quantities are forms n_ij = b_i^T
// Z^-1 b_j of waves and ports: the scattered amplitude if b_i is an observed wave and b_j an incident one,
// Y_ij for two ports. With x = Z^-1 b
//   n_ij' = b_i'^T x_j + x_i^T b_j' - x_i^T Z' x_j,
// where ' is a central difference of loads and products alone, on meshes with moved nodes or with varied
// constants, without further solutions. Solutions of MFIE and CFIE are used in place of those of the EFIE,
// from which they differ by the discretisation error.

#include <Eigen/Core>

#include "io/stated_parameters.hpp"
#include "mesh/node_velocity.hpp"
#include "programs/ie/surface_problem.hpp"
#include "results/sensitivity_output.hpp"

namespace curlew::programs {

/// The waves that derivatives need beside those of a config. @throws InputError for too many
fields::DualWaves duals_of(const ie::SurfaceConfig& config);

class SurfaceSensitivities : public job::Sink<ie::SurfaceSolution> {
 public:
  /// @param document, given (the mesh, not straightened), problem, run outlive this
  /// @throws InputError for numbers without derivatives
  SurfaceSensitivities(const io::Config& document, const mesh::Mesh& given, SurfaceProblem& problem,
                       run::Run& run);
  bool computes() const override { return true; }
  void plan(const job::Plan&) override { problem_.need_currents(); }
  void add(std::size_t number, double frequency, const ie::SurfaceSolution& s) override;
  void close() override { output_.close(); }

 private:
  using Surfaces = std::shared_ptr<const ie::SurfaceCase>;
  /// The values of a config with the parameter a little smaller or larger; none for parameters of the
  /// geometry.
  struct Varied {
    Surfaces low, high;
  };
  /// Right-hand sides, and products of the matrix with their solutions.
  struct Columns {
    std::vector<Complex> x;  ///< [count, unknowns]
    Index count = 0;
  };
  /// b_i^T x_j + x_i^T b_j - x_i^T Z x_j for fixed x and another config or mesh.
  Eigen::MatrixXcd forms(const io::Config& config, const Surfaces& surfaces, const mesh::Mesh& straight,
                         double frequency, const Columns& columns) const;
  /// n' by a parameter.
  Eigen::MatrixXcd derivative(const io::StatedParameter& parameter, std::size_t motion, double frequency,
                              const Columns& columns) const;
  void write_waves(const io::StatedParameter& parameter, const ie::SurfaceSolution& s, const Columns& columns,
                   const Eigen::MatrixXcd& change);
  void write_ports(const io::StatedParameter& parameter, const ie::SurfaceSolution& s,
                   const Eigen::MatrixXcd& change);

  const io::Config& document_;
  const mesh::Mesh& given_;
  SurfaceProblem& problem_;
  const ie::SurfaceConfig& config_;
  run::Run& run_;
  double sum_tolerance_ = 0;  ///< 0: dense products
  std::vector<io::StatedParameter> parameters_;
  std::vector<Varied> varied_;              ///< of each parameter
  std::vector<mesh::Velocity> velocities_;  ///< of the geometry's numbers, in their order
  std::vector<double> steps_;               ///< of those
  results::SensitivityOutput output_;
};

}  // namespace curlew::programs
