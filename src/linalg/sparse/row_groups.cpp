// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/row_groups.hpp"

#include <algorithm>
#include <numeric>

namespace curlew::linalg {
namespace {

struct Key {
  std::uint64_t hash;
  Index row;
};

template <class T>
std::uint64_t hash_row(const Csr<T>& a, Index row) {
  std::uint64_t h = 1469598103934665603u;  // FNV-1a
  for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
    h = (h ^ std::uint64_t(a.columns[k])) * 1099511628211u;
  }
  return h;
}

template <class T>
bool same_pattern(const Csr<T>& a, Index i, Index j) {
  const auto begin = a.columns.begin();
  return std::equal(begin + a.row_offsets[i], begin + a.row_offsets[i + 1], begin + a.row_offsets[j],
                    begin + a.row_offsets[j + 1]);
}

/// 1, 2, 3, 4 or 6 rows: the sizes that products are compiled for.
Index next_size(Index left, int largest) {
  Index size = std::min<Index>(left, largest);
  return size == 5 ? 3 : size;
}

}  // namespace

template <class T>
RowGroups group_rows(const Csr<T>& a, int largest, bool split_real) {
  const Index n = a.num_rows;
  std::vector<Key> keys(n);
  std::vector<char> real(n, 0);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < n; ++i) {
    if (split_real) {
      real[i] = std::all_of(a.values.begin() + a.row_offsets[i], a.values.begin() + a.row_offsets[i + 1],
                            [](T z) { return z.imag() == 0; });
    }
    keys[i] = {hash_row(a, i) ^ std::uint64_t(real[i]), i};
  }
  if (largest > 1) {
    std::sort(keys.begin(), keys.end(),
              [](const Key& p, const Key& q) { return p.hash != q.hash ? p.hash < q.hash : p.row < q.row; });
  }
  // Runs of equal rows are cut into groups, then the groups are put in order of their first rows.
  struct Cut {
    Index first_row, begin, size;
  };
  std::vector<Cut> cuts;
  for (Index begin = 0; begin < n;) {
    Index end = begin + 1;
    while (end < n && keys[end].hash == keys[begin].hash && same_pattern(a, keys[begin].row, keys[end].row))
      ++end;
    while (begin < end) {
      const Index size = next_size(end - begin, largest);
      cuts.push_back({keys[begin].row, begin, size});
      begin += size;
    }
  }
  std::sort(cuts.begin(), cuts.end(), [](const Cut& p, const Cut& q) { return p.first_row < q.first_row; });
  RowGroups out;
  out.rows.reserve(n);
  for (const Cut& cut : cuts) {
    out.groups.push_back({Index(out.rows.size()), std::int8_t(cut.size), real[cut.first_row] != 0});
    for (Index i = 0; i < cut.size; ++i) out.rows.push_back(keys[cut.begin + i].row);
  }
  return out;
}

template RowGroups group_rows(const Csr<Complex>&, int, bool);
template RowGroups group_rows(const Csr<ComplexF>&, int, bool);

}  // namespace curlew::linalg
