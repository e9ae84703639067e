// SPDX-License-Identifier: BSD-3-Clause
#include "material/medium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/constants.hpp"
#include "base/log.hpp"

namespace curlew::material {
namespace {

constexpr std::size_t at(int i, int j) {
  return std::size_t(3 * i + j);
}

Tensor diagonal(Complex value) {
  return {value, 0.0, 0.0, 0.0, value, 0.0, 0.0, 0.0, value};
}

/// j (t - tᴴ)/2: positive semidefinite in a passive medium.
Tensor loss_of(const Tensor& t) {
  Tensor loss;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) loss[at(i, j)] = Complex(0, 0.5) * (t[at(i, j)] - std::conj(t[at(j, i)]));
  return loss;
}

double minor(const Tensor& h, int i, int j) {
  return (h[at(i, i)] * h[at(j, j)]).real() - std::norm(h[at(i, j)]);
}

double determinant(const Tensor& h) {
  return (h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
          h[2] * (h[3] * h[7] - h[4] * h[6]))
      .real();
}

/// A Hermitian matrix is positive semidefinite if no principal minor is negative.
bool gives_power(const Tensor& t) {
  const Tensor loss = loss_of(t);
  double scale = 0;
  for (const Complex& entry : t) scale = std::max(scale, std::abs(entry));
  const double noise = 1e-12 * scale;
  for (int i = 0; i < 3; ++i)
    if (loss[at(i, i)].real() < -noise || minor(loss, i, (i + 1) % 3) < -noise * scale) return true;
  return determinant(loss) < -noise * scale * scale;
}

/// Warns once per table, as programs read it again at every frequency.
void warn_of_gain(const io::Config& table, const char* key, const Tensor& t) {
  static std::set<std::string> said;
  if (!gives_power(t)) return;
  const auto text = fmt::format("{}: {}: {} has Im > 0, which is gain under exp(+jwt); loss is Im < 0",
                                table.where(key), table.path(), key);
  if (said.insert(text).second) log::warn("{}", text);
}

/// Tensors turned by a script are symmetric up to rounding: where entries across the diagonal differ by no
/// more than that, they are made equal, and what is left of zeros becomes 0. Media that are not reciprocal,
/// and ports beside tensors, are treated differently.
Tensor without_rounding(Tensor t) {
  double scale = 0;
  for (const Complex& entry : t) scale = std::max(scale, std::abs(entry));
  const double noise = 1e-13 * scale;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      Complex &upper = t[at(j, i)], &lower = t[at(i, j)];
      if (std::abs(upper - lower) <= noise) upper = lower = 0.5 * (upper + lower);
      if (std::abs(upper) <= noise && std::abs(lower) <= noise) upper = lower = 0;
    }
  return t;
}

Tensor read_tensor(const io::Config& table, const char* key, MediumKind kind) {
  if (!table.has(key)) {
    table.get_or<double>(key, 1.0);  // recorded for resolved.toml as users write it
    return diagonal(1.0);
  }
  const Tensor t = kind == MediumKind::tensor ? without_rounding(table.get<Tensor>(key))
                                              : diagonal(table.get<Complex>(key));
  table.require(!is_isotropic(t) || t[0] != 0.0, key, fmt::format("{} must not be zero", key));
  warn_of_gain(table, key, t);
  return t;
}

}  // namespace

bool is_isotropic(const Tensor& t) {
  return t == diagonal(t[0]);
}

Complex Medium::permittivity(Complex frequency) const {
  return with_loss_tangent(epsilon_r, loss_tangent)[0] +
         added_permittivity(conductivity, dispersion, frequency);
}

Tensor with_loss_tangent(const Tensor& t, double loss_tangent) {
  Tensor out = t;
  if (loss_tangent == 0) return out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[at(i, j)] -= Complex(0, 0.5 * loss_tangent) * (t[at(i, j)] + std::conj(t[at(j, i)]));
  return out;
}

Complex added_permittivity(double conductivity, const Dispersion& dispersion, Complex frequency) {
  return conductivity / (Complex(0, 2 * pi) * frequency * vacuum_permittivity) +
         dispersion.permittivity(frequency);
}

Medium read_medium(const io::Config& table, MediumKind kind) {
  Medium medium;
  medium.dispersion = read_dispersion(table);
  if (medium.dispersion.table)
    medium.epsilon_r = diagonal(0.0);  // all of it is in the table
  else if (kind == MediumKind::stated && medium.dispersion.is_empty() && !table.has("epsilon_r") &&
           !table.has("conductivity"))
    medium.epsilon_r = diagonal(table.get<Complex>("epsilon_r"));  // says that the key is missing
  else
    medium.epsilon_r = read_tensor(table, "epsilon_r", kind);
  medium.mu_r = read_tensor(table, "mu_r", kind);
  medium.loss_tangent = table.get_or<double>("loss_tangent", 0.0);
  medium.conductivity = table.get_or<double>("conductivity", 0.0);
  table.require(medium.loss_tangent >= 0, "loss_tangent", "loss_tangent must be 0 or positive");
  table.require(medium.conductivity >= 0, "conductivity", "conductivity must be 0 or positive [S/m]");
  return medium;
}

}  // namespace curlew::material
