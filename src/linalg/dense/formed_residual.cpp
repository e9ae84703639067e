// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/formed_residual.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

double norm2(const Complex* v, Offset n) {
  double sum = 0;
  for (Offset i = 0; i < n; ++i) sum += std::norm(v[i]);
  return std::sqrt(sum);
}

std::vector<Transfer> all_strips(Offset n, Offset width) {
  std::vector<Transfer> order;
  for (Offset c = 0; c < n; c += width)
    order.push_back({TransferKind::strip, c, std::min(width, n - c), 0, n, true});
  return order;
}

/// b -= A x. @param x, b [n, count], count at most half of the columns that fit into the machine's memory
/// @returns ||A||_1
double subtract_product(PanelMachine& machine, Offset n, Offset strip, const Complex* x, Complex* b,
                        int count) {
  std::vector<Complex> both(b, b + n * count);
  both.insert(both.end(), x, x + n * count);
  const PanelView on_machine = machine.load_right_sides(both.data(), 2 * count);
  const PanelView rest = on_machine.block(0, 0, n, count), known = on_machine.block(0, count, n, count);
  const auto order = all_strips(n, strip);
  double norm = 0;
  machine.expect(order);
  for (const Transfer& t : order) {
    check_interrupt();
    const PanelView a = machine.take();
    const double of_strip = machine.norm1(a);
    norm = std::isfinite(of_strip) ? std::max(norm, of_strip) : HUGE_VAL;
    machine.subtract_product(false, a, known.block(t.first, 0, t.width, count), rest);
    machine.drop(TransferKind::strip);
  }
  machine.fetch_right_sides(rest, b);
  return norm;
}

}  // namespace

FormedResidual formed_residual(
    Offset n, const Complex* x, const Complex* b, int num_rhs,
    const std::function<double(const Complex* x, Complex* rest, int count)>& subtract) {
  FormedResidual out;
  const int most = right_side_room(num_rhs) / 2;
  for (int c = 0; c < num_rhs; c += most) {
    const int count = std::min(most, num_rhs - c);
    const Complex* right = b + c * n;
    std::vector<Complex> rest(right, right + n * count);
    out.norm = subtract(x + c * n, rest.data(), count);
    if (!std::isfinite(out.norm))
      throw NumericalError("the dense matrix contains values that are not finite");
    for (int k = 0; k < count; ++k) {
      const double size = norm2(right + k * n, n), of_rest = norm2(rest.data() + k * n, n);
      if (!std::isfinite(of_rest)) throw NumericalError("the solution of the dense system is not finite");
      if (size > 0) out.residual = std::max(out.residual, of_rest / size);
    }
  }
  return out;
}

FormedResidual formed_residual(PanelMachine& machine, Offset n, PanelLayout layout, const Complex* x,
                               const Complex* b, int num_rhs) {
  return formed_residual(n, x, b, num_rhs, [&](const Complex* known, Complex* rest, int count) {
    return subtract_product(machine, n, layout.strip, known, rest, count);
  });
}

}  // namespace curlew::linalg
