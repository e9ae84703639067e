// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/rwg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.hpp"

namespace curlew::ie {
namespace {

struct Side {
  Index a, b, triangle;
  int vertex;  // opposite corner
};

/// By a number 0 ... num_keys - 1 that puts a handful into one group, then by `less` within it.
template <class T, class Key, class Less>
std::vector<T> sorted_by(const std::vector<T>& items, Index num_keys, Key key, Less less) {
  std::vector<Offset> begins(std::size_t(num_keys) + 1);
  for (const T& item : items) ++begins[key(item) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<T> out(items.size());
  auto next = begins;
  for (const T& item : items) out[next[key(item)]++] = item;
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < num_keys; ++k) std::sort(out.begin() + begins[k], out.begin() + begins[k + 1], less);
  return out;
}

std::vector<Side> sorted_sides(const SurfaceMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const Index a = mesh.triangles[t][(i + 1) % 3], b = mesh.triangles[t][(i + 2) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, i});
    }
  }
  return sorted_by(
      sides, Index(mesh.nodes.size()), [](const Side& s) { return s.a; },
      [](const Side& p, const Side& q) { return std::tie(p.b, p.triangle) < std::tie(q.b, q.triangle); });
}

}  // namespace

RwgSpace::RwgSpace(const SurfaceMesh& mesh) {
  const auto sides = sorted_sides(mesh);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t next = i + 1;
    for (; next < sides.size() && sides[next].a == sides[i].a && sides[next].b == sides[i].b; ++next) {
      const Side &p = sides[i], &q = sides[next];
      functions_.push_back(
          {p.triangle, q.triangle, p.vertex, q.vertex, p.a, p.b, norm(mesh.nodes[p.a] - mesh.nodes[p.b])});
    }
    i = next;
  }
  if (functions_.empty())
    throw InputError(fmt::format("{}: no two triangles share an edge: no current can flow", mesh.name));
  // In the order of triangles, so that unknowns of neighbours are neighbours.
  functions_ = sorted_by(
      functions_, mesh.num_triangles(), [](const RwgFunction& f) { return f.plus; },
      [](const RwgFunction& p, const RwgFunction& q) { return p.minus < q.minus; });
  begin_.assign(mesh.triangles.size() + 1, 0);
  for (const auto& f : functions_) ++begin_[f.plus + 1], ++begin_[f.minus + 1];
  for (std::size_t t = 0; t + 1 < begin_.size(); ++t) begin_[t + 1] += begin_[t];
  locals_.resize(2 * functions_.size());
  auto next = begin_;
  for (Index f = 0; f < size(); ++f) {
    const auto& w = functions_[f];
    locals_[next[w.plus]++] = {f, w.plus_vertex, w.length};
    locals_[next[w.minus]++] = {f, w.minus_vertex, -w.length};
  }
}

}  // namespace curlew::ie
