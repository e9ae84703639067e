// SPDX-License-Identifier: BSD-3-Clause
#include "ie/point_currents.hpp"

#include <algorithm>

namespace curlew::ie {

void PointCurrents::spread(const Complex* x, Complex* out) const {
  const Offset n = num_points();
#pragma omp parallel for
  for (Offset p = 0; p < n; ++p) {
    Complex sum[4] = {};
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e) {
      const Complex xb = x[unknowns[e]];
      for (int i = 0; i < 3; ++i) sum[i] += current[e][i] * xb;
      sum[3] += charge[e] * xb;
    }
    for (int i = 0; i < 4; ++i) out[i * n + p] = sum[i];
  }
}

void PointCurrents::test(const Complex* fields, Complex* y) const {
  // Rows meet in y: serial, a few per cent of an evaluation of the fields.
  const Offset n = num_points();
  for (Offset p = 0; p < n; ++p) {
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e) {
      Complex sum = charge[e] * fields[3 * n + p];
      for (int i = 0; i < 3; ++i) sum += current[e][i] * fields[i * n + p];
      y[unknowns[e]] += sum;
    }
  }
}

}  // namespace curlew::ie
