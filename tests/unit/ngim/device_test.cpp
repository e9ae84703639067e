// SPDX-License-Identifier: BSD-3-Clause
// The GPU against the CPU on the same plan, and against direct sums.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "base/error.hpp"
#include "clouds.hpp"
#include "curlew/build.hpp"
#include "needs_gpu.hpp"
#include "ngim/grid_cache.hpp"
#include "ngim/plan.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "base/cuda_device.hpp"
#include "base/cuda_stream.hpp"
#include "ngim/shared_solver.hpp"
#endif

namespace curlew::ngim {
namespace {

constexpr auto single = Precision::single_precision;
constexpr auto twice = Precision::double_precision;

/// Points of a test and of a leaf, and shapes: fewer under tools that watch each access. Boxes become smaller
/// with the points, so that there are as many levels; the graded cloud has every kind of list.
int count_of(int points) {
  return wants_small_cases() ? std::min(points, 300) : points;
}
Offset leaf_of(Offset points) {
  return wants_small_cases() ? 20 : points;
}
std::vector<std::string> shapes_of(const std::vector<std::string>& all) {
  return wants_small_cases() ? std::vector<std::string>{"graded"} : all;
}

class DevicePlan : public testing::Test {
 protected:
  void SetUp() override { CURLEW_NEEDS_GPU(); }
};

/// Waves, each in a separate test: tools that watch each access run a process for each.
class DevicePlanOfWave : public DevicePlan, public testing::WithParamInterface<Complex> {};

struct Fields {
  std::vector<Complex> potential, gradient;
  MeasuredError error;
};

Fields evaluate(const Points& sources, const Points* observers, Complex k, Options options, Device device) {
  options.device = device;
  options.gradient = true;
  const Index vectors = 2;
  const std::size_t m = observers != nullptr ? observers->size() : sources.size();
  const auto charges = random_charges(vectors * sources.size());
  Fields fields{std::vector<Complex>(vectors * m), std::vector<Complex>(3 * vectors * m), {}};
  const Plan plan(
      sources, observers != nullptr ? std::optional<std::span<const Vec3<double>>>(*observers) : std::nullopt,
      k, options);
  plan.apply(charges.data(), vectors, fields.potential.data(), fields.gradient.data());
  fields.error = plan.measure_error(charges.data(), fields.potential.data(), 200);
  return fields;
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), total += std::norm(b[i]);
  return std::sqrt(error / total);
}

/// A cloud between two points that are the same for all shapes: their trees have one cube, and plans of one
/// wavenumber and tolerance share their grids, which the host makes and which take most of a test's time. The
/// line stands alone: with the frame its closest pairs lose three digits in single precision.
Points framed_cloud(const std::string& shape, int n) {
  Points points = cloud(shape, n);
  if (shape != "line") points.insert(points.end(), {{-0.6, -0.53, -0.57}, {1.1, 1.03, 1.07}});
  return points;
}

/// GPU against CPU, and against direct sums.
void expect_agreement(const Points& points, Complex k, Options options, double rounding,
                      double slope_rounding) {
  const Fields host = evaluate(points, nullptr, k, options, Device::cpu),
               device = evaluate(points, nullptr, k, options, Device::cuda);

  EXPECT_LT(difference(device.potential, host.potential), rounding);
  EXPECT_LT(difference(device.gradient, host.gradient), slope_rounding);
  EXPECT_LT(device.error.l2, options.tolerance);
}

TEST_P(DevicePlanOfWave, AgreesWithTheHostToRounding) {
  const auto grids = std::make_shared<GridCache>();
  for (const auto& shape :
       shapes_of({"cube", "line", "sphere", "inverse_t", "clusters", "plane", "graded"})) {
    const Points points = framed_cloud(shape, count_of(1500));
    for (const Precision precision : {single, twice}) {
      SCOPED_TRACE(testing::Message() << shape << (precision == twice ? " double" : " single"));
      Options options;
      options.precision = precision, options.leaf_size = leaf_of(40), options.tolerance = 1e-3;
      options.grids = grids;
      // The closest pairs of the line lose digits in single precision, on both sides alike but not equally.
      const double rounding = precision == twice ? 1e-12 : 5e-4;
      expect_agreement(points, GetParam(), options, rounding, 10 * rounding);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Waves, DevicePlanOfWave, testing::Values(Complex(0), Complex(3.1), Complex(9, -2)));

TEST_F(DevicePlan, TakesTwoSetsAndAnyCount) {
  const auto small = wants_small_cases();
  for (const int n : small ? std::vector{1, 33, 300} : std::vector{1, 2, 31, 33, 65, 597, 2000}) {
    const Points sources = cloud("cube", n), observers = cloud("sphere", 43, 5);
    Options options;
    options.leaf_size = small ? 16 : 32, options.tolerance = small ? 1e-3 : 1e-6;
    const Fields host = evaluate(sources, &observers, 2.0, options, Device::cpu),
                 device = evaluate(sources, &observers, 2.0, options, Device::cuda);
    EXPECT_LT(difference(device.potential, host.potential), 1e-12) << n;
    EXPECT_LT(device.error.l2, options.tolerance) << n;
  }
}

// In double to 1e-4: nodes of cones lie on the border of two cones below, of which host and device may take
// different ones, and then differ by a share of the tolerance and not by rounding.
class DevicePlanOfShortWave : public DevicePlan,
                              public testing::WithParamInterface<std::tuple<Complex, Precision>> {};

TEST_P(DevicePlanOfShortWave, AgreesWithTheHost) {
  const auto [k, precision] = GetParam();
  for (const auto& shape : shapes_of({"cube", "graded", "sphere", "clusters", "plane"})) {
    SCOPED_TRACE(shape);
    Options options;
    options.precision = precision, options.leaf_size = leaf_of(40);
    options.grids = std::make_shared<GridCache>();  // host and device
    options.tolerance = precision == single ? 1e-2 : 1e-4;
    const double rounding = precision == twice ? 1e-11 : 1e-3;
    expect_agreement(cloud(shape, count_of(2500)), k, options, rounding, rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(Waves, DevicePlanOfShortWave,
                         testing::Combine(testing::Values(Complex(2 * pi * 16), Complex(2 * pi * 12, -3)),
                                          testing::Values(single, twice)));

/// The device translates by tensor cores there, which round to 2^-12; the host has none.
TEST_F(DevicePlan, ReadsTenBitsWhereATenthIsAllowed) {
  for (const double k : {3.1, 2 * pi * 8}) {
    Options options;
    options.precision = single, options.leaf_size = leaf_of(40), options.tolerance = 0.1;
    options.surface = true, options.grids = std::make_shared<GridCache>();
    expect_agreement(cloud("sphere", count_of(6000)), k, options, 5e-4, 5e-4);
  }
}

TEST_F(DevicePlan, MeetsTheToleranceOfThirtyTwoWavelengths) {
  const Points points = cloud("sphere", 20000), observers = cloud("cube", 3000, 5);
  for (const double tolerance : {5e-2, 1e-2, 1e-3, 1e-6}) {
    Options options;
    options.tolerance = tolerance, options.precision = tolerance > 5e-4 ? single : twice;
    EXPECT_LT(evaluate(points, nullptr, 2 * pi * 32, options, Device::cuda).error.l2, tolerance);
    EXPECT_LT(evaluate(points, &observers, 2 * pi * 32, options, Device::cuda).error.l2, tolerance);
  }
}

#ifdef CURLEW_HAVE_CUDA
/// Several vectors on the device, in either scalar type, against one by one through the host.
template <class Scalar>
void check_device_arrays(const Points& points, double k, Precision precision, double rounding) {
  const bool small = wants_small_cases();
  const std::size_t n = points.size(), vectors = small ? 5 : 6;  // two groups
  Options options;
  options.device = Device::cuda, options.gradient = true, options.leaf_size = small ? 10 : 50;
  options.precision = precision, options.tolerance = 1e-3;
  const Plan plan(points, std::nullopt, k, options);
  const auto charges = random_charges(vectors * n);
  std::vector<Complex> potential(n), gradient(3 * n);
  std::vector<complex<Scalar>> q(vectors * n), u(vectors * n), g(3 * vectors * n);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = {Scalar(charges[i].real()), Scalar(charges[i].imag())};
  const cuda::Buffer<complex<Scalar>> d_q(q);
  cuda::Buffer<complex<Scalar>> d_u(u.size()), d_g(g.size());
  cudaStream_t stream;
  CURLEW_CUDA_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  plan.apply_on_device(d_q.data(), Index(vectors), d_u.data(), d_g.data(), stream);

  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream));
  CURLEW_CUDA_CALL(cudaStreamDestroy(stream));
  d_u.download(u.data()), d_g.download(g.data());
  for (std::size_t v = 0; v < vectors; ++v) {
    plan.apply(&charges[v * n], 1, potential.data(), gradient.data());
    double error = 0, total = 0, slope_error = 0, slope_total = 0;
    for (std::size_t i = 0; i < n; ++i)
      error += std::norm(Complex(u[v * n + i].re, u[v * n + i].im) - potential[i]),
          total += std::norm(potential[i]);
    for (std::size_t i = 0; i < 3 * n; ++i)
      slope_error += std::norm(Complex(g[3 * v * n + i].re, g[3 * v * n + i].im) - gradient[i]),
          slope_total += std::norm(gradient[i]);
    EXPECT_LT(std::sqrt(error / total), rounding) << v;
    EXPECT_LT(std::sqrt(slope_error / slope_total), rounding) << v;
  }
}

std::vector<std::vector<Index>> sorted_rows(const BoxLists& lists) {
  std::vector<std::vector<Index>> rows;
  for (std::size_t i = 0; i + 1 < lists.offsets.size(); ++i) {
    const auto row = lists.row(Offset(i));
    rows.emplace_back(row.begin(), row.end());
    std::sort(rows.back().begin(), rows.back().end());
  }
  return rows;
}

void check_tree(const Points& sources, const Points& targets, bool same, Complex k, Offset leaf_size) {
  const Accuracy accuracy{1e-3, false, false, std::make_shared<GridCache>()};
  const Scheme scheme = build_scheme(sources, targets, same, k, accuracy, false, true, leaf_size);
  const DeviceProblem problem(sources, targets, same, k, accuracy, false, leaf_size);
  const auto [tree, lists] = download_tree(problem);
  const Tree& host = scheme.tree;
  EXPECT_EQ(tree.origin.x, host.origin.x);
  EXPECT_EQ(tree.side, host.side);
  EXPECT_EQ(tree.level_begin, host.level_begin);
  EXPECT_EQ(tree.leaves, host.leaves);
  EXPECT_EQ(tree.sources.original, host.sources.original);
  EXPECT_EQ(tree.targets.original, host.targets.original);
  EXPECT_EQ(tree.colleagues, host.colleagues);
  ASSERT_EQ(tree.boxes.size(), host.boxes.size());
  for (std::size_t b = 0; b < host.boxes.size(); ++b) {
    const Box &x = tree.boxes[b], &y = host.boxes[b];
    ASSERT_TRUE(x.children == y.children && x.parent == y.parent && x.x == y.x && x.y == y.y && x.z == y.z &&
                x.source_begin == y.source_begin && x.source_end == y.source_end &&
                x.target_begin == y.target_begin && x.target_end == y.target_end && x.level == y.level &&
                x.is_leaf == y.is_leaf)
        << "box " << b;
  }
  EXPECT_EQ(sorted_rows(lists.near), sorted_rows(scheme.lists.near));
  EXPECT_EQ(sorted_rows(lists.from_grids), sorted_rows(scheme.lists.from_grids));
  EXPECT_EQ(sorted_rows(lists.to_grids), sorted_rows(scheme.lists.to_grids));
}

TEST_F(DevicePlan, BuildsTheTreeOfTheHost) {
  for (const auto& shape :
       shapes_of({"cube", "graded", "sphere", "inverse_t", "line", "clusters", "plane"})) {
    for (const Complex k : {Complex(1), Complex(2 * pi * 12)}) {
      check_tree(cloud(shape, count_of(6000)), {}, true, k, 20);
      check_tree(cloud(shape, count_of(3000)), cloud("graded", count_of(2000), 7), false, k, 15);
    }
  }
  check_tree(Points(300, Vec3<double>{1, 2, 3}), {}, true, 1.0, 20);  // down to the last level
  check_tree({}, {}, true, 1.0, 20);
  check_tree({{0, 0, 0}}, {}, false, 1.0, 20);
}

TEST_F(DevicePlan, RefusesWhatIsNoPoint) {
  Options options;
  options.device = Device::cuda;
  const auto plan = [&](const Points& points) { Plan(points, std::nullopt, 1.0, options); };
  EXPECT_THROW(plan({{0, 0, 0}, {0, NAN, 0}}), InputError);
  EXPECT_THROW(plan({{0, 0, INFINITY}}), InputError);
  EXPECT_THROW(plan({{0, 0, 0}, {1e200, 0, 0}}), InputError);
}

TEST_F(DevicePlan, TakesArraysOfTheDevice) {
  const Points few_neighbours = wants_small_cases() ? cloud("line", 150) : cloud("cube", 4000);
  check_device_arrays<double>(few_neighbours, 9, twice, 1e-13);
  check_device_arrays<float>(few_neighbours, 9, twice, 1e-6);
  for (const auto& shape : shapes_of({"graded", "clusters", "sphere"}))  // leaves of several levels, cones
    check_device_arrays<double>(cloud(shape, count_of(4000)), 2 * pi * 16, single, 3e-5);
}

/// Potentials, then gradients if requested, [vector][value].
struct Rows {
  std::vector<Complex> potential, gradient;
};

template <class T>
Rows rows_of(const SharedSolver<T>& solver, std::size_t m, const std::vector<Complex>& charges, Index vectors,
             bool gradient) {
  Rows rows{std::vector<Complex>(std::size_t(vectors) * m),
            std::vector<Complex>(gradient ? 3 * std::size_t(vectors) * m : 0)};
  solver.apply_host(charges.data(), vectors, rows.potential.data(),
                    gradient ? rows.gradient.data() : nullptr);
  return rows;
}

std::vector<Complex> some_columns(const std::vector<Complex>& rows, const std::vector<char>& chosen) {
  std::vector<Complex> some;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (chosen[i % chosen.size()] != 0) some.push_back(rows[i]);
  return some;
}

/// Each device against one that works alone for the same observers and makes all grids itself: the same
/// operations, so that they differ by rounding at most.
template <class T>
void check_shared(const Points& points, Complex k, const Accuracy& accuracy,
                  const std::vector<int>& devices) {
  const bool currents = accuracy.currents, gradient = accuracy.gradient, is_single = sizeof(T) == 4;
  const Index vectors = currents ? 12 : 5;  // two groups
  const SumProblem problem{points, std::nullopt, k, accuracy, is_single, leaf_of(40)};
  const auto charges = random_charges(std::size_t(vectors) * points.size());
  const SharedSolver<T> shared(problem, devices);
  EXPECT_TRUE(shared.divides_boxes());

  const Rows all = rows_of(shared, points.size(), charges, vectors, gradient);

  const int count = int(devices.size());
  for (int piece = 0; piece < count; ++piece) {
    const auto is_own = points_of_share(points, {piece, count});
    Points own;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (is_own[i] != 0) own.push_back(points[i]);
    SumProblem of_own = problem;
    of_own.observers = own;
    const SharedSolver<T> alone(of_own, {devices[0]});
    const Rows expected = rows_of(alone, own.size(), charges, vectors, gradient);
    const double rounding = is_single ? 1e-6 : 1e-13;
    EXPECT_LT(difference(some_columns(all.potential, is_own), expected.potential), rounding) << piece;
    if (gradient) {
      EXPECT_LT(difference(some_columns(all.gradient, is_own), expected.gradient), rounding) << piece;
    }
  }
}

template <class T>
void check_shared_on_shapes(Accuracy accuracy, const std::vector<int>& devices) {
  accuracy.grids = std::make_shared<GridCache>();
  for (const auto& shape : shapes_of({"cube", "graded", "clusters"})) {
    SCOPED_TRACE(shape);
    check_shared<T>(framed_cloud(shape, count_of(4000)), 3.1, accuracy, devices);
  }
}

/// Two sums in sequence without a wait: the second must not overwrite data that the first still reads.
void check_sums_in_a_row(const Points& points, const std::vector<int>& devices) {
  const SharedSolver<double> shared({points, std::nullopt, 3.1, {1e-3, false}, false, leaf_of(40)}, devices);
  const cuda::CurrentDevice current(devices[0]);
  const std::size_t n = points.size();
  const auto charges = random_charges(2 * n);
  std::vector<Complex> expected(2 * n), got(2 * n);
  for (std::size_t v = 0; v < 2; ++v) shared.apply_host(&charges[v * n], 1, &expected[v * n], nullptr);
  using Value = complex<double>;
  cuda::Buffer<Value> q(2 * n), u(2 * n);
  q.upload(reinterpret_cast<const Value*>(charges.data()));
  const cuda::Stream stream;
  for (std::size_t v = 0; v < 2; ++v)
    shared.apply(q.data() + v * n, 1, u.data() + v * n, static_cast<Value*>(nullptr), stream.get());
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream.get()));
  u.download(reinterpret_cast<Value*>(got.data()));
  EXPECT_LT(difference(got, expected), 1e-14);
}

/// Devices by number, a piece each: one device may have several.
class SharedDevicePlan : public DevicePlan, public testing::WithParamInterface<std::vector<int>> {
 protected:
  void SetUp() override {
    DevicePlan::SetUp();
    const auto& devices = GetParam();
    if (!IsSkipped() && *std::max_element(devices.begin(), devices.end()) >= num_devices())
      GTEST_SKIP() << "one GPU";
  }
};

TEST_P(SharedDevicePlan, SharesASum) {
  check_shared_on_shapes<float>({1e-2, false}, GetParam());
}

TEST_P(SharedDevicePlan, SharesASumWithGradients) {
  check_shared_on_shapes<double>({1e-4, true}, GetParam());
}

TEST_P(SharedDevicePlan, SharesASumOverCones) {
  check_shared<float>(cloud("sphere", count_of(4000)), 2 * pi * 12, {1e-2, false}, GetParam());
}

TEST_P(SharedDevicePlan, SharesASumOfCurrents) {
  check_shared<double>(cloud("sphere", count_of(2000)), 9.0, {1e-3, false, true}, GetParam());
}

TEST_P(SharedDevicePlan, SharesSumsInARow) {
  check_sums_in_a_row(framed_cloud("cube", count_of(4000)), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Pieces, SharedDevicePlan,
                         testing::Values(std::vector<int>{0, 0}, std::vector<int>{0, 0, 0},
                                         std::vector<int>{0, 1}, std::vector<int>{1, 0}),
                         [](const auto& of) {
                           std::string name;
                           for (const int device : of.param) name += std::to_string(device);
                           return "OnDevices" + name;
                         });

/// Observers that widen the cube, each device another: no common tree, and each makes all grids.
TEST_F(DevicePlan, SharesASumForOtherObservers) {
  const Points sources = cloud("cube", count_of(3000));
  Points observers = cloud("sphere", count_of(1000), 5);
  for (auto& p : observers) p = 3.0 * p;
  const SumProblem problem{sources, observers, 3.1, {1e-3, false}, false, leaf_of(40)};
  const SharedSolver<double> shared(problem, {0, 0}), alone(problem, {0});
  const auto charges = random_charges(sources.size());

  const Rows all = rows_of(shared, observers.size(), charges, 1, false);

  EXPECT_FALSE(shared.divides_boxes());
  EXPECT_LT(difference(all.potential, rows_of(alone, observers.size(), charges, 1, false).potential), 1e-3);
}
#endif

#ifdef CURLEW_HAVE_CUDA
TEST_F(DevicePlan, SaysThatTheDeviceIsTooSmallOrTurnsToTheHost) {
  const bool small = wants_small_cases();
  const Points points = cloud("cube", small ? 100000 : 200000);
  Options options;
  options.device = Device::cuda, options.tolerance = 1e-2;
  Plan(Points{{0, 0, 0}}, std::nullopt, 1.0, options);  // what the driver itself takes is taken now
  const cuda::Buffer<char> taken(device_info().free_memory - (std::size_t(small ? 12 : 24) << 20));
  EXPECT_THROW(Plan(points, std::nullopt, 1.0, options), ResourceError);
  options.may_use_host = true;
  const Plan plan(points, std::nullopt, 1.0, options);
  EXPECT_EQ(plan.device(), Device::cpu);
  const auto charges = random_charges(points.size());
  std::vector<Complex> u(points.size());
  plan.apply(charges.data(), 1, u.data());
  EXPECT_LT(plan.measure_error(charges.data(), u.data(), 50).l2, 1e-2);
}
#endif

TEST_F(DevicePlan, RepeatsBitForBit) {
  const Points points = cloud("sphere", count_of(5000));
  Options options;
  options.precision = single, options.tolerance = 1e-3, options.leaf_size = leaf_of(0);
  const Fields a = evaluate(points, nullptr, 80.0, options, Device::cuda),
               b = evaluate(points, nullptr, 80.0, options, Device::cuda);
  EXPECT_TRUE(a.potential == b.potential && a.gradient == b.gradient);
}

TEST(Plan, OnTheHostTakesNoArraysOfADevice) {
  const Plan plan(Points{{0, 0, 0}}, std::nullopt, 1.0, {});
  complex<double> q(1), u;
  EXPECT_THROW(plan.apply_on_device(&q, 1, &u), ResourceError);
}

}  // namespace
}  // namespace curlew::ngim
