// SPDX-License-Identifier: BSD-3-Clause
// The product on a CUDA device against the one on the CPU.

#include <gtest/gtest.h>

#include <random>

#include "base/cuda.hpp"
#include "base/device.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/device_corrected_operator.hpp"
#include "ie/volume/volume_system.hpp"
#include "mesh/box.hpp"
#include "needs_gpu.hpp"

namespace curlew::ie {
namespace {

TEST(DeviceMixedPotentialFill, MatchesTheCpu) {
  CURLEW_NEEDS_GPU();
  const auto box = mesh::make_box({.blocks = {5, 4, 4}, .shuffle_seed = 3});
  const auto basis =
      make_swg(box, mesh::build_topology(box), std::vector<bool>(std::size_t(box.num_cells()), true));
  std::vector<Complex> epsilon_r(basis.cells.size(), Complex(4, -0.2));
  for (std::size_t c = 0; c < 200; ++c) epsilon_r[c] = 2.0;
  const auto system = make_volume_system(basis, epsilon_r, 2.0);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Complex> x(std::size_t(system.sources.num_cols)), y(x.size()), on_device(x.size());
  for (auto& v : x) v = {normal(random), normal(random)};
  cuda::Buffer<complex<double>> dx(x.size()), dy(x.size());
  dx.upload(reinterpret_cast<const complex<double>*>(x.data()));

  for (const double tolerance : {1e-3, 1e-6}) {
    const MixedPotentialEquation equation(system, integration_for(1e-3));
    Stages stages;
    CorrectedOperator(equation.fill({}, stages), tolerance).apply(x.data(), y.data());
    const DeviceCorrectedOperator device(equation.device_fill({}, stages), tolerance);
    device.apply(dx.data(), dy.data(), {});
    dy.download(reinterpret_cast<complex<double>*>(on_device.data()));

    double error = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      error += std::norm(y[i] - on_device[i]), size += std::norm(y[i]);
    EXPECT_LT(std::sqrt(error / size), 2 * tolerance);
  }
}

TEST(DeviceMixedPotentialFill, DiagonalIsThatOfTheMatrix) {
  CURLEW_NEEDS_GPU();
  const auto box = mesh::make_box({.blocks = {2, 2, 2}});
  const auto basis =
      make_swg(box, mesh::build_topology(box), std::vector<bool>(std::size_t(box.num_cells()), true));
  const auto system =
      make_volume_system(basis, std::vector<Complex>(basis.cells.size(), Complex(3, -0.1)), 1.0);
  const auto matrix = assemble_dense(system, integration_for(1e-2));

  Stages stages;
  const auto diagonal =
      MixedPotentialEquation(system, integration_for(1e-2)).device_fill({}, stages)->diagonal();

  for (Offset i = 0; i < matrix.rows(); ++i)
    EXPECT_LT(std::abs(diagonal[std::size_t(i)] - matrix(i, i)), 1e-6 * std::abs(matrix(i, i)));
}

}  // namespace
}  // namespace curlew::ie
