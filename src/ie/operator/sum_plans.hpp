// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plans of the sums over points of an operator: to the tolerance that was asked for, and coarser ones for
// iterations whose products may be less exact (linalg/krylov/relaxation.hpp). Those are made when they are
// used for the first time, where memory allows it.

#include <memory>
#include <span>
#include <vector>

#include "ngim/plan.hpp"

namespace curlew::ie {

/// Points that are summed over together: one set a medium.
struct PointSet {
  std::span<const Vec3<double>> points;  ///< [m]
  Complex k;                             ///< [1/m]
  bool needs_gradient = false;           ///< tests read gradients of the potentials
  bool surface = false;                  ///< they lie on surfaces
  int passes = 1;                        ///< kinds of currents, which are summed one after another
  /// Where the sums are tested [m]; empty: at all points.
  std::span<const Vec3<double>> observers = {};

  std::size_t num_observers() const { return observers.empty() ? points.size() : observers.size(); }
};

/// Products that were made with sums to one tolerance.
struct ProductCount {
  double tolerance;
  long products;
};

/// Sums of products that only steer an iteration on others (linalg/krylov/inner_solve.hpp): any error is
/// allowed there.
inline constexpr double steering_sums = 1e-1;

/// The asked tolerance and up to two coarser ones, each at least three times the one before: the loosest that
/// saves time, and what lies in the middle between both, but not below what single precision reaches.
std::vector<double> tolerances_of_sums(double asked);
inline bool has_coarser_sums(double asked) {
  return tolerances_of_sums(asked).size() > 1;
}

class SumPlans {
 public:
  /// @param sets their points are kept by reference @param tolerance relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  SumPlans(std::span<const PointSet> sets, double tolerance, Device device);

  /// The sums to come may have this relative error: the coarsest plans that keep it, those of steering_sums
  /// where it is infinite, or those that were asked for. @param kept_free bytes that coarser plans leave to
  /// others
  void allow(double error, std::size_t kept_free);
  const ngim::Plan& plan(std::size_t set) const { return *levels_[current_].plans[set]; }
  void count_product() { ++levels_[current_].products; }
  /// Of the asked tolerance first; of the coarser ones those that were used.
  std::vector<ProductCount> products() const;

 private:
  struct Level {
    double tolerance;
    double least_error;                              ///< that must be allowed
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
  std::size_t free_before_;  ///< the first plans were made
  std::vector<Level> levels_;
  std::size_t current_ = 0;
};

}  // namespace curlew::ie
