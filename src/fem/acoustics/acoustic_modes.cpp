// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/constants.hpp"
#include "base/narrow.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "linalg/direct/eigen.hpp"

namespace curlew::fem {
namespace {

template <class T>
std::vector<T> all_narrow(const std::vector<Complex>& values) {
  std::vector<T> result;
  for (const Complex z : values) result.push_back(narrow<T>(z));
  return result;
}

/// Matrices over the free nodes.
template <class T>
struct Matrices {
  linalg::Csr<T> k, m, b;  // b is empty without damping walls
};

template <class T>
Matrices<T> assemble(const LagrangeSpace& space, const ScalarCoefficients& coefficients,
                     const std::vector<AcousticSurface>& surfaces, bool damped) {
  const ScalarAssembler assembler(space);
  const Index n = space.num_free;
  auto a = assembler.create_matrix<T>();
  const auto part = [&] { return linalg::block(a, 0, n, 0, n); };
  Matrices<T> result;
  assembler.assemble<T>(coefficients, 0.0, 1.0, a.values.data());
  result.m = part();
  assembler.assemble<T>(coefficients, 1.0, 0.0, a.values.data());
  for (const auto& s : surfaces)
    if (!s.stiffness.empty()) add_boundary_mass<T>(space, s.triangles, all_narrow<T>(s.stiffness), a);
  result.k = part();
  if (!damped) return result;
  std::fill(a.values.begin(), a.values.end(), T(0));
  for (const auto& s : surfaces)
    if (!s.damping.empty()) add_boundary_mass<T>(space, s.triangles, all_narrow<T>(s.damping), a);
  result.b = part();
  return result;
}

bool is_damped(const std::vector<AcousticSurface>& surfaces) {
  return std::any_of(surfaces.begin(), surfaces.end(), [](const auto& s) { return !s.damping.empty(); });
}

/// The mode with angular frequency omega [rad/s] from its values at the free nodes.
template <class T>
AcousticMode make_mode(const LagrangeSpace& space, Complex omega, double residual, const T* x) {
  AcousticMode mode;
  mode.frequency = omega / (2 * pi);
  const double decay = mode.frequency.imag();
  mode.q = decay > 1e-14 * mode.frequency.real() ? mode.frequency.real() / (2 * decay)
                                                 : std::numeric_limits<double>::infinity();
  mode.residual = residual;
  mode.pressure.assign(std::size_t(space.num_nodes), 0.0);
  const T largest =
      *std::max_element(x, x + space.num_free, [](T a, T b) { return std::abs(a) < std::abs(b); });
  for (Index i = 0; i < space.num_free; ++i) mode.pressure[std::size_t(i)] = x[i] / largest;
  return mode;
}

template <class T>
std::vector<AcousticMode> undamped_modes(const LagrangeSpace& space, const Matrices<T>& a,
                                         const AcousticModeOptions& options) {
  linalg::EigenOptions eigen;
  eigen.count = options.modes;
  eigen.above = true;
  eigen.target = std::pow(2 * pi * options.target, 2);
  // The uniform pressure has w = 0 up to rounding.
  eigen.drop_below = 1e-4 * eigen.target.real();
  eigen.direct = options.direct;
  const auto result = linalg::eigenpairs(a.k, a.m, eigen);
  std::vector<AcousticMode> modes;
  for (std::size_t i = 0; i < result.values.size(); ++i)
    modes.push_back(make_mode(space, std::sqrt(result.values[i]), result.residuals[i],
                              &result.vectors[i * std::size_t(space.num_free)]));
  return modes;
}

/// [a b; c d] of blocks of one size; empty blocks are zero.
linalg::Csr<Complex> two_by_two(const linalg::Csr<Complex>* blocks[2][2], const Complex factors[2][2],
                                Index n) {
  linalg::Csr<Complex> a;
  a.num_rows = a.num_cols = 2 * n;
  for (int i = 0; i < 2; ++i)
    for (Index row = 0; row < n; ++row) {
      for (int j = 0; j < 2; ++j) {
        const linalg::Csr<Complex>* block = blocks[i][j];
        if (block == nullptr) continue;
        for (Offset k = block->row_offsets[std::size_t(row)]; k < block->row_offsets[std::size_t(row) + 1];
             ++k) {
          a.columns.push_back(block->columns[std::size_t(k)] + j * n);
          a.values.push_back(factors[i][j] * block->values[std::size_t(k)]);
        }
      }
      a.row_offsets.push_back(Offset(a.columns.size()));
    }
  return a;
}

/// With s = w / w0 and N = w0^2 M the unknowns (p, s p) satisfy [K 0; 0 N] z = s [-j w0 B, N; N, 0] z. The
/// eigenvalue is w rather than jw: z^H of the right matrix z, to which vectors are scaled, is then never
/// zero.
/// @param is_guess the target is one, and the modes are the lowest
std::vector<AcousticMode> damped_modes(const LagrangeSpace& space, const Matrices<Complex>& a,
                                       const AcousticModeOptions& options, bool is_guess) {
  const double w0 = 2 * pi * options.target;
  const linalg::Csr<Complex>* left[2][2] = {{&a.k, nullptr}, {nullptr, &a.m}};
  const linalg::Csr<Complex>* right[2][2] = {{&a.b, &a.m}, {&a.m, nullptr}};
  const Complex left_factors[2][2] = {{1.0, 0.0}, {0.0, w0 * w0}};
  const Complex right_factors[2][2] = {{Complex(0, -w0), w0 * w0}, {w0 * w0, 0.0}};
  linalg::EigenOptions eigen;
  // -w*, which accompanies every w, lies below the target. If the target is a guess, walls may have modes
  // below it.
  eigen.above = !is_guess;
  eigen.count = std::min(is_guess ? 2 * options.modes + 2 : options.modes, 2 * space.num_free - 2);
  eigen.set_width = 5e-3;  // of w, not of its square
  eigen.target = 1.0;
  eigen.drop_below = 1e-4;
  eigen.direct = options.direct;
  const Index n = space.num_free;
  const auto result =
      linalg::eigenpairs(two_by_two(left, left_factors, n), two_by_two(right, right_factors, n), eigen);
  std::vector<AcousticMode> modes;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const Complex w = result.values[i];
    if (w.real() <= 1e-6 * std::abs(w)) continue;
    if (is_guess && int(modes.size()) == options.modes) break;
    modes.push_back(make_mode(space, w0 * w, result.residuals[i], &result.vectors[i * 2 * std::size_t(n)]));
  }
  return modes;
}

}  // namespace

AcousticPencil::AcousticPencil(const LagrangeSpace& space, const AcousticModel& model) {
  const auto surfaces = acoustic_surfaces(model, *space.mesh, *space.topology);
  auto parts =
      assemble<Complex>(space, acoustic_coefficients(model, *space.mesh), surfaces, is_damped(surfaces));
  k_ = std::move(parts.k), m_ = std::move(parts.m), b_ = std::move(parts.b);
}

linalg::Csr<Complex> AcousticPencil::at(Complex omega) const {
  auto a = k_;
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] -= omega * omega * m_.values[i];
  for (std::size_t i = 0; i < b_.values.size(); ++i) a.values[i] += Complex(0, 1) * omega * b_.values[i];
  return a;
}

Complex AcousticPencil::slope(Complex omega, const Complex* x) const {
  auto a = m_;
  for (Complex& value : a.values) value *= -2.0 * omega;
  for (std::size_t i = 0; i < b_.values.size(); ++i) a.values[i] += Complex(0, 1) * b_.values[i];
  std::vector<Complex> y(std::size_t(a.num_rows));
  linalg::multiply(a, x, y.data());
  Complex sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double frequency_below_acoustic_modes(const mesh::Mesh& mesh, const AcousticModel& model) {
  Vec3<double> lo = mesh.nodes[0], hi = lo;
  for (const auto& p : mesh.nodes)
    for (int i = 0; i < 3; ++i) lo[i] = std::min(lo[i], p[i]), hi[i] = std::max(hi[i], p[i]);
  double slowest = std::numeric_limits<double>::max();
  for (const auto& m : model.media) slowest = std::min(slowest, std::abs(m.speed_of_sound));
  return slowest / (20 * norm(hi - lo));
}

std::vector<AcousticMode> acoustic_modes(const LagrangeSpace& space, const AcousticModel& model,
                                         const AcousticModeOptions& options) {
  AcousticModeOptions o = options;
  if (!(o.target > 0)) o.target = frequency_below_acoustic_modes(*space.mesh, model);
  const auto coefficients = acoustic_coefficients(model, *space.mesh);
  const auto surfaces = acoustic_surfaces(model, *space.mesh, *space.topology);
  const bool real =
      coefficients.is_real() && std::all_of(surfaces.begin(), surfaces.end(), [](const auto& s) {
        return std::all_of(s.stiffness.begin(), s.stiffness.end(), [](Complex z) { return z.imag() == 0; });
      });
  std::vector<AcousticMode> modes;
  if (is_damped(surfaces))
    modes =
        damped_modes(space, assemble<Complex>(space, coefficients, surfaces, true), o, !(options.target > 0));
  else if (real)
    modes = undamped_modes(space, assemble<double>(space, coefficients, surfaces, false), o);
  else
    modes = undamped_modes(space, assemble<Complex>(space, coefficients, surfaces, false), o);
  std::sort(modes.begin(), modes.end(), [](const AcousticMode& x, const AcousticMode& y) {
    return x.frequency.real() < y.frequency.real();
  });
  return modes;
}

}  // namespace curlew::fem
