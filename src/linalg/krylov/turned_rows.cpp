// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/turned_rows.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::linalg {
namespace {

// A row is a PML row if an entry has an imaginary part above `turned` times its diagonal, or a component at
// right angles to the diagonal (in the complex plane) above `turned_aside` times it: where a layer begins,
// its entries are nearly real but have different phases, and with those rows left to the sweeps 60 iterations
// replace 20. Measured: docs/measured/solvers.md.
constexpr double turned = 0.03, turned_aside = 0.001;
constexpr double no_part = 1e-6;  // of the diagonals: an imaginary part that counts as none

template <class Body>
void each_in_row(const Csr<Complex>& a, Index i, const Body& body) {
  for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
    body(a.columns[std::size_t(k)], a.values[std::size_t(k)]);
}

bool is_turned(const Csr<Complex>& a, Index i, Complex diagonal) {
  double imaginary = 0, aside = 0;
  each_in_row(a, i, [&](Index, Complex value) {
    imaginary = std::max(imaginary, std::abs(value.imag()));
    aside = std::max(aside, std::abs((value * std::conj(diagonal)).imag()));
  });
  return imaginary > turned * std::abs(diagonal) || aside > turned_aside * std::norm(diagonal);
}

/// Rows where the imaginary part of the matrix is not positive semidefinite. That of absorbing boundaries and
/// losses is, so that |a_ij|^2 <= a_ii a_jj for its entries. Where this fails for a row, all rows that
/// are coupled to it by entries with an imaginary part are included: so all of an absorbing layer is
/// found.
class IndefinitePlaces {
 public:
  IndefinitePlaces(const Csr<Complex>& a, const ProcessGroup* group)
      : a_(a), diagonal_(std::size_t(a.num_rows)), is_found_(std::size_t(a.num_rows)) {
    for (Index i = 0; i < a.num_rows; ++i)
      each_in_row(a, i, [&](Index j, Complex value) {
        if (i == j) diagonal_[std::size_t(i)] = value;
      });
    if (group != nullptr) group->sum(reinterpret_cast<double*>(diagonal_.data()), 2 * diagonal_.size());
    for (Index i = 0; i < a.num_rows; ++i)
      if (!is_semidefinite(i)) find(i);
    grow();
    while (group != nullptr && take_over(*group)) grow();
  }
  Complex diagonal(Index i) const { return diagonal_[std::size_t(i)]; }
  bool hold(Index i) const { return is_found_[std::size_t(i)] != 0; }

 private:
  double none(Index i, Index j) const {
    return no_part * std::sqrt(std::abs(diagonal(i)) * std::abs(diagonal(j)));
  }
  bool is_semidefinite(Index i) const {
    bool fits = diagonal(i).imag() >= -none(i, i);
    const double own = std::max(diagonal(i).imag(), 0.0);
    each_in_row(a_, i, [&](Index j, Complex value) {
      const double bound = own * std::max(diagonal(j).imag(), 0.0);
      fits = fits && std::abs(value.imag()) <= 1.0001 * std::sqrt(bound) + none(i, j);
    });
    return fits;
  }
  void find(Index i) {
    if (is_found_[std::size_t(i)] != 0) return;
    is_found_[std::size_t(i)] = 1;
    front_.push_back(i);
  }
  void grow() {
    while (!front_.empty()) {
      const Index i = front_.back();
      front_.pop_back();
      each_in_row(a_, i, [&](Index j, Complex value) {
        if (std::abs(value.imag()) > none(i, j)) find(j);
      });
    }
  }
  /// Adds the rows that other processes have found. @returns whether any of them continues
  bool take_over(const ProcessGroup& group) {
    std::vector<Index> all = is_found_;
    group.largest(all.data(), all.size());
    for (Index i = 0; i < a_.num_rows; ++i)
      if (all[std::size_t(i)] != 0) find(i);
    Index goes_on = !front_.empty();
    group.largest(&goes_on, 1);
    return goes_on != 0;
  }

  const Csr<Complex>& a_;
  std::vector<Complex> diagonal_;
  std::vector<Index> is_found_, front_;
};

}  // namespace

std::vector<char> turned_rows(const Csr<Complex>& a, const ProcessGroup* group) {
  const IndefinitePlaces indefinite(a, group);
  std::vector<char> rows(std::size_t(a.num_rows));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < a.num_rows; ++i)
    rows[std::size_t(i)] = indefinite.hold(i) && is_turned(a, i, indefinite.diagonal(i));
  return rows;
}

}  // namespace curlew::linalg
