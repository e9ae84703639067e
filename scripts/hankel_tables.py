#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes src/green/hankel_tables.hpp. Needs mpmath: python3 scripts/hankel_tables.py > src/green/hankel_tables.hpp

Real argument: Chebyshev fits, turned into monomials of s in [-1, 1]. Complex argument: exp(w) sqrt(w) K_nu(w) is a
Stieltjes function of w, fitted on the edge of {Re w >= 0, |w| >= 1.5} by poles on the negative axis, the same for
nu = 0 and 1 (Gauss-Newton on poles and residues; by the maximum principle the edge decides). The residues of one nu
have one sign: nothing cancels.
"""
import mpmath as mp

mp.mp.dps = 40
X = mp.mpf(8)  # the border between series and asymptotic form


def monomials(f, degree):
    n = 40
    nodes = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / n) for k in range(n)]
    values = [f((1 + s) / 2) for s in nodes]
    c = [mp.mpf(2 if j else 1) / n * mp.fsum(v * mp.cos(j * mp.pi * (k + mp.mpf(1) / 2) / n)
                                               for k, v in enumerate(values)) for j in range(degree + 1)]
    t = [[mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]]
    for j in range(2, degree + 1):
        t.append([(2 * t[j - 1][i - 1] if i else 0) - (t[j - 2][i] if i <= j - 2 else 0) for i in range(j + 1)])
    return [mp.fsum(c[j] * t[j][i] for j in range(i, degree + 1)) for i in range(degree + 1)]


def series(nu, part):  # z = (x/X)^2
    def f(z):
        x = X * mp.sqrt(z)
        if part == "j":
            return mp.besselj(nu, x) / x**nu
        pole = 1 / x if nu else 0
        return (mp.bessely(nu, x) - 2 / mp.pi * (mp.log(x / 2) * mp.besselj(nu, x) - pole)) / x**nu
    return monomials(f, 16)


def modulus_form(nu, part):  # v = (X/x)^2; H = sqrt(2/(pi x)) exp(-j(x - pi/4 - nu pi/2)) (P + j Q), Q = q X/x
    def f(v):
        x = X / mp.sqrt(v)
        h = mp.hankel2(nu, x) * mp.expj(x - mp.pi / 4 - nu * mp.pi / 2) * mp.sqrt(mp.pi * x / 2)
        return h.real if part == "p" else h.imag * x / X
    return monomials(f, 13)


def fit_poles():
    r0 = mp.mpf("1.5")
    edge = [mp.mpc(0, sign * r0 * mp.exp((mp.mpf(i) / 59)**2 * mp.log(400))) for i in range(60) for sign in (1, -1)]
    edge += [r0 * mp.expj(mp.pi * (mp.mpf(i) / 60 - mp.mpf(1) / 2)) for i in range(61)]
    values = [[mp.exp(w) * mp.sqrt(w) * mp.besselk(nu, w) - mp.sqrt(mp.pi / 2) for w in edge] for nu in (0, 1)]
    poles = [mp.mpf(p) for p in ("0.006 0.024 0.105 0.245 0.443 0.703 1.031 1.441 1.958 2.616 3.468 4.596 6.145 8.463"
                                  .split())]
    n, rows = len(poles), 2 * len(edge)

    def residues():
        found, rest = [], []
        for nu in (0, 1):
            a, b = mp.matrix(rows, n), mp.matrix(rows, 1)
            for i, w in enumerate(edge):
                for k, p in enumerate(poles):
                    v = 1 / (w + p)
                    a[2 * i, k], a[2 * i + 1, k] = v.real, v.imag
                b[2 * i], b[2 * i + 1] = values[nu][i].real, values[nu][i].imag
            found.append(mp.lu_solve(a, b))
            rest.append(a * found[-1] - b)
        return found, rest

    found, rest = residues()
    for _ in range(9):
        jac, r = mp.matrix(2 * rows, 3 * n), mp.matrix(2 * rows, 1)
        for nu in (0, 1):
            for i, w in enumerate(edge):
                for k, p in enumerate(poles):
                    v = 1 / (w + p)
                    d = -found[nu][k] * v * v * p  # by the logarithm of the pole
                    row = nu * rows + 2 * i
                    jac[row, nu * n + k], jac[row + 1, nu * n + k] = v.real, v.imag
                    jac[row, 2 * n + k], jac[row + 1, 2 * n + k] = d.real, d.imag
            for i in range(rows):
                r[nu * rows + i] = rest[nu][i]
        d = mp.lu_solve(jac, r)
        step = min(mp.mpf(1), mp.mpf("0.3") / max(abs(d[2 * n + k]) for k in range(n)))
        poles = [poles[k] * mp.exp(-step * d[2 * n + k]) for k in range(n)]
        found, rest = residues()
    error = max(abs(v) for r in rest for v in r)
    return poles, list(found[0]), list(found[1]), error


def table(name, values, remark):
    text = ", ".join(mp.nstr(v, 20) for v in values)
    print(f"/// {remark}\nCURLEW_TABLE({name}, {len(values)}, {text});\n")


def main():
    print("""// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Coefficients of src/green/hankel.hpp, made by scripts/hankel_tables.py: do not edit.

#include "base/macros.hpp"

// A table is a function-local constant: the one form that host and device code both fold into the instructions.
#define CURLEW_TABLE(name, n, ...)                \\
  struct name {                                   \\
    static constexpr int size = n;                \\
    static CURLEW_HD constexpr double at(int i) { \\
      constexpr double values[] = {__VA_ARGS__};  \\
      return values[i];                           \\
    }                                             \\
  }

// clang-format off
namespace curlew::green::tables {
""")
    for nu in (0, 1):
        table(f"J{nu}", series(nu, "j"), f"J{nu}(x)/x^{nu} for x < 8, in s = 2 (x/8)^2 - 1")
        table(f"Y{nu}", series(nu, "y"), f"(Y{nu} - 2/pi (ln(x/2) J{nu} - {nu}/x))/x^{nu} for x < 8, in s")
        table(f"P{nu}", modulus_form(nu, "p"), f"Re of H{nu}(2) exp(j(x - pi/4 - {nu} pi/2)) sqrt(pi x/2) for x >= 8, in 2 (8/x)^2 - 1")
        table(f"Q{nu}", modulus_form(nu, "q"), "Its Im times x/8")
    poles, k0, k1, error = fit_poles()
    table("Poles", poles, f"exp(w) sqrt(w) K(w) = sqrt(pi/2) + sum residue/(w + pole), error {mp.nstr(error, 2)}")
    table("Residues0", k0, "of K0")
    table("Residues1", k1, "of K1")
    print("}  // namespace curlew::green::tables\n// clang-format on")


if __name__ == "__main__":
    main()
