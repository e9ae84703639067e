// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// y = A x of a MixedPotentialSystem without the matrix: currents and charges at the points of the elements
// (four vectors), NGIM potentials of all points, tests at the same points, and the stored corrections of near
// pairs. Source: Li, Chang and Lomakin, chapter 19, section 19.6; pre-correction as in Phillips and White
// (1997), IEEE Trans. Computer-Aided Design 16, 1059.

#include <memory>

#include "base/timer.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

struct Acceleration {
  double tolerance = 1e-4;  ///< relative error asked of the sums over points
  Integration integration;
};

/// On the CPU. The system is kept by reference.
class AcceleratedOperator final : public linalg::LinearOperator<Complex> {
 public:
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if the corrections do not fit
  AcceleratedOperator(const MixedPotentialSystem& system, const Acceleration& acceleration);
  ~AcceleratedOperator() override;

  Index size() const override;
  void apply(const Complex* x, Complex* y) const override;

  /// A_mm, [unknowns].
  std::vector<Complex> diagonal_entries() const;
  long products() const;  ///< made so far
  Offset num_points() const;
  const NearBlocks& near() const;
  /// Bytes of corrections, points and maps.
  std::size_t bytes() const;
  /// Seconds by stage: set-up, and all products so far.
  const Stages& stages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::ie
