// SPDX-License-Identifier: BSD-3-Clause
// The Green function, its gradient and the elementary functions under them; the grids' own errors.

#include <gtest/gtest.h>

#include "clouds.hpp"
#include "green/helmholtz3d.hpp"
#include "ngim/cartesian_grid.hpp"
#include "ngim/cone_grid.hpp"
#include "ngim/pair_sums.hpp"

namespace curlew::ngim {
namespace {

TEST(Elementary, SineCosineAndExponentialAgreeWithTheLibrary) {
  for (double x = -300; x < 300; x += 0.37) {
    double s, c;
    float sf, cf;
    green::sincos<double>(x, s, c);
    green::sincos<float>(float(x), sf, cf);
    EXPECT_NEAR(s, std::sin(x), 4e-15);
    EXPECT_NEAR(c, std::cos(x), 4e-15);
    EXPECT_NEAR(sf, std::sin(double(float(x))), 4e-7);
    EXPECT_NEAR(cf, std::cos(double(float(x))), 4e-7);
  }
  for (double x = -80; x <= 0; x += 0.13) {
    EXPECT_NEAR(green::exp_negative<double>(x) / std::exp(x), 1, 1e-14);
    EXPECT_NEAR(green::exp_negative<float>(float(x)) / std::exp(double(float(x))), 1, 1e-6);
  }
}

template <class T>
void check_sums(Complex k, double tolerance) {
  const Points sources = cloud("cube", 37), targets = cloud("sphere", 5);
  const auto charges = random_charges(4 * sources.size());
  std::vector<T> x, y, z, q(8 * sources.size()), tx, ty, tz;
  for (const auto& p : sources) x.push_back(T(p.x)), y.push_back(T(p.y)), z.push_back(T(p.z));
  for (const auto& p : targets) tx.push_back(T(p.x)), ty.push_back(T(p.y)), tz.push_back(T(p.z));
  for (int v = 0; v < 4; ++v) {
    for (int i = 0; i < 37; ++i)
      q[(2 * v) * 37 + i] = T(charges[v * 37 + i].real()),
                       q[(2 * v + 1) * 37 + i] = T(charges[v * 37 + i].imag());
  }
  const auto medium = k == Complex(0) ? green::Medium::static_kernel
                                      : (k.imag() == 0 ? green::Medium::lossless : green::Medium::lossy);
  SourceBuffer<T> buffer(4);
  buffer.append(x.data(), y.data(), z.data(), 37, {}, q.data(), q.data() + 37, 74);
  buffer.pad();
  std::vector<T> out(4 * 8 * 5);

  add_pair_sums<T>(medium, {T(k.real()), T(-k.imag())}, buffer, tx.data(), ty.data(), tz.data(), 5, true,
                   {out.data(), 5});

  for (int v = 0; v < 4; ++v) {
    for (int t = 0; t < 5; ++t) {
      const Field field = reference(sources, &charges[v * 37], targets[t], k);
      const auto part = [&](int p) {
        return Complex(out[(v * 8 + p) * 5 + t], out[(v * 8 + p + 1) * 5 + t]);
      };
      EXPECT_LT(std::abs(part(0) - field.potential), tolerance * 50);
      for (int d = 0; d < 3; ++d) EXPECT_LT(std::abs(part(2 + 2 * d) - field.gradient[d]), tolerance * 500);
    }
  }
}

TEST(PairSums, AgreeWithTheFormulaInAllMedia) {
  for (const Complex k : {Complex(0), Complex(7.3), Complex(5.1, -2.4), Complex(0, -3)}) {
    check_sums<double>(k, 1e-14);
    check_sums<float>(k, 1e-6);
  }
}

TEST(CartesianGrid, ErrorFallsWithTheOrderAsTheEllipseSays) {
  // Nearest singularity at 3 half-widths: a factor 3 + sqrt(8) = 5.8 per order for the static kernel.
  EXPECT_EQ(choose_order(0.0, 1e-30, 6), 0);
  const int q3 = choose_order(0.0, 1e-3, 20), q9 = choose_order(0.0, 1e-9, 20);
  EXPECT_NEAR(q9 - q3, 6 / std::log10(3 + std::sqrt(8.0)), 2);
  EXPECT_GT(choose_order(6.0, 1e-3, 20), q3) << "waves need more nodes";
}

TEST(CartesianGrid, SkeletonSpansTheFarFields) {
  for (const Complex kappa : {Complex(0), Complex(3), Complex(2, -1)}) {
    const CartesianGrid grid = build_cartesian_grid(kappa, 6, 1e-4);
    EXPECT_LE(grid.skeleton_error, 1e-4);
    EXPECT_LT(grid.rank(), 216);
    // Charge 1 at p and its skeleton charges give the same field far away.
    const Vec3<double> p{0.21, -0.4, 0.33}, far{-1.6, 2.2, 0.1};
    double tx[6], ty[6], tz[6];
    chebyshev(p.x, 6, tx), chebyshev(p.y, 6, ty), chebyshev(p.z, 6, tz);
    Complex sum = 0;
    const auto g = [&](Vec3<double> d) { return std::exp(Complex(0, -1) * kappa * norm(d)) / norm(d); };
    for (int r = 0; r < grid.rank(); ++r) {
      Complex charge = 0;
      for (int i = 0; i < 216; ++i)
        charge += grid.basis_to_skeleton[r * 216 + i] * tx[i / 36] * ty[i / 6 % 6] * tz[i % 6];
      sum += charge * g(far - grid.skeleton[r]);
    }
    EXPECT_LT(std::abs(sum - g(far - p)), 1e-3 * std::abs(g(far - p)));
  }
}

TEST(ConeGrid, LocatesItsOwnNodes) {
  const ConeGrid grid = choose_cone_grid(20.0, 1e-4, 9.0);
  EXPECT_LE(grid.error, 1e-4);
  for (int segment = 0; segment < grid.num_segments(); segment += 7) {
    const auto d = cone_position(grid, segment, 0.1, -0.3, 0.45);
    const auto p = locate(grid, d);
    EXPECT_EQ(p.segment, segment);
    EXPECT_NEAR(p.s, 0.1, 1e-10);
    EXPECT_NEAR(p.u, -0.3, 1e-10);
    EXPECT_NEAR(p.v, 0.45, 1e-10);
  }
}

}  // namespace
}  // namespace curlew::ngim
