// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix with distributed rows, in the order of a multilevel preconditioner: owner and level of each
// unknown, and values of other processes' unknowns (halo) that local products need. Data per unknown exist on
// every process, entries of the matrix on one. All functions are collective.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/process_group.hpp"
#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

/// @param own rows of this process, the others being empty
/// @returns [num_rows] the first process that has entries in each row
/// @throws NumericalError for a row without entries
std::vector<Index> owners_of(const ProcessGroup& group, const Csr<Complex>& own);

/// Sends entries in rows of other owners to them, where they are added: periodic faces leave parts of a row
/// on several processes. @returns the complete rows of this process; empty if no process had such entries
std::optional<Csr<Complex>> give_to_owners(const ProcessGroup& group, const Csr<Complex>& own,
                                           const std::vector<Index>& owner);

/// The rows of this process and, from their owners, one layer of rows that they are coupled to.
Csr<Complex> with_layer(const ProcessGroup& group, const Csr<Complex>& own, const std::vector<Index>& owner);

/// The entries (i, j) for which keep(i, j) holds. They are counted first, since a growing vector takes twice
/// its memory.
template <class Keep>
Csr<Complex> kept_entries(const Csr<Complex>& a, const Keep& keep) {
  Csr<Complex> out{a.num_rows, a.num_cols, {0}, {}, {}};
  out.row_offsets.reserve(a.row_offsets.size());
  for (Index i = 0; i < a.num_rows; ++i) {
    Offset count = out.row_offsets.back();
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (keep(i, a.columns[std::size_t(k)])) ++count;
    out.row_offsets.push_back(count);
  }
  out.columns.reserve(std::size_t(out.nnz())), out.values.reserve(std::size_t(out.nnz()));
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (keep(i, a.columns[std::size_t(k)])) {
        out.columns.push_back(a.columns[std::size_t(k)]);
        out.values.push_back(a.values[std::size_t(k)]);
      }
  return out;
}

class SpreadRows {
 public:
  /// @param level [num_rows], 0 for factorised unknowns
  SpreadRows(const ProcessGroup& group, std::vector<Index> owner, std::vector<Index> level);

  const ProcessGroup& group() const { return *group_; }
  /// Unknowns of this process, level by level, ascending on each.
  const std::vector<Index>& own() const { return own_; }
  /// [levels + 1] first indices of the levels in own(), and the end.
  const std::vector<Index>& offsets() const { return offsets_; }
  int levels() const { return int(offsets_.size()) - 1; }
  Index owner(Index unknown) const { return owner_[std::size_t(unknown)]; }
  Index level(Index unknown) const { return level_[std::size_t(unknown)]; }
  bool is_own(Index unknown) const { return owner(unknown) == group_->rank(); }
  /// Index in own() of an unknown of this process.
  Index place(Index unknown) const { return place_[std::size_t(unknown)]; }
  Index num_unknowns() const { return Index(owner_.size()); }

 private:
  const ProcessGroup* group_;
  std::vector<Index> owner_, level_, place_;  // [num_unknowns]
  std::vector<Index> own_, offsets_;
};

/// Values of some unknowns of other processes.
class Halo {
 public:
  /// @param wanted unknowns of others, each once @param first index in own() at which vectors begin
  Halo(const SpreadRows& rows, std::vector<Index> wanted, Index first = 0);
  /// Unknowns in the order of their received values.
  const std::vector<Index>& unknowns() const { return unknowns_; }
  /// Receives values of one or several vectors in one message. @param x local values from index `first` on,
  /// of each @param[out] ghosts [unknowns().size(), vectors], row-major
  void fetch(std::span<const Complex* const> x, Complex* ghosts) const;
  void fetch(const Complex* x, Complex* ghosts) const { fetch(std::span(&x, 1), ghosts); }

 private:
  const ProcessGroup* group_;
  std::vector<Index> unknowns_, sent_;             // sent_: indices in x
  std::vector<std::size_t> out_begin_, in_begin_;  // by process, in unknowns
  mutable std::vector<Complex> out_;
};

/// Levels [begin, end).
struct Levels {
  int begin, end;
  bool hold(Index level) const { return level >= begin && level < end; }
};

/// The rows of this process in the order of its vectors, shared by all blocks.
struct SpreadMatrix {
  /// @param a rows of this process, by unknowns
  SpreadMatrix(const SpreadRows& rows, const Csr<Complex>& a);

  Csr<Complex> inner, outer;   ///< columns of this process, by index in own(), and of others
  std::vector<Index> foreign;  ///< the unknowns of outer's columns
};

/// Block with local rows of some levels and all columns of some levels: y = A x.
class SpreadBlock final : public LinearOperator<Complex> {
 public:
  SpreadBlock(const SpreadRows& rows, std::shared_ptr<const SpreadMatrix> a, Levels row_levels,
              Levels column_levels);
  Index size() const override { return end_row_ - first_row_; }
  /// @param x local values of the columns' levels
  void apply(const Complex* x, Complex* y) const override;

 private:
  void multiply_inner(const Complex* x, Complex* y) const;
  void add_outer(Complex* y) const;

  std::shared_ptr<const SpreadMatrix> a_;
  Index first_row_, end_row_, first_column_, end_column_;
  Halo halo_;
  std::vector<Index> ghost_;  // of a_'s unknowns of other processes, -1 outside the columns' levels
  mutable std::vector<Complex> ghosts_;
};

}  // namespace curlew::linalg
