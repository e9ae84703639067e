// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a user states about a finite element problem: materials, boundary conditions and ports by region name.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/open/pml.hpp"
#include "mesh/topology.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

/// ε_r (1 - j tan δ) - jσ/(ωε0); μ_r.
struct RegionMaterial {
  std::vector<std::string> regions;
  Coefficient epsilon_r = 1.0;
  Coefficient mu_r = 1.0;
  double loss_tangent = 0;  ///< >= 0
  double conductivity = 0;  ///< [S/m] >= 0
};

enum class BoundaryType {
  pec,        ///< n x E = 0
  pmc,        ///< n x H = 0, the natural condition
  impedance,  ///< E_t = Zs n x H
  absorbing   ///< first order: E_t = Z0 n x H
};

struct BoundaryCondition {
  std::vector<std::string> regions;
  BoundaryType type = BoundaryType::pec;
  Complex surface_impedance = 0;  ///< [ohm]; used if conductivity is 0
  double conductivity = 0;        ///< [S/m] of a good conductor: Zs = (1 + j) sqrt(ωμ0 / 2σ)

  /// Zs at a frequency [Hz] [ohm]; the free-space impedance for an absorbing boundary.
  Complex impedance(double frequency) const;
};

struct PortModel {
  std::string region;
  int modes = 1;           ///< that appear in S
  int absorbed_modes = 4;  ///< further ones, terminated exactly but not reported
  bool excite = false;
};

struct Model {
  int order = 2;  ///< of the Nedelec elements
  std::vector<RegionMaterial> materials;
  std::vector<BoundaryCondition> boundaries;
  std::vector<PortModel> ports;
  std::vector<PmlModel> pml;

  /// True if nothing dissipates: real symmetric materials, no conductivity, no impedance or absorbing
  /// boundary.
  bool is_lossless() const;
};

/// Reads [space], [[material]], [[boundary]] and [[port]], and checks every name against the mesh: each
/// volume has one material, no surface has two conditions, and every outer face has one.
/// @throws InputError with file, line and the names there are
Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology);

/// Materials of all cells at a frequency [Hz].
CellMaterials materials_at(const Model& model, const mesh::Mesh& mesh, double frequency);

/// Triangles of all PEC boundaries.
std::vector<Index> pec_triangles(const Model& model, const mesh::Mesh& mesh);

}  // namespace curlew::fem
