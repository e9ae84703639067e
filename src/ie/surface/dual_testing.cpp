// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/dual_testing.hpp"

#include <algorithm>
#include <mutex>

#include "base/error.hpp"
#include "ie/surface/column_locks.hpp"
#include "ie/surface/far_strip.hpp"

namespace curlew::ie {
namespace {

Problem refined_problem(const Problem& problem, const BarycentricMesh& mesh) {
  Problem fine = problem;
  fine.mesh = mesh.mesh;
  fine.equation = Equation::efie;  // only functions and integrals are needed
  fine.testing = MagneticTesting::rwg;
  return fine;
}

/// The functions of one triangle of the mesh as sources, tested by every function of the refinement.
class ParentColumns {
 public:
  /// @param whole, parts far rules with source triangles of the mesh and of the refinement
  ParentColumns(const System& system, const FarStrip& whole, const FarStrip& parts)
      : space_(system.space()),
        dual_(*system.dual()),
        fine_(dual_.refined()),
        whole_(whole),
        parts_(parts),
        integrals_(system.integrals(0)),
        is_close_(std::size_t(fine_.mesh().num_triangles())) {}

  void fill(Index parent) {
    count_ = space_.count(parent);
    for (int b = 0; b < count_; ++b) columns_[b].assign(std::size_t(fine_.space().size()), Complex());
    close_batches_.clear();
    for (Index batch = 0; batch < whole_.num_batches(); ++batch) add_far(batch, parent);
    for (Index s = BarycentricMesh::children * parent; s < BarycentricMesh::children * (parent + 1); ++s) {
      set_source(parent, s);
      add_identity(s);
      for (const Index batch : close_batches_) add_close(batch, s);
    }
  }
  /// Contribution of function b of the triangle to its column, [functions of the mesh].
  void test(int b, std::vector<Complex>& out) const {
    std::fill(out.begin(), out.end(), Complex());
    for (std::size_t f = 0; f < columns_[b].size(); ++f)
      for (const RwgShare& share : dual_.dual()[f]) out[share.function] += share.density * columns_[b][f];
  }

 private:
  /// source_[b][j]: function b is the sum over corners j of source_[b][j] (r - p_j)/(2A) on the triangle.
  void set_source(Index parent, Index s) {
    for (auto& corners : source_) std::fill(corners, corners + 3, 0.0);
    for (Index l = fine_.space().begin(s); l < fine_.space().begin(s + 1); ++l) {
      const auto& local = fine_.space().locals()[l];
      for (const RwgShare& share : dual_.rwg()[local.function]) {
        for (int b = 0; b < count_; ++b) {
          if (space_.locals()[space_.begin(parent) + b].function == share.function)
            source_[b][local.vertex] += share.density * local.scale;
        }
      }
    }
  }
  /// int n x f_a . f_b / 2: linear in r, so that the centroid is exact.
  void add_identity(Index s) {
    const auto& mesh = fine_.mesh();
    const Vec3<double> twice = mesh.area_vector(s), c = mesh.centroid(s);
    const double area = 0.5 * norm(twice);
    for (Index l = fine_.space().begin(s); l < fine_.space().begin(s + 1); ++l) {
      const auto& local = fine_.space().locals()[l];
      for (int j = 0; j < 3; ++j) {
        const double value =
            dot(normalized(twice), cross(c - mesh.corner(s, local.vertex), c - mesh.corner(s, j))) /
            (4 * area);
        for (int b = 0; b < count_; ++b)
          columns_[b][local.function] += 0.5 * local.scale * source_[b][j] * value;
      }
    }
  }
  /// Adds a triangle's field on parts of distant triangles; batches with near ones are collected. Its own
  /// parts are in its plane, where K is zero.
  void add_far(Index batch, Index parent) {
    const auto& triangles = fine_.scene().regions[0].triangles;
    whole_.evaluate(batch, parent, blocks_);
    bool some_close = false;
    for (int l = 0; l < FarStrip::lanes; ++l) {
      const Index other = batch * FarStrip::lanes + l;
      if (other >= Index(triangles.size())) break;
      const Index t = triangles[other];
      const bool is_far = integrals_.kind(t / BarycentricMesh::children, parent) == PairKind::far;
      is_close_[t] = !is_far && t / BarycentricMesh::children != parent;
      some_close = some_close || is_close_[t];
      if (is_far) add_whole(t, parent, l);
    }
    if (some_close) close_batches_.push_back(batch);
  }
  void add_whole(Index t, Index parent, int l) {
    for (Index i = fine_.space().begin(t); i < fine_.space().begin(t + 1); ++i) {
      const auto& local = fine_.space().locals()[i];
      for (int b = 0; b < count_; ++b) {
        const auto& source = space_.locals()[space_.begin(parent) + b];
        const auto& m = blocks_.magnetic[local.vertex][source.vertex];
        columns_[b][local.function] -= local.scale * source.scale * Complex(m.re[l], m.im[l]);
      }
    }
  }
  void add_close(Index batch, Index s) {
    const auto& triangles = fine_.scene().regions[0].triangles;
    const auto& integrals = fine_.integrals(0);
    parts_.evaluate(batch, s, blocks_);
    for (int l = 0; l < FarStrip::lanes; ++l) {
      const Index other = batch * FarStrip::lanes + l;
      if (other >= Index(triangles.size())) break;
      const Index t = triangles[other];
      if (!is_close_[t]) continue;
      if (integrals.kind(t, s) == PairKind::far)
        add_block(t, [&](int i, int j) {
          return Complex(blocks_.magnetic[i][j].re[l], blocks_.magnetic[i][j].im[l]);
        });
      else {
        const PairBlock block = integrals.exact(t, s);
        add_block(t, [&](int i, int j) { return Complex(block.magnetic[i][j]); });
      }
    }
  }
  template <class Entry>
  void add_block(Index t, const Entry& magnetic) {
    for (Index l = fine_.space().begin(t); l < fine_.space().begin(t + 1); ++l) {
      const auto& local = fine_.space().locals()[l];
      const Complex m[3] = {magnetic(local.vertex, 0), magnetic(local.vertex, 1), magnetic(local.vertex, 2)};
      for (int b = 0; b < count_; ++b)
        columns_[b][local.function] -=
            local.scale * (source_[b][0] * m[0] + source_[b][1] * m[1] + source_[b][2] * m[2]);
    }
  }

  const RwgSpace& space_;
  const DualTesting& dual_;
  const System& fine_;
  const FarStrip &whole_, &parts_;
  const PairIntegrals& integrals_;    ///< of the mesh
  std::vector<char> is_close_;        ///< [triangles of the refinement] to the source
  std::vector<Index> close_batches_;  ///< that have such
  int count_ = 0;
  double source_[3][3] = {};
  std::vector<Complex> columns_[3];
  SplitBlock blocks_;
};

}  // namespace

DualTesting::DualTesting(const Problem& problem, const RwgSpace& space)
    : mesh_(problem.mesh),
      refined_(refined_problem(problem, mesh_)),
      rwg_(shares_of_rwg(problem.mesh, space, mesh_, refined_.space())),
      dual_(shares_of_dual(problem.mesh, space, mesh_, refined_.space())) {}

void DualTesting::add_tested(const System& system, const std::vector<Complex>& fine,
                             std::vector<Complex>& b) const {
  for (std::size_t f = 0; f < dual_.size(); ++f)
    for (const RwgShare& share : dual_[f])
      b[share.function] += (1 - system.electric_share(share.function)) * share.density * fine[f];
}

void add_dual_tests(const System& system, linalg::DenseMatrix& a) {
  const System& fine = system.dual()->refined();
  const auto& tests = fine.scene().regions[0].triangles;
  const FarStrip parts(fine.mesh(), tests, fine.integrals(0), true, false);
  const FarStrip whole(fine.mesh(), tests, system.mesh(), fine.integrals(0), true, false);
  ColumnLocks locks;
#pragma omp parallel
  {
    ParentColumns columns(system, whole, parts);
    std::vector<Complex> tested(static_cast<std::size_t>(a.rows()));
#pragma omp for schedule(dynamic, 1)
    for (Index t = 0; t < system.mesh().num_triangles(); ++t) {
      if (is_interrupted()) continue;
      columns.fill(t);
      for (int b = 0; b < int(system.space().count(t)); ++b) {
        columns.test(b, tested);
        const Index column = system.space().locals()[system.space().begin(t) + b].function;
        const std::scoped_lock lock(locks.of(column));
        for (Index i = 0; i < Index(a.rows()); ++i)
          a(i, column) += (1 - system.electric_share(i)) * tested[i];
      }
    }
  }
  check_interrupt();
}

}  // namespace curlew::ie
