// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/port_results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/touchstone.hpp"

namespace curlew::fem {
namespace {

/// Position of the reference impedances in a file.
std::string where_references_are(const io::Touchstone& file, bool are_common) {
  if (!file.references.empty()) return "every port has its own [Reference]";
  if (are_common) return "all ports have the reference of the option line";
  return "against the port impedances [ohm, real and imaginary parts] after each frequency; the reference of "
         "the option line has no meaning";
}

std::vector<std::string> network_comments(const PortNetwork& network, const Model& model,
                                          const io::Touchstone& file) {
  std::vector<std::string> lines;
  lines.push_back("S-parameter uses the power definition");  // scikit-rf looks for these words
  lines.push_back(where_references_are(file, network.common_reference().has_value()));
  lines.push_back("the first mode's E has the same global direction at all ports of equal cross-section");
  const bool followed = std::any_of(network.ports().begin(), network.ports().end(),
                                    [](const PortPtr& p) { return p->follows_modes(); });
  if (followed)
    lines.push_back(
        "mode-1, mode-2, ... are numbered by falling phase constant at the lowest frequency and keep their "
        "numbers where they cross");
  if (!model.periodicity.empty())
    lines.push_back(
        "Floquet modes (m,n): E_t ~ exp(-j kt.r), r from the origin of the mesh; TE(0,0) along phi, TM(0,0) "
        "along theta of the incident wave; reciprocity is S(k) = transpose of S(-k), (m,n) becoming (-m,-n)");
  for (std::size_t i = 0; i < network.size(); ++i)  // as HFSS names them, and scikit-rf reads
    lines.push_back(fmt::format("Port[{}] = {}", i + 1, network.label(i)));
  for (std::size_t i = 0; i < network.size(); ++i)
    lines.push_back(fmt::format("reference[{}] = {}", i + 1, network.reference_text(i)));
  return lines;
}

}  // namespace

void write_s_parameters(const std::string& path, const PortNetwork& network, const Model& model,
                        const io::Provenance& provenance, int version) {
  io::Touchstone file;
  file.num_ports = int(network.size());
  file.comments = io::provenance_lines(provenance);
  const auto common = network.common_reference();
  file.reference_impedance = common.value_or(1.0);
  if (version == 2) file.references = network.constant_references().value_or(std::vector<double>());
  const auto more = network_comments(network, model, file);
  file.comments.insert(file.comments.end(), more.begin(), more.end());
  for (const NetworkPoint& point : network.points()) {
    file.frequencies.push_back(point.frequency);
    for (Eigen::Index i = 0; i < point.s.rows(); ++i)
      for (Eigen::Index j = 0; j < point.s.cols(); ++j) file.s.push_back(point.s(i, j));
    if (!common && file.references.empty())
      file.port_impedances.insert(file.port_impedances.end(), point.references.begin(),
                                  point.references.end());
  }
  io::write_touchstone(path, file);
}

}  // namespace curlew::fem
