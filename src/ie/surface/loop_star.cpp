// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/loop_star.hpp"

#include <cmath>
#include <map>
#include <numeric>

#include "ie/surface/loops.hpp"
#include "ngim/bisection_tree.hpp"

namespace curlew::ie {
namespace {

/// Values of Haar functions at one point, by ascending column.
using Values = std::vector<std::pair<Index, double>>;

/// Static energies int int of J.J'/(4 pi R) and q q'/(4 pi R) of the two halves of a Haar function, by area
/// [m^2] and number of points: those of flat patches, measured on spheres. They only need to be right within
/// a factor for every size.
double loop_energy(double area, std::size_t count) {  // a step of potential 1/area: a ring of current
  return (0.72 + 0.41 * std::log(double(count))) * std::pow(area, -1.5);
}
double charge_energy(double area) {  // one unit of charge
  return 0.125 / std::sqrt(area);
}

double total(const std::vector<double>& areas, std::span<const Index> group) {
  return std::accumulate(group.begin(), group.end(), 0.0,
                         [&](double sum, Index i) { return sum + areas[std::size_t(i)]; });
}

/// The unknowns of J or of M, and the factors of their static energies in the matrix.
struct Part {
  bool is_magnetic;
  std::vector<double> inductance, capacitance;  ///< [pieces]; 0: no such unknowns
};

Part make_part(const System& system, bool is_magnetic) {
  const auto& scene = system.scene();
  Part part{is_magnetic, {}, {}};
  for (const Piece& piece : system.mesh().pieces) {
    double inductance = 0, capacitance = 0;
    const int front = scene.front[piece.first_triangle], behind = scene.back[piece.first_triangle];
    const int back = behind == front ? -1 : behind;  // currents of a sheet count once
    for (const int r : {front, back}) {
      if (r < 0 || (is_magnetic && back < 0)) continue;
      const auto& region = scene.regions[r];
      const double relative = std::abs(region.eta / vacuum_impedance), k = std::abs(region.k);
      inductance += k * (is_magnetic ? 1 / relative : relative);
      capacitance += (is_magnetic ? 1 / relative : relative) / k;
    }
    part.inductance.push_back(inductance), part.capacitance.push_back(capacitance);
  }
  return part;
}

class Builder {
 public:
  explicit Builder(const System& system)
      : system_(system), mesh_(system.mesh()), loops_(find_loops(mesh_, system.space())) {
    for (Index t = 0; t < mesh_.num_triangles(); ++t) {
      centroids_.push_back(mesh_.centroid(t)), areas_.push_back(0.5 * norm(mesh_.area_vector(t)));
    }
    node_areas_.resize(mesh_.nodes.size()), node_pieces_.resize(mesh_.nodes.size());
    for (Index t = 0; t < mesh_.num_triangles(); ++t)
      for (const Index n : mesh_.triangles[t])
        node_areas_[n] += areas_[t] / 3, node_pieces_[n] = mesh_.piece[t];
  }

  void add(const Part& part) {
    // Inductance and capacitance have opposite signs, J and M too: with equal signs all eigenvalues are on
    // one side of zero, where a Krylov method needs the square root of the iterations.
    const double sign = part.is_magnetic ? -1 : 1;
    add_loops(part);
    add_cycles(part);
    signs_.resize(std::size_t(column_), sign);
    add_charges(part);
    signs_.resize(std::size_t(column_), -sign);
    add_flows(part);
    first_potential_ += mesh_.num_triangles();
  }

  BasisTransform finish() {
    expand_.num_rows = charges_.num_cols = system_.num_unknowns();
    expand_.num_cols = system_.num_unknowns() + first_potential_;
    laplacian_.num_rows = laplacian_.num_cols = charges_.num_rows = first_potential_;
    return {linalg::to_csr(expand_), linalg::to_csr(charges_), linalg::to_csr(laplacian_), signs_};
  }

 private:
  Index unknown(const Part& part, Index f) const {
    return part.is_magnetic ? system_.magnetic_unknown(f) : f;
  }
  bool is_root(Index t) const { return mesh_.pieces[mesh_.piece[t]].first_triangle == t; }

  /// Haar functions over the nodes of every set, and its constant if it touches open edges.
  void add_loops(const Part& part) {
    std::map<std::pair<Index, Index>, std::vector<Index>> groups;
    for (Index n = 0; n < Index(mesh_.nodes.size()); ++n) {
      if (loops_.set[n] < 0 || part.inductance[node_pieces_[n]] == 0) continue;
      groups[{loops_.set[n], loops_.joins_outside[n] ? node_pieces_[n] : -1}].push_back(n);
    }
    std::vector<Values> potentials(mesh_.nodes.size());
    for (auto& [key, nodes] : groups) {
      const double factor = part.inductance[node_pieces_[nodes[0]]];
      if (loops_.joins_outside[nodes[0]]) {
        const double area = total(node_areas_, nodes),
                     scale = 1 / std::sqrt(factor * loop_energy(area, nodes.size()));
        for (const Index n : nodes) potentials[n].emplace_back(column_, scale / area);
        ++column_;
      }
      ngim::halve(std::span(nodes), std::span(mesh_.nodes), [&](auto one, auto other) {
        const double a = total(node_areas_, one), b = total(node_areas_, other);
        const double energy = loop_energy(a, one.size()) + loop_energy(b, other.size());
        const double scale = 1 / std::sqrt(factor * energy);
        for (const Index n : one) potentials[n].emplace_back(column_, scale / a);
        for (const Index n : other) potentials[n].emplace_back(column_, -scale / b);
        ++column_;
      });
    }
    const auto& around = loops_.around;
    for (Index f = 0; f < around.num_rows; ++f) {
      const Offset begin = around.row_offsets[f], end = around.row_offsets[f + 1];
      if (begin == end) continue;
      // The loops of both ends run through the edge in opposite directions.
      static const Values nothing;
      add_difference(unknown(part, f), around.values[begin], potentials[around.columns[begin]],
                     end - begin > 1 ? potentials[around.columns[begin + 1]] : nothing);
    }
  }

  /// factor (one - other); functions that are equal in both, of groups that contain both, cancel.
  void add_difference(Index row, double factor, const Values& one, const Values& other) {
    std::size_t same = 0;
    while (same < one.size() && same < other.size() && one[same] == other[same]) ++same;
    for (std::size_t i = same; i < one.size(); ++i) expand_.add(row, one[i].first, factor * one[i].second);
    for (std::size_t i = same; i < other.size(); ++i)
      expand_.add(row, other[i].first, -factor * other[i].second);
  }

  /// Scaled as wires with the length of the path through the centroids.
  void add_cycles(const Part& part) {
    const auto cycles = linalg::transpose(loops_.cycles);
    for (Index c = 0; c < cycles.num_rows; ++c) {
      const Offset begin = cycles.row_offsets[c], end = cycles.row_offsets[c + 1];
      double length = 0;
      for (Offset e = begin; e < end; ++e) {
        const auto& w = system_.space().functions()[cycles.columns[e]];
        length += norm(centroids_[w.plus] - centroids_[w.minus]);
      }
      const Index piece = mesh_.piece[system_.space().functions()[cycles.columns[begin]].plus];
      if (part.inductance[piece] == 0) continue;
      const double energy = 0.16 * length * (1 + std::log(double(end - begin)));
      const double scale = 1 / std::sqrt(part.inductance[piece] * energy);
      for (Offset e = begin; e < end; ++e)
        expand_.add(unknown(part, cycles.columns[e]), column_, scale * cycles.values[e]);
      ++column_;
    }
  }

  /// Haar functions over the triangles of every piece, constant over each half. The charge of a piece is
  /// zero, so that one triangle, the root, follows from the others.
  void add_charges(const Part& part) {
    std::vector<std::vector<Index>> groups(mesh_.pieces.size());
    for (Index t = 0; t < mesh_.num_triangles(); ++t) groups[mesh_.piece[t]].push_back(t);
    for (std::size_t p = 0; p < groups.size(); ++p) {
      if (part.capacitance[p] == 0) continue;
      ngim::halve(std::span(groups[p]), std::span(centroids_), [&](auto one, auto other) {
        const double a = total(areas_, one), b = total(areas_, other);
        const double scale = 1 / std::sqrt(part.capacitance[p] * (charge_energy(a) + charge_energy(b)));
        for (const Index t : one) add_charge(t, scale * areas_[t] / a);
        for (const Index t : other) add_charge(t, -scale * areas_[t] / b);
        ++column_;
      });
    }
  }
  void add_charge(Index t, double value) {
    if (!is_root(t)) charges_.add(first_potential_ + t, column_, value);
  }

  /// x = W^-1 D^T u and L = D W^-1 D^T with D the charges of functions and W their square norms: of all
  /// currents with charges q, x of L u = q is the smallest.
  void add_flows(const Part& part) {
    for (Index t = 0; t < mesh_.num_triangles(); ++t)
      if (is_root(t) || part.capacitance[mesh_.piece[t]] == 0)
        laplacian_.add(first_potential_ + t, first_potential_ + t, 1.0);
    for (Index f = 0; f < system_.space().size(); ++f) {
      const auto& w = system_.space().functions()[f];
      if (part.capacitance[mesh_.piece[w.plus]] == 0) continue;
      const double square = areas_[w.plus] + areas_[w.minus];
      const std::pair<Index, double> ends[] = {{w.plus, w.length}, {w.minus, -w.length}};
      for (const auto& [t, charge] : ends) {
        if (is_root(t)) continue;
        expand_.add(unknown(part, f), system_.num_unknowns() + first_potential_ + t, charge / square);
        for (const auto& [other, other_charge] : ends)
          if (!is_root(other))
            laplacian_.add(first_potential_ + t, first_potential_ + other, charge * other_charge / square);
      }
    }
  }

  const System& system_;
  const SurfaceMesh& mesh_;
  Loops loops_;
  std::vector<Vec3<double>> centroids_;
  std::vector<double> areas_, node_areas_;
  std::vector<Index> node_pieces_;
  linalg::Coo<Complex> expand_, charges_, laplacian_;
  std::vector<double> signs_;
  Index column_ = 0, first_potential_ = 0;
};

}  // namespace

BasisTransform make_loop_star(const System& system) {
  Builder builder(system);
  builder.add(make_part(system, false));
  if (system.num_unknowns() > system.num_electric()) builder.add(make_part(system, true));
  return builder.finish();
}

}  // namespace curlew::ie
