// SPDX-License-Identifier: BSD-3-Clause
// The factorisation by panels, on a machine of plain memory: LAPACK's pivots and factors, known solutions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "host_panels.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/dense/panel_lu.hpp"
#include "linalg/dense/panel_solve.hpp"
#include "random_matrix.hpp"

namespace curlew::linalg {
namespace {

struct Size {
  Offset n;
  PanelWidths widths;
};
/// One panel, panels without a rest, with one, strips without and with one, more panels than rows in a strip.
const Size sizes[] = {{1, {4, 2}},  {5, {8, 4}},   {8, {8, 4}},    {16, {8, 4}},
                      {37, {8, 4}}, {101, {9, 4}}, {143, {12, 5}}, {150, {64, 16}}};

struct Factors {
  DenseMatrix a;
  std::vector<int> pivots;
};
Factors factors_of_lapack(const DenseMatrix& matrix) {
  Factors f{copy_of(matrix), std::vector<int>(std::size_t(matrix.rows()))};
  const int n = int(matrix.rows());
  int info = 0;
  zgetrf_(&n, &n, f.a.data(), &n, f.pivots.data(), &info);
  EXPECT_EQ(info, 0);
  return f;
}

/// Rows of stored panels keep their place in later exchanges; LAPACK's do not.
void exchange_stored_rows(DenseMatrix& a, const std::vector<int>& pivots, Offset panel) {
  for (Offset i = 0; i < a.rows(); ++i) {
    for (Offset j = 0; j < i / panel * panel; ++j) std::swap(a(i, j), a(pivots[std::size_t(i)] - 1, j));
  }
}

TEST(PanelLu, HasTheFactorsOfLapack) {
  for (const auto& [n, widths] : sizes) {
    auto a = random_matrix(n, 0);
    const auto known = factors_of_lapack(a);
    HostPanels machine(a);
    PanelLu lu(machine, n, widths);

    lu.factor();

    EXPECT_EQ(lu.pivots(), known.pivots) << n;
    exchange_stored_rows(a, lu.pivots(), widths.panel);
    double wrong = 0;
    for (Offset j = 0; j < n; ++j)
      for (Offset i = 0; i < n; ++i) wrong = std::max(wrong, std::abs(a(i, j) - known.a(i, j)));
    EXPECT_LT(wrong, 1e-10) << n;  // rounding times the condition of the leading blocks, some thousands
  }
}

TEST(PanelLu, SolvesWithTheMatrixAndItsAdjoint) {
  for (const auto& [n, widths] : sizes) {
    auto a = random_matrix(n, 3);
    const auto matrix = copy_of(a);
    auto x = right_sides(a, 3);
    HostPanels machine(a);
    PanelLu lu(machine, n, widths);
    lu.factor();

    lu.solve(x.data(), 3, false);
    EXPECT_LT(error_of(x, n), 1e-11) << n;

    std::vector<Complex> v(std::size_t(n), 0.0);
    for (Offset j = 0; j < n; ++j)
      for (Offset i = 0; i < n; ++i) v[std::size_t(j)] += std::conj(matrix(i, j)) * Complex(double(i + 1), 0);
    lu.solve(v.data(), 1, true);
    EXPECT_LT(error_of(v, n), 1e-11) << n;
  }
}

TEST(PanelLu, ReportsResidualAndConditionOfLapack) {
  auto a = random_matrix(143, 3), again = copy_of(a);
  auto x = right_sides(a, 2), y = x;
  HostPanels machine(a);
  const auto report = solve_by_panels(machine, a, {12, 5}, x.data(), 2, true);
  const auto known = solve_dense(again, y.data(), 2, LuPrecision::full);
  EXPECT_LT(report.residual, 1e-13);
  EXPECT_NEAR(report.condition, known.condition, 1e-9 * known.condition);
}

TEST(PanelLu, ReadsWhatTheCountSays) {
  // Every panel once, the L of all panels but the one to the left, below each strip's diagonal, again.
  const Offset n = 48, panel = 8, strip = 4;
  auto a = random_matrix(n, 3);
  HostPanels machine(a);
  PanelLu(machine, n, {panel, strip}).factor();
  Offset entries = n * n;
  for (Offset p = 0; p < n; p += panel)
    for (Offset c = 0; c + panel < p; c += strip) entries += (n - c) * strip;
  EXPECT_EQ(machine.bytes_read, std::size_t(entries) * sizeof(Complex));
}

TEST(PanelLu, NamesTheZeroPivot) {
  DenseMatrix a(40, 40);
  for (Offset j = 0; j < 40; ++j)
    for (Offset i = 0; i < 40; ++i) a(i, j) = i == j ? 1.0 : 0.0;
  a(29, 29) = 0;
  std::vector<Complex> b(40, 1.0);
  HostPanels machine(a);
  try {
    solve_by_panels(machine, a, {8, 4}, b.data(), 1, false);
    FAIL();
  } catch (const NumericalError& e) {
    EXPECT_STREQ(e.what(), "the matrix is singular: pivot 30 of 40 is zero");
  }
  a(2, 3) = std::numeric_limits<double>::quiet_NaN();
  HostPanels broken(a);
  EXPECT_THROW(solve_by_panels(broken, a, {8, 4}, b.data(), 1, false), NumericalError);
}

TEST(PanelPlan, TakesTheWidestPanelsWithinTheLimit) {
  const auto none = [](Offset) { return std::size_t(0); };
  constexpr std::size_t gib = std::size_t(1) << 30;
  const auto roomy = choose_widths(60000, 1, 20 * gib, none);
  EXPECT_EQ(roomy.panel, widest_panel);
  for (const std::size_t limit : {gib / 2, gib, 3 * gib, 10 * gib}) {
    const auto w = choose_widths(60000, 10, limit, none);
    ASSERT_GT(w.panel, 0);
    EXPECT_EQ(w.panel % w.strip, 0);
    EXPECT_LE(panel_bytes(60000, 10, w), limit);
    EXPECT_GT(panel_bytes(60000, 10, {w.panel + w.strip, w.strip}), limit);
  }
  const std::size_t least = least_panel_bytes(60000, 10, none);
  EXPECT_EQ(choose_widths(60000, 10, least - 1, none).panel, 0);
  EXPECT_EQ(choose_widths(60000, 10, least, none).panel, 64);
  EXPECT_LE(choose_widths(100, 1, gib, none).panel, 512);
}

/// A device on which factors in single precision take half of the matrix beside it.
DenseDevice device_of(double gib, bool is_stated, Offset n) {
  DenseDevice d;
  d.memory = std::size_t(gib * (1 << 30)), d.is_stated = is_stated;
  d.solver_bytes = [n](LuPrecision p) { return p == LuPrecision::full ? 0 : std::size_t(8 * n * n); };
  d.panel_workspace = [](Offset width) { return std::size_t(100 * width); };
  return d;
}

TEST(DensePlan, IsInCoreIfThatFitsElseByPanelsElseOnTheHost) {
  const Offset n = 60000;  // 53.6 GiB
  const auto place = [&](double gib, LuPrecision p) {
    return choose_place(n, 1, p, device_of(gib, false, n));
  };
  const auto mixed = place(100, LuPrecision::automatic), full = place(60, LuPrecision::automatic);
  EXPECT_EQ(mixed.place, DensePlace::device);
  EXPECT_EQ(mixed.precision, LuPrecision::automatic);
  EXPECT_EQ(full.place, DensePlace::device);
  EXPECT_EQ(full.precision, LuPrecision::full);
  const auto panels = place(20, LuPrecision::automatic);
  EXPECT_EQ(panels.place, DensePlace::out_of_core);
  EXPECT_EQ(panels.widths.panel, widest_panel);
  EXPECT_LE(panels.device_bytes, std::size_t(20) << 30);
  EXPECT_EQ(place(0.1, LuPrecision::automatic).place, DensePlace::host);
  EXPECT_THROW(place(20, LuPrecision::mixed), ResourceError);
}

TEST(DensePlan, NamesTheLeastMemoryWhereTheStatedOneIsTooSmall) {
  try {
    choose_place(60000, 1, LuPrecision::automatic, device_of(0.1, true, 60000));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(
        e.what(),
        "0.1 GiB of device memory do not hold the panels of 60000 unknowns: at least 0.351 GiB are needed");
  }
}

}  // namespace
}  // namespace curlew::linalg
