// SPDX-License-Identifier: BSD-3-Clause
// One [[material]] gives one permittivity in every program that reads it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/constants.hpp"
#include "fem/model/model.hpp"
#include "material/permittivity.hpp"
#include "mesh/box.hpp"

namespace curlew::programs {
namespace {

TEST(Media, AreTheSameInAllReaders) {
  const std::string medium =
      "epsilon_r = [5, -0.3]\nloss_tangent = 0.02\nconductivity = 0.5\n"
      "model = [{ delta_epsilon = 70, relaxation_time = 1e-11 }, { "
      "delta_epsilon = 1.5, resonance_frequency = 5e9, damping = 1e8 }]\n";
  const auto config = io::Config::parse("[[material]]\nregion = \"volume\"\n" + medium +
                                        "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n");
  const auto mesh = mesh::make_box({});
  const auto model = fem::read_model(config, mesh, mesh::build_topology(mesh));
  const auto permittivity = material::read_dielectric(config.tables("material")[0]);
  for (const double f : {1e9, 5e9, 1 / (2 * pi * 1e-11)}) {
    const double w = 2 * pi * f, w0 = 2 * pi * 5e9;
    const Complex exact = Complex(5, -0.3 - 0.1 - 0.5 / (w * vacuum_permittivity)) +
                          70.0 / Complex(1, w * 1e-11) +
                          1.5 * w0 * w0 / Complex(w0 * w0 - w * w, 2 * pi * 1e8 * w);
    EXPECT_LT(std::abs(permittivity(f) - exact), 1e-10);
    EXPECT_LT(std::abs(fem::materials_at(model, mesh, f).of(0).epsilon_r.scalar - exact), 1e-10);
  }
}

}  // namespace
}  // namespace curlew::programs
