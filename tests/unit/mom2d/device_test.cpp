// SPDX-License-Identifier: BSD-3-Clause
// The GPU's matrix, excitations and solutions against the CPU's on the same input.

#include "mom2d/device.hpp"

#include <gtest/gtest.h>

#include "base/constants.hpp"
#include "base/cuda.hpp"
#include "base/error.hpp"
#include "linalg/dense/device_lu.hpp"
#include "mom2d/fill.hpp"
#include "needs_gpu.hpp"

namespace curlew::mom2d {
namespace {

/// All kinds of blocks: a conductor, an impedance, a lossy dielectric with a core, and sizes beside multiples
/// of 32.
Problem mixed_scene(bool te) {
  Problem p;
  p.wavenumber = 3;
  p.polarization = te ? Polarization::te : Polarization::tm;
  p.nodes = 5;
  Body a, b, c, d;
  a.contour = make_rectangle({0, 0}, {1, 0.6}, 0.3, {9, 4});
  b.contour = make_ellipse({2, 0.3}, {0.5, 0.8}, 0.2, {11, 0});
  b.boundary = Boundary::impedance;
  b.surface_impedance = {30, 40};
  c.contour = make_circle({0, 3}, 1, {13, 0});
  c.boundary = Boundary::dielectric;
  c.material = {{2.5, -0.2}, 1.0};
  d.contour = make_circle({0.1, 3}, 0.4, {7, 0});
  a.contour.name = "a", b.contour.name = "b", c.contour.name = "c", d.contour.name = "d";
  p.bodies = {a, b, c, d};
  return p;
}

double difference(const Complex* x, const Complex* y, std::size_t n) {
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong = std::max(wrong, std::abs(x[i] - y[i])), size = std::max(size, std::abs(y[i]));
  return wrong / size;
}

TEST(DeviceMom2d, MatrixAndExcitationsAgree) {
  CURLEW_NEEDS_GPU();
  for (const bool te : {false, true}) {
    for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      Problem p = mixed_scene(te);
      p.equation = equation;
      const auto scene = make_scene(p);
      const auto nodes = make_nodes(p.bodies, p.nodes);
      const auto system = make_system(p, scene, nodes);
      const auto near = near_list(p, scene, nodes);
      const auto host = fill(p, system, nodes, near);
      const std::vector<double> phi{0.1, 2.0, 4.0};
      const auto right = excitations(p, system, nodes, phi);
      const auto n = std::size_t(system.size);
      cuda::Buffer<complex<double>> a(n * n), b(n * phi.size());

      const DeviceSystem device(p, system, nodes, near);
      device.fill(a.data());
      device.excite(phi, b.data());

      std::vector<Complex> matrix(n * n), excited(n * phi.size());
      a.download(reinterpret_cast<complex<double>*>(matrix.data()));
      b.download(reinterpret_cast<complex<double>*>(excited.data()));
      EXPECT_LT(difference(matrix.data(), host.data(), n * n), 1e-12) << te << int(equation);
      EXPECT_LT(difference(excited.data(), right.data(), right.size()), 1e-13) << te << int(equation);
    }
  }
}

TEST(DeviceMom2d, ColumnsAreThoseOfTheMatrix) {
  CURLEW_NEEDS_GPU();
  Problem paper;
  paper.wavenumber = 3, paper.equation = Equation::efie, paper.method = Method::mom, paper.nodes = 1;
  paper.paper_mom = true;
  Body body;
  body.contour = make_circle({0, 0}, 1, {333, 0});
  paper.bodies = {body};
  Problem uncoupled = mixed_scene(false);  // a core that is not coupled to the conductors
  for (const Problem& p : {paper, uncoupled, mixed_scene(true)}) {
    const auto scene = make_scene(p);
    const auto nodes = make_nodes(p.bodies, p.nodes, p.method == Method::lcn);
    const auto system = make_system(p, scene, nodes);
    const DeviceSystem device(p, system, nodes, near_list(p, scene, nodes));
    const Offset n = system.size;
    cuda::Buffer<complex<double>> whole(std::size_t(n * n));
    device.fill(whole.data());
    const auto known = whole.to_host();
    for (const Offset width : {Offset(1), Offset(37), Offset(64)}) {
      for (Offset first = 0; first < n; first += 61) {
        const Offset count = std::min(width, n - first);
        cuda::Buffer<complex<double>> some(std::size_t(n * count));
        device.fill_columns(first, count, some.data());
        const auto columns = some.to_host();
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const auto& value = known[std::size_t(first * n) + i];
          ASSERT_EQ(columns[i].re, value.re) << first << " " << width << " " << i;
          ASSERT_EQ(columns[i].im, value.im) << first << " " << width << " " << i;
        }
      }
    }
  }
}

TEST(DeviceMom2d, SolutionsAgree) {
  CURLEW_NEEDS_GPU();
  for (const auto precision : {linalg::LuPrecision::full, linalg::LuPrecision::mixed}) {
    const Problem p = mixed_scene(false);
    const std::vector<double> phi{0.0, 1.0};
    const auto host = solve(p, phi, {Device::cpu, linalg::LuPrecision::full, true});
    const auto device = solve(p, phi, {Device::cuda, precision, true});
    EXPECT_LT(difference(device.u.data(), host.u.data(), host.u.size()), 1e-10);
    EXPECT_LT(difference(device.v.data(), host.v.data(), host.v.size()), 1e-10);
    EXPECT_LE(device.report.residual, 1e-12) << device.report.method;
    EXPECT_NEAR(std::log10(device.report.condition), std::log10(host.report.condition), 0.5);
  }
}

TEST(DeviceMom2d, MatricesBeyondTheMemoryAreFactoredByPanels) {
  CURLEW_NEEDS_GPU();
  Problem p;
  p.wavenumber = 100;
  p.nodes = 10;
  Body body;
  body.contour = make_circle({0, 0}, 1, {401, 0});
  p.bodies = {body};
  const std::vector<double> phi{0.0, 1.0};
  const auto host = solve(p, phi, {Device::cpu, linalg::LuPrecision::full, true});
  const auto device =
      solve(p, phi, {Device::cuda, linalg::LuPrecision::automatic, true, {std::size_t(200) << 20}});
  EXPECT_EQ(device.report.method, "LU in double precision, matrix on the device and in the host's memory");
  EXPECT_LT(difference(device.v.data(), host.v.data(), host.v.size()), 1e-10);
  EXPECT_LE(device.report.residual, 1e-12);
  EXPECT_NEAR(device.report.condition, host.report.condition, 1e-6 * host.report.condition);
}

/// Where there is one GPU, two members share it.
TEST(DeviceMom2d, GpusShareAMatrix) {
  CURLEW_NEEDS_GPU();
  const Problem p = mixed_scene(false);
  const std::vector<double> phi{0.0, 1.0, 2.0};
  const auto host = solve(p, phi, {Device::cpu, linalg::LuPrecision::full, true});
  const auto shared = solve(p, phi, {Device::cuda, linalg::LuPrecision::automatic, true, {0, 0, 2}});
  EXPECT_EQ(shared.report.method, "LU in double precision on 2 GPUs");
  EXPECT_LT(difference(shared.u.data(), host.u.data(), host.u.size()), 1e-10);
  EXPECT_LT(difference(shared.v.data(), host.v.data(), host.v.size()), 1e-10);
  EXPECT_LE(shared.report.residual, 1e-12);
  EXPECT_NEAR(shared.report.condition, host.report.condition, 1e-6 * host.report.condition);
}

TEST(DeviceMom2d, PaperMomAgrees) {
  CURLEW_NEEDS_GPU();
  Problem p;
  p.wavenumber = 2 * pi;
  p.equation = Equation::efie;
  p.method = Method::mom;
  p.nodes = 1;
  p.paper_mom = true;
  Body body;
  body.contour = make_circle({0, 0}, 1, {333, 0});
  p.bodies = {body};
  const auto host = solve(p, {0.0}, {});
  const auto device = solve(p, {0.0}, {Device::cuda, linalg::LuPrecision::automatic, true});
  EXPECT_LT(difference(device.v.data(), host.v.data(), host.v.size()), 1e-9);
}

TEST(DeviceMom2d, TensorCoresReachTheSameResidual) {
  CURLEW_NEEDS_GPU();
  Problem p;  // large enough for the blocked factorisation, and no multiple of its panels
  p.wavenumber = 300;
  p.nodes = 10;
  Body body;
  body.contour = make_circle({0, 0}, 1, {843, 0});
  p.bodies = {body};
  for (const auto equation : {Equation::efie, Equation::cfie}) {
    p.equation = equation;
    const auto fast = solve(p, {0.0}, {Device::cuda, linalg::LuPrecision::automatic, true});
    const auto exact = solve(p, {0.0}, {Device::cuda, linalg::LuPrecision::full, false});
    EXPECT_LE(fast.report.residual, 1e-12) << fast.report.method;
    EXPECT_LT(difference(fast.v.data(), exact.v.data(), exact.v.size()), 1e-9) << fast.report.method;
    std::printf("N %ld: %s, %d steps, residual %.1e, condition %.2e\n", long(fast.system.size),
                fast.report.method.c_str(), fast.report.refinements, fast.report.residual,
                fast.report.condition);
  }
}

TEST(DeviceMom2d, TooLargeIsRefusedWithTheSize) {
  CURLEW_NEEDS_GPU();
  Problem p;
  p.nodes = 10;
  p.wavenumber = 1;
  Body body;
  body.contour = make_circle({0, 0}, 1, {20000, 0});
  p.bodies = {body};
  EXPECT_THROW(solve(p, {0.0}, {Device::cuda, linalg::LuPrecision::automatic, true}), ResourceError);
}

}  // namespace
}  // namespace curlew::mom2d
