// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/combined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::programs {

CombinedExcitation::CombinedExcitation(const std::vector<fem::ModalPort>& ports,
                                       std::vector<fem::ModePlace> modes)
    : ports_(ports), modes_(std::move(modes)) {
  if (std::none_of(ports.begin(), ports.end(), [](const auto& port) { return port.drive.has_value(); }))
    return;
  incident_ = Eigen::VectorXcd::Zero(Eigen::Index(modes_.size()));
  for (std::size_t m = 0; m < modes_.size(); ++m)
    if (modes_[m].mode == 0)
      incident_[Eigen::Index(m)] = ports[std::size_t(modes_[m].port)].drive.value_or(0.0);
  if (incident_.norm() == 0)
    throw InputError("port: every amplitude is 0: give one that is not, or leave amplitude and phase out");
}

std::vector<results::PortPower> CombinedExcitation::powers(const Eigen::MatrixXcd& s) const {
  const Eigen::VectorXcd outgoing = s * incident_;
  std::vector<results::PortPower> ports(ports_.size());
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    results::PortPower& port = ports[std::size_t(modes_[m].port)];
    port.incident += std::norm(incident_[Eigen::Index(m)]);
    port.outgoing += std::norm(outgoing[Eigen::Index(m)]);
  }
  return ports;
}

results::PowerBudget CombinedExcitation::budget(const Eigen::MatrixXcd& s) const {
  return results::combined_budget(powers(s), 0);
}

double CombinedExcitation::coupled(const Eigen::MatrixXcd& s) const {
  double sum = 0;
  for (const auto& port : powers(s))
    if (port.incident == 0) sum += port.outgoing;
  return sum;
}

void CombinedExcitation::add(double frequency, const Eigen::MatrixXcd& s, run::Run& run) {
  if (!is_given()) return;
  if (!csv_) {
    auto comments = io::provenance_lines(run.provenance());
    comments.push_back(
        "all ports at once: power waves in (a) and out (b) in sqrt W against the modes' own "
        "impedances; gamma = b/a, empty where no wave comes in");
    csv_.emplace(run.output("active.csv"), comments,
                 std::vector<std::string>{"frequency_hz", "port", "re_a", "im_a", "re_b", "im_b", "re_gamma",
                                          "im_gamma"});
  }
  const Eigen::VectorXcd outgoing = s * incident_;
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    const Complex a = incident_[Eigen::Index(m)], b = outgoing[Eigen::Index(m)];
    const std::string label = fem::mode_label(ports_, modes_[m]);
    if (a == 0.0) {
      csv_->row({frequency, label, 0.0, 0.0, b.real(), b.imag(), "", ""});
      continue;
    }
    const Complex gamma = b / a;
    csv_->row({frequency, label, a.real(), a.imag(), b.real(), b.imag(), gamma.real(), gamma.imag()});
    const double decibel = 20 * std::log10(std::max(std::abs(gamma), 1e-30));
    run.results()["active_reflection"].push_back(
        {{"frequency_hz", frequency}, {"port", label}, {"gamma", gamma}, {"gamma_db", decibel}});
    table_.push_back({fmt::format("{:.6f}", 1e-9 * frequency), label, fmt::format("{:.4f}", decibel),
                      fmt::format("{:.3f}", std::arg(gamma) * 180 / pi)});
  }
}

void CombinedExcitation::close(run::Run& run) {
  if (!csv_) return;
  csv_->close();
  run.table("active reflection, all ports at once", {"frequency GHz", "port", "dB", "phase deg"});
  for (const auto& row : table_) run.row(row);
}

}  // namespace curlew::programs
