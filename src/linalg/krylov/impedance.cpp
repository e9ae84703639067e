// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/impedance.hpp"

#include <algorithm>
#include <iterator>

namespace curlew::linalg {
namespace {

/// Cells and faces at the boundary of a subdomain that its matrix lacks.
struct Cut {
  std::vector<Index> outside;                       // cells that share unknowns with it and do not lie in it
  std::vector<std::pair<Index, Index>> impedances;  // faces of its boundary, and the cells beyond
};

class Cutting {
 public:
  Cutting(const CellMatrices& cells, const Subdomains& s) : cells_(cells), s_(s), cuts_(s.first.size() - 1) {
    for (Index c = 0; c < cells.num_cells(); ++c) add_cell(c);
    for (Index f = 0; f < cells.num_faces(); ++f) add_face(f);
  }
  const std::vector<Cut>& cuts() const { return cuts_; }

 private:
  void add_cell(Index cell) {
    std::vector<Index> parts;
    cells_.rows_of(cell, rows_);
    std::erase(rows_, Index(-1));
    for (const Index row : rows_)
      for (Offset k = s_.offsets[std::size_t(row)]; k < s_.offsets[std::size_t(row) + 1]; ++k)
        parts.push_back(s_.part_at(s_.places[std::size_t(k)]));
    std::ranges::sort(parts);
    for (auto at = parts.begin(); at != parts.end();) {
      const auto next = std::upper_bound(at, parts.end(), *at);
      if (next - at == std::ptrdiff_t(rows_.size()))
        inside_.push_back(*at);
      else
        cuts_[std::size_t(*at)].outside.push_back(cell);
      at = next;
    }
    inside_offsets_.push_back(Offset(inside_.size()));
  }
  void add_face(Index face) {
    const auto [one, other] = cells_.cells_beside(face);
    if (other < 0) return;
    add_boundary(face, one, other), add_boundary(face, other, one);
  }
  /// Adds the face to the parts that have the first cell and not the second.
  void add_boundary(Index face, Index cell, Index beyond) {
    const auto at = [&](Index c) { return inside_.begin() + inside_offsets_[std::size_t(c)]; };
    std::vector<Index> parts;
    std::set_difference(at(cell), at(cell + 1), at(beyond), at(beyond + 1), std::back_inserter(parts));
    for (const Index p : parts) cuts_[std::size_t(p)].impedances.emplace_back(face, beyond);
  }

  const CellMatrices& cells_;
  const Subdomains& s_;
  std::vector<Cut> cuts_;
  std::vector<Index> inside_;  // parts that each cell lies in, ascending
  std::vector<Offset> inside_offsets_{0};
  std::vector<Index> rows_;
};

/// Adds a term to the rows of a part that it has.
void add(const DenseTerm& term, Complex factor, Index part, Subdomains& s) {
  std::vector<Index> places;
  for (const Index row : term.rows) {
    places.push_back(-1);
    if (row < 0) continue;
    for (Offset k = s.offsets[std::size_t(row)]; k < s.offsets[std::size_t(row) + 1]; ++k)
      if (s.part_at(s.places[std::size_t(k)]) == part) places.back() = s.places[std::size_t(k)];
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const auto begin = s.matrix.columns.begin() + s.matrix.row_offsets[std::size_t(places[i])];
    const auto end = s.matrix.columns.begin() + s.matrix.row_offsets[std::size_t(places[i]) + 1];
    for (std::size_t j = 0; j < places.size(); ++j)
      if (places[j] >= 0)
        s.matrix.values[std::size_t(std::lower_bound(begin, end, places[j]) - s.matrix.columns.begin())] +=
            factor * term.entries[i * places.size() + j];
  }
}

}  // namespace

void close_by_impedance(const CellMatrices& cells, Subdomains& s) {
  const Cutting cutting(cells, s);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t p = 0; p < cutting.cuts().size(); ++p) {
    const Cut& cut = cutting.cuts()[p];
    for (const Index cell : cut.outside) add(cells.matrix_of(cell), -1, Index(p), s);
    for (const auto& [face, beyond] : cut.impedances)
      add(cells.impedance_of(face, beyond), impedance_factor, Index(p), s);
  }
}

}  // namespace curlew::linalg
