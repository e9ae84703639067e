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

#include "mesh/node_velocity.hpp"
#include "programs/ie/surface_solve.hpp"
#include "programs/sensitivity/output.hpp"
#include "programs/sensitivity/parameters.hpp"

namespace curlew::programs {

/// The waves that derivatives need beside those of a config. @throws InputError for too many
DualWaves duals_of(const SurfaceConfig& config);
/// A config with these appended to its waves.
SurfaceConfig with_duals(SurfaceConfig config, const DualWaves& duals);
/// Removes the columns of these waves. @param config without them
void drop_duals(const SurfaceConfig& config, const DualWaves& duals, SurfaceSolution& s);

class SurfaceSensitivities {
 public:
  /// @param document, given (the mesh, not straightened), run outlive this @param config without duals
  /// @throws InputError for numbers without derivatives
  SurfaceSensitivities(const io::Config& document, const mesh::Mesh& given, const SurfaceConfig& config,
                       DualWaves duals, run::Run& run);
  bool is_empty() const { return parameters_.empty(); }
  /// @param by_volts solution for with_duals(config), with 1 V at each port, not driven as in s
  void add(const SurfaceConfig& config, const SurfaceSolution& s, std::vector<Complex> by_volts);
  void close() { output_.close(); }

 private:
  using Surfaces = std::shared_ptr<const SurfaceCase>;
  /// The values of a config with the parameter a little smaller or larger; none for parameters of the
  /// geometry.
  struct Varied {
    Surfaces low, high;
  };
  /// Right-hand sides, and products of the matrix with their solutions.
  struct Columns {
    std::vector<Complex> x;  ///< [count, unknowns]
    Index waves = 0, ports = 0;
    Index count() const { return waves + ports; }
  };
  /// b_i^T x_j + x_i^T b_j - x_i^T Z x_j for fixed x and another config or mesh.
  Eigen::MatrixXcd forms(const io::Config& config, const Surfaces& surfaces, const mesh::Mesh& straight,
                         const SurfaceConfig& of, double frequency, const Columns& columns) const;
  /// Derivatives n' with respect to a parameter.
  Eigen::MatrixXcd derivative(const StatedParameter& parameter, std::size_t motion, const SurfaceConfig& of,
                              double frequency, const Columns& columns) const;
  void write_waves(const StatedParameter& parameter, const SurfaceSolution& s, const Columns& columns,
                   const Eigen::MatrixXcd& change);
  void write_ports(const StatedParameter& parameter, const SurfaceSolution& s, const SurfaceConfig& of,
                   const Columns& columns, const Eigen::MatrixXcd& change);

  const io::Config& document_;
  const mesh::Mesh& given_;
  run::Run& run_;
  double sum_tolerance_ = 0;  ///< 0: dense products
  std::vector<StatedParameter> parameters_;
  std::vector<Varied> varied_;              ///< of each parameter
  std::vector<mesh::Velocity> velocities_;  ///< of the parameters of the geometry, in their order
  std::vector<double> steps_;               ///< steps of the geometry's parameters
  DualWaves duals_;
  SensitivityOutput output_;
};

}  // namespace curlew::programs
