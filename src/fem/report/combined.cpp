// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/combined.hpp"

#include <algorithm>

namespace curlew::fem {
namespace {

Eigen::VectorXcd incident_of(const std::vector<PortPtr>& ports, const std::vector<ModePlace>& modes) {
  if (std::none_of(ports.begin(), ports.end(), [](const auto& port) { return port->drive.has_value(); }))
    return {};
  Eigen::VectorXcd incident = Eigen::VectorXcd::Zero(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m)
    if (modes[m].mode == 0)
      incident[Eigen::Index(m)] = ports[std::size_t(modes[m].port)]->drive.value_or(0.0);
  return incident;
}

std::vector<std::string> labels_of(const std::vector<PortPtr>& ports, const std::vector<ModePlace>& modes) {
  std::vector<std::string> labels;
  for (const auto& mode : modes) labels.push_back(mode_label(ports, mode));
  return labels;
}

std::vector<std::size_t> ports_of(const std::vector<ModePlace>& modes) {
  std::vector<std::size_t> ports;
  for (const auto& mode : modes) ports.push_back(std::size_t(mode.port));
  return ports;
}

}  // namespace

std::vector<Eigen::Index> excited_modes(const std::vector<PortPtr>& ports,
                                        const std::vector<ModePlace>& modes) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& place = modes[i];
    const Port& port = *ports[std::size_t(place.port)];
    if (port.excite && place.mode < port.num_excited()) chosen.push_back(Eigen::Index(i));
  }
  const bool combined =
      std::any_of(ports.begin(), ports.end(), [](const auto& port) { return port->drive.has_value(); });
  if (chosen.empty() && !combined) chosen.push_back(0);
  return chosen;
}

CombinedExcitation::CombinedExcitation(const std::vector<PortPtr>& ports, const std::vector<ModePlace>& modes)
    : results::CombinedExcitation(incident_of(ports, modes), labels_of(ports, modes), ports_of(modes)) {}

}  // namespace curlew::fem
