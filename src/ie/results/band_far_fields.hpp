// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far fields and powers at many frequencies of solutions that are sums of a few: the sums over points are
// done for these few at a few wavenumbers, between which they are interpolated. exp(jk u.r) is a band-limited
// function of k: on a band of half-width h, N Chebyshev nodes leave an error of about |J_N(h r)|, below
// (h r / 2)^N / N!. Source: Trefethen (2013), Approximation Theory and Approximation Practice, chapters 3, 5.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/results/radiating_points.hpp"

namespace curlew::ie {

struct RadiatedFields {
  fields::FarField far;
  std::vector<double> powers;  ///< [count] [W]

  /// The far field of one of them.
  fields::FarField one(std::size_t i) const;
};

class BandFarFields {
 public:
  /// Empty where this would take more than half of the time of direct sums, or over 256 MB.
  /// @param sources at any frequency of the band @param lowest, highest wavenumber [1/m]
  /// @param solutions [any, unknowns], of which all others are sums @param count of solutions at each of
  /// `frequencies`
  static std::optional<BandFarFields> of(const RadiatingPoints& sources, double lowest, double highest,
                                         const std::vector<Complex>& solutions,
                                         std::vector<fields::Direction> directions, std::size_t frequencies,
                                         Index count, Device device = Device::cpu);
  /// As FarFields::pattern and powers_on_sphere; empty if a solution is no sum, to 1e-8 of its length, or k
  /// outside of the band. @param x [count, unknowns]
  std::optional<RadiatedFields> at(double k, const Complex* x, Index count) const;

 private:
  using Matrix = Eigen::MatrixXcd;
  BandFarFields(double lowest, double highest, Matrix basis, std::vector<fields::Direction> directions)
      : lowest_(lowest), highest_(highest), basis_(std::move(basis)), directions_(std::move(directions)) {}
  void sum(const RadiatingPoints& sources, Device device);
  /// Weights of the values at the nodes in the value at k.
  Eigen::VectorXd weights(double k) const;

  double lowest_, highest_;    // [1/m]
  std::vector<double> nodes_;  // [1/m] ascending
  Matrix basis_;               // [unknowns, rank] of unit length
  std::vector<fields::Direction> directions_;
  Vec3<double> centre_{};
  Matrix patterns_;  // [theta and phi of each direction, (node, rank)] without the factor -jk eta/(4 pi)
  Matrix powers_;    // [rank, (node, rank)] integrals of conj(v_i).v_j over the sphere
};

}  // namespace curlew::ie
