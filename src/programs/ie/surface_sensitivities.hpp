// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]] of the surface equations: cross-sections, S and impedances.
//
// With the EFIE on conductors and PMCHWT on dielectrics Z = Z^T, and what is asked for are the forms n_ij =
// b_i^T Z^-1 b_j of waves and ports: of an observed wave and an incident one the scattered amplitude, of two
// ports Y_ij. With x = Z^-1 b
//   n_ij' = b_i'^T x_j + x_i^T b_j' - x_i^T Z' x_j,
// where ' is a central difference of loads and products alone, on meshes with moved nodes or with other
// constants: no further solution. Solutions of MFIE and CFIE are taken for those of the EFIE, which they are
// up to the error of the mesh.

#include <Eigen/Core>

#include "mesh/node_velocity.hpp"
#include "programs/ie/surface_solve.hpp"
#include "programs/sensitivity/output.hpp"
#include "programs/sensitivity/parameters.hpp"

namespace curlew::programs {

/// The waves that derivatives need beside those of a config. @throws InputError for too many
DualWaves duals_of(const SurfaceConfig& config);
/// A config with these behind its own waves.
SurfaceConfig with_duals(SurfaceConfig config, const DualWaves& duals);
/// The columns of these left out. @param config without them
void drop_duals(const SurfaceConfig& config, const DualWaves& duals, SurfaceSolution& s);

class SurfaceSensitivities {
 public:
  /// @param document, given (the mesh, not straightened), run outlive this @param config without duals
  /// @throws InputError for numbers without derivatives
  SurfaceSensitivities(const io::Config& document, const mesh::Mesh& given, const SurfaceConfig& config,
                       DualWaves duals, run::Run& run);
  bool is_empty() const { return parameters_.empty(); }
  /// @param by_volts solved for with_duals(config): ports by a volt each, not driven as those of s
  void add(const SurfaceConfig& config, const SurfaceSolution& s, std::vector<Complex> by_volts);
  void close() { output_.close(); }

 private:
  using Surfaces = std::shared_ptr<const SurfaceCase>;
  /// The values of a config with the parameter a little smaller or larger; none for parameters of the
  /// geometry.
  struct Varied {
    Surfaces low, high;
  };
  /// Loads of columns and what the matrix makes of their solutions.
  struct Columns {
    std::vector<Complex> x;  ///< [count, unknowns]
    Index waves = 0, ports = 0;
    Index count() const { return waves + ports; }
  };
  /// b_i^T x_j + x_i^T b_j - x_i^T Z x_j of fixed x with another config or mesh.
  Eigen::MatrixXcd forms(const io::Config& config, const Surfaces& surfaces, const mesh::Mesh& straight,
                         const SurfaceConfig& of, double frequency, const Columns& columns) const;
  /// n' by a parameter.
  Eigen::MatrixXcd derivative(const StatedParameter& parameter, std::size_t motion, const SurfaceConfig& of,
                              double frequency, const Columns& columns) const;
  void write_waves(const StatedParameter& parameter, const SurfaceSolution& s, const Columns& columns,
                   const Eigen::MatrixXcd& change);
  void write_ports(const StatedParameter& parameter, const SurfaceSolution& s, const SurfaceConfig& of,
                   const Columns& columns, const Eigen::MatrixXcd& change);

  const io::Config& document_;
  const mesh::Mesh& given_;
  run::Run& run_;
  double sum_tolerance_ = 0;  ///< 0: dense
  std::vector<StatedParameter> parameters_;
  std::vector<Varied> varied_;              ///< of each parameter
  std::vector<mesh::Velocity> velocities_;  ///< of the geometry's numbers, in their order
  std::vector<double> steps_;               ///< of those
  DualWaves duals_;
  SensitivityOutput output_;
};

}  // namespace curlew::programs
