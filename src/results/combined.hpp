// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All ports driven at once, [[port]] amplitude and phase: a = amplitude exp(j phase) is the power wave [sqrt
// W] that enters at the reference plane of a port's first mode, against that mode's own impedance (the
// resistance of a lumped port), of the whole structure where planes of symmetry cut it. Ports without
// amplitude and phase are matched. b = S a leaves, and b_i / a_i is the active reflection coefficient.
// Source: Pozar (2012), Microwave Engineering, 4th ed., section 4.3; IEEE Std 145-2013, active reflection.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "results/power.hpp"
#include "run/run.hpp"

namespace curlew::results {

class CombinedExcitation {
 public:
  /// @param incident [modes] a, empty: not requested @param labels [modes] @param ports [modes] number of the
  /// port that each mode belongs to
  /// @param reference description of the waves' reference impedance, for the file
  /// @throws InputError if all amplitudes are zero
  CombinedExcitation(Eigen::VectorXcd incident, std::vector<std::string> labels,
                     std::vector<std::size_t> ports, std::string reference = "the modes' own impedances");

  bool is_given() const { return incident_.size() > 0; }
  static constexpr const char* name = "combined";
  /// [modes] a
  const Eigen::VectorXcd& incident() const { return incident_; }
  /// Powers of the excitation; the radiated power is left at 0. @param s normalised to the modes' own
  /// impedances
  PowerBudget budget(const Eigen::MatrixXcd& s) const;
  /// Outgoing power absorbed by the loads of ports that are not driven [W].
  double coupled(const Eigen::MatrixXcd& s) const;
  /// Sum of the columns for 1 W incident in each reported mode, weighted by the amplitudes.
  /// @param x [n, modes], column-major
  template <class T>
  std::vector<T> of(const T* x, std::size_t n) const {
    std::vector<T> sum(n);
    for (Eigen::Index m = 0; m < incident_.size(); ++m)
      if (incident_[m] != 0.0)
        for (std::size_t i = 0; i < n; ++i) sum[i] = sum[i] + incident_[m] * x[std::size_t(m) * n + i];
    return sum;
  }
  /// Adds a row of active.csv and of results.active_reflection for every port.
  void add(double frequency, const Eigen::MatrixXcd& s, run::Run& run);
  /// Closes the file and prints the table.
  void close(run::Run& run);

 private:
  std::vector<PortPower> powers(const Eigen::MatrixXcd& s) const;

  Eigen::VectorXcd incident_;  ///< empty if no port has an amplitude
  std::string reference_;
  std::vector<std::string> labels_;
  std::vector<std::size_t> ports_;
  std::optional<io::CsvWriter> csv_;
  std::vector<std::vector<std::string>> table_;
};

}  // namespace curlew::results
