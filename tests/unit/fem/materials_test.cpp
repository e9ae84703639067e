// SPDX-License-Identifier: BSD-3-Clause
#include "fem/materials.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

Mat3<Complex> gyrotropic() {
  Mat3<Complex> t = Mat3<Complex>::diagonal({2.0, -0.1});
  t(0, 1) = {0.0, 0.7};
  t(1, 0) = {0.0, -0.7};
  return t;
}

TEST(Coefficient, InverseTimesItselfIsOne) {
  const auto product = Coefficient(gyrotropic()).inverse().tensor * gyrotropic();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_LT(std::abs(product(i, j) - (i == j ? 1.0 : 0.0)), 1e-15);
  EXPECT_EQ(Coefficient(4.0).inverse().scalar, 0.25);
}

TEST(Coefficient, KnowsRealAndSymmetric) {
  EXPECT_TRUE(Coefficient(2.0).is_real());
  EXPECT_FALSE(Coefficient(Complex(2, -1)).is_real());
  EXPECT_FALSE(Coefficient(gyrotropic()).is_symmetric());
  EXPECT_TRUE(Coefficient(Mat3<Complex>::diagonal(3.0)).is_symmetric());
}

TEST(Coefficient, SingularOnesHaveNoInverse) {
  EXPECT_THROW(Coefficient(0.0).inverse(), InputError);
  EXPECT_THROW(Coefficient(Mat3<Complex>{}).inverse(), InputError);
}

TEST(MaterialsByRegion, FillCellsAndRefuseWhatIsAmbiguous) {
  mesh::Box box;
  box.blocks = {2, 1, 1};
  auto mesh = mesh::make_box(box);
  mesh.volumes = {{"left", {0, 1, 2, 3, 4, 5}}, {"right", {6, 7, 8, 9, 10, 11}}, {"both", {5, 6}}};
  const std::vector<Material> two{{2.0, 1.0}, {3.0, 1.0}};

  const auto cells = materials_by_region(mesh, {"right", "left"}, two);

  EXPECT_EQ(cells.of(0).epsilon_r.scalar, 3.0);
  EXPECT_EQ(cells.of(11).epsilon_r.scalar, 2.0);
  EXPECT_THROW(materials_by_region(mesh, {"left", "both"}, two), InputError);
  EXPECT_THROW(materials_by_region(mesh, {"left", "rigth"}, two), InputError);
  try {
    materials_by_region(mesh, {"left"}, {two[0]});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("right"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace curlew::fem
