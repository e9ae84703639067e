// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a port does at one frequency: constants of its modes, and for hybrid modes their fields.

#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/ports/modal_port.hpp"

namespace curlew::fem {

/// One mode's constants at a frequency.
struct ModeState {
  Complex gamma;       ///< [1/m]; 0 of a lumped port
  Complex admittance;  ///< c = jωμ0 Y [1/m]
  Complex reference;   ///< c_ref of its port [1/m]
  bool propagates;
  Complex impedance = 0;  ///< [ohm] by `definition`; 0 where it does not apply
  ImpedanceDefinition definition = ImpedanceDefinition::wave;  ///< the port's, with `automatic` decided
  Complex shift = 0;  ///< γL of the line between port and reference plane
  /// Over its magnitude: the phase of ∫ e × h* dS, of the power at unit amplitude and of the impedance.
  Complex power_phase = 1;
};

/// What the sparse matrix carries on a port instead of the dense modal terms.
enum class PortReference {
  first_mode,  ///< its admittance: the sparse system alone is matched to the first mode
  /// Decay of the last absorbed mode, right for all that is left, and a tenth of the first mode's admittance,
  /// which keeps the matrix away from resonances at real frequencies. Hollow guides: 3 % of the first mode's
  /// alone. The decay is right for TE modes; TM modes, of the other sign, make waves along the face with it,
  /// and Krylov methods take up to twice as many iterations (docs/solvers.md).
  low_loss
};

struct PortSolution {
  std::vector<ModeState> modes;  ///< all of the port
  /// Of dispersive ports, else empty: f and ∫ W·e dS [modes, dofs], ∫ e_m·e_n dS [modes, modes].
  std::vector<Complex> loads, shapes, gram;
};

/// @throws InputError for media that a port cannot have; NumericalError if hybrid modes are not found
PortSolution solve_port(const ModalPort& port, const Model& model, const NedelecSpace& space,
                        double frequency, PortReference reference = PortReference::low_loss);

/// True if a wave whose power or impedance has this value carries power: more than half of it is real. Of a
/// mode below its cut-off it is imaginary, of a line at very low frequency its phase is -45 degrees.
bool carries_power(Complex value);

/// c_ref of all but hollow guides. @param mu relative permeability behind the port
Complex wave_reference(PortReference kind, const std::vector<ModeState>& modes, Complex mu);

/// a += c_ref times the port's mass: of tangential fields, of a lumped port along its direction (l/w of it).
void add_port_reference(const ModalPort& port, const NedelecSpace& space, Complex reference,
                        linalg::Csr<Complex>& a);

}  // namespace curlew::fem
