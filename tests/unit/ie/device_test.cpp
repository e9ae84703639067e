// SPDX-License-Identifier: BSD-3-Clause
// Surface equations on a CUDA device against the CPU.

#include <gtest/gtest.h>

#include <numeric>

#include "base/cuda.hpp"
#include "base/device.hpp"
#include "composite_problems.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/device_corrected_operator.hpp"
#include "ie/operator/shared_operator.hpp"
#include "ie/operator/solve.hpp"
#include "ie/operator/wave_shares.hpp"
#include "ie/surface/device_near_diagonal.hpp"
#include "ie/surface/device_near_matrix.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_fill.hpp"
#include "kept_groups.hpp"
#include "needs_gpu.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(difference / size);
}

/// Right-hand sides of five plane waves, one after the other.
std::vector<Complex> five_waves(const System& system) {
  std::vector<Complex> b;
  for (int i = 0; i < 5; ++i) {
    const auto one = right_hand_side(system, PlaneWave{0.3 * i, 0.4, 0.7 * i});
    b.insert(b.end(), one.begin(), one.end());
  }
  return b;
}

/// Pseudo-random numbers.
std::vector<Complex> scattered_numbers(std::size_t count) {
  std::vector<Complex> x;
  for (std::size_t i = 0; i < count; ++i)
    x.emplace_back(std::sin(3.7 * double(i)), std::cos(1.3 * double(i)));
  return x;
}

std::vector<Problem> every_formulation() {
  const Surface impedance{.boundary = Boundary::impedance, .surface_impedance = {100, 50}};
  return {sphere_problem(7, 2, Equation::efie),
          sphere_problem(7, 2, Equation::cfie),
          sphere_problem(5, 2, Equation::mfie),
          coated_conductor(),
          sphere_problem(3, 1, Equation::efie, impedance),
          plate_between_halves(3, 1, 4.0, 2.0),
          cut_coated(3, 1, 0.6, 4.0, 2.0)};
}

TEST(DeviceSurfaceOperator, EqualsTheHostInEveryFormulation) {
  CURLEW_NEEDS_GPU();
  for (const auto& problem : every_formulation()) {
    const System system(problem);
    const auto sums = make_surface_sums(system);
    const auto near = near_matrix(system, {}, NearPairs::medium, NearPart::corrections);
    const auto x = scattered_numbers(std::size_t(system.num_unknowns()));
    std::vector<Complex> y(x.size()), on_device(x.size());
    cuda::Buffer<Value> dx(x.size()), dy(x.size());
    dx.upload(reinterpret_cast<const Value*>(x.data()));
    // Host and device divide boxes by their own costs: where these differ, the errors of the sums differ too.
    for (const double tolerance : {1e-6, 1e-3}) {
      CorrectedOperator(make_surface_fill(sums, near), tolerance).apply(x.data(), y.data());

      DeviceCorrectedOperator(
          make_device_surface_fill(sums, std::make_unique<linalg::DeviceCrs<double>>(near)), tolerance)
          .apply(dx.data(), dy.data(), {});

      dy.download(reinterpret_cast<Value*>(on_device.data()));
      EXPECT_LT(distance(on_device, y), 0.2 * tolerance) << system.num_unknowns() << " at " << tolerance;
    }
  }
}

TEST(DeviceNearMatrix, EqualsTheHostToRounding) {
  CURLEW_NEEDS_GPU();
  for (const auto& problem : every_formulation()) {
    const System system(problem);
    for (const auto pairs : {NearPairs::sharing_edges, NearPairs::medium}) {
      for (const auto part : {NearPart::entries, NearPart::corrections}) {
        const auto host = near_matrix(system, {}, pairs, part);
        const auto device = device_near_matrix(system, {}, pairs, part)->to_host();

        ASSERT_EQ(device.row_offsets, host.row_offsets);
        ASSERT_EQ(device.columns, host.columns);
        double error = 0, largest = 0;
        for (std::size_t i = 0; i < host.values.size(); ++i) {
          error = std::max(error, std::abs(device.values[i] - host.values[i]));
          largest = std::max(largest, std::abs(host.values[i]));
        }
        EXPECT_LT(error, 1e-11 * largest) << system.num_unknowns();
      }
    }
  }
}

TEST(DeviceNearDiagonal, EqualsTheHostToRounding) {
  CURLEW_NEEDS_GPU();
  const Surface impedance{.boundary = Boundary::impedance, .surface_impedance = {100, 50}};
  const Problem problems[] = {sphere_problem(7, 2, Equation::cfie), coated_conductor(),
                              sphere_problem(3, 1, Equation::efie, impedance)};
  for (const auto& problem : problems) {
    const System system(problem);
    const auto host = near_matrix(system, {}, NearPairs::sharing_edges);
    const auto device = device_near_diagonal(system, {});

    for (Index i = 0; i < host.num_rows; ++i) {
      const auto row = host.columns.begin() + host.row_offsets[i];
      const auto at = std::lower_bound(row, host.columns.begin() + host.row_offsets[i + 1], i);
      const Complex expect = host.values[at - host.columns.begin()];
      EXPECT_LT(std::abs(device[i] - expect), 1e-11 * std::abs(expect)) << i;
    }
  }
}

TEST(SharedOperator, EqualsOneDeviceOnAsManyAsThereAre) {
  CURLEW_NEEDS_GPU();
  const auto gpus = num_devices();
  if (gpus < 2) GTEST_SKIP() << "one GPU";
  for (const auto& problem : every_formulation()) {
    const System system(problem);
    const SurfaceEquation equation(system);
    const auto x = scattered_numbers(std::size_t(system.num_unknowns()));
    std::vector<Complex> one(x.size()), shared(x.size());
    cuda::Buffer<Value> dx(x.size()), dy(x.size());
    dx.upload(reinterpret_cast<const Value*>(x.data()));
    for (const double tolerance : {1e-6, 1e-3}) {
      Stages stages;
      for (const auto& [count, y] : {std::pair(1, &one), std::pair(gpus, &shared)}) {
        const SharedOperator a(equation, count, tolerance, stages);
        a.apply(dx.data(), dy.data(), {});
        a.apply(dx.data(), dy.data(), {});  // work arrays are used again
        CURLEW_CUDA_CALL(cudaDeviceSynchronize());
        dy.download(reinterpret_cast<Value*>(y->data()));
      }
      EXPECT_LT(distance(shared, one), tolerance) << system.num_unknowns() << " at " << tolerance;
    }
  }
}

/// Two threads with an operator each: on two cards, or both on one.
TEST(WaveSharesOnDevices, CurrentsAreThoseOfOneInTurn) {
  CURLEW_NEEDS_GPU();
  const System system(sphere_problem(7, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  const auto b = five_waves(system);
  for (const auto preconditioner : {Preconditioner::jacobi, Preconditioner::near}) {
    SolveOptions o;
    o.direct = false, o.accelerated = true, o.device = Device::cuda, o.preconditioner = preconditioner;
    o.acceleration_tolerance = 1e-5;
    o.krylov.method = linalg::KrylovMethod::gmres;
    o.krylov.tolerance = 1e-5, o.krylov.use_initial_guess = true;
    auto in_turn = b, divided = b;
    const auto one = solve_in_turn(equation, o, groups_in_place(in_turn.data(), equation.size(), {0, 5}));
    const auto two = solve_side_by_side(equation, o, {0, num_devices() > 1 ? 1 : 0},
                                        groups_in_place(divided.data(), equation.size(), {0, 2, 5}));

    EXPECT_TRUE(one.converged && two.converged);
    EXPECT_EQ(std::reduce(two.share_sizes.begin(), two.share_sizes.end()), 5);
    EXPECT_EQ(two.gpus, 2);
    EXPECT_LT(distance(divided, in_turn), 1e-3);
  }
}

/// Groups that a run on one or all devices has saved are used by the next run. Sums in single precision may
/// be in another order: equal to the tolerance times the condition number.
TEST(SolutionGroupsOnDevice, GoOnBehindThoseThatAreKept) {
  CURLEW_NEEDS_GPU();
  const System system(sphere_problem(7, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  std::vector<Complex> b;
  for (int i = 0; i < 6; ++i) {
    const auto one = right_hand_side(system, PlaneWave{0.3 * i, 0.4, 0.7 * i});
    b.insert(b.end(), one.begin(), one.end());
  }
  SolveOptions o;
  o.direct = false, o.accelerated = true, o.device = Device::cuda, o.preconditioner = Preconditioner::jacobi;
  o.acceleration_tolerance = 1e-5, o.gpus = 0;
  o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.tolerance = 1e-5;
  o.kept_directions = 100;
  auto x = b, resumed = b;
  KeptInMemory whole(2);
  const auto report = solve(equation, o, x, 6, &whole);
  EXPECT_TRUE(report.converged);
  const int groups = whole.times_kept;  // more of them where there are more GPUs
  EXPECT_GE(groups, 3);
  KeptInMemory part = whole;
  part.groups.erase(1);

  const auto again = solve(equation, o, resumed, 6, &part);

  EXPECT_EQ(part.times_kept, groups + 1);
  ASSERT_EQ(again.krylov.size(), 6u);
  EXPECT_LE(std::abs(again.iterations - report.iterations), 2);
  EXPECT_LT(distance(resumed, x), 1e-3);
  RecordProperty("same_bits", resumed == x ? "yes" : "no");
}

/// The EFIE of a sphere has slowly converging modes, whose directions are recycled; the CFIE has none.
void expect_fewer_iterations(Device device) {
  const System system(sphere_problem(4, 5.4, Equation::efie));
  const SurfaceEquation equation(system);
  const auto b = five_waves(system);
  for (const double tolerance : {1e-3, 1e-5}) {  // directions in single and in double precision
    SolveOptions o;
    o.direct = false, o.accelerated = true, o.device = device, o.preconditioner = Preconditioner::near;
    o.acceleration_tolerance = tolerance;
    o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.tolerance = tolerance;
    o.recycled_starts = o.kept_directions = 0;
    auto alone = b, together = b;
    const auto one = solve(equation, o, alone, 5);
    o.kept_directions = 300;
    const auto kept = solve(equation, o, together, 5);

    EXPECT_TRUE(one.converged && kept.converged) << one.residual << ", " << kept.residual;
    EXPECT_LT(6 * kept.iterations, 5 * one.iterations) << "to " << tolerance;
    EXPECT_LT(distance(together, alone), 10 * tolerance);
  }
}

TEST(KeptDirections, OfFastSumsTakeFewerIterations) {
  expect_fewer_iterations(Device::cpu);
}

TEST(KeptDirectionsOnDevice, OfFastSumsTakeFewerIterations) {
  CURLEW_NEEDS_GPU();
  expect_fewer_iterations(Device::cuda);
}

TEST(DeviceNearMatrix, SameBitsEveryTime) {
  CURLEW_NEEDS_GPU();
  const System system(sphere_problem(7, 2, Equation::cfie));
  const auto first = device_near_matrix(system, {}, NearPairs::medium)->to_host();
  const auto second = device_near_matrix(system, {}, NearPairs::medium)->to_host();
  EXPECT_EQ(first.values, second.values);
}

TEST(SurfaceSolveOnDevice, CurrentsAndIterationsAreThoseOfTheHost) {
  CURLEW_NEEDS_GPU();
  for (const auto preconditioner :
       {Preconditioner::none, Preconditioner::jacobi, Preconditioner::near, Preconditioner::loop_star}) {
    const System system(sphere_problem(4, 2, Equation::efie));
    SolveOptions o;
    o.direct = false, o.accelerated = true, o.preconditioner = preconditioner;
    o.acceleration_tolerance = 1e-6;
    o.krylov.method = linalg::KrylovMethod::gmres;
    o.krylov.tolerance = 1e-6, o.krylov.restart = 400, o.krylov.max_iterations = 400;
    auto x = right_hand_side(system, mie_wave()), on_device = x;
    const auto host = solve(SurfaceEquation(system), o, x, 1);
    o.device = Device::cuda;
    const auto device = solve(SurfaceEquation(system), o, on_device, 1);

    EXPECT_TRUE(host.converged && device.converged);
    EXPECT_LE(std::abs(host.iterations - device.iterations), 1);
    EXPECT_LT(distance(on_device, x), 1e-4);
    EXPECT_GT(device.bytes, 0u);
  }
}

}  // namespace
}  // namespace curlew::ie
