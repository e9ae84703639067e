// SPDX-License-Identifier: BSD-3-Clause
// The factorisation that members share, with members in plain memory: LAPACK's pivots, known solutions.

#include "linalg/dense/shared_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "host_panels.hpp"
#include "linalg/dense/panel_solve.hpp"
#include "random_matrix.hpp"

namespace curlew::linalg {
namespace {

/// Refuses copies that would overwrite a panel in use.
class HostMember final : public HostArithmetic, public PanelMember {
 public:
  HostMember(Offset n, Offset columns, Offset width)
      : HostArithmetic(n), own_(n, columns), spare_{DenseMatrix(n, width), DenseMatrix(n, width)} {}
  void run(const std::function<void()>& work) override { work(); }
  PanelView own() override { return whole(own_); }
  PanelView spare(int number) override { return whole(spare_[number]); }
  void receive(PanelView from, PanelView to) override {
    for (const auto& place : spare_) {
      if (to.data < place.data() || to.data >= place.data() + place.rows() * place.cols()) continue;
      if (last_ == &place) throw std::logic_error("the place of the last panel");
      last_ = &place;
    }
    for (Offset j = 0; j < from.columns; ++j)
      std::copy_n(from.data + j * from.stride, from.rows, to.data + j * to.stride);
  }

 private:
  static PanelView whole(DenseMatrix& a) { return {a.data(), a.rows(), a.cols(), a.rows()}; }
  DenseMatrix own_, spare_[2];
  const DenseMatrix* last_ = nullptr;
};

struct Shared {
  std::vector<std::unique_ptr<HostMember>> members;
  std::unique_ptr<SharedLu> lu;

  Shared(const DenseMatrix& a, Offset width, int count) {
    std::vector<PanelMember*> all;
    const FormColumns form = [&a](Offset first, Offset columns, Complex* to) {
      std::copy_n(a.column(first), a.rows() * columns, to);
    };
    for (int m = 0; m < count; ++m) {
      members.push_back(
          std::make_unique<HostMember>(a.rows(), shared_columns(a.rows(), width, count, m), width));
      all.push_back(members.back().get());
    }
    const std::vector<FormColumns> forms(std::size_t(count), form);
    lu = std::make_unique<SharedLu>(all, forms, a.rows(), width);
  }
};

/// With fewer panels than members, one, many, without and with a rest; each for 1, 2, 3 and 4 members.
template <class Use>
void each_division(const Use& use) {
  for (const auto& [n, width] :
       std::vector<std::pair<Offset, Offset>>{{1, 4}, {5, 8}, {8, 8}, {16, 8}, {37, 8}, {101, 9}, {150, 64}})
    for (int members = 1; members <= 4; ++members) {
      SCOPED_TRACE(testing::Message() << n << " unknowns, " << width << " wide, " << members << " members");
      use(n, width, members);
    }
}

TEST(SharedLu, HasThePivotsOfLapack) {
  each_division([](Offset n, Offset width, int members) {
    const auto matrix = random_matrix(n, 0);  // pivots of all panels lie anywhere below
    auto known = copy_of(matrix);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    const int size = int(n);
    int info = 0;
    zgetrf_(&size, &size, known.data(), &size, pivots.data(), &info);
    Shared shared(matrix, width, members);
    shared.lu->factor();
    EXPECT_EQ(shared.lu->pivots(), pivots);
  });
}

TEST(SharedLu, SolvesWithTheMatrixAndItsAdjoint) {
  each_division([](Offset n, Offset width, int members) {
    for (const double diagonal : {0.0, 3.0}) {
      const auto matrix = random_matrix(n, diagonal);
      Shared shared(matrix, width, members);
      shared.lu->factor();
      auto x = right_sides(matrix, 3);
      shared.lu->solve(x.data(), 3, false);
      EXPECT_LT(error_of(x, n), 1e-9);
      std::vector<Complex> v(std::size_t(n), 0.0);
      for (Offset j = 0; j < n; ++j)
        for (Offset i = 0; i < n; ++i) v[std::size_t(j)] += std::conj(matrix(i, j)) * double(i + 1);
      shared.lu->solve(v.data(), 1, true);
      EXPECT_LT(error_of(v, n), 1e-9);
    }
  });
}

TEST(SharedLu, ReportsResidualAndConditionOfLapack) {
  each_division([](Offset n, Offset width, int members) {
    const auto matrix = random_matrix(n, 3);
    auto again = copy_of(matrix);
    auto x = right_sides(matrix, 3), y = x;
    const auto b = x;
    const auto known = solve_dense(again, y.data(), 3, LuPrecision::full);
    Shared shared(matrix, width, members);
    const auto report = solve_shared(*shared.lu, n, x.data(), 3, true);
    EXPECT_LT(report.residual, 1e-13);
    EXPECT_NEAR(report.condition, known.condition, 1e-9 * known.condition);
    // One wrong value leaves a residual of one column of the matrix.
    x[std::size_t(n - 1)] += 1.0;
    auto rest = b;
    shared.lu->subtract_product(x.data(), rest.data(), 1);
    for (Offset i = 0; i < n; ++i)
      EXPECT_NEAR(std::abs(rest[std::size_t(i)] + matrix(i, n - 1)), 0, 1e-9 * double(n));
  });
}

TEST(SharedLu, EndsAllMembersWhereOneFails) {
  const Offset n = 40;
  std::vector<Complex> b(40, 1.0);
  for (int members = 1; members <= 3; ++members) {
    DenseMatrix a(n, n);
    for (Offset j = 0; j < n; ++j)
      for (Offset i = 0; i < n; ++i) a(i, j) = i == j && i != 29 ? 1.0 : 0.0;
    Shared singular(a, 8, members);
    try {
      solve_shared(*singular.lu, n, b.data(), 1, false);
      FAIL();
    } catch (const NumericalError& e) {
      EXPECT_STREQ(e.what(), "the matrix is singular: pivot 30 of 40 is zero");
    }
    a(29, 29) = 1, a(2, 35) = std::numeric_limits<double>::quiet_NaN();
    Shared broken(a, 8, members);
    EXPECT_THROW(solve_shared(*broken.lu, n, b.data(), 1, false), NumericalError);
  }
}

}  // namespace
}  // namespace curlew::linalg
