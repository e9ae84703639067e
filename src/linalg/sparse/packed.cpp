// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "linalg/sparse/row_groups.hpp"
#include "linalg/sparse/shifted_rows.hpp"

namespace curlew::linalg {
namespace {

constexpr Index shifted_lanes = packed_lanes(1);

void check(const PackOptions& o) {
  if (o.largest_group < 1 || o.largest_group > 6) {
    throw InputError(fmt::format("largest group {}: must be 1 to 6", o.largest_group));
  }
  if (o.target_steps < 0)
    throw InputError(fmt::format("target steps {}: must not be negative", o.target_steps));
  if (o.sort_window < 1) throw InputError(fmt::format("sort window {}: must be positive", o.sort_window));
}

/// A GPU needs about 250,000 active lanes, each with enough work to outweigh its start. Fastest on an H200: 8
/// columns per lane where groups share them, 16 where each row has its own.
int steps_for(const RowGroups& groups, const std::vector<Offset>& row_offsets) {
  Offset columns = 0;
  for (const RowGroup& g : groups.groups)
    columns += row_offsets[groups.rows[g.first] + 1] - row_offsets[groups.rows[g.first]];
  const bool is_grouped = groups.groups.size() < groups.rows.size() / 2;
  return int(std::clamp<Offset>(columns / 250000, 2, is_grouped ? 8 : 16));
}

/// Plans the slices of a Packed in sequence, then fills them.
template <class V, class T>
class Packer {
 public:
  Packer(const Csr<T>& a, const PackOptions& options, const RowGroups& groups, Packed<V>& out)
      : a_(a),
        options_(options),
        target_steps_(options.target_steps > 0 ? options.target_steps : steps_for(groups, a.row_offsets)),
        groups_(groups),
        out_(out) {}

  /// Plans the slices of groups of one size and kind, which come in the order of their first rows.
  void add_class(std::vector<Index> members) {
    for (std::size_t first = 0; first < members.size(); first += options_.sort_window) {
      const auto end = members.begin() + std::min(members.size(), first + std::size_t(options_.sort_window));
      std::stable_sort(members.begin() + first, end, [&](Index p, Index q) { return length(p) > length(q); });
    }
    for (std::size_t at = 0; at < members.size();) {
      const Index lanes = packed_lanes(groups_.groups[members[at]].size);
      const Index threads = threads_for(length(members[at]), lanes);
      std::size_t count = std::min<std::size_t>(members.size() - at, lanes / threads);
      // Empty rows have their own groups: padding repeats a column, and they have none.
      const bool empty = length(members[at]) == 0;
      std::size_t same = 1;
      while (same < count && (length(members[at + same]) == 0) == empty) ++same;
      add_plan(std::span<const Index>(members).subspan(at, same), threads, false);
      at += same;
    }
  }

  /// Plans one slice for rows that are shifts of one another.
  void add_shifted(std::span<const Index> members) { add_plan(members, 1, true); }

  /// Lays the slices out and fills them, by all threads. Slices with the most work first, so that no warp
  /// runs a long one at the end alone.
  void fill() {
    std::stable_sort(plans_.begin(), plans_.end(),
                     [](const Plan& p, const Plan& q) { return p.work > q.work; });
    for (const Plan& p : plans_) add_slice(p);
    out_.rows.assign(std::size_t(num_rows_), -1);
    resize_huge(out_.real_values, std::size_t(num_real_));
    resize_huge(out_.complex_values, std::size_t(num_complex_));
    resize_huge(out_.narrow_codes, std::size_t(num_narrow_));
    resize_huge(out_.wide_codes, std::size_t(num_wide_));
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < out_.slices.size(); ++s)
      for (std::size_t m = 0; m < plans_[s].count; ++m)
        fill_group(out_.slices[s], members_[plans_[s].first + m], Index(m));
  }

 private:
  /// Groups of one slice, in members_.
  struct Plan {
    std::size_t first, count;
    Offset work;  ///< real numbers to read
    Index threads;
    bool shifted;
  };
  void add_plan(std::span<const Index> members, Index threads, bool shifted) {
    const RowGroup& kind = groups_.groups[members[0]];
    Offset entries = 0;
    for (const Index g : members) entries += length(g);
    plans_.push_back(
        {members_.size(), members.size(), entries * kind.size * (kind.is_real ? 1 : 2), threads, shifted});
    members_.insert(members_.end(), members.begin(), members.end());
  }

  Index first_row(Index group) const {
    return groups_.rows[groups_.groups[group].first];
  }
  Index length(Index group) const {
    return Index(a_.row_offsets[first_row(group) + 1] - a_.row_offsets[first_row(group)]);
  }
  Index threads_for(Index row_length, Index lanes) const {
    Index threads = 1;
    while (threads < lanes && row_length >= 2 * threads * target_steps_) threads *= 2;
    return threads;
  }

  void add_slice(const Plan& plan) {
    const auto members = std::span<const Index>(members_).subspan(plan.first, plan.count);
    const Index threads = plan.threads;
    const RowGroup& kind = groups_.groups[members[0]];
    Index longest = 0, lowest = a_.num_cols, highest = 0;
    for (const Index g : members) {
      const Offset begin = a_.row_offsets[first_row(g)], count = length(g);
      longest = std::max(longest, Index(count));
      if (count == 0) continue;
      lowest = std::min(lowest, a_.columns[begin]);
      highest = std::max(highest, a_.columns[begin + count - 1]);
    }
    PackedSlice s{};
    s.group = std::uint8_t(kind.size), s.threads = std::uint8_t(threads);
    s.is_real = kind.is_real;
    s.columns = plan.shifted                                  ? PackedColumns::shifted
                : options_.narrow && highest - lowest < 65536 ? PackedColumns::narrow
                                                              : PackedColumns::wide;
    const bool is_narrow = s.columns == PackedColumns::narrow;
    s.base_column = is_narrow ? std::min(lowest, highest) : 0;
    s.steps = (longest + threads - 1) / threads;
    s.rows = num_rows_;
    s.values = s.is_real ? num_real_ : num_complex_;
    s.codes = is_narrow ? num_narrow_ : num_wide_;
    const Index lanes = packed_lanes(s.group);
    const Offset entries = Offset(lanes) * s.steps;
    num_rows_ += lanes / s.threads * s.group;
    (s.is_real ? num_real_ : num_complex_) += entries * s.group;
    (is_narrow ? num_narrow_ : num_wide_) += plan.shifted ? s.steps : entries;
    out_.slices.push_back(s);
  }

  void fill_group(const PackedSlice& s, Index group, Index place) {
    const Index* rows = groups_.rows.data() + groups_.groups[group].first;
    const Offset begin = a_.row_offsets[rows[0]];
    const Index count = length(group), lanes = packed_lanes(s.group);
    for (Index i = 0; i < s.group; ++i) out_.rows[s.rows + place * s.group + i] = rows[i];
    if (count == 0) return;
    for (Index e = 0; e < s.steps * s.threads; ++e) {
      const Index lane = place * s.threads + e % s.threads, step = e / s.threads;
      const Index column = a_.columns[begin + std::min(e, count - 1)];
      const Offset code = s.codes + Offset(lanes) * step + lane;
      if (s.columns == PackedColumns::narrow)
        out_.narrow_codes[code] = std::uint16_t(column - s.base_column);
      else if (s.columns == PackedColumns::wide)
        out_.wide_codes[code] = column;
      else if (place == 0)
        out_.wide_codes[s.codes + step] = column - rows[0];
      if (e >= count) continue;
      for (Index i = 0; i < s.group; ++i) {
        const T value = a_.values[a_.row_offsets[rows[i]] + e];
        const Offset at = s.values + Offset(lanes) * (Offset(step) * s.group + i) + lane;
        if (s.is_real) out_.real_values[at] = V(value.real());
        if (!s.is_real) out_.complex_values[at] = {V(value.real()), V(value.imag())};
      }
    }
  }

  const Csr<T>& a_;
  const PackOptions& options_;
  int target_steps_;
  const RowGroups& groups_;
  Packed<V>& out_;
  std::vector<Index> members_;  // groups, plan by plan
  std::vector<Plan> plans_;     // of the slices, in their order
  Index num_rows_ = 0;
  Offset num_real_ = 0, num_complex_ = 0, num_narrow_ = 0, num_wide_ = 0;
};

template <class V>
Index column_of(const Packed<V>& a, const PackedSlice& s, Index step, Index lane) {
  const Offset code = s.codes + Offset(packed_lanes(s.group)) * step + lane;
  if (s.columns == PackedColumns::narrow) return s.base_column + a.narrow_codes[code];
  if (s.columns == PackedColumns::wide) return a.wide_codes[code];
  const Index row = a.rows[s.rows + lane];
  return a.wide_codes[s.codes + step] + (row < 0 ? a.rows[s.rows] : row);
}

template <class V>
std::complex<V> value_of(const Packed<V>& a, const PackedSlice& s, Index step, Index i, Index lane) {
  const Offset at = s.values + Offset(packed_lanes(s.group)) * (Offset(step) * s.group + i) + lane;
  return s.is_real ? std::complex<V>(a.real_values[at]) : a.complex_values[at];
}

}  // namespace

template <class V, class T>
Packed<V> pack(const Csr<T>& a, const PackOptions& options) {
  check(options);
  const RowGroups groups = group_rows(a, options.largest_group, options.real_slices);
  Packed<V> out;
  out.num_rows = a.num_rows, out.num_cols = a.num_cols, out.nnz = a.nnz();
  const std::vector<Index> shifted =
      options.shifted ? shifted_rows(a, groups, shifted_lanes) : std::vector<Index>{};
  std::vector<char> is_shifted(groups.groups.size(), 0);
  for (const Index g : shifted) is_shifted[std::size_t(g)] = 1;
  std::map<std::pair<int, bool>, std::vector<Index>, std::greater<>> classes;
  for (Index g = 0; g < Index(groups.groups.size()); ++g) {
    if (is_shifted[std::size_t(g)] == 0)
      classes[{groups.groups[g].size, groups.groups[g].is_real}].push_back(g);
  }
  Packer<V, T> packer(a, options, groups, out);
  for (std::size_t at = 0; at < shifted.size(); at += shifted_lanes)
    packer.add_shifted(std::span<const Index>(shifted).subspan(at, shifted_lanes));
  for (auto& [kind, members] : classes) packer.add_class(std::move(members));
  packer.fill();
  return out;
}

template <class V>
Csr<std::complex<V>> to_csr(const Packed<V>& a) {
  // Padding repeats the last column of its row: an entry is real if its column is above the one before it.
  std::vector<std::vector<std::pair<Index, std::complex<V>>>> entries(a.num_rows);
  for (const PackedSlice& s : a.slices) {
    for (Index place = 0; place < packed_lanes(s.group) / s.threads; ++place) {
      for (Index i = 0; i < s.group; ++i) {
        const Index row = a.rows[s.rows + place * s.group + i];
        if (row < 0) continue;
        Index last = -1;
        for (Index e = 0; e < s.steps * s.threads; ++e) {
          const Index lane = place * s.threads + e % s.threads, step = e / s.threads;
          const Index column = column_of(a, s, step, lane);
          if (column <= last) break;
          entries[row].emplace_back(column, value_of(a, s, step, i, lane));
          last = column;
        }
      }
    }
  }
  Csr<std::complex<V>> out;
  out.num_rows = a.num_rows, out.num_cols = a.num_cols;
  for (const auto& row : entries) {
    for (const auto& [column, value] : row) out.columns.push_back(column), out.values.push_back(value);
    out.row_offsets.push_back(Offset(out.columns.size()));
  }
  return out;
}

template Packed<double> pack(const Csr<Complex>&, const PackOptions&);
template Packed<float> pack(const Csr<Complex>&, const PackOptions&);
template Packed<float> pack(const Csr<ComplexF>&, const PackOptions&);
template Csr<Complex> to_csr(const Packed<double>&);
template Csr<ComplexF> to_csr(const Packed<float>&);

}  // namespace curlew::linalg
