// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/real_factors.hpp"

#include <vector>

#include "base/huge_pages.hpp"
#include "base/log.hpp"

namespace curlew::linalg {
namespace {

/// The real and imaginary parts of complex columns that do not vanish, by their first entries in an array of
/// doubles; the entries of a part are two apart.
std::vector<std::size_t> present_parts(const double* x, std::size_t unknowns, Index num_rhs) {
  std::vector<std::size_t> present;
  for (std::size_t part = 0; part < 2 * std::size_t(num_rhs); ++part) {
    const std::size_t first = part / 2 * 2 * unknowns + part % 2;
    bool vanishes = true;
    for (std::size_t i = 0; i < unknowns && vanishes; ++i) vanishes = x[first + 2 * i] == 0;
    if (!vanishes) present.push_back(first);
  }
  return present;
}

class RealFactors final : public DirectSolver<Complex> {
 public:
  explicit RealFactors(const DirectOptions& options)
      : options_(options), real_(make_direct_solver<double>(options)) {}

  void analyse(const Csr<Complex>& a) override {
    if (complex_) return complex_->analyse(a);
    real_->analyse(real_part(a));
    take_info();
  }
  std::size_t estimated_bytes() const override { return info().estimated_bytes; }
  void factor(const Csr<Complex>& a) override {
    if (!complex_ && !is_real(a)) become_complex(a);
    if (complex_) return complex_->factor(a);
    real_->factor(real_part(a));
    take_info();
  }
  void solve(Complex* x, Index num_rhs) override;
  bool require_pivoting() override {
    return complex_ ? complex_->require_pivoting() : real_->require_pivoting();
  }
  const DirectInfo& info() const override { return complex_ ? complex_->info() : info_; }

 private:
  void become_complex(const Csr<Complex>& a) {
    log::info(
        "direct solver: from this frequency on the matrix has an imaginary part and its factors are complex");
    real_.reset();
    complex_ = make_direct_solver<Complex>(options_);
    complex_->analyse(a);
  }
  void take_info() {
    info_ = real_->info();
    info_.library += ", real";
  }

  DirectOptions options_;
  std::unique_ptr<DirectSolver<double>> real_;
  std::unique_ptr<DirectSolver<Complex>> complex_;  // in its place, once a matrix was not real
  DirectInfo info_;
};

void RealFactors::solve(Complex* x, Index num_rhs) {
  if (complex_) return complex_->solve(x, num_rhs);
  const auto n = std::size_t(info_.unknowns);
  auto* values = reinterpret_cast<double*>(x);
  const std::vector<std::size_t> present = present_parts(values, n, num_rhs);
  auto columns = huge_vector<double>(n * present.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < present.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) columns[c * n + i] = values[present[c] + 2 * i];
  real_->solve(columns.data(), Index(present.size()));
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < present.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) values[present[c] + 2 * i] = columns[c * n + i];
  info_.solve_seconds = real_->info().solve_seconds;
}

}  // namespace

std::unique_ptr<DirectSolver<Complex>> make_real_factors(const DirectOptions& options) {
  return std::make_unique<RealFactors>(options);
}

}  // namespace curlew::linalg
