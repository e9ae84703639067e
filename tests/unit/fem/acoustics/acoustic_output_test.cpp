// SPDX-License-Identifier: BSD-3-Clause
// Probes, levels and the field file: read back through the file, since that is what users see.
#include "fem/acoustics/acoustic_output.hpp"

#include <gtest/gtest.h>

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

/// v = j/(w rho) grad p; with p = 1 + j z it is -1/(w rho) along z, everywhere.
void expect_linear_pressure(int order, FieldCells::Kind kind, std::size_t num_points) {
  const Domain d;
  const auto space = make_lagrange_space(d.mesh, d.topology, order);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("curlew-acoustic-" + std::to_string(order) + ".vtkhdf"))
          .string();
  const auto model = air();
  const io::Provenance provenance{.program = "test", .config_name = "", .config_text = ""};
  AcousticFieldFile file(space, model, {.kind = kind}, path, provenance);
  file.add(100, 2000.0, linear_pressure(space));
  file.close();

  const auto read = io::H5File::open(path);
  const auto points = read.read<double>("VTKHDF/Points");
  const auto p_im = read.read<double>("VTKHDF/PointData/p_im");
  const auto v_re = read.read<double>("VTKHDF/PointData/v_re"),
             v_im = read.read<double>("VTKHDF/PointData/v_im");
  EXPECT_EQ(p_im.size(), num_points);
  for (std::size_t i = 0; i < p_im.size(); ++i) {
    EXPECT_NEAR(p_im[i], points[3 * i + 2], 1e-7);  // fields are written in single precision
    EXPECT_NEAR(v_re[3 * i + 2], -1 / (2000.0 * 1.25), 1e-10);
    EXPECT_NEAR(std::abs(v_re[3 * i]) + std::abs(v_re[3 * i + 1]) + std::abs(v_im[3 * i + 2]), 0, 1e-10);
  }
  std::filesystem::remove(path);
}

TEST(AcousticFieldFile, HoldsPressureAndVelocityInLinearCells) {
  for (int order = 1; order <= 3; ++order) {
    const std::size_t n = order == 1 ? 1 : 2;  // pieces of an edge
    expect_linear_pressure(order, FieldCells::Kind::linear, (2 * n + 1) * (2 * n + 1) * (3 * n + 1));
  }
}

TEST(AcousticFieldFile, HoldsPressureAndVelocityInLagrangeCells) {
  const std::size_t cells = 6 * 2 * 2 * 3;
  expect_linear_pressure(2, FieldCells::Kind::by_order, 10 * cells);
  expect_linear_pressure(3, FieldCells::Kind::by_order, 20 * cells);
}

}  // namespace
}  // namespace curlew::fem
