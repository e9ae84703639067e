// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of the corrected operator that an equation provides. Every integral equation is, without its
// matrix,
//   y = C x + sum over point sets of tests (sums of exp(-jkR)/R (currents and charges at points)):
// elements give currents and charges at points, NGIM sums them, the elements test the potentials, and C
// stores for near pairs the difference between accurate integrals and the sums. Source: Li, Chang and
// Lomakin, chapter 19, sections 19.2 and 19.6; pre-correction as in Phillips and White (1997), IEEE Trans.
// Computer-Aided Design 16, 1059.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ie/operator/sum_plans.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

/// The queue of the host, which needs none.
struct HostQueue {};

/// On host or device: vectors, charges and potentials are memory of host or device, according to T and Queue.
template <class T, class Queue>
class OperatorFill {
 public:
  virtual ~OperatorFill() = default;
  virtual Index size() const = 0;
  virtual std::vector<PointSet> point_sets() const = 0;
  /// y = C x; may be left to the first test, which then sets y.
  virtual void correct(const T* x, T* y, const Queue& queue) const = 0;
  /// Jx, Jy, Jz and the charge of a pass at all points of a set. @param charges [4, points]
  virtual void spread(std::size_t set, int pass, const T* x, T* charges, const Queue& queue) const = 0;
  /// Adds the tested potentials to y.
  /// @param potential [4, observers] @param gradient [4, 3, observers], null where it is not needed
  virtual void test(std::size_t set, int pass, const T* x, const T* potential, const T* gradient, T* y,
                    const Queue& queue) const = 0;
  /// Stored corrections: entries, or pairs of elements.
  virtual Offset num_near() const = 0;
  /// Bytes of what is stored.
  virtual std::size_t bytes() const = 0;
  /// A_mm, [unknowns] on the host; empty if the preconditioner `jacobi` has its entries from elsewhere.
  virtual std::vector<Complex> diagonal() const { return {}; }
};
using HostFill = OperatorFill<Complex, HostQueue>;
using DeviceFill = OperatorFill<complex<double>, linalg::DeviceQueue>;

/// Products by sums over all point sets, for host and device.
template <class T, class Queue>
class PointSums {
 public:
  /// @param fill stored by reference @param tolerance of the sums, relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  PointSums(const OperatorFill<T, Queue>& fill, double tolerance, Device device)
      : fill_(fill), sets_(fill.point_sets()), plans_(sets_, tolerance, device) {}
  /// As SumPlans::allow.
  void allow(double error, std::size_t kept_free) { plans_.allow(error, kept_free); }
  void count_product() { plans_.count_product(); }
  std::vector<ProductCount> products() const { return plans_.products(); }
  Offset num_points() const {
    Offset sum = 0;
    for (const PointSet& set : sets_) sum += Offset(set.points.size());
    return sum;
  }
  /// Points of the largest set.
  std::size_t most_points() const {
    std::size_t most = 0;
    for (const PointSet& set : sets_) most = std::max(most, set.points.size());
    return most;
  }
  /// Largest number of observers in a set, of all sets or of those with gradients.
  std::size_t most_observers(bool with_gradient) const {
    std::size_t most = 0;
    for (const PointSet& set : sets_)
      if (set.needs_gradient || !with_gradient) most = std::max(most, set.num_observers());
    return most;
  }

  /// Work arrays for the largest set.
  struct Work {
    T *charges, *potential, *gradient;
  };
  /// y = A x. @param sum(plan, charges, potential, gradient) applies a plan @param visit("step") is called
  /// after each step
  template <class Sum, class Visit>
  void apply(const T* x, T* y, const Work& work, const Queue& queue, const Sum& sum,
             const Visit& visit) const {
    fill_.correct(x, y, queue);
    visit("corrections");
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      T* const gradient = sets_[set].needs_gradient ? work.gradient : nullptr;
      for (int pass = 0; pass < sets_[set].passes; ++pass) {
        fill_.spread(set, pass, x, work.charges, queue);
        visit("currents and charges");
        sum(plans_.plan(set), work.charges, work.potential, gradient);
        visit("NGIM");
        fill_.test(set, pass, x, work.potential, gradient, y, queue);
        visit("tests");
      }
    }
  }

 private:
  const OperatorFill<T, Queue>& fill_;
  std::vector<PointSet> sets_;
  SumPlans plans_;
};

}  // namespace curlew::ie
