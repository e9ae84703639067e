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

/// A number without pattern for every number (MurmurHash3, finaliser).
inline std::uint64_t mix(std::uint64_t v) {
  v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdull;
  v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return v ^ (v >> 33);
}

/// Couples of entities and the counts of entries that they bring to the blocks.
class CouplePattern {
 public:
  explicit CouplePattern(const EntityMesh& mesh);

  /// Adds or removes couples until every block holds what the table says.
  void fit(const BlockTable& table, Index longest);

  const EntityMesh& mesh() const { return mesh_; }
  /// The entities that each couples to, itself among them; ascending.
  const std::vector<std::vector<int>>& couples() const { return couples_; }

  /// Entries of one couple in one pair of orders, beside or out of what whole couples bring.
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
  /// Takes the entries of rows e in columns f off what is missing.
  void count(int e, int f, int sign);
  /// True if the couple fits into what is missing (sign 1) or superfluous (sign -1) in every block.
  bool fits(int e, int f, int sign) const;
  void add(int e, int f);
  void remove(int e, int f);
  bool has(int e, int f) const { return std::binary_search(couples_[e].begin(), couples_[e].end(), f); }
  /// Entities two couples away, in an order without pattern.
  std::vector<int> second_neighbours(int e) const;
  Index row_length(int e) const;
  /// Some edges of an unstructured mesh have far more neighbours than any here: these get them.
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
