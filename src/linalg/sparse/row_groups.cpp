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

constexpr int bits = 8;  // of a hash, which select a key's bucket
/// Hash of an empty row. If a process has only some rows of a matrix, most are empty: these have a separate
/// bucket.
constexpr std::uint64_t empty = ~std::uint64_t(0);

std::size_t bucket_of(std::uint64_t hash) {
  return hash == empty ? std::size_t(1) << bits : std::size_t(hash >> (64 - bits));
}

template <class T>
std::uint64_t hash_row(const Csr<T>& a, Index row) {
  if (a.row_offsets[row] == a.row_offsets[row + 1]) return empty;
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

/// Keys by hash, then row: distributed to buckets by the first bits of the hash, which all threads then sort.
/// @param keys by row @return first keys of the buckets and the end
std::vector<Index> sort_keys(std::vector<Key>& keys) {
  std::vector<Index> first((1 << bits) + 2, 0);
  for (const Key& key : keys) ++first[bucket_of(key.hash) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Index> next(first.begin(), first.end() - 1);
  std::vector<Key> dealt(keys.size());
  for (const Key& key : keys) dealt[std::size_t(next[bucket_of(key.hash)]++)] = key;
  keys.swap(dealt);
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < 1 << bits; ++b) {
    std::sort(keys.begin() + first[b], keys.begin() + first[b + 1],
              [](const Key& p, const Key& q) { return p.hash != q.hash ? p.hash < q.hash : p.row < q.row; });
  }
  return first;
}

/// A group: its first key and its size, stored at its first row; size 0 where no group begins.
struct Cut {
  Index begin = 0, size = 0;
};

/// Runs of equal rows among the keys [begin, end), cut into groups.
template <class T>
void cut_runs(const Csr<T>& a, const std::vector<Key>& keys, Index begin, Index end, int largest,
              std::vector<Cut>& cuts) {
  while (begin < end) {
    Index stop = begin + 1;
    while (largest > 1 && stop < end && keys[stop].hash == keys[begin].hash &&
           same_pattern(a, keys[begin].row, keys[stop].row))
      ++stop;
    while (begin < stop) {
      const Index size = next_size(stop - begin, largest);
      cuts[keys[begin].row] = {begin, size};
      begin += size;
    }
  }
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
    const std::uint64_t hash = hash_row(a, i);
    keys[i] = {hash == empty ? empty : hash ^ std::uint64_t(real[i]), i};
  }
  const std::vector<Index> buckets = largest > 1 ? sort_keys(keys) : std::vector<Index>{0, n};
  std::vector<Cut> cuts(n);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t b = 0; b < buckets.size() - 1; ++b)
    cut_runs(a, keys, buckets[b], buckets[b + 1], largest, cuts);
  RowGroups out;
  out.rows.reserve(n);
  for (Index row = 0; row < n; ++row) {
    const Cut& cut = cuts[row];
    if (cut.size == 0) continue;
    out.groups.push_back({Index(out.rows.size()), std::int8_t(cut.size), real[row] != 0});
    for (Index i = 0; i < cut.size; ++i) out.rows.push_back(keys[cut.begin + i].row);
  }
  return out;
}

template RowGroups group_rows(const Csr<Complex>&, int, bool);
template RowGroups group_rows(const Csr<ComplexF>&, int, bool);

}  // namespace curlew::linalg
