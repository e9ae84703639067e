// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace curlew::fem {
namespace {

/// Places of the nodes as words of four digits, a digit per vertex.
std::string places(int order, bool mirrored) {
  const CellSubdivision lattice(order);
  std::string words;
  for (const int node : lagrange_nodes(lattice, mirrored)) {
    if (!words.empty()) words += ' ';
    for (const int digit : lattice.place(node)) words += char('0' + digit);
  }
  return words;
}

/// As listed by vtkHigherOrderTetra::BarycentricIndex of VTK 9.5.
TEST(LagrangeCells, NodesStandInVtksOrder) {
  EXPECT_EQ(places(1, false), "1000 0100 0010 0001");
  EXPECT_EQ(places(2, false), "2000 0200 0020 0002 1100 0110 1010 1001 0101 0011");
  EXPECT_EQ(places(3, false),
            "3000 0300 0030 0003 2100 1200 0210 0120 1020 2010 2001 1002 0201 0102 0021 0012 1101 0111 "
            "1011 1110");
  EXPECT_EQ(places(6, false),
            "6000 0600 0060 0006 5100 4200 3300 2400 1500 0510 0420 0330 0240 0150 1050 2040 3030 4020 "
            "5010 5001 4002 3003 2004 1005 0501 0402 0303 0204 0105 0051 0042 0033 0024 0015 4101 1401 "
            "1104 3201 2301 1302 1203 2103 3102 2202 0141 0114 0411 0132 0123 0213 0312 0321 0231 0222 "
            "4011 1014 1041 3012 2013 1023 1032 2031 3021 2022 4110 1140 1410 3120 2130 1230 1320 2310 "
            "3210 2220 3111 1311 1131 1113 2211 1221 2121 2112 1212 1122");
}

TEST(LagrangeCells, MirroredCellsExchangeTwoVertices) {
  EXPECT_EQ(places(2, true), "0200 2000 0020 0002 1100 1010 0110 0101 1001 0011");
}

TEST(LagrangeCells, EveryNodeIsThereOnce) {
  for (int order = 1; order <= 10; ++order) {
    const CellSubdivision lattice(order);
    auto nodes = lagrange_nodes(lattice, order % 2 == 0);
    std::sort(nodes.begin(), nodes.end());
    std::vector<int> all(std::size_t(lattice.num_nodes()));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(nodes, all) << order;
  }
}

}  // namespace
}  // namespace curlew::fem
