// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The finite element problem as a config states it: materials, boundary conditions, ports by region name.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/model/condition.hpp"
#include "fem/model/port_kind.hpp"
#include "fem/model/symmetry_planes.hpp"
#include "fem/open/pml.hpp"
#include "fem/periodic/periodicity.hpp"
#include "fem/space.hpp"
#include "material/dispersion.hpp"
#include "mesh/topology.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

/// ε_r - j tan δ Re ε_r - jσ/(ωε0) + dispersion (material/medium.hpp); μ_r.
struct RegionMaterial {
  std::vector<std::string> regions;
  Coefficient epsilon_r = 1.0;
  Coefficient mu_r = 1.0;
  double loss_tangent = 0;            ///< >= 0
  double conductivity = 0;            ///< [S/m] >= 0
  material::Dispersion dispersion{};  ///< poles and tables, added to every diagonal entry

  bool is_isotropic() const { return epsilon_r.is_scalar && mu_r.is_scalar; }
};
/// Its constants at a frequency [Hz], complex for decaying modes.
/// @throws InputError where a table does not reach
Material medium_at(const RegionMaterial& material, Complex frequency);
/// True if two isotropic regions have the same constants at all frequencies.
bool same_medium(const RegionMaterial& a, const RegionMaterial& b);

struct BoundaryCondition {
  std::vector<std::string> regions;
  ConditionPtr condition = pec_condition();

  const FaceCondition* operator->() const { return condition.get(); }
};

/// Which way the current of a lumped port or element flows.
struct CurrentDirection {
  Vec3<double> vector{};   ///< not of a ring
  bool is_radial = false;  ///< between two concentric arcs
};

struct PortModel {
  std::string region;
  bool excite = false;
  double deembed = 0;  ///< [m] from the face to the reference plane, positive into the structure
  /// [ohm] what S of all of its modes is stated against, real part > 0; without it output.reference_impedance
  /// for lumped ports and modes between conductors, and every mode's own impedance elsewhere
  std::optional<Complex> reference_impedance{};
  /// [sqrt W] of the wave that comes in when all ports are driven at once: amplitude and phase; none: not in
  /// it
  std::optional<Complex> drive{};
  PortKindPtr kind = waveguide_port();
};

struct Model {
  int order = 2;             ///< of the Nedelec elements; where cells differ, the least
  CellOrders cell_orders{};  ///< [num_cells] where they differ; else empty
  std::vector<RegionMaterial> materials;
  std::vector<BoundaryCondition> boundaries;
  std::vector<PortModel> ports;
  std::vector<PmlModel> pml;
  Periodicity periodicity;
  std::vector<MirrorPlane> mirrors;  ///< planes of symmetry that the model ends at

  /// True if nothing dissipates: real symmetric materials, no conductivity, no impedance or absorbing
  /// boundary.
  bool is_lossless() const;
  /// Elements of another order; cells of a higher one stay so much above, up to 3.
  void set_order(int to);
};

/// Reads [space], [[material]], [[boundary]] and [[port]], and checks every name against the mesh: each
/// volume has one material, no surface has two conditions, and every outer face has one.
/// @param elsewhere surfaces whose condition other tables state (the outer surface of [truncation])
/// @param periodicity out of read_periodicity, which comes before the topology; without it [[periodic]] is an
/// error @throws InputError with file, line and the names there are
Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology,
                 const std::vector<std::string>& elsewhere = {}, Periodicity periodicity = {});

/// Materials of all cells at a frequency [Hz].
/// @param frequency complex for decaying modes; layers and tables take its real part
/// @throws InputError where a table does not reach
CellMaterials materials_at(const Model& model, const mesh::Mesh& mesh, Complex frequency);

/// Place in model.materials of every cell's medium [num_cells].
std::vector<Index> material_of_cells(const Model& model, const mesh::Mesh& mesh);

/// The [[boundary]] tables of read_model alone. @throws InputError with file, line and the names there are
std::vector<BoundaryCondition> read_boundaries(const io::Config& config, const mesh::Mesh& mesh);

/// Triangles of all PEC boundaries.
std::vector<Index> pec_triangles(const Model& model, const mesh::Mesh& mesh);

/// Triangles of all conductors: PEC, and surfaces of finite impedance.
std::vector<Index> conductor_triangles(const std::vector<BoundaryCondition>& boundaries,
                                       const mesh::Mesh& mesh);

}  // namespace curlew::fem
