// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/junctions.hpp"

#include <algorithm>
#include <utility>

#include "ie/surface/edge_sides.hpp"

namespace curlew::ie {
namespace {

class JunctionBuilder {
 public:
  JunctionBuilder(const Problem& problem, const Scene& scene) : problem_(problem), scene_(scene) {}

  void add(std::span<const EdgeSide> edge) {
    if (is_plain(edge)) {
      for (std::size_t i = 1; i < edge.size(); ++i)
        functions_.push_back(pair_function(problem_.mesh, edge[0], edge[i]));
      return;
    }
    has_junctions_ = true;
    const auto fan = around_edge(problem_.mesh, edge);
    const std::size_t n = fan.size();
    bool has_conductor = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_conductor(fan[i])) continue;
      has_conductor = true;
      add_from(fan, i);
    }
    if (has_conductor) return;
    std::vector<FunctionPart> parts;
    for (const EdgeSide& s : fan) add_dielectric(s, parts);
    add_function(fan[0], std::move(parts));
  }

  Junctions finish() {
    return {RwgSpace(problem_.mesh, std::move(functions_), std::move(parts_)), has_junctions_};
  }

 private:
  bool is_conductor(const EdgeSide& s) const {
    return problem_.surfaces[problem_.mesh.tag[s.triangle]].boundary == Boundary::conductor;
  }
  bool is_sheet_in_one_medium(const EdgeSide& s) const {
    return is_conductor(s) && scene_.front[s.triangle] >= 0 &&
           scene_.front[s.triangle] == scene_.back[s.triangle];
  }
  bool is_plain(std::span<const EdgeSide> edge) const {
    if (std::all_of(edge.begin(), edge.end(), [&](const auto& s) { return is_sheet_in_one_medium(s); }))
      return true;
    if (edge.size() != 2 || is_conductor(edge[0]) != is_conductor(edge[1])) return false;
    const Index p = edge[0].triangle, q = edge[1].triangle;
    return scene_.front[p] >= 0 && scene_.front[p] == scene_.front[q] && scene_.back[p] == scene_.back[q] &&
           scene_.second[p] < 0 && scene_.second[q] < 0;
  }

  /// Adds the current across the edge on a triangle with unit H along the edge, J = n x H: towards the edge
  /// if the normal faces backwards in the fan. A triangle with both sides in it has none.
  void add_part(Index triangle, int vertex, bool faces_forward, double length,
                std::vector<FunctionPart>& parts) const {
    const double scale = faces_forward ? -length : length;
    const auto same = std::find_if(parts.begin(), parts.end(),
                                   [&](const FunctionPart& p) { return p.triangle == triangle; });
    if (same != parts.end())
      parts.erase(same);
    else
      parts.push_back({triangle, vertex, scale});
  }
  void add_dielectric(const EdgeSide& s, std::vector<FunctionPart>& parts) const {
    add_part(s.triangle, s.vertex, s.ascending, length(s), parts);
  }
  /// The side of a conductor that faces forwards (or backwards) in the fan.
  void add_conductor(const EdgeSide& s, bool forward, std::vector<FunctionPart>& parts) const {
    const Index second = scene_.second[s.triangle];
    const bool is_front = s.ascending == forward;
    if (is_front || second < 0)
      add_part(s.triangle, s.vertex, forward, length(s), parts);
    else  // corners 1 and 2 are exchanged
      add_part(second, (3 - s.vertex) % 3, forward, length(s), parts);
  }
  bool has_field(const EdgeSide& s, bool forward) const {
    if (s.ascending == forward) return scene_.front[s.triangle] >= 0;
    return scene_.back[s.triangle] >= 0 || scene_.second[s.triangle] >= 0;
  }

  /// From one conductor over the dielectrics that follow it to the next.
  void add_from(const std::vector<EdgeSide>& fan, std::size_t start) {
    if (!has_field(fan[start], true)) return;
    std::vector<FunctionPart> parts;
    add_conductor(fan[start], true, parts);
    std::size_t i = (start + 1) % fan.size();
    for (; !is_conductor(fan[i]); i = (i + 1) % fan.size()) add_dielectric(fan[i], parts);
    add_conductor(fan[i], false, parts);
    add_function(fan[start], std::move(parts));
  }

  void add_function(const EdgeSide& edge, std::vector<FunctionPart> parts) {
    if (parts.size() < 2) return;
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.scale > b.scale; });
    RwgFunction f{parts[0].triangle, parts[1].triangle,  parts[0].vertex, parts[1].vertex, edge.a, edge.b,
                  length(edge),      Index(parts.size())};
    if (parts.size() > 2) {
      f.first_part = Index(parts_.size());
      parts_.insert(parts_.end(), parts.begin(), parts.end());
    }
    functions_.push_back(f);
  }
  double length(const EdgeSide& s) const { return norm(problem_.mesh.nodes[s.a] - problem_.mesh.nodes[s.b]); }

  const Problem& problem_;
  const Scene& scene_;
  std::vector<RwgFunction> functions_;
  std::vector<FunctionPart> parts_;
  bool has_junctions_ = false;
};

}  // namespace

Junctions make_functions(const Problem& problem, const Scene& scene) {
  JunctionBuilder builder(problem, scene);
  const auto sides = sorted_sides(problem.mesh);
  for_each_edge(sides, [&](auto edge) { builder.add(edge); });
  return builder.finish();
}

}  // namespace curlew::ie
