// SPDX-License-Identifier: BSD-3-Clause
#include "ie/fast_product.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>

#include "base/error.hpp"
#include "ngim/plan.hpp"

namespace curlew::ie {
namespace {

/// Pairs of triangles of one region within reach, by a grid of cells as wide as the reach.
class PairFinder {
 public:
  PairFinder(const System& system, int region, double reach)
      : mesh_(system.mesh()), triangles_(system.scene().regions[region].triangles), width_(reach) {
    for (const Index t : triangles_) cells_[key(mesh_.centroid(t))].push_back(t);
  }
  template <class Visit>
  void visit(Index source, Visit visit) const {
    const auto c = mesh_.centroid(source);
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) {
          const auto at = cells_.find(key(c + Vec3<double>{x * width_, y * width_, z * width_}));
          if (at == cells_.end()) continue;
          for (const Index test : at->second) visit(test);
        }
      }
    }
  }

 private:
  std::int64_t key(Vec3<double> p) const {
    const auto part = [&](double v) { return std::int64_t(std::floor(v / width_)) & 0x1fffff; };
    return part(p.x) << 42 | part(p.y) << 21 | part(p.z);
  }
  const SurfaceMesh& mesh_;
  const std::vector<Index>& triangles_;
  double width_;
  std::unordered_map<std::int64_t, std::vector<Index>> cells_;
};

/// Entries of all pairs within a range; `block` gives those of one pair.
template <class Block>
void collect(const System& system, PairIntegrals::Range range, const Block& block,
             linalg::Coo<Complex>& out) {
  std::mutex lock;
  for (int region = 0; region < int(system.scene().regions.size()); ++region) {
    const auto& triangles = system.scene().regions[region].triangles;
    const auto& integrals = system.integrals(region);
    double longest = 0;
    for (const Index t : triangles) longest = std::max(longest, integrals.longest_edge(t));
    const bool only_near = range == PairIntegrals::Range::near;
    const double reach =
        only_near ? std::max(integrals.accuracy().near, 4.0 / 3) : integrals.accuracy().medium;
    const PairFinder finder(system, region, reach * longest);
#pragma omp parallel
    {
      linalg::Coo<Complex> own;
#pragma omp for schedule(dynamic, 16)
      for (Index i = 0; i < Index(triangles.size()); ++i) {
        finder.visit(triangles[i], [&](Index test) {
          const auto r = integrals.range(test, triangles[i]);
          if (r == PairIntegrals::Range::far || (only_near && r != PairIntegrals::Range::near)) return;
          system.visit_pair(
              region, test, triangles[i], block(integrals, test, triangles[i]),
              [&](Index row, Index column, int, Complex value) { own.add(row, column, value); });
        });
      }
      const std::scoped_lock guard(lock);
      out.rows.insert(out.rows.end(), own.rows.begin(), own.rows.end());
      out.columns.insert(out.columns.end(), own.columns.begin(), own.columns.end());
      out.values.insert(out.values.end(), own.values.begin(), own.values.end());
    }
    check_interrupt();
  }
}

void add_local_terms(const System& system, const std::vector<Port>& ports, linalg::Coo<Complex>& out) {
  std::vector<Entry> entries;
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) system.add_gram(t, entries);
  add_loads(system, ports, entries);
  for (const auto& e : entries) out.add(e.row, e.column, e.value);
}

}  // namespace

linalg::Csr<Complex> near_matrix(const System& system, const std::vector<Port>& ports,
                                 PairIntegrals::Range range) {
  linalg::Coo<Complex> entries;
  entries.num_rows = entries.num_cols = system.num_unknowns();
  collect(
      system, range, [](const PairIntegrals& p, Index t, Index s) { return p.exact(t, s); }, entries);
  add_local_terms(system, ports, entries);
  return linalg::to_csr(entries);
}

/// Points, plan and maps of one region.
struct FastProduct::RegionPart {
  Complex k, relative;  ///< eta_r/eta0
  PointCurrents currents, rotated;
  std::unique_ptr<ngim::Plan> plan;
  bool magnetic = false, with_rotated = false;

  /// Fields of the currents of functions: A_x, A_y, A_z, phi scaled for T, and grad G x J for K.
  void fields(const Complex* x, bool with_curl, std::vector<Complex>& potential,
              std::vector<Complex>& curl) const {
    const auto n = std::size_t(currents.num_points());
    std::vector<Complex> charges(4 * n), gradient(with_curl ? 12 * n : 0);
    potential.resize(4 * n);
    currents.spread(x, charges.data());
    plan->apply(charges.data(), 4, potential.data(), with_curl ? gradient.data() : nullptr);
    const Complex jk = Complex(0, 1) * k, vector = jk / (4 * pi), scalar = 1.0 / (4 * pi * jk);
    for (std::size_t i = 0; i < 3 * n; ++i) potential[i] *= vector;
    for (std::size_t i = 3 * n; i < 4 * n; ++i) potential[i] *= scalar;
    if (!with_curl) return;
    curl.assign(4 * n, Complex());
    const auto d = [&](int component, int axis, std::size_t p) {
      return gradient[(3 * component + axis) * n + p];
    };
    for (std::size_t p = 0; p < n; ++p) {
      curl[p] = (d(2, 1, p) - d(1, 2, p)) / (4 * pi);
      curl[n + p] = (d(0, 2, p) - d(2, 0, p)) / (4 * pi);
      curl[2 * n + p] = (d(1, 0, p) - d(0, 1, p)) / (4 * pi);
    }
  }
};

FastProduct::FastProduct(const System& system, const std::vector<Port>& ports, double tolerance)
    : system_(system) {
  for (int r = 0; r < int(system.scene().regions.size()); ++r) {
    auto part = std::make_unique<RegionPart>();
    const auto& rule = system.integrals(r).far_rule();
    part->k = system.scene().regions[r].k;
    part->relative = system.scene().regions[r].eta / vacuum_impedance;
    part->magnetic = system.needs_magnetic(r), part->with_rotated = system.needs_rotated(r);
    part->currents = system.point_currents(r, rule);
    if (part->with_rotated) part->rotated = system.rotated_currents(r, rule);
    ngim::Options options;
    options.tolerance = tolerance;
    options.gradient = part->magnetic || part->with_rotated;
    part->plan = std::make_unique<ngim::Plan>(part->currents.points, std::nullopt, part->k, options);
    regions_.push_back(std::move(part));
  }
  linalg::Coo<Complex> entries;
  entries.num_rows = entries.num_cols = system.num_unknowns();
  collect(
      system, PairIntegrals::Range::medium,
      [](const PairIntegrals& p, Index t, Index s) {
        PairBlock block = p.exact(t, s);
        const PairBlock points = p.points(t, s, p.far_rule());
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            block.electric[i][j] -= points.electric[i][j];
            block.magnetic[i][j] -= points.magnetic[i][j];
            block.rotated[i][j] -= points.rotated[i][j];
          }
        }
        return block;
      },
      entries);
  add_local_terms(system, ports, entries);
  corrections_ = linalg::to_csr(entries);
}

FastProduct::~FastProduct() = default;

Index FastProduct::size() const {
  return system_.num_unknowns();
}

void FastProduct::apply(const Complex* x, Complex* y) const {
  linalg::multiply(corrections_, x, y);
  const Index n = system_.num_electric();
  std::vector<Complex> m(static_cast<std::size_t>(n)), electric(m.size()), magnetic(m.size()),
      rotated(m.size());
  std::vector<Complex> potential, curl;
  const bool has_magnetic = system_.num_unknowns() > n;
  for (Index f = 0; f < n; ++f)
    if (system_.magnetic_unknown(f) >= 0) m[f] = x[system_.magnetic_unknown(f)];
  for (const auto& part : regions_) {
    const bool with_m = has_magnetic && part->magnetic;
    const Complex relative = part->relative;
    for (auto* v : {&electric, &magnetic, &rotated}) std::fill(v->begin(), v->end(), Complex());
    std::vector<Complex> t_m(with_m ? m.size() : 0);
    part->fields(x, with_m || part->with_rotated, potential, curl);
    part->currents.test(potential.data(), electric.data());
    for (auto& v : electric) v *= relative;
    if (with_m) part->currents.test(curl.data(), magnetic.data());
    if (part->with_rotated) part->rotated.test(curl.data(), rotated.data());
    if (with_m) {
      part->fields(m.data(), true, potential, curl);
      part->currents.test(curl.data(), electric.data());
      part->currents.test(potential.data(), t_m.data());
    }
    for (Index f = 0; f < n; ++f) {
      const double share = system_.electric_share(f);
      y[f] += share * electric[f];
      if (share < 1) y[f] -= (1 - share) * rotated[f];
      const Index row = system_.magnetic_unknown(f);
      if (with_m && row >= 0) y[row] += magnetic[f] - t_m[f] / relative;
    }
  }
}

Offset FastProduct::num_points() const {
  Offset sum = 0;
  for (const auto& part : regions_) sum += part->currents.num_points();
  return sum;
}

Offset FastProduct::near_entries() const {
  return corrections_.nnz();
}

}  // namespace curlew::ie
