// SPDX-License-Identifier: BSD-3-Clause
// Which rows sweeps amplify, on one process and on several: absorbing boundaries and losses do not count.
#include "linalg/krylov/turned_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "thread_group.hpp"

namespace curlew::linalg {
namespace {

constexpr Index nodes = 30;

/// Linear elements on a line, stiffness less a quarter of the mass, each with the factor of its element.
template <class Stretch>
Csr<Complex> line(const Stretch& stretch, int process = 0, int processes = 1) {
  Coo<Complex> a;
  a.num_rows = a.num_cols = nodes;
  const auto add = [&](Index i, Index j, Complex value) {
    if (i * processes / nodes == process) a.add(i, j, value);
  };
  for (Index e = 0; e + 1 < nodes; ++e) {
    const auto [stiffness, mass] = stretch(e);
    for (const Index i : {0, 1})
      for (const Index j : {0, 1})
        add(e + i, e + j, (i == j ? 1.0 : -1.0) * stiffness - (i == j ? 2.0 : 1.0) / 24 * mass);
  }
  return to_csr(a);
}
struct Element {
  Complex stiffness, mass;
};
constexpr auto plain = Element{1, 1};

Element lossy(Index e) {
  return e >= 20 ? Element{1, {1, -0.5}} : plain;
}
/// A layer, which stretches more than one coordinate: a part of the stiffness gains.
Element layer(Index e) {
  const Complex s = e >= 20 ? Complex(1, -1) : 1;
  return {s, s};
}
/// Losses, and from element 26 a layer.
Element layer_behind_losses(Index e) {
  return e >= 26 ? layer(e) : lossy(e);
}

Index count(const std::vector<char>& rows) {
  return Index(std::count(rows.begin(), rows.end(), 1));
}

TEST(TurnedRows, LossesAndAbsorbingEndsAreLeftToSweeps) {
  auto a = line(lossy);
  for (Offset k = a.row_offsets[0]; k < a.row_offsets[1]; ++k)
    if (a.columns[k] == 0) a.values[k] += Complex(0, 0.8);

  EXPECT_EQ(count(turned_rows(a)), 0);
}

TEST(TurnedRows, ALayerIsFoundAsAWhole) {
  const auto rows = turned_rows(line(layer));

  for (Index i = 0; i < nodes; ++i) EXPECT_EQ(rows[i], i >= 20) << i;
}

TEST(TurnedRows, LossesBesideALayerGoWithIt) {
  const auto rows = turned_rows(line(layer_behind_losses));

  for (Index i = 0; i < nodes; ++i) EXPECT_EQ(rows[i], i >= 20) << i;
}

TEST(TurnedRows, AreTheSameOnSeveralProcesses) {
  for (const int processes : {2, 3, 5})
    test::on_processes(processes, [&](const ProcessGroup& group) {
      for (const auto& stretch : {lossy, layer, layer_behind_losses}) {
        const auto whole = turned_rows(line(stretch));
        const auto own = turned_rows(line(stretch, group.rank(), processes), &group);
        for (Index i = 0; i < nodes; ++i) {
          const bool is_own = i * processes / nodes == group.rank();
          EXPECT_EQ(own[i], is_own ? whole[i] : 0) << i << " of " << group.rank();
        }
      }
    });
}

}  // namespace
}  // namespace curlew::linalg
