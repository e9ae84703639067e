// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/direct_sum.hpp"

#include "green/helmholtz3d.hpp"

namespace curlew::ngim {
namespace {

template <green::Medium M>
void sum(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers,
         std::span<const Offset> which, green::Wavenumber<double> k, const Complex* charges,
         Complex* potential, Complex* gradient) {
  const Offset count = Offset(which.size()), n = Offset(sources.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (Offset i = 0; i < count; ++i) {
    const Vec3<double> p = observers[which[i]];
    double u_re = 0, u_im = 0, g[6] = {};
#pragma omp simd reduction(+ : u_re, u_im, g[:6])
    for (Offset s = 0; s < n; ++s) {
      const double dx = p.x - sources[s].x, dy = p.y - sources[s].y, dz = p.z - sources[s].z;
      const double r2 = dx * dx + dy * dy + dz * dz, r_inv = green::inverse_sqrt(r2);
      const auto value = green::green<M, double>(r2, r_inv, k);
      const auto f = green::gradient_factor<M, double>(r2, r_inv, value, k);
      const double re = charges[s].real(), im = charges[s].imag();
      u_re += value.re * re - value.im * im, u_im += value.re * im + value.im * re;
      const double f_re = f.re * re - f.im * im, f_im = f.re * im + f.im * re;
      g[0] += f_re * dx, g[1] += f_im * dx, g[2] += f_re * dy, g[3] += f_im * dy, g[4] += f_re * dz,
          g[5] += f_im * dz;
    }
    if (potential != nullptr) potential[i] = {u_re, u_im};
    for (int d = 0; d < 3 && gradient != nullptr; ++d) gradient[d * count + i] = {g[2 * d], g[2 * d + 1]};
  }
}

}  // namespace

void direct_sum(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers,
                std::span<const Offset> which, Complex k, const Complex* charges, Complex* potential,
                Complex* gradient) {
  const green::Wavenumber<double> wave{k.real(), -k.imag()};
  if (k == Complex(0))
    sum<green::Medium::static_kernel>(sources, observers, which, wave, charges, potential, gradient);
  else if (k.imag() == 0)
    sum<green::Medium::lossless>(sources, observers, which, wave, charges, potential, gradient);
  else
    sum<green::Medium::lossy>(sources, observers, which, wave, charges, potential, gradient);
}

}  // namespace curlew::ngim
