// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The linear system of a surface problem, entry by entry, with the integrals of each region. Dense filling
// and fast products both follow it.
//
// Unknowns: x = (J, M/eta0) [A/m], J = n x H, M = -n x E on the outer side; J at every RWG function, M at
// those of dielectrics and impedances. With T, K, N of ie/surface/pair_integrals.hpp between functions
// f_m, f_n, the sum over regions r with the signs s_r of ie/surface/problem.hpp, and Gram G_mn = int f_m .
// f_n:
//   row J_m:  a_m sum_r s_r(m) s_r(n) [ (eta_r/eta0) T_r J + K_r M ] + (1 - a_m) [ G/2 - N_0 ] J + G_Z/2 J
//   row M_m:        sum_r s_r(m) s_r(n) [ K_r J - (eta0/eta_r) T_r M ] - G_Y/2 M
//   right side: a_m <f_m, E_inc>/eta0 + (1 - a_m) <f_m, n x H_inc>;  -<f_m, H_inc>
// with G_Z, G_Y weighted by Zs/eta0 and eta0/Zs on impedance surfaces, a = 1 but for the conductors of MFIE
// (0) and CFIE (alpha). Dielectrics are thereby PMCHWT, impedances the self-dual form that has no interior
// resonance where Re Zs > 0. Without a < 1 the matrix is complex symmetric. Sources: Poggio and Miller
// (1973), Computer Techniques for Electromagnetics, ch. 4; Harrington (1989), J. Electromagn. Waves Appl.
// 3(1), 1 (PMCHWT); Mautz and Harrington (1978), AEU 32, 157 (CFIE); Yan and Jin (2013), IEEE Trans. Antennas
// Propag. 61(9), 4533 (self-dual impedance condition).

#include <memory>
#include <vector>

#include "base/constants.hpp"
#include "ie/surface/entry.hpp"
#include "ie/surface/junctions.hpp"
#include "ie/surface/pair_integrals.hpp"
#include "ie/surface/point_currents.hpp"
#include "ie/surface/problem.hpp"
#include "ie/surface/rwg.hpp"

namespace curlew::ie {

/// One contribution value * x_column to row.
struct Entry {
  Index row, column;
  Complex value;
};

class DualTesting;

class System {
 public:
  /// Checks the problem (make_scene) and numbers the unknowns.
  explicit System(Problem problem, const Accuracy& accuracy = {});
  /// The same surfaces at another frequency: what belongs to the mesh is copied. @pre differs_by_wavelength()
  System(const System& of, double frequency);
  /// Whether nothing else differs between frequencies: all surfaces are conductors in vacuum.
  bool differs_by_wavelength() const;

  const Problem& problem() const { return problem_; }
  const SurfaceMesh& mesh() const { return problem_.mesh; }
  const Scene& scene() const { return scene_; }
  const RwgSpace& space() const { return functions_->space; }
  /// Bodies that touch, conductors on dielectrics, sheets between media.
  bool has_junctions() const { return functions_->has_any; }
  Index num_unknowns() const { return num_unknowns_; }
  Index num_electric() const { return space().size(); }
  /// The unknown of M/eta0 of a function, or -1.
  Index magnetic_unknown(Index function) const { return magnetic_[function]; }
  /// The weight a_m of the EFIE in the row of J.
  double electric_share(Index function) const { return share_[function]; }
  bool is_symmetric() const { return symmetric_; }
  const PairIntegrals& integrals(int region) const { return integrals_[region]; }
  /// Which of the integrals a region needs.
  bool needs_magnetic(int region) const { return needs_magnetic_[region]; }
  bool needs_rotated(int region) const { return region == 0 && !symmetric_ && !dual_; }
  /// Dual test functions of the magnetic field, used instead of RWG functions, or null. visit_pair and
  /// add_gram omit these tests.
  const DualTesting* dual() const { return dual_.get(); }

  /// Contributions of a block of one region to the matrix: calls sink(row, column, slot, value) for all
  /// unknowns of both triangles; slot 2 b + (1 if the column is magnetic) counts the columns, b the source's
  /// functions.
  template <class Sink>
  void visit_pair(int region, Index test, Index source, const PairBlock& block, Sink&& sink) const {
    const auto& r = scene_.regions[region];
    const double signs = double(r.sign[test]) * r.sign[source];
    const complex<double> relative = r.eta / vacuum_impedance;
    for (Index a = space().begin(test); a < space().begin(test + 1); ++a) {
      const auto& row = space().locals()[a];
      const double share = share_[row.function];
      const Index row_m = magnetic_[row.function];
      for (Index b = space().begin(source); b < space().begin(source + 1); ++b) {
        const auto& column = space().locals()[b];
        auto f = local_integrals(block, row.vertex, column.vertex, row.scale * column.scale, signs);
        if (dual_) f.rotated = 0;
        const auto value = [&](bool magnetic_row, bool magnetic_column) {
          return Complex(entry(f, magnetic_row, magnetic_column, share, relative));
        };
        const int slot = 2 * int(b - space().begin(source));
        const Index column_m = magnetic_[column.function];
        sink(row.function, column.function, slot, value(false, false));
        if (column_m >= 0) sink(row.function, column_m, slot + 1, value(false, true));
        if (row_m >= 0) sink(row_m, column.function, slot, value(true, false));
        if (row_m >= 0 && column_m >= 0) sink(row_m, column_m, slot + 1, value(true, true));
      }
    }
  }
  /// Appends the terms with Gram matrices of one triangle.
  void add_gram(Index triangle, std::vector<Entry>& out) const;

  /// Currents (functions, not unknowns) at the points of a rule on the triangles of a region, times the sign
  /// s_r. Points by triangle in the order of Region::triangles, rule.weights.size() each. Rotated ones, f x
  /// n, if the region needs them: they test N, as f . (n x H) = (f x n) . H.
  PointCurrents point_currents(int region, const BarycentricRule& rule) const;

 private:
  Problem problem_;
  Scene scene_;
  std::shared_ptr<const Junctions> functions_;
  std::vector<Index> magnetic_;
  std::vector<double> share_;
  std::vector<PairIntegrals> integrals_;
  std::vector<char> needs_magnetic_;
  Index num_unknowns_ = 0;
  bool symmetric_ = true;
  std::shared_ptr<const DualTesting> dual_;
};

}  // namespace curlew::ie
