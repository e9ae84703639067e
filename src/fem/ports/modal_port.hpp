// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port: its modes and their projections on the unknowns of the finite element space.
//
// On the port, E_t = Σ v_m e_m and n × H_t = Σ (a_m - b_m) h_m with incident a, outgoing b, v = a + b, and
// ∫ e_m·h_n dS = 0 for m ≠ n, so that the boundary term of the weak form, -∮ W·(n × jωμ0 H), becomes
//   Σ c_m f_m (f_mᵀ x) - Σ 2 c_m a_m f_m,   c_m = jωμ0 ∫ e_m·h_m dS,   f_m = jωμ0/c_m ∫ W·h_m dS.
// In one isotropic medium h_m = Y_m e_m and f_m = ∫ W·e_m dS does not depend on frequency; in all others it
// does (port_solution.hpp). A lumped port is a single mode of voltage and current.
// Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 8.5 (several modes).

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/model/model.hpp"
#include "fem/model/symmetry_planes.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/lumped_port.hpp"
#include "fem/ports/waveguide_mode.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

struct FloquetFace;
class ModeHistory;

/// Where a port's cross-section meets a part of a boundary.
struct PortWall {
  FacePart part;
  std::vector<Index> edges;                   ///< of the face, on the part
  std::vector<std::array<Index, 2>> pairs{};  ///< of them, on both sides of a layer
};

struct ModalPort {
  std::string region;
  bool excite = false;
  std::optional<Complex> drive{};  ///< [sqrt W] as in PortModel
  ImpedanceDefinition impedance = ImpedanceDefinition::automatic;
  /// Of a voltage line: V = voltage · ∫ W·e dS [dofs]; empty without.
  std::vector<double> voltage;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at all of its modes
  WholeStructure whole;                        ///< what planes of symmetry make of its impedances
  /// Of V along the voltage line: twice for each electric plane of symmetry at which the line ends.
  double voltage_factor = 1;
  double deembed = 0;  ///< [m] from the face to the reference plane, positive into the structure
  std::vector<Index> triangles;
  Index cell = 0;               ///< one of the cells behind the port: its material fills a homogeneous guide
  std::vector<PortMode> modes;  ///< the reported ones, then those that are only absorbed
  int num_reported = 1;
  std::vector<Index> dofs;  ///< unknowns with a trace on the port, ascending
  /// f_m [num_modes, dofs.size()], in a guide scaled to f_mᵀ B⁻¹ f_m = 1, B = ∫ W·W dS. Empty if dispersive.
  std::vector<double> loads;
  std::optional<LumpedPort> lumped;
  std::shared_ptr<const FaceSpace> face;  ///< of dispersive ports: their modes are found at every frequency
  std::shared_ptr<ModeHistory> history;   ///< of dispersive ports: the modes found so far (mode_history.hpp)
  std::shared_ptr<const FloquetFace> floquet;  ///< of Floquet ports (periodic/floquet_port.hpp), likewise
  /// Of dispersive ports: impedance and absorbing boundaries that the cross-section touches.
  std::vector<PortWall> walls;
  /// Conductors of the cross-section, perfect ones and impedance walls, each a connected set of edges.
  int num_conductors = 0;

  int num_modes() const { return int(modes.size()); }
  bool is_dispersive() const { return face != nullptr || floquet != nullptr; }
};

/// A mode of a port, as rows and columns of S count them.
struct ModePlace {
  int port;  ///< from 0
  int mode;  ///< from 0, within the port
};

/// "port1 TE10": how tables and comments name a mode.
std::string mode_label(const std::vector<ModalPort>& ports, const ModePlace& place);

/// Modes of rectangles and circles of one medium with metallic walls in closed form (the walls' losses are
/// left out of γ), of all other faces by finite elements.
/// @throws InputError if the face is not planar, or the mesh too coarse for its modes
ModalPort make_modal_port(const PortModel& model, const Model& whole, const NedelecSpace& space,
                          const std::string& name);

/// True if one isotropic medium lies behind the whole face, at all frequencies.
bool is_homogeneous(const ModalPort& port, const Model& model, const NedelecSpace& space);

/// Tangential mass on the port's unknowns, ∫ W_a·W_b dS [dofs, dofs].
linalg::Csr<double> port_mass(const ModalPort& port, const NedelecSpace& space);

}  // namespace curlew::fem
