// SPDX-License-Identifier: BSD-3-Clause
// The factorisation by panels, on a machine of plain memory: LAPACK's pivots and factors, known solutions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "host_panels.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/dense/formed_residual.hpp"
#include "linalg/dense/panel_lu.hpp"
#include "linalg/dense/panel_solve.hpp"
#include "linalg/dense/sampled_residual.hpp"
#include "random_matrix.hpp"

namespace curlew::linalg {
namespace {

struct Size {
  Offset n;
  PanelLayout layout;
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

FormColumns columns_of(const DenseMatrix& a) {
  return
      [&a](Offset first, Offset count, Complex* to) { std::copy_n(a.column(first), a.rows() * count, to); };
}

TEST(PanelLu, HasTheFactorsOfLapack) {
  for (const auto& [n, layout] : sizes) {
    auto a = random_matrix(n, 0);
    const auto known = factors_of_lapack(a);
    HostPanels machine(a);
    PanelLu lu(machine, n, layout);

    lu.factor();

    EXPECT_EQ(lu.pivots(), known.pivots) << n;
    exchange_stored_rows(a, lu.pivots(), layout.panel);
    double wrong = 0;
    for (Offset j = 0; j < n; ++j)
      for (Offset i = 0; i < n; ++i) wrong = std::max(wrong, std::abs(a(i, j) - known.a(i, j)));
    EXPECT_LT(wrong, 1e-10) << n;  // rounding times the condition of the leading blocks, some thousands
  }
}

TEST(PanelLu, SolvesWithTheMatrixAndItsAdjoint) {
  for (const auto& [n, layout] : sizes) {
    auto a = random_matrix(n, 3);
    const auto matrix = copy_of(a);
    auto x = right_sides(a, 3);
    HostPanels machine(a);
    PanelLu lu(machine, n, layout);
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
  // Every panel once unless it is formed, and the L of all stored panels but the one to the left, below each
  // strip's diagonal, again. What stays is not stored.
  const Offset n = 45, panel = 8, strip = 4;
  const auto matrix = random_matrix(n, 3);
  for (int resident = 0; resident <= 6; ++resident) {
    const PanelLayout layout{panel, strip, resident};
    const Offset stay = std::min(n, resident * panel);
    Offset again = 0;
    for (Offset p = 0; p < n; p += panel)
      for (Offset c = stay; c + panel < p; c += strip) again += (n - c) * strip;
    auto a = copy_of(matrix);
    DenseMatrix beyond(n, n - stay);
    HostPanels reader(a, layout), former(beyond, layout, columns_of(matrix));
    PanelLu(reader, n, layout).factor();
    PanelLu(former, n, layout).factor();
    EXPECT_EQ(reader.bytes_read, std::size_t(n * n + again) * sizeof(Complex)) << resident;
    EXPECT_EQ(former.bytes_read, std::size_t(again) * sizeof(Complex)) << resident;
    for (const auto* machine : {&reader, &former})
      EXPECT_EQ(machine->bytes_stored, std::size_t(n * (n - stay)) * sizeof(Complex)) << resident;
  }
}

/// All factors, from both memories. @param stored the last columns
DenseMatrix factors_of(const PanelLu& lu, const DenseMatrix& stored) {
  const Offset n = stored.rows(), first = n - stored.cols();
  DenseMatrix all(n, n);
  for (Offset j = first; j < n; ++j) std::copy_n(stored.column(j - first), n, all.column(j));
  Offset column = 0;
  for (const PanelView& p : lu.resident())
    for (Offset j = 0; j < p.columns; ++j) std::copy_n(p.data + j * p.stride, n, all.column(column++));
  return all;
}

TEST(PanelLu, HasTheSameBitsWhereverPanelsLie) {
  for (const auto& [n, widths] : sizes) {
    const auto matrix = random_matrix(n, 3);
    const auto b = right_sides(matrix, 2);
    auto a = copy_of(matrix);
    auto x = b;
    HostPanels machine(a);
    PanelLu lu(machine, n, widths);
    lu.factor();
    lu.solve(x.data(), 2, false);
    lu.solve(x.data(), 1, true);
    const int panels = int((n + widths.panel - 1) / widths.panel);
    for (int resident = 0; resident <= panels; ++resident) {
      const PanelLayout layout{widths.panel, widths.strip, resident};
      DenseMatrix beyond(n, n - std::min(n, resident * widths.panel));
      HostPanels split_machine(beyond, layout, columns_of(matrix));
      PanelLu split(split_machine, n, layout);
      auto y = b;
      split.factor();
      split.solve(y.data(), 2, false);
      split.solve(y.data(), 1, true);
      EXPECT_EQ(split.pivots(), lu.pivots()) << n << " " << resident;
      EXPECT_EQ(y, x) << n << " " << resident;
      const auto all = factors_of(split, beyond);
      EXPECT_TRUE(std::equal(a.data(), a.data() + n * n, all.data())) << n << " " << resident;
    }
  }
}

TEST(PanelLu, FormsTheMatrixAgainForResidualAndNorm) {
  const Offset n = 143;
  const auto matrix = random_matrix(n, 3);
  const auto b = right_sides(matrix, 3);
  auto whole = copy_of(matrix);
  auto y = b;
  const auto known = solve_dense(whole, y.data(), 3, LuPrecision::full);
  for (const int num_rhs : {1, 2, 3}) {
    const PanelLayout layout{12, 5, 4};
    DenseMatrix beyond(n, n - 48);
    HostPanels machine(beyond, layout, columns_of(matrix));
    auto x = b;
    const auto report = solve_formed_by_panels(machine, n, layout, x.data(), num_rhs, true);
    EXPECT_LT(report.residual, 1e-13) << num_rhs;
    EXPECT_GT(report.residual, 0) << num_rhs;
    EXPECT_NEAR(report.condition, known.condition, 1e-9 * known.condition);
    // A solution of which every column but the last is right: the residual is that of the wrong part.
    auto wrong = x;
    wrong[std::size_t(n * num_rhs - 1)] += 1.0;
    double column = 0, size = 0;
    for (Offset i = 0; i < n; ++i) {
      column += std::norm(matrix(i, n - 1));
      size += std::norm(b[std::size_t(n * (num_rhs - 1) + i)]);
    }
    const auto formed = formed_residual(machine, n, layout, wrong.data(), b.data(), num_rhs);
    EXPECT_NEAR(formed.residual, std::sqrt(column / size), 1e-9 * formed.residual) << num_rhs;
    EXPECT_NEAR(formed.norm, norm1(matrix), 1e-12 * formed.norm);
  }
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
  a(29, 29) = 1;
  DenseMatrix beyond(40, 24);
  const PanelLayout layout{8, 4, 2};
  HostPanels forms_broken(beyond, layout, columns_of(a));
  EXPECT_THROW(solve_formed_by_panels(forms_broken, 40, layout, b.data(), 1, false), NumericalError);
}

TEST(PanelPlan, TakesTheWidestPanelsWithinTheLimit) {
  const auto none = [](Offset) { return std::size_t(0); };
  constexpr std::size_t gib = std::size_t(1) << 30;
  const auto roomy = choose_layout(60000, 1, {20 * gib}, none);
  EXPECT_EQ(roomy.panel, widest_panel);
  for (const std::size_t limit : {gib / 2, gib, 3 * gib, 10 * gib}) {
    const auto w = choose_layout(60000, 10, {limit}, none);
    ASSERT_GT(w.panel, 0);
    EXPECT_EQ(w.panel % w.strip, 0);
    EXPECT_LE(panel_bytes(60000, 10, w), limit);
    EXPECT_GT(panel_bytes(60000, 10, {w.panel + w.strip, w.strip}), limit);
  }
  const std::size_t least = least_panel_bytes(60000, 10, none);
  EXPECT_EQ(choose_layout(60000, 10, {least - 1}, none).panel, 0);
  EXPECT_EQ(choose_layout(60000, 10, {least}, none).panel, 64);
  EXPECT_LE(choose_layout(100, 1, {gib}, none).panel, 512);
}

TEST(PanelPlan, KeepsAsManyPanelsAsTheDeviceHasRoomFor) {
  const auto work = [](Offset width) { return std::size_t(1000 * width); };
  constexpr std::size_t gib = std::size_t(1) << 30;
  const Offset n = 100000;  // 149 GiB
  const auto wide = choose_layout(n, 1, {132 * gib, 115 * gib}, work);
  EXPECT_EQ(wide.panel, widest_panel);
  EXPECT_EQ(stored_bytes(n, wide), std::size_t(16 * n * (n - wide.resident * wide.panel)));
  PanelLayout more = wide;
  ++more.resident;
  EXPECT_LE(panel_bytes(n, 1, wide) + work(wide.panel), 132 * gib);
  EXPECT_GT(panel_bytes(n, 1, more) + work(more.panel), 132 * gib);
  // Narrower panels leave more room for those that stay, where the host has little.
  const auto narrow = choose_layout(n, 1, {132 * gib, 30 * gib}, work);
  EXPECT_GT(narrow.panel, 0);
  EXPECT_LT(narrow.panel, wide.panel);
  EXPECT_LE(panel_bytes(n, 1, narrow) + work(narrow.panel), 132 * gib);
  EXPECT_LE(stored_bytes(n, narrow), 30 * gib);
  EXPECT_EQ(choose_layout(n, 1, {132 * gib, 10 * gib}, work).panel, 0);
  EXPECT_EQ(resident_columns(n, {8192, 512, 13}), n);  // the last panel is narrower
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
  EXPECT_EQ(panels.layout.panel, widest_panel);
  EXPECT_LE(panels.device_bytes, std::size_t(20) << 30);
  EXPECT_EQ(place(0.1, LuPrecision::automatic).place, DensePlace::host);
  EXPECT_THROW(place(20, LuPrecision::mixed), ResourceError);
}

TEST(DensePlan, SharesAMatrixThatFitsNeitherSideAlone) {
  const Offset n = 100000;
  const auto place = [&](double host_gib, EntriesMade entries) {
    DenseDevice d = device_of(139, false, n);
    d.host_memory = std::size_t(host_gib * (1 << 30)), d.entries = entries;
    return choose_place(n, 1, LuPrecision::automatic, d);
  };
  const auto split = place(115, EntriesMade::where_factored);
  EXPECT_EQ(split.place, DensePlace::out_of_core);
  EXPECT_LE(split.host_bytes, std::size_t(115) << 30);
  EXPECT_LE(split.device_bytes, std::size_t(139) << 30);
  EXPECT_EQ(split.host_bytes, stored_bytes(n, split.layout) + page_locked_bytes(n));
  EXPECT_EQ(place(5, EntriesMade::where_factored).place, DensePlace::host);
  const auto whole = place(115, EntriesMade::on_host);
  EXPECT_EQ(whole.place, DensePlace::out_of_core);
  EXPECT_EQ(whole.host_bytes, std::size_t(16 * n * n) + page_locked_bytes(n));
}

TEST(DensePlan, DividesAMatrixAmongGpus) {
  const Offset n = 100000;  // 149 GiB
  const auto place = [&](double gib, int gpus) {
    DenseDevice d = device_of(gib, true, n);
    d.entries = EntriesMade::where_factored, d.gpus = gpus;
    return choose_place(n, 1, LuPrecision::automatic, d);
  };
  const auto plan = place(80, 2);
  EXPECT_EQ(plan.place, DensePlace::shared);
  EXPECT_EQ(plan.gpus, 2);
  EXPECT_EQ(plan.layout.panel, 512);
  EXPECT_EQ(plan.host_bytes, 0u);
  // Its half of the matrix, or a panel more, and two panels.
  EXPECT_GE(plan.device_bytes, std::size_t(16 * n * (n / 2 + 1024)));
  EXPECT_LE(plan.device_bytes, std::size_t(16 * n * (n / 2 + 1024 + 512)) + (std::size_t(100) << 20));
  EXPECT_LT(place(80, 8).device_bytes, std::size_t(22) << 30);
  try {
    place(70, 2);
    FAIL();
  } catch (const ResourceError& e) {
    EXPECT_STREQ(
        e.what(),
        "the matrix of 100000 unknowns takes 76.37 GiB on each of 2 GPUs, 70.00 GiB may be used: take "
        "more GPUs, or gpus = 1, which keeps the rest in the host's memory");
  }
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
