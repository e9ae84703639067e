// SPDX-License-Identifier: BSD-3-Clause
#include "results/power.hpp"

#include <cmath>

#include "base/constants.hpp"

namespace curlew::results {

PowerBudget port_budget(double incident, double reflected, double radiated) {
  return {incident, incident - reflected, radiated};
}

PowerBudget combined_budget(std::span<const PortPower> ports, double radiated) {
  PowerBudget budget{0, 0, radiated};
  for (const PortPower& port : ports) {
    if (!(port.incident > 0)) continue;
    budget.incident += port.incident;
    budget.accepted += port.incident - port.outgoing;
  }
  return budget;
}

PowerBudget source_budget(double supplied, double radiated) {
  return {supplied, supplied, radiated};
}

bool accepts_power(const PowerBudget& budget) {
  constexpr double rounding = 1e-12;  // of 1 - |S|^2
  return std::isinf(budget.accepted) || budget.accepted > rounding * budget.incident;
}

double directivity(double intensity, const PowerBudget& budget) {
  if (!(budget.radiated > 0)) return 0;
  return 4 * pi * intensity / budget.radiated;
}

double gain(double intensity, const PowerBudget& budget) {
  if (!accepts_power(budget)) return 0;
  return 4 * pi * intensity / budget.accepted;
}

double realized_gain(double intensity, const PowerBudget& budget) {
  return 4 * pi * intensity / budget.incident;
}

double radiation_efficiency(const PowerBudget& budget) {
  if (!accepts_power(budget)) return 0;
  return budget.radiated / budget.accepted;
}

double total_efficiency(const PowerBudget& budget) {
  return budget.radiated / budget.incident;
}

}  // namespace curlew::results
