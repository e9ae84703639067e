// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cells whose matrices add up to that of an AcousticRoom, for subdomains with impedances between them.

#include <array>

#include "linalg/krylov/cell_matrices.hpp"

namespace curlew::bench {

/// -div grad u - k^2 u on trilinear cubes of side h; jk u is the impedance of a face.
class RoomCells final : public linalg::CellMatrices {
 public:
  RoomCells(const std::array<Index, 3>& nodes, double h, double k) : nodes_(nodes), h_(h), k_(k) {}
  Index num_cells() const override { return (nodes_[0] - 1) * (nodes_[1] - 1) * (nodes_[2] - 1); }
  Index num_faces() const override { return faces_across(0) + faces_across(1) + faces_across(2); }
  void rows_of(Index cell, std::vector<Index>& rows) const override {
    const Place at = place(cell, {nodes_[0] - 1, nodes_[1] - 1, nodes_[2] - 1});
    rows.clear();
    for (int a = 0; a < 8; ++a)
      rows.push_back(node({at[0] + (a & 1), at[1] + (a >> 1 & 1), at[2] + (a >> 2)}));
  }
  linalg::DenseTerm matrix_of(Index cell) const override {
    linalg::DenseTerm term;
    rows_of(cell, term.rows);
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        double s[3], m[3];
        for (int i = 0; i < 3; ++i) {
          const bool is_same = (a >> i & 1) == (b >> i & 1);
          s[i] = (is_same ? 1 : -1) / h_, m[i] = h_ * (is_same ? 2 : 1) / 6;
        }
        term.entries.emplace_back(s[0] * m[1] * m[2] + m[0] * s[1] * m[2] + m[0] * m[1] * s[2] -
                                  k_ * k_ * m[0] * m[1] * m[2]);
      }
    return term;
  }
  std::array<Index, 2> cells_beside(Index face) const override {
    const auto [axis, above] = find(face);
    Place below = above;
    --below[axis];
    if (above[axis] == 0) return {cell(above), -1};
    if (above[axis] == nodes_[axis] - 1) return {cell(below), -1};
    return {cell(below), cell(above)};
  }
  linalg::DenseTerm impedance_of(Index face, Index) const override {
    const auto [axis, at] = find(face);
    linalg::DenseTerm term;
    for (int a = 0; a < 4; ++a) {
      Place corner = at;
      corner[(axis + 1) % 3] += a & 1, corner[(axis + 2) % 3] += a >> 1;
      term.rows.push_back(node(corner));
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        term.entries.emplace_back(0, k_ * h_ * h_ * (a == b ? 4 : (a ^ b) == 3 ? 1 : 2) / 36);
    return term;
  }

 private:
  using Place = std::array<Index, 3>;
  struct Face {
    std::size_t axis;  // of its normal
    Place at;          // its corner of lowest coordinates
  };

  static Place place(Index number, const Place& counts) {
    return {number % counts[0], number / counts[0] % counts[1], number / counts[0] / counts[1]};
  }
  Index node(const Place& p) const { return p[0] + nodes_[0] * (p[1] + nodes_[1] * p[2]); }
  Index cell(const Place& p) const { return p[0] + (nodes_[0] - 1) * (p[1] + (nodes_[1] - 1) * p[2]); }
  Place face_counts(std::size_t axis) const {
    Place counts{nodes_[0] - 1, nodes_[1] - 1, nodes_[2] - 1};
    ++counts[axis];
    return counts;
  }
  Index faces_across(std::size_t axis) const {
    const Place counts = face_counts(axis);
    return counts[0] * counts[1] * counts[2];
  }
  /// Faces are numbered by the axis of their normal.
  Face find(Index face) const {
    std::size_t axis = 0;
    for (; face >= faces_across(axis); ++axis) face -= faces_across(axis);
    return {axis, place(face, face_counts(axis))};
  }

  Place nodes_;
  double h_, k_;
};

}  // namespace curlew::bench
