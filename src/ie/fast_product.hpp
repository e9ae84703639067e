// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// y = A x of every surface formulation without the matrix: NGIM sums over the points of the far rule for each
// region, with gradients where K or N are needed, and stored corrections of the pairs that ask for better
// rules. Source: Li, Chang and Lomakin, chapter 19, sections 19.2 and 19.6.

#include <memory>

#include "ie/excitation.hpp"
#include "ie/system.hpp"
#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

/// Exact entries of the pairs within `range` (near: touching and adjacent; medium: near and medium), with
/// Gram terms and loads: a sparse part of the matrix, of which preconditioners are made.
linalg::Csr<Complex> near_matrix(const System& system, const std::vector<Port>& ports,
                                 PairIntegrals::Range range);

class FastProduct final : public linalg::LinearOperator<Complex> {
 public:
  /// @param system kept by reference @param tolerance of the sums over points, relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  FastProduct(const System& system, const std::vector<Port>& ports, double tolerance);
  ~FastProduct() override;
  Index size() const override;
  void apply(const Complex* x, Complex* y) const override;
  Offset num_points() const;
  Offset near_entries() const;

 private:
  struct RegionPart;
  const System& system_;
  std::vector<std::unique_ptr<RegionPart>> regions_;
  linalg::Csr<Complex> corrections_;
};

}  // namespace curlew::ie
