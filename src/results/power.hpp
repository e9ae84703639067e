// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The powers that the figures of an antenna refer to, and those figures: one definition for every program.
//
// One port is driven, or several at once by coherent waves; all others are matched (terminated by their
// reference impedance, or by the modes they absorb). The antenna is then a one-port: what it passes on to the
// other ports' loads is lost in it, as heat is. A structure that is modelled in part by planes of symmetry
// has the powers of the whole structure. Source: IEEE Std 145-2013 (gain, realized gain, radiation
// efficiency); Balanis (2016), Antenna Theory, sections 2.8 and 2.9.

#include <span>

#include "base/types.hpp"

namespace curlew::results {

/// Powers [W] of one feed at one frequency, of the whole structure; phasors are peak values.
struct PowerBudget {
  double incident = 0;  ///< of the wave towards the driven port, P+; of currents and dipoles: as accepted
  double accepted = 0;  ///< what goes through the driven port, P+ - P-; P- is in all modes of that port
  double radiated = 0;  ///< through the sphere at infinity
};

/// Of a driven port. @param reflected power that returns through the driven port, in all its modes [W]
PowerBudget port_budget(double incident, double reflected, double radiated);
/// What one port takes part with in an excitation of several at once.
struct PortPower {
  double incident = 0;  ///< [W] of the wave towards the port
  double outgoing = 0;  ///< [W] that leaves through it, in all its modes: reflected and from other ports
};
/// Of several ports driven at once: incident and accepted power are sums over the ports that a wave comes
/// towards; what leaves through the others is lost in their loads.
PowerBudget combined_budget(std::span<const PortPower> ports, double radiated);
/// Of impressed currents and dipoles, which no wave feeds. @param supplied -1/2 Re int E.J* [W]
PowerBudget source_budget(double supplied, double radiated);

/// False if the driven port reflects all power to rounding: gain and efficiency are then undefined.
bool accepts_power(const PowerBudget& budget);

/// D = 4 pi U / P_radiated, linear; 0 where nothing is radiated. @param intensity U [W/sr]
double directivity(double intensity, const PowerBudget& budget);
/// G = 4 pi U / P_accepted, linear; 0 where no power is accepted.
double gain(double intensity, const PowerBudget& budget);
/// G_r = 4 pi U / P_incident, linear.
double realized_gain(double intensity, const PowerBudget& budget);
/// P_radiated / P_accepted = G / D: losses, and what matched loads of other ports take; 0 as the gain.
double radiation_efficiency(const PowerBudget& budget);
/// P_radiated / P_incident = G_r / D: the mismatch of the driven port as well.
double total_efficiency(const PowerBudget& budget);

}  // namespace curlew::results
