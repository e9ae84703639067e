// SPDX-License-Identifier: BSD-3-Clause
// p-multilevel on a hierarchical model problem: exact limits, symmetry, iteration counts, CPU against GPU.

#include "linalg/krylov/multilevel.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "helmholtz.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/crs_operator.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/krylov/device_jacobi.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "needs_gpu.hpp"
#endif

namespace curlew::linalg {
namespace {

using testing::right_side;

/// Hierarchical cubic elements for -u'' - k^2 u on the unit interval, u = 0 left, u' = -jku right, by
/// numerical quadrature of hats, quadratic and cubic bubbles: three orders, the blocks that the
/// preconditioner is for.
struct Model {
  Csr<Complex> a;
  std::vector<Index> offsets;
};
Model hierarchical(Index cells, double k) {
  const double h = 1.0 / cells;
  Model m;
  m.offsets = {0, cells, 2 * cells, 3 * cells};
  Coo<Complex> coo;
  coo.num_rows = coo.num_cols = 3 * cells;
  const double points[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  const double weights[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  for (Index c = 0; c < cells; ++c) {
    // left hat (node c, held for c = 0), right hat (node c + 1), s^2 - 1, s (s^2 - 1)
    const Index dofs[] = {c - 1, c, cells + c, 2 * cells + c};
    for (int p = 0; p < 4; ++p) {
      const double s = points[p], w = weights[p] * h / 2;
      const double value[] = {(1 - s) / 2, (1 + s) / 2, s * s - 1, s * (s * s - 1)};
      const double slope[] = {-1 / h, 1 / h, 4 * s / h, (6 * s * s - 2) / h};
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          if (dofs[i] < 0 || dofs[j] < 0) continue;
          coo.add(dofs[i], dofs[j], w * (slope[i] * slope[j] - k * k * value[i] * value[j]));
        }
      }
    }
  }
  coo.add(cells - 1, cells - 1, Complex(0, k));
  m.a = to_csr(coo);
  return m;
}

/// A dense inverse as the solver of the lowest order.
class DenseSolve final : public LinearOperator<Complex> {
 public:
  explicit DenseSolve(const Csr<Complex>& a) : n_(a.num_rows) {
    Eigen::MatrixXcd dense = Eigen::MatrixXcd::Zero(n_, n_);
    for (Index i = 0; i < n_; ++i) {
      for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e) dense(i, a.columns[e]) = a.values[e];
    }
    inverse_ = dense.inverse();
  }
  Index size() const override { return n_; }
  void apply(const Complex* r, Complex* z) const override {
    Eigen::Map<Eigen::VectorXcd>(z, n_) = inverse_ * Eigen::Map<const Eigen::VectorXcd>(r, n_);
  }
  const Eigen::MatrixXcd& inverse() const { return inverse_; }

 private:
  Index n_;
  Eigen::MatrixXcd inverse_;
};

TEST(Multilevel, OneOrderIsTheCoarseSolve) {
  const auto a = testing::helmholtz<Complex>(6, 2);
  const DenseSolve coarse(a);
  const Multilevel<Complex> m(a, {0, 36}, coarse);
  const auto b = right_side<Complex>(36, 1);
  std::vector<Complex> z(36);

  m.apply(b.data(), z.data());

  EXPECT_LT(relative_residual(a, z.data(), b.data()), 1e-12);
}

TEST(Multilevel, ManySmoothingStepsSolveExactly) {
  // V cycle with A00 exact and the blocks above smoothed to convergence is symmetric block Gauss-Seidel: for
  // a block-diagonal matrix (the 1D bubbles are orthogonal in energy, k = 0) it is the inverse.
  const Model model = hierarchical(12, 0);
  const DenseSolve coarse(block(model.a, 0, 12, 0, 12));
  MultilevelOptions o;
  o.smoothing_steps = 80;  // values are kept in single precision
  const Multilevel<Complex> m(model.a, model.offsets, coarse, o);
  const auto b = right_side<Complex>(36, 2);
  std::vector<Complex> z(36);

  m.apply(b.data(), z.data());

  EXPECT_LT(relative_residual(model.a, z.data(), b.data()), 1e-6);
}

TEST(Multilevel, IsSymmetricAsTheMatrixIs) {
  const Model model = hierarchical(20, 15);
  const DenseSolve coarse(block(model.a, 0, 20, 0, 20));
  const Multilevel<Complex> m(model.a, model.offsets, coarse, {2});
  const auto x = right_side<Complex>(60, 3), y = right_side<Complex>(60, 4);
  std::vector<Complex> mx(60), my(60);

  m.apply(x.data(), mx.data());
  m.apply(y.data(), my.data());

  Complex xmy = 0, ymx = 0;
  double scale = 0;
  for (int i = 0; i < 60; ++i) xmy += x[i] * my[i], ymx += y[i] * mx[i], scale += std::abs(x[i] * my[i]);
  EXPECT_LT(std::abs(xmy - ymx), 1e-6 * scale);  // rows and columns are rounded to single precision apart
}

TEST(Multilevel, IterationsStayFlatUnderRefinement) {
  std::vector<int> iterations;
  for (const Index cells : {40, 80, 160}) {
    const Model model = hierarchical(cells, 20);
    const DenseSolve coarse(block(model.a, 0, cells, 0, cells));
    const Multilevel<Complex> m(model.a, model.offsets, coarse);
    const CrsOperator<Complex> a(model.a);
    const auto b = right_side<Complex>(model.a.num_rows, 5);
    std::vector<Complex> x(b.size());
    for (const auto method : {KrylovMethod::gmres, KrylovMethod::bicgstab, KrylovMethod::cocr}) {
      KrylovOptions o;
      o.method = method, o.tolerance = 1e-8, o.restart = 60;

      const auto report = Krylov<Complex>(a, &m, o).solve(b.data(), x.data());

      EXPECT_TRUE(report.converged()) << report.message(o);
      EXPECT_LE(report.iterations, 60) << cells << " cells: " << report.message(o);
      if (method == KrylovMethod::gmres) iterations.push_back(report.iterations);
    }
  }
  EXPECT_LE(iterations[2], 1.5 * iterations[0] + 1);
}

TEST(Multilevel, RefusesWhatDoesNotFit) {
  const Model model = hierarchical(10, 1);
  const DenseSolve coarse(block(model.a, 0, 10, 0, 10));
  EXPECT_THROW(Multilevel<Complex>(model.a, {0, 10, 20}, coarse), InputError);
  EXPECT_THROW(Multilevel<Complex>(model.a, {0, 12, 30}, coarse), InputError);
  EXPECT_THROW(Multilevel<Complex>(model.a, model.offsets, coarse, {0}), InputError);
}

#ifdef CURLEW_HAVE_CUDA
TEST(DeviceMultilevel, AgreesWithTheCpu) {
  CURLEW_NEEDS_GPU();
  using Z = complex<double>;
  const Model model = hierarchical(200, 20);
  const auto low = block(model.a, 0, 200, 0, 200);
  const Jacobi<Complex> coarse(low);
  const DeviceJacobi<double> device_coarse(low);
  const auto b = right_side<Complex>(600, 6);
  cuda::Buffer<Z> device_b(600), device_z(600);
  device_b.upload(reinterpret_cast<const Z*>(b.data()));
  std::vector<Complex> z(600), w(600);

  Multilevel<Complex>(model.a, model.offsets, coarse, {2}).apply(b.data(), z.data());
  DeviceMultilevel<Z>(model.a, model.offsets, device_coarse, {2}).apply(device_b.data(), device_z.data(), {});
  device_z.download(reinterpret_cast<Z*>(w.data()));

  double largest = 0, worst = 0;
  for (int i = 0; i < 600; ++i) {
    largest = std::max(largest, std::abs(z[i]));
    worst = std::max(worst, std::abs(z[i] - w[i]));
  }
  EXPECT_LT(worst, 1e-6 * largest);  // blocks between orders are in single precision on the GPU
}
#endif

}  // namespace
}  // namespace curlew::linalg
