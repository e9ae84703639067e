// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reference results for rectangular waveguides that share no code with the finite elements: mode matching of
// symmetric H-plane irises, dielectric slabs as transmission lines, and cascades of them. exp(+jωt), waves of
// TE_m0 with odd m, E along y, fields independent of y; S of TE10 refers to equal guides on both sides.
// Source: Wexler (1967), IEEE Trans. MTT 15(9), 508-517; Collin, Field theory of guided waves, ch. 8.

#include <Eigen/Core>

#include "base/types.hpp"

namespace curlew::reference {

/// Scattering matrices of a two-port for all modes on both sides, in voltages of the modes.
struct TwoPort {
  Eigen::MatrixXcd s11, s12, s21, s22;
  /// TE10 in and out.
  Complex reflection() const { return s11(0, 0); }
  Complex transmission() const { return s21(0, 0); }
};

/// A guide of a width at one frequency, with its lowest odd TE_m0 modes.
class Guide {
 public:
  /// @param width [m] @param frequency [Hz] @param modes how many odd modes
  Guide(double width, double frequency, int modes);

  /// Propagation constants [1/m] of the modes in a filling: exp(-gamma z), Re gamma >= 0 and Im gamma >= 0.
  Eigen::VectorXcd gamma(Complex eps_r = 1.0) const;

  /// A symmetric iris: the guide narrowed to a centred gap over a thickness [m]. 0 < gap < width, thickness >
  /// 0.
  TwoPort iris(double gap, double thickness) const;
  /// A step from this guide to a centred one of the width `gap`, on the other side.
  TwoPort step(double gap) const;
  /// A length [m] of the guide filled with a dielectric, between empty guides.
  TwoPort slab(double length, Complex eps_r) const;
  /// An empty length [m].
  TwoPort section(double length) const;

 private:
  double width_, k_;
  int modes_;
};

/// The first two-port followed by the second.
TwoPort cascade(const TwoPort& first, const TwoPort& second);

/// S of TE10 of an H-plane tee of guides of one width: arms at z = 0 and z = width, and a third at x = width,
/// with reference planes on the square between them; of a bend without the arm at z = width. Exact in the
/// limit of all modes, to which two numbers of them are extrapolated. Source: Kühn (1973), AEÜ 27(5), 206
/// (fields of a rectangle by those of its sides).
Eigen::MatrixXcd junction(double width, double frequency, bool is_bend);

/// One mode on a line: S11 and S21 of a length with propagation constant `gamma` between lines with `gamma0`,
/// wave admittances in the ratio of the propagation constants (TE modes, mu_r = 1).
std::pair<Complex, Complex> line(Complex gamma0, Complex gamma, double length);

}  // namespace curlew::reference
