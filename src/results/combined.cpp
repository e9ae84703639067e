// SPDX-License-Identifier: BSD-3-Clause
#include "results/combined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/decibel.hpp"
#include "base/error.hpp"

namespace curlew::results {

CombinedExcitation::CombinedExcitation(Eigen::VectorXcd incident, std::vector<std::string> labels,
                                       std::vector<std::size_t> ports, std::string reference)
    : incident_(std::move(incident)),
      reference_(std::move(reference)),
      labels_(std::move(labels)),
      ports_(std::move(ports)) {
  if (incident_.size() > 0 && incident_.norm() == 0)
    throw InputError("port: every amplitude is 0: give one that is not, or leave amplitude and phase out");
}

std::vector<PortPower> CombinedExcitation::powers(const Eigen::MatrixXcd& s) const {
  const Eigen::VectorXcd outgoing = s * incident_;
  std::vector<PortPower> ports(1 + *std::max_element(ports_.begin(), ports_.end()));
  for (std::size_t m = 0; m < ports_.size(); ++m) {
    PortPower& port = ports[ports_[m]];
    port.incident += std::norm(incident_[Eigen::Index(m)]);
    port.outgoing += std::norm(outgoing[Eigen::Index(m)]);
  }
  return ports;
}

PowerBudget CombinedExcitation::budget(const Eigen::MatrixXcd& s) const {
  return combined_budget(powers(s), 0);
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
        fmt::format("all ports at once: incident (a) and outgoing (b) power waves in sqrt W, reference {}; "
                    "gamma = b/a, empty without an incident wave",
                    reference_));
    csv_.emplace(run.output("active.csv"), comments,
                 std::vector<std::string>{"frequency_hz", "port", "re_a", "im_a", "re_b", "im_b", "re_gamma",
                                          "im_gamma"});
  }
  const Eigen::VectorXcd outgoing = s * incident_;
  for (std::size_t m = 0; m < labels_.size(); ++m) {
    const Complex a = incident_[Eigen::Index(m)], b = outgoing[Eigen::Index(m)];
    const std::string& label = labels_[m];
    if (a == 0.0) {
      csv_->row({frequency, label, 0.0, 0.0, b.real(), b.imag(), "", ""});
      continue;
    }
    const Complex gamma = b / a;
    csv_->row({frequency, label, a.real(), a.imag(), b.real(), b.imag(), gamma.real(), gamma.imag()});
    const double level = curlew::decibel(std::abs(gamma));
    run.results()["active_reflection"].push_back(
        {{"frequency_hz", frequency}, {"port", label}, {"gamma", gamma}, {"gamma_db", level}});
    table_.push_back({fmt::format("{:.6f}", 1e-9 * frequency), label, fmt::format("{:.4f}", level),
                      fmt::format("{:.3f}", std::arg(gamma) * 180 / pi)});
  }
}

void CombinedExcitation::close(run::Run& run) {
  if (!csv_) return;
  csv_->close();
  run.table("active reflection, all ports at once", {"frequency GHz", "port", "dB", "phase deg"});
  for (const auto& row : table_) run.row(row);
}

}  // namespace curlew::results
