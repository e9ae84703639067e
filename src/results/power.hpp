// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Powers of an antenna, and gain, directivity and efficiency defined by them: one definition for all
// programs.
//
// One port is driven, or several at once by coherent waves; all others are matched (terminated by their
// reference impedance, or by the modes they absorb). The antenna is then a one-port: power absorbed by the
// other ports' loads counts as loss, like heat. A structure that is modelled in part by planes of symmetry
// has the powers of the whole structure. Source: IEEE Std 145-2013 (gain, realized gain, radiation
// efficiency); Balanis (2016), Antenna Theory, sections 2.8 and 2.9.

#include <span>

#include "base/types.hpp"

namespace curlew::results {

/// Powers [W] of one feed at one frequency, of the whole structure; phasors are peak values.
struct PowerBudget {
  double incident = 0;  ///< of the wave towards the driven port, P+; of currents and dipoles: as accepted
  double accepted = 0;  ///< net power into the driven port, P+ - P-, with P- in all modes of that port
  double radiated = 0;  ///< through the sphere at infinity
};

/// Powers of a driven port. @param reflected power that returns through the driven port, in all its modes [W]
PowerBudget port_budget(double incident, double reflected, double radiated);
/// Powers of one port when several are driven at once.
struct PortPower {
  double incident = 0;  ///< [W] of the wave towards the port
  double outgoing = 0;  ///< [W] that leaves through it, in all its modes: reflected and from other ports
};
/// Power budget of several ports driven at once: incident and accepted power are sums over the ports that a
/// wave comes towards; power leaving through the others is lost in their loads.
PowerBudget combined_budget(std::span<const PortPower> ports, double radiated);
/// Powers of impressed currents and dipoles, which have no feeding wave. @param supplied -1/2 Re int E.J* [W]
PowerBudget source_budget(double supplied, double radiated);

/// False if the driven port reflects all power to rounding: gain and efficiency are then undefined.
bool accepts_power(const PowerBudget& budget);

/// D = 4 pi U / P_radiated, linear; 0 where nothing is radiated. @param intensity U [W/sr]
double directivity(double intensity, const PowerBudget& budget);
/// G = 4 pi U / P_accepted, linear; 0 where no power is accepted.
double gain(double intensity, const PowerBudget& budget);
/// G_r = 4 pi U / P_incident, linear.
double realized_gain(double intensity, const PowerBudget& budget);
/// P_radiated / P_accepted = G / D: accounts for losses and for power in matched loads of other ports; 0 if
/// the gain is.
double radiation_efficiency(const PowerBudget& budget);
/// P_radiated / P_incident = G_r / D: accounts for the mismatch of the driven port as well.
double total_efficiency(const PowerBudget& budget);

}  // namespace curlew::results
