// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/body_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.hpp"

namespace curlew::ie {
namespace {

using Numbers = std::set<int>;

/// Surfaces of a shell.
struct Walls {
  Numbers tags, dielectric;  ///< of all its triangles; of the dielectrics among them
  std::set<Index> beyond;    ///< shells on the other sides
  bool has_sheet = false;    ///< both sides of a triangle belong to it
};

std::vector<Walls> walls_of(const Problem& p, const Shells& shells) {
  std::vector<Walls> walls(shells.first.size());
  for (Index t = 0; t < p.mesh.num_faces(); ++t) {
    const int tag = p.mesh.tag[t];
    if (t > 0 && tag == p.mesh.tag[t - 1] && shells.at[t] == shells.at[t - 1]) continue;
    for (int side = 0; side < 2; ++side) {
      Walls& own = walls[shells.at[t][side]];
      own.tags.insert(tag);
      if (p.surfaces[tag].boundary == Boundary::dielectric) own.dielectric.insert(tag);
      if (shells.at[t][0] == shells.at[t][1])
        own.has_sheet = true;
      else
        own.beyond.insert(shells.at[t][1 - side]);
    }
  }
  return walls;
}

Numbers without(const Numbers& from, const Numbers& what) {
  Numbers out;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::inserter(out, out.end()));
  return out;
}

class Filling {
 public:
  Filling(const Problem& problem, const std::vector<Body>& bodies, const Shells& shells)
      : problem_(problem), shells_(shells), walls_(walls_of(problem, shells)) {
    for (const Body& b : bodies) surfaces_.emplace_back(b.surfaces.begin(), b.surfaces.end());
  }

  std::vector<int> all() {
    std::vector<Index> order;
    for (Index s = 0; s < shells_.size(); ++s)
      if (shells_.encloses(s)) order.push_back(s);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return shells_.volume[a] > shells_.volume[b]; });
    filled_.assign(shells_.first.size(), vacuum_part);
    is_known_.assign(shells_.first.size(), 0);
    for (const Index s : order) {  // surrounding parts are larger
      filled_[s] = fill(s);
      is_known_[s] = 1;
    }
    for (Index s = 0; s < shells_.size(); ++s)
      if (!shells_.encloses(s)) filled_[s] = around(s);
    return filled_;
  }

 private:
  const std::string& name(Index shell) const {
    return problem_.mesh.tag_names[problem_.mesh.tag[shells_.first[shell]]];
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw InputError(fmt::format("{}: {}", problem_.mesh.name, text));
  }

  /// Bodies that name all of some surfaces.
  Numbers with_all(const Numbers& tags) const {
    Numbers out;
    for (std::size_t b = 0; b < surfaces_.size(); ++b)
      if (std::includes(surfaces_[b].begin(), surfaces_[b].end(), tags.begin(), tags.end()))
        out.insert(int(b));
    return out;
  }
  /// The part around a shell that is seen from outside.
  int around(Index shell) const {
    const Index by = shells_.surrounding[shell];
    if (by < 0) return vacuum_part;
    if (filled_[by] == no_field_part) {
      const auto p = problem_.mesh.centroid(shells_.first[shell]);
      fail(
          fmt::format("{} at ({:.6g}, {:.6g}, {:.6g}) m lies inside the conductor \"{}\", where there is no "
                      "field: leave it out",
                      name(shell) == name(by) ? "another part" : fmt::format("surface \"{}\"", name(shell)),
                      p.x, p.y, p.z, name(by)));
    }
    return filled_[by];
  }
  /// Bodies that surround a shell.
  Numbers surrounding(Index shell) const {
    Numbers out;
    for (const Index o : walls_[shell].beyond)
      if (!shells_.encloses(o)) out.insert(around(o));
    return out;
  }
  /// Bodies that can only be in the parts next to a shell.
  Numbers next_to(Index shell) const {
    Numbers out;
    for (const Index o : walls_[shell].beyond) {
      if (!shells_.encloses(o)) continue;
      const Numbers only = with_all(walls_[o].tags);
      if (is_known_[o])
        out.insert(filled_[o]);
      else if (only.size() == 1)
        out.insert(*only.begin());
    }
    return out;
  }

  int fill(Index shell) const {
    const Walls& walls = walls_[shell];
    const Numbers outer = surrounding(shell), named = with_all(walls.tags);
    Numbers bodies = without(named, outer);
    if (named.empty() && !walls.dielectric.empty()) bodies = without(with_all(walls.dielectric), outer);
    if (named.empty() || bodies.size() > 1) bodies = without(bodies, next_to(shell));
    if (bodies.size() > 1)
      fail(
          fmt::format("two materials fill the volume inside surface \"{}\": name in each [[material]] only "
                      "the surfaces of its body",
                      name(shell)));
    if (!bodies.empty()) return *bodies.begin();
    return walls.dielectric.empty() && !walls.has_sheet ? no_field_part : vacuum_part;
  }

  const Problem& problem_;
  const Shells& shells_;
  std::vector<Walls> walls_;
  std::vector<Numbers> surfaces_;  // of the bodies
  std::vector<int> filled_;
  std::vector<char> is_known_;
};

}  // namespace

std::vector<Body> bodies_of(const Problem& problem) {
  if (!problem.bodies.empty()) return problem.bodies;
  std::vector<Body> out;
  for (std::size_t tag = 0; tag < problem.surfaces.size(); ++tag) {
    const Surface& s = problem.surfaces[tag];
    if (s.boundary != Boundary::dielectric) continue;
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const Body& b) { return b.epsilon_r == s.epsilon_r && b.mu_r == s.mu_r; });
    if (at == out.end()) at = out.insert(at, {s.epsilon_r, s.mu_r, {}});
    at->surfaces.push_back(int(tag));
  }
  return out;
}

std::vector<int> fill_parts(const Problem& problem, const std::vector<Body>& bodies, const Shells& shells) {
  return Filling(problem, bodies, shells).all();
}

}  // namespace curlew::ie
