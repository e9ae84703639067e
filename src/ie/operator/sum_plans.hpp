// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plans of the sums over points of an operator: for the requested tolerance, and for larger ones in
// iterations with less accurate products (linalg/krylov/relaxation.hpp). These are made when first used, if
// memory allows.

#include <memory>
#include <span>
#include <vector>

#include "ngim/plan.hpp"

namespace curlew::ie {

/// Points that are summed over together: one set per medium.
struct PointSet {
  std::span<const Vec3<double>> points;  ///< [m]
  Complex k;                             ///< [1/m]
  bool needs_gradient = false;           ///< tests read gradients of the potentials
  bool surface = false;                  ///< they lie on surfaces
  int passes = 1;                        ///< kinds of currents, which are summed in sequence
  /// Observation points [m]; empty: all points.
  std::span<const Vec3<double>> observers = {};

  std::size_t num_observers() const { return observers.empty() ? points.size() : observers.size(); }
};

/// Number of products with sums of one tolerance.
struct ProductCount {
  double tolerance;
  long products;
};

/// Tolerance of low-accuracy products in inner iterations (linalg/krylov/inner_solve.hpp), which need no
/// accuracy.
inline constexpr double steering_sums = 1e-1;

/// The requested tolerance and up to two larger ones, each at least three times the one before: the largest
/// that saves time, and the geometric mean of both, but not below the limit of single precision.
std::vector<double> tolerances_of_sums(double asked);
inline bool has_coarser_sums(double asked) {
  return tolerances_of_sums(asked).size() > 1;
}

class SumPlans {
 public:
  /// @param sets with points that are stored by reference @param tolerance relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  SumPlans(std::span<const PointSet> sets, double tolerance, Device device);

  /// Sets the allowed relative error of the following sums, and so the plans with the largest sufficient
  /// tolerance; infinite: those of steering_sums. @param kept_free bytes that further plans must leave free
  void allow(double error, std::size_t kept_free);
  const ngim::Plan& plan(std::size_t set) const { return *levels_[current_].plans[set]; }
  void count_product() { ++levels_[current_].products; }
  /// Counts of the requested tolerance first, then of larger ones that were used.
  std::vector<ProductCount> products() const;

 private:
  struct Level {
    double tolerance;
    double least_error;                              ///< that must be allowed for this level
    std::vector<std::unique_ptr<ngim::Plan>> plans;  ///< [sets], or none yet
    long products = 0;
    bool is_refused = false;  ///< no memory
  };
  void make(Level& level) const;
  /// @returns false if there is no memory for it
  bool try_make(Level& level, std::size_t kept_free) const;
  std::size_t free_bytes() const;

  std::vector<PointSet> sets_;
  Device device_;
  std::size_t free_before_;  ///< free memory before the first plans were made
  std::vector<Level> levels_;
  std::size_t current_ = 0;
};

}  // namespace curlew::ie
