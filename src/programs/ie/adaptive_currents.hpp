// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Currents at all frequencies from full solutions at a few: with frequency.adaptive_tolerance. All that is
// made of currents (ports, far fields, cross-sections, fields) is then made of these.

#include <functional>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "ie/sources/port_network.hpp"
#include "linalg/sampling/adaptive_sampling.hpp"
#include "linalg/sampling/rational_interpolant.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solutions at one frequency, ports last, each by a volt with the others shorted.
struct SampledCurrents {
  std::vector<Complex> x;  ///< [right-hand sides, unknowns]
  std::vector<ie::PortWeights> ports;
  Index unknowns = 0;
};

/// Two kinds of error are watched at every frequency: that of each right-hand side's currents against their
/// length (of far fields it is the same against their greatest, or less), and that of S.
class AdaptiveCurrents final : public linalg::SampledModel {
 public:
  /// @param frequencies [Hz], outlive this object @param reference [ohm] of S
  /// @param solve the solutions at the frequency of that number
  AdaptiveCurrents(const std::vector<double>& frequencies, double reference,
                   std::function<SampledCurrents(std::size_t)> solve)
      : frequencies_(frequencies), reference_(reference), solve_(std::move(solve)) {}

  /// @throws NumericalError if the tolerance is not reached
  void sample(const fem::FastSweepOptions& options, run::Run& run);
  /// [right-hand sides, unknowns] at a frequency [Hz]; those solved as they are.
  std::vector<Complex> at(double frequency) const;

 private:
  double take(std::size_t i) override;
  double scan() override;
  double indicator(std::size_t i) const override { return at_[i].indicator; }

  /// What is compared.
  struct Values {
    Eigen::MatrixXcd currents;  ///< [sketch, right-hand sides]
    Eigen::MatrixXcd s;         ///< [ports, ports]
    double indicator = 0;
  };
  Values values(Eigen::MatrixXcd currents, const Eigen::MatrixXcd& port_currents) const;
  Values between(double frequency) const;

  const std::vector<double>& frequencies_;
  double reference_;
  std::function<SampledCurrents(std::size_t)> solve_;
  std::vector<ie::PortWeights> ports_;
  linalg::RationalInterpolant weights_;
  std::vector<std::vector<Complex>> x_;               // [solutions]
  std::vector<Eigen::MatrixXcd> sketched_, through_;  // [solutions] of x, and the currents of ports
  Eigen::VectorXd lengths_;                           // [right-hand sides] of the first solution
  std::vector<Values> at_;                            // [frequencies] of the last scan
};

}  // namespace curlew::programs
