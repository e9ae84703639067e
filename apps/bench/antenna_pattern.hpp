// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which edges, faces and cells of the generated antenna matrix couple, fitted to the paper's table 1.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bench/antenna_mesh.hpp"
#include "bench/sparse_matrices.hpp"

namespace curlew::bench {

/// A hash of a number (MurmurHash3, finaliser).
inline std::uint64_t mix(std::uint64_t v) {
  v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdull;
  v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return v ^ (v >> 33);
}

/// Couplings of entities, and the entries that they add to the blocks.
class CouplePattern {
 public:
  explicit CouplePattern(const EntityMesh& mesh);

  /// Adds or removes couplings until every block has the counts of the table.
  void fit(const BlockTable& table, Index longest);

  const EntityMesh& mesh() const { return mesh_; }
  /// The entities that each is coupled to, including itself; ascending.
  const std::vector<std::vector<int>>& couples() const { return couples_; }

  /// Entries of a coupling in one pair of orders, added to whole couplings or removed from them.
  struct Single {
    int row, row_order, column, column_order;  ///< entities and orders
    bool added;                                ///< false: removed
  };
  const std::vector<Single>& singles() const { return singles_; }

 private:
  static void tidy(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  /// Subtracts the entries of rows e in columns f from the missing ones.
  void count(int e, int f, int sign);
  /// True if the coupling is within the missing (sign 1) or surplus (sign -1) entries of every block.
  bool fits(int e, int f, int sign) const;
  void add(int e, int f);
  void remove(int e, int f);
  bool has(int e, int f) const { return std::binary_search(couples_[e].begin(), couples_[e].end(), f); }
  /// Entities two couplings away, in a random order.
  std::vector<int> second_neighbours(int e) const;
  Index row_length(int e) const;
  /// Some edges of an unstructured mesh have far more neighbours than any here: these get as many.
  void make_long_rows(Index longest);
  /// Kind by kind, as many second neighbours as the block lacks in which the kind appears first.
  void add_second_neighbours();
  bool is_kind(int e, int f, int k, int l) const {
    const int a = mesh_.entities[e].kind, b = mesh_.entities[f].kind;
    return std::min(a, b) == k && std::max(a, b) == l;
  }
  void remove_surplus();
  void complete();

  const EntityMesh& mesh_;
  std::vector<std::vector<int>> couples_;
  std::array<std::array<Offset, 3>, 3> missing_;
  std::vector<Single> singles_;
  Index scale_ = 1;  // of row lengths: 2 for the printed counts
};

}  // namespace curlew::bench
