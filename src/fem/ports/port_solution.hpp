// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port at one frequency: constants of its modes and, for modes that change with frequency, their
// fields.

#include <vector>

#include "base/types.hpp"

namespace curlew::fem {

/// How the characteristic impedance of a mode is defined, with power P, voltage V and current I (peak).
enum class ImpedanceDefinition {
  automatic,      ///< power_current between conductors, wave in a hollow guide
  power_current,  ///< 2P / I²
  power_voltage,  ///< V² / 2P
  wave,           ///< E_t / H_t
  resistance      ///< that of a lumped port
};

/// A network between the terminals of a port, to which its waves refer, and its mode in the model: an
/// incident wave a drives the mode with incident·a, and with the mode's amplitude v the outgoing wave is b =
/// outgoing·v + direct·a. Without a network v = a + b.
struct FeedNetwork {
  Complex incident = 1, outgoing = 1, direct = -1;
};

/// One mode's constants at a frequency.
struct ModeState {
  Complex gamma;       ///< [1/m]; 0 for a lumped port
  Complex admittance;  ///< c = jωμ0 Y [1/m]
  Complex reference;   ///< c_ref of its port [1/m]
  bool propagates;
  Complex impedance = 0;  ///< [ohm] by `definition`; 0 where it does not apply
  ImpedanceDefinition definition = ImpedanceDefinition::wave;  ///< the port's, with `automatic` decided
  Complex shift = 0;  ///< γL of the line between port face and reference plane
  /// Phase factor of ∫ e × h* dS, of the power at unit amplitude and of the impedance.
  Complex power_phase = 1;
  FeedNetwork feed{};

  /// c of the waves at the terminals [1/m]: for a reciprocal network that of the mode divided by
  /// outgoing/incident.
  Complex terminal_admittance() const { return admittance * feed.incident / feed.outgoing; }
  /// True if its impedance is that of a line or lumped port, between two conductors.
  bool is_of_line() const { return definition != ImpedanceDefinition::wave && impedance != 0.0; }
};

/// Term of a port in the sparse matrix, in place of the dense modal terms.
enum class PortReference {
  first_mode,  ///< its admittance: the sparse system alone is matched to the first mode
  /// ModeState::reference: 0, a magnetic wall, in guides, lines and gaps; in periodic cells the decay
  /// constant of the last absorbed mode, which suits the other TE waves. For TM waves it has the wrong sign
  /// and creates waves along the face: with hybrid ports errors of S were four times as large, and Krylov
  /// methods took up to twice as many iterations (docs/measured/solvers.md). Both are real without losses:
  /// the matrix is then that of a closed device, and real.
  no_loss
};

struct PortSolution {
  std::vector<ModeState> modes;  ///< all of the port
  /// For dispersive ports, else empty: f and ∫ W·e dS [modes, dofs], ∫ e_m·e_n dS [modes, modes].
  std::vector<Complex> loads, shapes, gram;
};

/// True if a wave whose power or impedance has this value carries power: more than half of it is real. For a
/// mode below its cut-off it is imaginary, for a line at very low frequency its phase is -45 degrees.
bool carries_power(Complex value);

}  // namespace curlew::fem
