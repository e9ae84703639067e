// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/factor_iteration.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "linalg/krylov/krylov_columns.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {
namespace {

constexpr double digits_of_a_step = 1e-4;
// One product and one substitution each. More iterations would take longer than factors with more digits, and
// a column's vectors take less memory than the factors of any matrix in three dimensions.
constexpr int most_iterations = 15;
constexpr Index most_columns = 4;  // at once

using Product = std::function<void(const Complex*, Complex*, Index)>;

class AsOperator final : public LinearOperator<Complex> {
 public:
  AsOperator(Index size, const Product& product) : size_(size), product_(product) {}
  Index size() const override { return size_; }
  void apply(const Complex* x, Complex* y) const override { product_(x, y, 1); }
  void apply_many(const Complex* x, Offset ldx, Complex* y, Offset ldy, Index n) const override {
    if (ldx == size_ && ldy == size_) return product_(x, y, n);
    LinearOperator::apply_many(x, ldx, y, ldy, n);
  }

 private:
  Index size_;
  const Product& product_;
};

void iterate(const RefinedSystem<Complex>& system, const Complex* r, Complex* z, Index num_rhs) {
  const AsOperator a(system.num_rows, system.multiply), m(system.num_rows, system.substitute);
  KrylovOptions options;
  options.method = KrylovMethod::gmres;
  options.flexible = true;
  options.tolerance = digits_of_a_step;
  options.max_iterations = options.restart = most_iterations;
  const Index width = std::min(num_rhs, most_columns);
  const auto columns = make_krylov_columns(a, &m, options, int(width));
  const Offset n = system.num_rows;
  for (Index first = 0; first < num_rhs; first += width) {
    ColumnTransfer transfer;
    transfer.load = [&](Index k, Complex* to) { std::copy_n(r + (first + k) * n, n, to); };
    transfer.store = [&](Index k, const Complex* from) { std::copy_n(from, n, z + (first + k) * n); };
    columns->solve(std::min(width, num_rhs - first), transfer);
  }
}

}  // namespace

RefinedSystem<Complex> iterate_over_factors(const RefinedSystem<Complex>& system) {
  RefinedSystem<Complex> iterated = system;
  iterated.substitute = [&system](const Complex* r, Complex* z, Index n) { iterate(system, r, z, n); };
  return iterated;
}

}  // namespace curlew::linalg
