// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "base/error.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"

namespace curlew::ie {
namespace {

using Block = complex<double>;

ElementBlock<double> add(ElementBlock<double> a, const ElementBlock<float>& b) {
  const auto sum = [](complex<double> x, complex<float> y) {
    return complex<double>(x.re + y.re, x.im + y.im);
  };
  a.g = sum(a.g, b.g), a.both = sum(a.both, b.both);
  for (int i = 0; i < 3; ++i)
    a.source[i] = sum(a.source[i], b.source[i]), a.target[i] = sum(a.target[i], b.target[i]);
  return a;
}

bool holds(const NearList& list, Index t, Index s, Offset* at) {
  *at = list.find(t, s);
  return *at < list.offsets[std::size_t(t) + 1] && list.columns[std::size_t(*at)] == s;
}

}  // namespace

ElementSources sources_of(const linalg::Csr<Complex>& sources, Index element) {
  ElementSources s;
  for (int d = 0; d < 4; ++d) {
    const auto row = std::size_t(4 * Offset(element) + d);
    for (Offset i = sources.row_offsets[row]; i < sources.row_offsets[row + 1]; ++i) {
      const Index column = sources.columns[std::size_t(i)];
      std::size_t at = 0;
      while (at < s.unknowns.size() && s.unknowns[at] != column) ++at;
      if (at == s.unknowns.size()) s.unknowns.push_back(column), s.values.emplace_back();
      s.values[at][std::size_t(d)] = sources.values[std::size_t(i)];
    }
  }
  return s;
}

linalg::DenseMatrix assemble_dense(const MixedPotentialSystem& system, const Integration& integration) {
  const Offset n = system.num_unknowns();
  linalg::DenseMatrix a(n, n, "integral equation matrix");
  std::fill(a.data(), a.data() + n * n, Complex());
  for (Index i = 0; i < system.local.num_rows; ++i) {
    for (Offset j = system.local.row_offsets[std::size_t(i)];
         j < system.local.row_offsets[std::size_t(i) + 1]; ++j)
      a(i, system.local.columns[std::size_t(j)]) = system.local.values[std::size_t(j)];
  }
  const NearBlocks near = make_near_blocks(system.elements, integration, system.k);
  const ElementRules points(integration.point_degree);
  const Block va = system.vector_factor, sb = system.scalar_factor;
  const Index num_elements = Index(system.elements.size());
  std::vector<ElementSources> sources;
  for (Index e = 0; e < num_elements; ++e) sources.push_back(sources_of(system.sources, e));

    // Rows are those of A^T: a column of A is contiguous, so an element gathers its tests' columns at once.
#pragma omp parallel for schedule(dynamic, 4)
  for (Index t = 0; t < num_elements; ++t) {
    const ElementSources& test = sources[std::size_t(t)];
    std::vector<Block> columns(test.unknowns.size() * std::size_t(n));
    const Element& target = system.elements[std::size_t(t)];
    for (Index s = 0; s < num_elements; ++s) {
      const Element& source = system.elements[std::size_t(s)];
      auto block = point_block(target, points.of(target), source, points.of(source), system.k);
      if (Offset at; holds(near.list, t, s, &at)) block = add(block, near.blocks[std::size_t(at)]);
      const ElementSources& from = sources[std::size_t(s)];
      for (std::size_t j = 0; j < from.unknowns.size(); ++j) {
        Block result[4];
        add_block(block, va, sb, from.values[j].data(), result);
        for (std::size_t i = 0; i < test.unknowns.size(); ++i) {
          Block& entry = columns[i * std::size_t(n) + std::size_t(from.unknowns[j])];
          for (int d = 0; d < 4; ++d) entry += test.values[i][std::size_t(d)] * result[d];
        }
      }
    }
#pragma omp critical
    for (std::size_t i = 0; i < test.unknowns.size(); ++i) {
      for (Offset j = 0; j < n; ++j)
        a(j, test.unknowns[i]) += Complex(columns[i * std::size_t(n) + std::size_t(j)]);
    }
  }
  return a;
}

}  // namespace curlew::ie
