// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/bloch_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::fem {
namespace {

constexpr double phase_tolerance = 1e-8;  ///< [rad] to which phases must agree

Index place_of(std::vector<std::vector<int>>& known, const std::vector<int>& shift) {
  const auto found = std::find(known.begin(), known.end(), shift);
  if (found != known.end()) return Index(found - known.begin());
  known.push_back(shift);
  return Index(known.size()) - 1;
}

double phase_of(const std::vector<int>& shift, std::span<const double> phases) {
  return std::inner_product(shift.begin(), shift.end(), phases.begin(), 0.0);
}

Complex conjugate(Complex z) {
  return std::conj(z);
}
double conjugate(double x) {
  return x;
}

}  // namespace

/// Edges or faces in classes of translated ones: the representative and the translation from it.
struct BlochReduction::Ties {
  struct Link {
    Index to;
    std::vector<int> shift;
  };
  std::vector<Index> master, shift;          // [entities]
  std::map<Index, std::vector<Link>> links;  // of entities on periodic faces, both ways

  explicit Ties(Index count) : master(std::size_t(count)), shift(std::size_t(count), 0) {
    std::iota(master.begin(), master.end(), 0);
  }
  void tie(Index primary, Index secondary, std::size_t pair, std::size_t num_pairs) {
    std::vector<int> there(num_pairs, 0), back(num_pairs, 0);
    there[pair] = 1, back[pair] = -1;
    links[primary].push_back({secondary, there});
    links[secondary].push_back({primary, back});
  }
  /// Traverses every class from its first entity; cycles with a nonzero translation are closures.
  void resolve(std::size_t num_pairs, std::vector<std::vector<int>>& shifts,
               std::vector<std::vector<int>>& closures) {
    std::map<Index, std::vector<int>> reached;
    for (const auto& [root, unused] : links) {
      if (reached.count(root) > 0) continue;
      reached[root] = std::vector<int>(num_pairs, 0);
      std::vector<Index> open{root};
      while (!open.empty()) {
        const Index here = open.back();
        open.pop_back();
        for (const Link& link : links.at(here)) {
          std::vector<int> shift_there = reached.at(here);
          for (std::size_t p = 0; p < num_pairs; ++p) shift_there[p] += link.shift[p];
          const auto [place, fresh] = reached.emplace(link.to, shift_there);
          if (fresh) {
            open.push_back(link.to);
            master[std::size_t(link.to)] = root;
            shift[std::size_t(link.to)] = place_of(shifts, shift_there);
          } else if (place->second != shift_there) {
            for (std::size_t p = 0; p < num_pairs; ++p) shift_there[p] -= place->second[p];
            place_of(closures, shift_there);
          }
        }
      }
    }
  }
  /// Marks the master of a class with a constrained member as constrained.
  void spread_constraints(std::vector<Index>& number) const {
    for (const auto& [entity, unused] : links)
      if (number[std::size_t(entity)] < 0) number[std::size_t(master[std::size_t(entity)])] = -1;
  }
};

BlochReduction::BlochReduction(const NedelecSpace& space, const std::vector<PeriodicPair>& pairs) {
  const mesh::Topology& topology = *space.topology;
  Ties edges(topology.num_edges()), faces(topology.num_faces());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    names_.push_back(fmt::format("\"{}\"-\"{}\"", pairs[p].primary[0], pairs[p].secondary[0]));
    for (const auto& [first, second] : pairs[p].faces.triangles) {
      const Index f = topology.triangle_face[std::size_t(first)],
                  g = topology.triangle_face[std::size_t(second)];
      faces.tie(f, g, p, pairs.size());
      for (std::size_t i = 0; i < 3; ++i)  // same vertex order on both
        edges.tie(topology.face_edges[std::size_t(f)][i], topology.face_edges[std::size_t(g)][i], p,
                  pairs.size());
    }
  }
  shifts_.push_back(std::vector<int>(pairs.size(), 0));
  edges.resolve(pairs.size(), shifts_, closures_);
  faces.resolve(pairs.size(), shifts_, closures_);
  number(space, edges, faces);
}

void BlochReduction::number(const NedelecSpace& space, const Ties& edges, const Ties& faces) {
  if (!space.is_uniform()) throw InputError("cells between periodic faces must have the same order");
  const auto n = std::size_t(space.num_dofs());
  std::vector<Index> edge_number = space.edge_number, face_number = space.face_number;
  edges.spread_constraints(edge_number);
  faces.spread_constraints(face_number);
  std::vector<Index> master(n);  // degree of freedom to which each one is tied, -1: none
  std::iota(master.begin(), master.end(), 0);
  shift_.assign(n, 0);
  const auto follow = [&](Index dof, Index master_dof, Index shift) {
    master[std::size_t(dof)] = master_dof;
    shift_[std::size_t(dof)] = shift;
  };
  for (int level = 1; level <= space.order; ++level) {
    for (const auto& [e, unused] : edges.links) {
      if (space.edge_number[std::size_t(e)] < 0) continue;
      const Index to = edge_number[std::size_t(edges.master[std::size_t(e)])];
      follow(space.edge_dof(level, space.edge_number[std::size_t(e)]),
             to < 0 ? -1 : space.edge_dof(level, to), edges.shift[std::size_t(e)]);
    }
    for (const auto& [f, unused] : faces.links) {
      if (space.face_number[std::size_t(f)] < 0) continue;
      const Index to = face_number[std::size_t(faces.master[std::size_t(f)])];
      for (int i = 0; i < face_dofs_added(level); ++i)
        follow(space.face_dof(level, space.face_number[std::size_t(f)]) + i,
               to < 0 ? -1 : space.face_dof(level, to) + i, faces.shift[std::size_t(f)]);
    }
  }
  unknown_.assign(n, -1);
  Index next = 0;
  for (std::size_t group = 0; group < 3; ++group) {
    offsets_[group] = next;
    for (Index d = space.block_offsets[group]; d < space.block_offsets[group + 1]; ++d)
      if (master[std::size_t(d)] == d) unknown_[std::size_t(d)] = next++;
  }
  offsets_[3] = next;
  member_offsets_.assign(std::size_t(next) + 1, 0);
  for (std::size_t d = 0; d < n; ++d) {
    unknown_[d] = master[d] < 0 ? -1 : unknown_[std::size_t(master[d])];
    if (unknown_[d] >= 0) ++member_offsets_[std::size_t(unknown_[d]) + 1];
  }
  std::partial_sum(member_offsets_.begin(), member_offsets_.end(), member_offsets_.begin());
  members_.resize(std::size_t(member_offsets_.back()));
  std::vector<Offset> place(member_offsets_.begin(), member_offsets_.end() - 1);
  for (std::size_t d = 0; d < n; ++d)
    if (unknown_[d] >= 0) members_[std::size_t(place[std::size_t(unknown_[d])]++)] = Index(d);
}

std::vector<Complex> BlochReduction::factors(std::span<const double> phases) const {
  for (const auto& closure : closures_) {
    const double rest = std::remainder(phase_of(closure, phases), 2 * pi);
    if (std::abs(rest) < phase_tolerance) continue;
    std::string involved;
    for (std::size_t p = 0; p < closure.size(); ++p)
      if (closure[p] != 0) involved += (involved.empty() ? "" : ", ") + names_[p];
    throw InputError(
        fmt::format("the phases of periodic faces {} differ by {:.4g} degrees on an edge that they share: "
                    "they belong to no common wave vector",
                    involved, rest * 180 / pi));
  }
  // Exactly real at 0 and 180 degrees, where the system is real.
  const auto factor = [](Complex f) { return std::abs(f.imag()) < 1e-13 ? f.real() : f; };
  std::vector<Complex> of_shift;
  for (const auto& shift : shifts_) of_shift.push_back(factor(std::polar(1.0, -phase_of(shift, phases))));
  std::vector<Complex> all(shift_.size());
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = of_shift[std::size_t(shift_[d])];
  return all;
}

std::vector<double> BlochReduction::real_factors(std::span<const double> phases) const {
  std::vector<double> all;
  for (const Complex f : factors(phases)) all.push_back(f.real() < 0 ? -1 : 1);
  return all;
}

template <class T>
linalg::Csr<T> BlochReduction::reduce(const linalg::Csr<T>& a, const std::vector<T>& factors) const {
  const Index n = num_unknowns();
  linalg::Csr<T> reduced;
  reduced.num_rows = reduced.num_cols = n;
  reduced.row_offsets.assign(std::size_t(n) + 1, 0);
  // Visits f(unknown of the column, value) over all rows that an unknown gathers.
  const auto visit = [&](Index row, auto&& f) {
    for (Offset m = member_offsets_[std::size_t(row)]; m < member_offsets_[std::size_t(row) + 1]; ++m) {
      const auto d = std::size_t(members_[std::size_t(m)]);
      for (Offset k = a.row_offsets[d]; k < a.row_offsets[d + 1]; ++k) {
        const auto c = std::size_t(a.columns[std::size_t(k)]);
        if (unknown_[c] >= 0) f(unknown_[c], conjugate(factors[d]) * factors[c] * a.values[std::size_t(k)]);
      }
    }
  };
#pragma omp parallel
  {
    std::vector<Index> last(std::size_t(n), -1);
#pragma omp for
    for (Index row = 0; row < n; ++row)
      visit(row, [&](Index column, T) {
        if (last[std::size_t(column)] == row) return;
        last[std::size_t(column)] = row;
        ++reduced.row_offsets[std::size_t(row) + 1];
      });
  }
  std::partial_sum(reduced.row_offsets.begin(), reduced.row_offsets.end(), reduced.row_offsets.begin());
  reduced.columns.resize(std::size_t(reduced.nnz()));
  reduced.values.assign(std::size_t(reduced.nnz()), T(0));
#pragma omp parallel
  {
    std::vector<Offset> place(std::size_t(n), -1);
#pragma omp for
    for (Index row = 0; row < n; ++row) {
      const Offset begin = reduced.row_offsets[std::size_t(row)];
      Offset end = begin;
      visit(row, [&](Index column, T) {
        const Offset at = place[std::size_t(column)];
        if (at >= begin && at < end && reduced.columns[std::size_t(at)] == column) return;
        place[std::size_t(column)] = end;
        reduced.columns[std::size_t(end++)] = column;
      });
      std::sort(reduced.columns.begin() + begin, reduced.columns.begin() + end);  // of no entry, too
      for (Offset k = begin; k < end; ++k) place[std::size_t(reduced.columns[std::size_t(k)])] = k;
      visit(row,
            [&](Index column, T value) { reduced.values[std::size_t(place[std::size_t(column)])] += value; });
    }
  }
  return reduced;
}

template linalg::Csr<double> BlochReduction::reduce(const linalg::Csr<double>&,
                                                    const std::vector<double>&) const;
template linalg::Csr<Complex> BlochReduction::reduce(const linalg::Csr<Complex>&,
                                                     const std::vector<Complex>&) const;

Eigen::SparseMatrix<Complex> BlochReduction::restrict(const Eigen::SparseMatrix<Complex>& b,
                                                      const std::vector<Complex>& factors) const {
  std::vector<Eigen::Triplet<Complex>> entries;
  for (Eigen::Index c = 0; c < b.outerSize(); ++c)
    for (Eigen::SparseMatrix<Complex>::InnerIterator entry(b, c); entry; ++entry) {
      const auto d = std::size_t(entry.row());
      if (unknown_[d] >= 0) entries.emplace_back(unknown_[d], c, std::conj(factors[d]) * entry.value());
    }
  Eigen::SparseMatrix<Complex> y(Eigen::Index(num_unknowns()), b.cols());
  y.setFromTriplets(entries.begin(), entries.end());
  return y;
}

void BlochReduction::prolong(const Complex* y, Index count, const std::vector<Complex>& factors,
                             Complex* x) const {
  const std::size_t n = unknown_.size(), rows = std::size_t(num_unknowns());
  for (std::size_t c = 0; c < std::size_t(count); ++c)
    for (std::size_t d = 0; d < n; ++d)
      x[c * n + d] = unknown_[d] < 0 ? 0.0 : factors[d] * y[c * rows + std::size_t(unknown_[d])];
}

}  // namespace curlew::fem
