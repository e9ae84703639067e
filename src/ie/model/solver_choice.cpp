// SPDX-License-Identifier: BSD-3-Clause
#include "ie/model/solver_choice.hpp"

namespace curlew::ie {
namespace {

// Fitted to the cases of tests/scripts/time_test.py.
constexpr double entry = 1500;  // of a full matrix
constexpr double near = 1.8e7;  // an unknown: its singular and near entries
// An unknown's part of a product by sums over points with tolerance 1e-4: 0.2 ms of a core
// (docs/measured/ie.md, sphere of 4 wavelengths).
constexpr double sums = 7e6;

constexpr double most_on_gpu = 6000;

}  // namespace

double fill_operations(double unknowns) {
  return (near + entry * unknowns) * unknowns;
}

double direct_operations(const SolveSize& s) {
  const double n = s.unknowns;
  return fill_operations(n) + (8.0 / 3 * n + 8 * s.right_hand_sides) * n * n;
}

double iterative_operations(const SolveSize& s) {
  return (2 * near + sums * s.kinds * s.iterations * s.right_hand_sides) * s.unknowns;
}

bool prefers_direct(const SolveSize& s, bool on_gpu, std::size_t free_bytes) {
  if (on_gpu) return s.unknowns <= most_on_gpu;
  if (16 * s.unknowns * s.unknowns > 0.5 * double(free_bytes)) return false;
  return direct_operations(s) <= iterative_operations(s);
}

}  // namespace curlew::ie
