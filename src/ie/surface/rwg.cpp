// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/rwg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "ie/surface/edge_sides.hpp"
#include "ie/surface/sorted_by.hpp"

namespace curlew::ie {
namespace {

std::vector<RwgFunction> pair_functions(const SurfaceMesh& mesh) {
  std::vector<RwgFunction> functions;
  const auto sides = sorted_sides(mesh);
  for_each_edge(sides, [&](auto edge) {
    for (std::size_t i = 1; i < edge.size(); ++i) functions.push_back(pair_function(mesh, edge[0], edge[i]));
  });
  return functions;
}

}  // namespace

RwgFunction pair_function(const SurfaceMesh& mesh, const EdgeSide& p, const EdgeSide& q) {
  return {p.triangle, q.triangle, p.vertex, q.vertex, p.a, p.b, norm(mesh.nodes[p.a] - mesh.nodes[p.b])};
}

RwgSpace::RwgSpace(const SurfaceMesh& mesh) : RwgSpace(mesh, pair_functions(mesh), {}) {}

RwgSpace::RwgSpace(const SurfaceMesh& mesh, std::vector<RwgFunction> functions,
                   std::vector<FunctionPart> parts)
    : parts_(std::move(parts)) {
  if (functions.empty())
    throw InputError(fmt::format("{}: no two triangles share an edge: no current can flow", mesh.name));
  // In the order of triangles, so that unknowns of neighbours are neighbours.
  functions_ = sorted_by(
      functions, mesh.num_triangles(), [](const RwgFunction& f) { return f.plus; },
      [](const RwgFunction& p, const RwgFunction& q) { return p.minus < q.minus; });
  begin_.assign(mesh.triangles.size() + 1, 0);
  Offset count = 0;
  for (Index f = 0; f < size(); ++f)
    for_each_part(f, [&](const FunctionPart& part) { ++begin_[part.triangle + 1], ++count; });
  for (std::size_t t = 0; t + 1 < begin_.size(); ++t) begin_[t + 1] += begin_[t];
  locals_.resize(std::size_t(count));
  auto next = begin_;
  for (Index f = 0; f < size(); ++f)
    for_each_part(f, [&](const FunctionPart& part) {
      locals_[next[part.triangle]++] = {f, part.vertex, part.scale};
    });
}

Index RwgSpace::most_parts() const {
  Index most = 2;
  for (const auto& f : functions_) most = std::max(most, f.num_parts);
  return most;
}

}  // namespace curlew::ie
