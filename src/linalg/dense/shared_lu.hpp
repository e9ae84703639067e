// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU with partial pivoting of a matrix that several members, such as the GPUs of a machine, share: panel k
// lies with member k modulo their number, and each member works in a thread of its own. Right-looking: a
// member updates the next panel first, factors and publishes it, so that it is available when the others,
// which copy it, have updated their columns. Source: Dongarra, van de Geijn and Walker (1994), J. Parallel
// Distrib.
// Comput. 22, 523 (block-cyclic LU; here columns alone are distributed).

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "linalg/dense/panel_machine.hpp"

namespace curlew::linalg {

/// One of the GPUs that share a matrix. Everything it computes is requested within run().
class PanelMember : public virtual PanelArithmetic {
 public:
  /// Works in the calling thread; all requests are complete on return, also if `work` throws.
  virtual void run(const std::function<void()>& work) = 0;
  /// Memory of its own panels, side by side [n, shared_columns].
  virtual PanelView own() = 0;
  /// One of two places for a panel [n, width]. @param number 0 or 1
  virtual PanelView spare(int number) = 0;
  /// Copies a finished panel of another member, concurrently with all requests since the last call; waits for
  /// the requests before that.
  virtual void receive(PanelView from, PanelView to) = 0;
};

/// Columns [of n] of a member.
Offset shared_columns(Offset n, Offset width, int members, int member);
/// Columns of a panel: 512, and fewer where members would have less than four.
Offset shared_width(Offset n, int members);

class SharedLu {
 public:
  /// @param members outlive this object @param forms [members] are called within run()
  SharedLu(std::vector<PanelMember*> members, std::vector<FormColumns> forms, Offset n, Offset width);

  /// Call it once. @throws NumericalError if a pivot is zero
  void factor();
  /// b = A^-1 b, or A^-H b if `adjoint`. @pre factored @param[in,out] b [n, num_rhs]
  void solve(Complex* b, int num_rhs, bool adjoint);
  /// rest -= A x, of a matrix that is formed again. @param x, rest [n, count], count at most half of what a
  /// member has room for @returns ||A||_1, not finite if an entry is not
  double subtract_product(const Complex* x, Complex* rest, int count);
  /// As from LAPACK's getrf: the row, counted from 1, that was exchanged with row i.
  const std::vector<int>& pivots() const { return pivots_; }
  int num_members() const { return int(members_.size()); }

 private:
  int owner(int panel) const { return panel % num_members(); }
  Offset first_of(int panel) const { return panel * width_; }
  Offset width_of(int panel) const;
  PanelMember& member(int m) { return *members_[std::size_t(m)]; }
  void form(int m, int panel, PanelView to) {
    forms_[std::size_t(m)](first_of(panel), width_of(panel), to.data);
  }
  PanelView panel_of(int panel);
  PanelView below(int panel, PanelView whole) const;
  PanelView behind(int m, int panel);
  void each_member(const std::function<void(int)>& work);
  void fail();
  void wait_for(int panel);
  void publish(int panel);
  PanelView borrow(int m, int panel, int& received);
  void factor_share(int m);

  std::vector<PanelMember*> members_;
  std::vector<FormColumns> forms_;
  Offset n_, width_;
  int num_panels_;
  std::vector<int> pivots_;
  std::vector<std::vector<RowMove>> moves_;  ///< of each panel that is published

  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  int published_ = 0;
  std::exception_ptr error_;  ///< the first one of any thread, which ends all
};

}  // namespace curlew::linalg
