// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/contacts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew::mesh {
namespace {

struct Soup {
  std::vector<Vec3<double>> nodes;
  std::vector<std::array<Index, 3>> triangles;

  Contacts contacts() const { return find_contacts(nodes, triangles); }
};

/// A parallelogram of n by m pairs of triangles, with separate nodes.
void add_sheet(Vec3<double> corner, Vec3<double> a, Vec3<double> b, int n, int m, Soup& soup) {
  const auto first = Index(soup.nodes.size());
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) soup.nodes.push_back(corner + (double(i) / n) * a + (double(j) / m) * b);
  const auto node = [&](int i, int j) { return first + Index(j * (n + 1) + i); };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      soup.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
      soup.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
    }
}

/// A plate of 1 m by 1 m in z = 0, and a second sheet.
Soup plate_and(Vec3<double> corner, Vec3<double> a, Vec3<double> b, int n, int m) {
  Soup soup;
  add_sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 10, 10, soup);
  add_sheet(corner, a, b, n, m, soup);
  return soup;
}

/// The same turned and moved, so that no coordinate is round.
Soup turned(Soup soup) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (auto& p : soup.nodes) {
    p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
    p = {p.x, c * p.y - s * p.z, s * p.y + c * p.z};
    p += Vec3<double>{0.3, -1.7, 0.9};
  }
  return soup;
}

TEST(Contacts, SheetsThatStandOnOrCrossOneAnotherAreSeenHoweverTheyLie) {
  const struct {
    Soup soup;
    Contact kind;
  } cases[] = {
      {plate_and({0.333, 0.217, 0}, {0.411, 0.1, 0}, {0, 0, 0.5}, 3, 4), Contact::node_in_triangle},
      {plate_and({0.333, 0.217, -0.033}, {0.411, 0.1, 0}, {0, 0, 0.5}, 3, 4), Contact::edge_through_triangle},
      {plate_and({1, 0.03, 0}, {0, 0.04, 0}, {0, 0, 1}, 1, 2), Contact::node_on_edge},
      {plate_and({1, 0.1, 0}, {0, 0.1, 0}, {0, 0, 1}, 1, 2), Contact::node_on_node},
      {plate_and({1, 0, -0.5}, {0.5, 0, 0}, {0, 0.1, 1}, 1, 1), Contact::edge_on_edge},
  };
  for (const auto& [soup, kind] : cases) {
    for (const auto& one : {soup, turned(soup)}) {
      const auto found = one.contacts();
      EXPECT_GT(found.count, 0U) << describe(kind);
      EXPECT_EQ(describe(found.kind), describe(kind));
      EXPECT_LT(found.first, 200);
      EXPECT_GE(found.second, 200);
    }
  }
}

TEST(Contacts, CoincidentSheetsOfOtherTrianglesAreSeen) {
  for (const int n : {7, 10, 13}) {
    const auto found = turned(plate_and({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, n, n)).contacts();
    EXPECT_GT(found.count, 100U) << n;
  }
}

TEST(Contacts, WhatIsJoinedOrApartIsNotSeen) {
  for (const double gap : {1e-4, 1e-2}) {  // 1e-3 of an edge and more
    EXPECT_EQ(turned(plate_and({0, 0, gap}, {1, 0, 0}, {0, 1, 0}, 7, 13)).contacts().count, 0U);
    EXPECT_EQ(turned(plate_and({1 + gap, 0.03, -0.5}, {0, 0, 1}, {0, 1, 0}, 7, 13)).contacts().count, 0U);
    EXPECT_EQ(turned(plate_and({0.333, 0.217, gap}, {0.411, 0.1, 0}, {0, 0, 0.5}, 3, 4)).contacts().count,
              0U);
  }
  // Joined: the second sheet on a line of nodes of the first, with these very nodes.
  Soup joined = plate_and({0, 0.5, 0}, {1, 0, 0}, {0, 0, 0.4}, 10, 4);
  for (auto& t : joined.triangles)
    for (auto& n : t)
      if (n >= 121 && n < 132) n = 55 + (n - 121);
  EXPECT_EQ(joined.contacts().count, 0U);
  EXPECT_EQ(turned(joined).contacts().count, 0U);
}

TEST(Contacts, ThinWedgesAndSliversThatShareNodesAreNotSeen) {
  for (const double angle : {1e-3, 1e-4}) {  // two sheets that share a row of nodes
    Soup wedge = plate_and({0, 0, 0}, {1, 0, 0}, {0, std::cos(angle), std::sin(angle)}, 10, 10);
    for (auto& t : wedge.triangles)
      for (auto& n : t)
        if (n >= 121 && n < 132) n -= 121;
    EXPECT_EQ(turned(wedge).contacts().count, 0U) << angle;
  }
  Soup sliver;  // heights of 1e-6 of the edges
  add_sheet({0, 0, 0}, {1, 0, 0}, {0, 1e-6, 0}, 1, 3, sliver);
  EXPECT_EQ(turned(sliver).contacts().count, 0U);
}

TEST(Contacts, TheFirstPairIsThatOfATestOfAllPairs) {
  const auto soup = turned(plate_and({0.333, 0.217, -0.033}, {0.411, 0.1, 0}, {0, 0, 0.5}, 2, 2));
  const auto found = soup.contacts();
  std::size_t count = 0;
  for (std::size_t i = 0; i < 200; ++i)
    for (std::size_t j = 200; j < soup.triangles.size(); ++j) {
      const auto pair = find_contacts(soup.nodes, std::vector{soup.triangles[i], soup.triangles[j]});
      if (pair.count > 0 && count++ == 0) {
        EXPECT_EQ(found.first, Index(i));
        EXPECT_EQ(found.second, Index(j));
      }
    }
  EXPECT_EQ(found.count, count);
}

}  // namespace
}  // namespace curlew::mesh
