// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Initial guesses from earlier right-hand sides. Source: Fischer (1998), Projection techniques
// for iterative solution of A x = b with successive right-hand sides, Comput. Methods Appl. Mech. Eng. 163,
// 193.

#include <vector>

#include "base/types.hpp"

namespace curlew::ie {

/// Stores solutions x with orthonormal products A x. The combination with the smallest residual then costs
/// two passes over them. Waves from many directions have low rank: about (2 k a)^2 of them span all.
class RecycledStarts {
 public:
  /// @param n unknowns @param most stored solutions; further ones replace the oldest
  RecycledStarts(std::size_t n, std::size_t most) : n_(n), most_(most) {}

  /// x = sum c_i x_i with the smallest |b - A x|; 0 without stored solutions. @param b, x [n]
  void guess(const Complex* b, Complex* x) const;
  /// @param x [n] a solution @param product [n] A x, as computed: not the right-hand side
  void add(const Complex* x, const Complex* product);
  std::size_t size() const { return products_.size(); }

 private:
  using Vector = std::vector<Complex>;
  std::size_t n_, most_;
  std::vector<Vector> solutions_, products_;
};

}  // namespace curlew::ie
