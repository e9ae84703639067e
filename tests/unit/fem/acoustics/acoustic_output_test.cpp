// SPDX-License-Identifier: BSD-3-Clause
// Probes, levels and the field file: read back from the file, as users do.
#include "fem/acoustics/acoustic_output.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

struct Domain {
  mesh::Mesh mesh = mesh::make_box({.hi = {1, 1, 2}, .blocks = {2, 2, 3}, .shuffle_seed = 9});
  mesh::Topology topology = mesh::build_topology(mesh);
};

AcousticModel air() {
  AcousticModel model;
  model.media = {{.regions = {"volume"}, .density = 1.25, .speed_of_sound = 340}};
  return model;
}

/// p = 1 + j z, a member of every space.
std::vector<Complex> linear_pressure(const LagrangeSpace& space) {
  std::vector<Complex> x;
  for (const auto& p : node_positions(space)) x.push_back(Complex(1, p.z));
  return x;
}

TEST(SoundPressureLevel, IsOfTheRootMeanSquare) {
  EXPECT_NEAR(sound_pressure_level(2.0), 93.979400086720375, 1e-9);  // 1 Pa rms
  EXPECT_TRUE(std::isfinite(sound_pressure_level(0)));
}

TEST(AcousticProbes, ReadPointsAndSurfaces) {
  const Domain d;
  const auto space = make_lagrange_space(d.mesh, d.topology, 2);
  const ProbeSet probes(space, {{.name = "point", .point = Vec3<double>{0.2, 0.7, 1.3}},
                                {.name = "surface", .regions = {"z1", "x0"}}});
  const auto readings = probes.read(linear_pressure(space));
  EXPECT_LT(std::abs(readings[0].pressure - Complex(1, 1.3)), 1e-13);
  EXPECT_NEAR(readings[0].level_db, sound_pressure_level(1 + 1.69), 1e-10);
  // z1: area 1, z = 2; x0: area 2, mean z = 1, mean z^2 = 4/3
  EXPECT_LT(std::abs(readings[1].pressure - Complex(1, 4.0 / 3)), 1e-13);
  EXPECT_NEAR(readings[1].level_db, sound_pressure_level(1 + (4 + 2 * 4.0 / 3) / 3), 1e-10);
}

TEST(AcousticProbes, RefusePointsOutside) {
  const Domain d;
  const auto space = make_lagrange_space(d.mesh, d.topology, 1);
  EXPECT_THROW(ProbeSet(space, {{.name = "p", .point = Vec3<double>{0.5, 0.5, 2.1}}}), InputError);
}

/// Points, p and v of a step at 2000 rad/s, read back; complex values as pairs of arrays.
struct ReadField {
  std::vector<double> points, p_re, p_im, v_re, v_im;
};

ReadField write_and_read(const LagrangeSpace& space, const AcousticModel& model, int subdivision,
                         const std::vector<Complex>& pressure) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("curlew-acoustic-{}-{}.vtkhdf", space.order, getpid()))
                               .string();
  AcousticFieldFile file(space, model, {.subdivision = subdivision}, path,
                         {.program = "test", .config_name = "", .config_text = ""});
  file.add(100, 2000.0, pressure);
  file.close();
  const auto read = io::H5File::open(path);
  const auto of = [&](const char* name) { return read.read<double>(std::string("VTKHDF/") + name); };
  std::filesystem::remove(path);
  return {of("Points"), of("PointData/p_re"), of("PointData/p_im"), of("PointData/v_re"),
          of("PointData/v_im")};
}

/// v = j/(w rho) grad p; with p = 1 + j z it is -1/(w rho) along z, everywhere.
void expect_linear_pressure(int order, int subdivision, std::size_t num_points) {
  const Domain d;
  const auto space = make_lagrange_space(d.mesh, d.topology, order);
  const auto read = write_and_read(space, air(), subdivision, linear_pressure(space));
  EXPECT_EQ(read.p_im.size(), num_points);
  for (std::size_t i = 0; i < read.p_im.size(); ++i) {
    EXPECT_NEAR(read.p_im[i], read.points[3 * i + 2], 1e-7);  // fields are written in single precision
    EXPECT_NEAR(read.v_re[3 * i + 2], -1 / (2000.0 * 1.25), 1e-10);
    EXPECT_NEAR(std::abs(read.v_re[3 * i]) + std::abs(read.v_re[3 * i + 1]) + std::abs(read.v_im[3 * i + 2]),
                0, 1e-10);
  }
}

TEST(AcousticFieldFile, HoldsPressureAndVelocityInLinearCells) {
  for (int order = 1; order <= 3; ++order) {
    const std::size_t n = order == 1 ? 1 : 2;  // pieces of an edge
    expect_linear_pressure(order, int(n), (2 * n + 1) * (2 * n + 1) * (3 * n + 1));
  }
}

TEST(AcousticFieldFile, HoldsPressureAndVelocityInLagrangeCells) {
  expect_linear_pressure(2, 0, 5 * 5 * 7);
  expect_linear_pressure(3, 0, 7 * 7 * 10);
}

/// p = x^2 - y^2, of which order 2 and 3 have the gradient exactly at every point.
TEST(AcousticFieldFile, HoldsTheGradientOfQuadraticPressures) {
  const Domain d;
  for (const int order : {2, 3}) {
    const auto space = make_lagrange_space(d.mesh, d.topology, order);
    std::vector<Complex> pressure;
    for (const auto& p : node_positions(space)) pressure.emplace_back(p.x * p.x - p.y * p.y);
    const auto read = write_and_read(space, air(), 0, pressure);
    for (std::size_t i = 0; i < read.p_re.size(); ++i) {
      const double x = read.points[3 * i], y = read.points[3 * i + 1];
      EXPECT_NEAR(read.p_re[i], x * x - y * y, 1e-7);
      EXPECT_NEAR(read.v_im[3 * i], 2 * x / (2000 * 1.25), 1e-9);
      EXPECT_NEAR(read.v_im[3 * i + 1], -2 * y / (2000 * 1.25), 1e-9);
    }
  }
}

/// The pressure is continuous where two media meet, the tangential velocity as 1/density: each has own
/// points.
TEST(AcousticFieldFile, SeparatesMedia) {
  Domain d;
  mesh::Region upper{"upper", {}}, lower{"lower", {}};
  for (Index c = 0; c < d.mesh.num_cells(); ++c) {
    double z = 0;
    for (int v = 0; v < 4; ++v) z += d.mesh.nodes[std::size_t(d.mesh.cell(c)[v])].z / 4;
    (z > 4.0 / 3 ? upper : lower).entities.push_back(c);
  }
  d.mesh.volumes = {lower, upper};
  AcousticModel model;
  model.media = {{.regions = {"lower"}, .density = 1.25, .speed_of_sound = 340},
                 {.regions = {"upper"}, .density = 5, .speed_of_sound = 340}};
  for (const int subdivision : {0, 2}) {
    const auto space = make_lagrange_space(d.mesh, d.topology, 2);
    std::vector<Complex> pressure;
    for (const auto& p : node_positions(space)) pressure.emplace_back(p.x);
    const auto read = write_and_read(space, model, subdivision, pressure);
    EXPECT_EQ(read.p_re.size(), 5 * 5 * (7 + 1));  // the interface twice
    int faster = 0;
    for (std::size_t i = 0; i < read.p_re.size(); ++i) {
      const double density = 1 / (2000 * read.v_im[3 * i]);
      faster += density < 2 ? 1 : 0;
      EXPECT_TRUE(std::abs(density - 1.25) < 1e-6 || std::abs(density - 5) < 1e-5) << density;
    }
    EXPECT_EQ(faster, 5 * 5 * 5);
  }
}

}  // namespace
}  // namespace curlew::fem
