// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/fill.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::mom2d {
namespace {

using green::Parts;
using green::VecD;
constexpr Offset lanes = green::double_lanes, tile = 64;

/// Data of the observers of a column, padded to full vector registers.
struct Observers {
  explicit Observers(const Nodes& nodes)
      : x(nodes.x), y(nodes.y), nx(nodes.nx), ny(nodes.ny), root(nodes.root) {
    for (auto* v : {&x, &y, &nx, &ny, &root}) v->resize(v->size() + lanes, 1.0);
  }
  std::vector<double> x, y, nx, ny, root;
};

VecD load(const std::vector<double>& v, Offset first) {
  VecD out;
  std::memcpy(&out, v.data() + first, sizeof out);
  return out;
}

/// Lanes of a and b in turn, from lane `first` of each.
template <int first, int... I>
VecD in_turn(VecD a, VecD b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, (first + I / 2 + I % 2 * int(lanes))...);
}

/// Real and imaginary parts, interleaved, to `count` <= lanes entries.
void store(VecD re, VecD im, Offset count, Complex* out) {
  if (count == lanes) {
    constexpr std::make_integer_sequence<int, int(lanes)> all;
    const VecD low = in_turn<0>(re, im, all), high = in_turn<int(lanes) / 2>(re, im, all);
    std::memcpy(static_cast<void*>(out), &low, sizeof low);
    std::memcpy(static_cast<void*>(out + lanes / 2), &high, sizeof high);
    return;
  }
  for (Offset l = 0; l < count; ++l) out[l] = {re[l], im[l]};
}

/// Kernels between several observers and one source.
Parts<VecD> evaluate(const Block& block, VecD rx, VecD ry, VecD nx, VecD ny, double sx, double sy) {
  Parts<VecD> sum{VecD{}, VecD{}};
  for (int i = 0; i < block.num_kernels; ++i) {
    const auto& kernel = block.kernels[i];
    const bool real = kernel.k.im == 0 && kernel.k.re > 0;
    const VecD vx = VecD{} + sx, vy = VecD{} + sy;
    const auto f = real ? (kernel.single_layer_only ? green::evaluate_single_layer(kernel, rx, ry)
                                                    : green::evaluate<true>(kernel, rx, ry, nx, ny, vx, vy))
                        : green::evaluate<false>(kernel, rx, ry, nx, ny, vx, vy);
    sum.re += f.re, sum.im += f.im;
  }
  return sum;
}

/// Rows begin..end of one column of a block, as if no cell were near; the self entry gets an arbitrary finite
/// number.
/// @param column its row 0
void fill_column(const Block& block, const Observers& o, Offset source, Offset begin, Offset end,
                 Complex* column) {
  const auto s = std::size_t(block.source + source);
  const bool single = block.num_kernels == 1 && block.kernels[0].single_layer_only &&
                      block.kernels[0].k.im == 0 && block.kernels[0].k.re > 0;
  for (Offset i = begin; i < end; i += lanes) {
    const Offset count = std::min(lanes, end - i), first = block.target + i;
    VecD rx = load(o.x, first) - o.x[s];
    const VecD ry = load(o.y, first) - o.y[s];
    const VecD square = rx * rx + ry * ry;
    rx = square > 0.0 ? rx : VecD{} + 1.0;
    const auto f = single ? green::evaluate_single_layer(block.kernels[0], rx, ry)
                          : evaluate(block, rx, ry, load(o.nx, first), load(o.ny, first), o.nx[s], o.ny[s]);
    const VecD scale = load(o.root, first) * o.root[s];
    store(scale * f.re, scale * f.im, count, column + i);
  }
}

/// A contour's single layer with itself depends on distances only: its matrix is symmetric.
bool is_symmetric(const Block& block) {
  return block.num_kernels == 1 && block.kernels[0].single_layer_only && block.target == block.source;
}

/// One tile on or below the diagonal and its mirror image. Tiles, so that both stay in the cache.
void fill_tile(const Block& block, const Observers& o, Offset row, Offset col, linalg::DenseMatrix& a) {
  const Offset rows = std::min(block.num_targets, row + tile), cols = std::min(block.num_sources, col + tile);
  for (Offset j = col; j < cols; ++j)
    fill_column(block, o, j, row, rows, a.column(block.col + j) + block.row);
  if (row == col) return;
  for (Offset i = row; i < rows; ++i) {
    Complex* mirror = a.column(block.col + i) + block.row;
    for (Offset j = col; j < cols; ++j) mirror[j] = a(block.row + i, block.col + j);
  }
}

void fill_symmetric(const Block& block, const Observers& o, linalg::DenseMatrix& a) {
  const Offset tiles = (block.num_targets + tile - 1) / tile;
#pragma omp parallel for schedule(dynamic, 1)
  for (Offset r = tiles - 1; r >= 0; --r) {  // longest first
    if (is_interrupted()) continue;
    for (Offset c = 0; c <= r; ++c) fill_tile(block, o, r * tile, c * tile, a);
  }
}

void fill_far(const System& system, const Nodes& nodes, linalg::DenseMatrix& a) {
  const Observers observers(nodes);
  for (const auto& equation : system.unknowns) {  // uncoupled blocks
    for (const auto& unknown : system.unknowns) {
      const auto known = std::find_if(system.blocks.begin(), system.blocks.end(), [&](const Block& b) {
        return b.row == equation.first && b.col == unknown.first;
      });
      if (known != system.blocks.end()) continue;
      const auto r = std::size_t(equation.contour), c = std::size_t(unknown.contour);
      const Offset rows = nodes.contour_offsets[r + 1] - nodes.contour_offsets[r];
      const Offset cols = nodes.contour_offsets[c + 1] - nodes.contour_offsets[c];
      for (Offset j = 0; j < cols; ++j)
        std::fill_n(a.column(unknown.first + j) + equation.first, rows, Complex(0));
    }
  }
  for (const auto& block : system.blocks) {
    check_interrupt();
    if (is_symmetric(block)) {
      fill_symmetric(block, observers, a);
      continue;
    }
#pragma omp parallel for schedule(dynamic, 4)
    for (Offset j = 0; j < block.num_sources; ++j)
      if (!is_interrupted())
        fill_column(block, observers, j, 0, block.num_targets, a.column(block.col + j) + block.row);
  }
  check_interrupt();
}

/// The corrections of one row: the entries of a near cell's own nodes are replaced, those of its stencil
/// added.
void correct_row(const System& system, const Nodes& nodes, const NearList& near, std::size_t i,
                 NearIntegrator& integrator, linalg::DenseMatrix& a) {
  const int q = nodes.per_panel;
  Complex entry[Stencil::most];
  for (const auto& block : system.blocks) {
    const Offset row = Offset(i) - block.target;
    if (row < 0 || row >= block.num_targets) continue;
    const auto at = [&](Offset node) -> Complex& {
      return a(block.row + row, block.col + node - block.source);
    };
    const auto in_block = [&](int panel) {
      const Offset first = Offset(panel) * q - block.source;
      return first >= 0 && first < block.num_sources;
    };
    for (Offset n = near.offsets[i]; n < near.offsets[i + 1]; ++n) {
      const int panel = near.panels[std::size_t(n)];
      for (int e = 0; e < q && in_block(panel); ++e) at(Offset(panel) * q + e) = 0;
    }
    for (Offset n = near.offsets[i]; n < near.offsets[i + 1]; ++n) {
      const int panel = near.panels[std::size_t(n)];
      if (!in_block(panel)) continue;
      const bool own = int(i) / q == panel;
      const Observer o{nodes.x[i], nodes.y[i], nodes.nx[i], nodes.ny[i], own ? int(i) % q : -1};
      integrator.entries(panel, o, block.kernels, block.num_kernels, entry);
      const Stencil& stencil = nodes.stencils[std::size_t(panel)];
      for (int e = 0; e < stencil.count; ++e) {
        at(stencil.node[e]) += nodes.root[i] / nodes.root[std::size_t(stencil.node[e])] * entry[e];
      }
      if (own) at(Offset(i)) += Complex(block.diagonal);
    }
  }
}

void fill_near(const System& system, const Nodes& nodes, const NearList& near, const PanelRule& rule,
               linalg::DenseMatrix& a) {
#pragma omp parallel
  {
    NearIntegrator integrator(nodes, rule);
#pragma omp for schedule(dynamic, 16)
    for (Offset i = 0; i < nodes.size(); ++i) correct_row(system, nodes, near, std::size_t(i), integrator, a);
  }
}

}  // namespace

Complex paper_diagonal(double k, double w) {
  const double gamma = 1.781072417990198;  // exp of Euler's constant
  return Complex(0, -0.25) * w * Complex(1, -2 / pi * (std::log(gamma * k * w / 4) - 1));
}

NearList near_list(const Problem& problem, const Scene& scene, const Nodes& nodes) {
  if (problem.paper_mom) return {};
  double k = 0;
  for (const auto& region : scene.regions) k = std::max(k, std::abs(region.k));
  return near_list(nodes, k);
}

linalg::DenseMatrix fill(const Problem& problem, const System& system, const Nodes& nodes,
                         const NearList& near) {
  linalg::DenseMatrix a(system.size, system.size, "the matrix of mom2d");
  fill_far(system, nodes, a);
  if (problem.paper_mom) {
    for (Offset i = 0; i < system.size; ++i) {  // one unknown per node: conductors only
      a(i, i) = problem.wavenumber * paper_diagonal(problem.wavenumber, nodes.weight[std::size_t(i)]);
    }
  } else {
    fill_near(system, nodes, near, make_panel_rule(nodes.per_panel), a);
  }
  return a;
}

}  // namespace curlew::mom2d
