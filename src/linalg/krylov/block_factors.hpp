// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The inverse of a complex symmetric block-diagonal matrix, each block factorised and solved by one thread.

#include <memory>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

class BlockFactors final : public CoarseSolver<LinearOperator<Complex>> {
 public:
  /// @param first [blocks + 1] first row of each block, and the end @param single_precision if accurate
  /// enough (short_factors.hpp)
  BlockFactors(std::vector<Index> first, bool single_precision);
  ~BlockFactors() override;

  /// @throws NumericalError if a block is singular; ResourceError if the factors do not fit
  void factor(const Csr<Complex>& a) override;
  Index size() const override { return first_.back(); }
  void apply(const Complex* r, Complex* z) const override { apply_many(r, size(), z, size(), 1); }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override;
  const DirectInfo& info() const override { return info_; }

 private:
  class Block;

  std::vector<Index> first_;
  std::vector<std::size_t> order_;  // of the blocks, the longest first
  bool single_precision_;
  std::vector<std::unique_ptr<Block>> blocks_;
  DirectInfo info_;
};

}  // namespace curlew::linalg
