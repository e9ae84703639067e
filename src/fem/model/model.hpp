// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The finite element problem of a config: materials, boundary conditions, ports by region name.

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
/// Its constants at a frequency [Hz], complex for decaying modes. @throws InputError for frequencies outside
/// of a table
Material medium_at(const RegionMaterial& material, Complex frequency);
/// True if two isotropic regions have the same constants at all frequencies.
bool same_medium(const RegionMaterial& a, const RegionMaterial& b);

struct BoundaryCondition {
  std::vector<std::string> regions;
  ConditionPtr condition = pec_condition();

  const FaceCondition* operator->() const { return condition.get(); }
};

/// Direction of the current of a lumped port or element.
struct CurrentDirection {
  Vec3<double> vector{};   ///< unused for a ring
  bool is_radial = false;  ///< between two concentric arcs
};

struct PortModel {
  std::string region;
  bool excite = false;
  double deembed = 0;  ///< [m] from the face to the reference plane, positive into the structure
  /// [ohm] reference impedance of S for all of its modes, real part > 0; without it
  /// output.reference_impedance for lumped ports and modes between conductors, else every mode's own
  /// impedance
  std::optional<Complex> reference_impedance{};
  /// [sqrt W] complex amplitude of the incident wave when all ports are driven together; empty: not driven
  std::optional<Complex> drive{};
  PortKindPtr kind = waveguide_port();
  std::string name{};  ///< in tables and files; empty: that of the region

  const std::string& title() const { return name.empty() ? region : name; }
};

struct Model {
  int order = 2;             ///< of the Nedelec elements; if cells differ, the lowest
  CellOrders cell_orders{};  ///< [num_cells] orders of cells if they differ; else empty
  std::vector<RegionMaterial> materials;
  std::vector<BoundaryCondition> boundaries;
  std::vector<PortModel> ports;
  std::vector<PmlModel> pml;
  Periodicity periodicity;
  std::vector<MirrorPlane> mirrors;  ///< planes of symmetry at which the model ends

  /// True if nothing dissipates: real symmetric materials, no conductivity, no impedance or absorbing
  /// boundary.
  bool is_lossless() const;
  /// Changes the order of the elements; cells of higher order keep their difference to it, up to order 3.
  void set_order(int to);
};

/// Reads [space], [[material]], [[boundary]] and [[port]], and checks every name against the mesh: each
/// volume has one material, no surface has two conditions, and every outer face has one.
/// @param elsewhere surfaces whose condition is set by other tables (the outer surface of [truncation])
/// @param periodicity from read_periodicity, which is called before the topology is made; without it
/// [[periodic]] is an error @throws InputError with file, line and the existing names
Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology,
                 const std::vector<std::string>& elsewhere = {}, Periodicity periodicity = {});

/// Materials of all cells at a frequency [Hz].
/// @param frequency complex for decaying modes; PML and tables use its real part @throws InputError for
/// frequencies outside of a table
CellMaterials materials_at(const Model& model, const mesh::Mesh& mesh, Complex frequency);

/// Index in model.materials of every cell's medium [num_cells].
std::vector<Index> material_of_cells(const Model& model, const mesh::Mesh& mesh);

/// Reads only the [[boundary]] tables. @throws InputError with file, line and the existing names
std::vector<BoundaryCondition> read_boundaries(const io::Config& config, const mesh::Mesh& mesh);

/// Triangles of all PEC boundaries.
std::vector<Index> pec_triangles(const Model& model, const mesh::Mesh& mesh);

/// Triangles of all conductors: PEC, and surfaces of finite impedance.
std::vector<Index> conductor_triangles(const std::vector<BoundaryCondition>& boundaries,
                                       const mesh::Mesh& mesh);

}  // namespace curlew::fem
