// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/symmetric_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::truncation {
namespace {

double size(const Vec3<Complex>& a) {
  return std::sqrt(std::norm(a.x) + std::norm(a.y) + std::norm(a.z));
}

struct Field {
  Vec3<Complex> e, curl;
};
Field field(const std::vector<green::PlaneWave>& waves, Vec3<double> r) {
  Field sum{};
  for (const auto& w : waves) sum.e += w.electric(r), sum.curl += w.curl(r);
  return sum;
}

TEST(SymmetricParts, PartsMeetTheConditionsOfThePlanesAndAddUp) {
  const auto wave = green::arriving_wave(0.7, 2.1, 0.4, 5.0);
  const std::vector<Vec3<double>> points{{0.3, 0.8, -0.2}, {-0.4, 0.1, 0.9}, {1.7, -0.6, 0.35}};
  std::vector<Vec3<Complex>> sums(points.size());
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const std::vector<fields::SymmetryPlane> planes{{0, 0.3, first}, {2, -0.2, second}};
      const auto part = symmetric_part(wave, planes);
      EXPECT_EQ(part.size(), 4U);
      for (std::size_t i = 0; i < points.size(); ++i) sums[i] += field(part, points[i]).e;
      for (const auto& plane : planes)
        for (Vec3<double> r : points) {
          r[plane.axis] = plane.position;
          auto tangential = plane.electric ? field(part, r).e : field(part, r).curl;
          tangential[plane.axis] = 0;
          EXPECT_LT(size(tangential), 1e-13);
        }
    }
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT(size(sums[i] - wave.electric(points[i])), 1e-13);
}

/// A wave along a plane with E in it or across it has one part only.
TEST(SymmetricParts, PartsThatAreNotThereAreLeftOut) {
  const green::PlaneWave wave{{0, 0, 1}, {1.0, 0.0, 0.0}, 3.0};
  EXPECT_EQ(symmetric_part(wave, {{0, 0.0, true}}).size(), 1U);
  EXPECT_TRUE(symmetric_part(wave, {{0, 0.0, false}}).empty());
  EXPECT_EQ(symmetric_part(wave, {{1, 0.0, false}}).size(), 1U);
  EXPECT_TRUE(symmetric_part(wave, {{1, 0.0, true}}).empty());
}

/// Field of dipoles and of their images in a plane, as the modelled part sees them.
Vec3<Complex> field_with_images(const std::vector<green::Dipole>& dipoles,
                                const std::vector<fields::SymmetryPlane>& planes, Vec3<double> r) {
  std::vector<green::Dipole> all = dipoles;
  for (const auto& plane : planes)
    for (std::size_t i = 0, n = all.size(); i < n; ++i) {
      green::Dipole image = all[i];
      image.position[plane.axis] = 2 * plane.position - image.position[plane.axis];
      for (int x = 0; x < 3; ++x)
        if ((x == plane.axis) != plane.electric) image.moment[x] *= -1;
      all.push_back(image);
    }
  Vec3<Complex> e{};
  for (const auto& dipole : all) e += dipole.at(r, 5.0).e;
  return e;
}

/// Dipoles in the model, beyond one plane or both, and on one: with the images that the planes make, the
/// parts give the field of the dipoles everywhere.
TEST(SymmetricParts, PartsOfDipolesAddUp) {
  fem::Excitation source;
  source.dipoles = {{{0.5, 0.2, -0.4}, {1.0, {0.3, 0.7}, -0.2}},
                    {{0.1, 0.4, -0.5}, {{0, 1.0}, 0.5, 2.0}},
                    {{-0.2, 0.1, 0.4}, {0.3, 0.2, 0.1}},
                    {{0.3, -0.1, -0.6}, {1.0, 2.0, 3.0}},
                    {{0.3, 0.6, -0.2}, {0.4, 0.5, 0.6}}};
  const std::vector<Vec3<double>> points{{0.9, 0.8, -0.7}, {-0.4, 1.1, 0.9}, {1.7, -0.6, 0.35}};
  std::vector<Vec3<Complex>> sums(points.size());
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const std::vector<fields::SymmetryPlane> planes{{0, 0.3, first}, {2, -0.2, second}};
      const auto part = symmetric_part(source, planes, {1, -1});
      for (const auto& dipole : part.dipoles) {
        EXPECT_GE(dipole.position.x, 0.3);
        EXPECT_LE(dipole.position.z, -0.2);
      }
      for (std::size_t i = 0; i < points.size(); ++i)
        sums[i] += field_with_images(part.dipoles, planes, points[i]);
    }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3<Complex> exact = field_with_images(source.dipoles, {}, points[i]);
    EXPECT_LT(size(sums[i] - exact), 1e-12 * size(exact));
  }
}

/// A dipole and its image are one half of each, in one part; a current along an axis has one part as well.
TEST(SymmetricParts, SymmetricSourcesHaveOnePart) {
  fem::Excitation pair;
  pair.dipoles = {{{0.2, 0.1, 0.3}, {1.0, 2.0, 3.0}}, {{-0.2, 0.1, 0.3}, {1.0, -2.0, -3.0}}};
  const auto electric = symmetric_part(pair, {{0, 0.0, true}}, {1});
  ASSERT_EQ(electric.dipoles.size(), 1U);
  EXPECT_EQ(electric.dipoles[0].moment.y, 2.0);
  EXPECT_TRUE(symmetric_part(pair, {{0, 0.0, false}}, {1}).dipoles.empty());
  fem::Excitation current;
  current.currents = {{"feed", {0.0, 2.0, 0.0}}};
  EXPECT_TRUE(symmetric_part(current, {{0, 0.0, true}}, {1}).currents.empty());
  EXPECT_EQ(symmetric_part(current, {{0, 0.0, false}}, {1}).currents.at(0).density.y, 2.0);
}

}  // namespace
}  // namespace curlew::truncation
