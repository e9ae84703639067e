// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A waveguide port: its modes and their projections on the unknowns of the finite element space.
//
// On the port, E_t = Σ v_m e_m and n × H_t = Σ (a_m - b_m) Y_m e_m with incident a, outgoing b, v = a + b, so
// that the boundary term of the weak form, -∮ W·(n × jωμ0 H), becomes
//   Σ c_m f_m (f_mᵀ x) - Σ 2 c_m a_m f_m,   f_m = ∫ W·e_m dS,   c_m = jωμ0 Y_m.
// Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 8.5 (several modes).

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/model/model.hpp"
#include "fem/ports/waveguide_mode.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

struct ModalPort {
  std::string region;
  bool excite = false;
  std::vector<Index> triangles;
  Index cell = 0;  ///< one of the cells behind the port: its material fills the guide
  PortShape shape;
  std::vector<WaveguideMode> modes;  ///< the reported ones, then those that are only absorbed
  int num_reported = 1;
  std::vector<Index> dofs;  ///< unknowns with a trace on the port, ascending
  std::vector<double> loads;  ///< f_m [num_modes, dofs.size()], scaled to f_mᵀ B⁻¹ f_m = 1, B = ∫ W·W dS

  int num_modes() const { return int(modes.size()); }
};

/// @throws InputError if the face is no known cross-section
ModalPort make_modal_port(const PortModel& model, const NedelecSpace& space, const std::string& name);

/// The isotropic constants of the medium that fills a port at its cells.
/// @throws InputError if they are anisotropic or vary over the port
Material port_medium(const ModalPort& port, const NedelecSpace& space, const CellMaterials& materials);

}  // namespace curlew::fem
