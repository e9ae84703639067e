// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/dense_fill.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "ie/surface/column_locks.hpp"
#include "ie/surface/dual_testing.hpp"
#include "ie/surface/far_strip.hpp"

namespace curlew::ie {
namespace {

/// Columns of the functions of one source triangle, and the numbers of their unknowns (-1: none yet).
struct Columns {
  Index rows;
  std::vector<std::vector<Complex>> values;
  std::vector<Index> unknown;

  void start(int slots) {
    unknown.assign(slots, -1);
    if (int(values.size()) < slots) values.resize(slots);
  }
  void add(Index row, Index column, int slot, Complex value) {
    if (unknown[slot] < 0) {
      unknown[slot] = column;
      values[slot].assign(rows, Complex());
    }
    values[slot][row] += value;
  }
};

/// What a source triangle is integrated by against others of its region.
struct Rules {
  const FarStrip &far, &medium;
  const NearSeries* near;  ///< or null
};

void add_source(const System& system, int region, const Rules& by, Index position, Columns& columns) {
  constexpr int lanes = FarStrip::lanes;
  const auto& triangles = system.scene().regions[region].triangles;
  const auto& integrals = system.integrals(region);
  const bool half = system.is_symmetric();
  const bool magnetic = system.needs_magnetic(region), rotated = system.needs_rotated(region);
  const Index source = triangles[position], count = Index(triangles.size());
  columns.start(2 * int(system.space().count(source)));
  std::optional<NearSeries::Blocks> series;
  if (by.near != nullptr && by.near->covers(region, integrals.wavenumber()))
    series.emplace(*by.near, region, position, integrals.wavenumber());
  SplitBlock far, medium;
  for (Index first = half ? position / lanes * lanes : 0; first < count; first += lanes) {
    std::array<PairKind, lanes> kinds{};
    const auto all = std::span(kinds).first(std::size_t(std::min<Index>(lanes, count - first)));
    for (std::size_t l = 0; l < all.size(); ++l) all[l] = integrals.kind(triangles[first + Index(l)], source);
    const auto holds = [&](PairKind kind) { return std::find(all.begin(), all.end(), kind) != all.end(); };
    if (holds(PairKind::far)) by.far.evaluate(first / lanes, source, far);
    if (holds(PairKind::medium)) by.medium.evaluate(first / lanes, source, medium);
    for (int l = 0; l < int(all.size()); ++l) {
      const Index other = first + l;
      if (half && other < position) continue;
      const Index test = triangles[other];
      const PairBlock block = kinds[l] == PairKind::far      ? far.lane(l, magnetic, rotated)
                              : kinds[l] == PairKind::medium ? medium.lane(l, magnetic, rotated)
                              : series                       ? series->next()
                                       : integrals.exact(test, source, magnetic, rotated);
      const double share = half && other == position ? 0.5 : 1.0;
      system.visit_pair(region, test, source, block, [&](Index row, Index column, int slot, Complex value) {
        columns.add(row, column, slot, share * value);
      });
    }
  }
}

/// A += A^T.
void add_transpose(linalg::DenseMatrix& a) {
  constexpr Offset tile = 64;
  const Offset n = a.rows();
#pragma omp parallel for schedule(dynamic)
  for (Offset j0 = 0; j0 < n; j0 += tile) {
    for (Offset i0 = j0; i0 < n; i0 += tile) {
      for (Offset j = j0; j < std::min(j0 + tile, n); ++j) {
        for (Offset i = std::max(i0, j); i < std::min(i0 + tile, n); ++i) {
          const Complex sum = a(i, j) + a(j, i);
          a(i, j) = a(j, i) = sum;
        }
      }
    }
  }
}

}  // namespace

linalg::DenseMatrix fill_dense(const System& system, const NearSeries* near) {
  const Offset n = system.num_unknowns();
  linalg::DenseMatrix a(n, n, "matrix of the integral equation");
  std::fill(a.data(), a.data() + n * n, Complex());
  ColumnLocks locks;
  for (int region = 0; region < int(system.scene().regions.size()); ++region) {
    const auto& triangles = system.scene().regions[region].triangles;
    const auto& integrals = system.integrals(region);
    const BarycentricRule rule = barycentric_rule(integrals.accuracy().medium_degree);
    const auto strip = [&](const BarycentricRule& points) {
      return FarStrip(system.mesh(), triangles, integrals, system.needs_magnetic(region),
                      system.needs_rotated(region), &points);
    };
    const FarStrip far = strip(integrals.far_rule()), medium = strip(rule);
#pragma omp parallel
    {
      Columns columns{.rows = Index(n), .values = {}, .unknown = {}};
#pragma omp for schedule(dynamic, 4)
      for (Index s = 0; s < Index(triangles.size()); ++s) {
        if (is_interrupted()) continue;
        add_source(system, region, {far, medium, near}, s, columns);
        for (std::size_t slot = 0; slot < columns.unknown.size(); ++slot) {
          const Index column = columns.unknown[slot];
          if (column < 0) continue;
          const std::scoped_lock lock(locks.of(column));
          Complex* to = a.column(column);
          for (Offset i = 0; i < n; ++i) to[i] += columns.values[slot][i];
        }
      }
    }
    check_interrupt();
  }
  if (system.is_symmetric()) add_transpose(a);
  std::vector<Entry> grams;
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) system.add_gram(t, grams);
  for (const auto& e : grams) a(e.row, e.column) += e.value;
  if (system.dual() != nullptr) add_dual_tests(system, a);
  return a;
}

}  // namespace curlew::ie
