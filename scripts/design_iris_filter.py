#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Gaps and resonator lengths of the three-resonator H-plane iris filter in WR-90 (meshes/wr90_iris_filter.geo).

Mode matching with the odd TE_m0 modes (the filter is symmetric about x = a/2, E along y, fields independent of y):
tangential E at each side of an iris is expanded in the modes of the gap, tangential H is matched by Galerkin, even and
odd excitation give the two-port, and the sections are cascaded. exp(+jwt).
Source: Wexler (1967), IEEE Trans. MTT 15(9); design start: Matthaei, Young and Jones, ch. 8; then Gauss-Newton on
abs(S11) towards the equal-ripple Chebyshev response.

  python3 scripts/design_iris_filter.py                                    design, print millimetres and the response
  python3 scripts/design_iris_filter.py --values 12.36 8.86 15.31 17.02    response of given values (those of the .geo)
"""
import argparse

import numpy as np

C0 = 299792458.0
A = 22.86e-3  # WR-90 width [m]


def propagation(width, modes, k):
    """gamma of the odd TE_m0 modes [1/m], exp(-gamma z)."""
    kc = (2 * np.arange(modes) + 1) * np.pi / width
    return np.sqrt((kc**2 - k**2).astype(complex))  # the root with Re >= 0: +j beta for modes that travel


def overlap(gap, wide_modes, gap_modes):
    """Integral of sqrt(2/a) sin(m pi x / a) sqrt(2/w) sin(n pi (x - x0) / w) over the centred gap, odd m, n."""
    m = ((2 * np.arange(wide_modes) + 1) * np.pi / A)[:, None]
    n = ((2 * np.arange(gap_modes) + 1) * np.pi / gap)[None, :]
    # about the centre both are cosines with signs (-1)^((m-1)/2), (-1)^((n-1)/2)
    sign = (-1.0) ** (np.arange(wide_modes)[:, None] + np.arange(gap_modes)[None, :])
    h = gap / 2
    same = np.isclose(m, n)
    d = np.where(same, 1.0, m - n)
    integral = np.where(same, h, np.sin(d * h) / d) + np.sin((m + n) * h) / (m + n)
    return sign * 2 / np.sqrt(A * gap) * integral


def iris(gap, thickness, k, modes):
    """Scattering blocks S11 = S22, S21 = S12 of an iris for all modes (of voltage, equal guides)."""
    gap_modes = max(2, int(round(modes * gap / A)))
    M = overlap(gap, modes, gap_modes)
    Y = propagation(A, modes, k)  # up to 1/(j omega mu)
    g = propagation(gap, gap_modes, k)
    left = M.T * Y
    K = left @ M
    even = M @ np.linalg.solve(K + np.diag(g * np.tanh(g * thickness / 2)), 2 * left) - np.eye(modes)
    odd = M @ np.linalg.solve(K + np.diag(g / np.tanh(g * thickness / 2)), 2 * left) - np.eye(modes)
    return (even + odd) / 2, (even - odd) / 2


def cascade(first, second, length, k):
    """Two symmetric or general two-ports (S11, S12, S21, S22) joined by a guide of a length [m]."""
    D = np.diag(np.exp(-propagation(A, first[0].shape[0], k) * length))
    a11, a12, a21, a22 = first
    b11, b12, b21, b22 = second
    b11, b12, b21 = D @ b11 @ D, D @ b12, b21 @ D
    eye = np.eye(len(D))
    x = np.linalg.solve(eye - b11 @ a22, b11 @ a21)  # waves back into the first
    s11 = a11 + a12 @ x
    s21 = b21 @ (a21 + a22 @ x)
    y = np.linalg.solve(eye - a22 @ b11, a22 @ b12)
    s22 = b22 + b21 @ y
    s12 = a12 @ (b12 + b11 @ y)
    return s11, s12, s21, s22


def response(gaps, lengths, thickness, frequencies, modes=24):
    """S11 and S21 of TE10 at the outer faces of the first and last iris."""
    result = []
    for f in frequencies:
        k = 2 * np.pi * f / C0
        blocks = {w: iris(w, thickness, k, modes) for w in set(gaps)}
        two = lambda w: (blocks[w][0], blocks[w][1], blocks[w][1], blocks[w][0])
        total = two(gaps[0])
        for w, length in zip(gaps[1:], lengths):
            total = cascade(total, two(w), length, k)
        result.append((total[0][0, 0], total[2][0, 0]))
    return np.array(result).T


def start_values(f1, f2, ripple_db, thickness, modes=24):
    """Half-wave resonators coupled by K-inverters (Matthaei, Young and Jones, section 8.06)."""
    beta = lambda f: abs(propagation(A, 1, 2 * np.pi * f / C0)[0])
    # centre where the guide wavelength is the mean of those at the band's edges
    lg1, lg2 = 2 * np.pi / beta(f1), 2 * np.pi / beta(f2)
    lg0 = (lg1 + lg2) / 2
    f0 = C0 * np.sqrt((1 / lg0) ** 2 + (0.5 / A) ** 2)
    w = (lg1 - lg2) / lg0
    n = 3
    b = np.log(1 / np.tanh(ripple_db / 17.37))
    gamma = np.sinh(b / (2 * n))
    a_ = [np.sin((2 * i - 1) * np.pi / (2 * n)) for i in range(1, n + 1)]
    b_ = [gamma**2 + np.sin(i * np.pi / n) ** 2 for i in range(1, n + 1)]
    g = [1, 2 * a_[0] / gamma]
    for i in range(1, n):
        g.append(4 * a_[i - 1] * a_[i] / (b_[i - 1] * g[i]))
    g.append(1)
    K = [np.sqrt(np.pi * w / (2 * g[0] * g[1])), np.pi * w / 2 / np.sqrt(g[1] * g[2])]
    k0 = 2 * np.pi * f0 / C0

    def inverter(gap):
        s11, s21 = iris(gap, thickness, k0, modes)
        # T network: series Xs, shunt Xp, referred to the iris faces
        r, t = s11[0, 0], s21[0, 0]
        xs = ((1 - t + r) / (1 - r + t)).imag
        xp = (2 * t / ((1 - r) ** 2 - t**2)).imag
        phi = -np.arctan(2 * xp + xs) - np.arctan(xs)
        return abs(np.tan(phi / 2 + np.arctan(xs))), phi

    def gap_for(target):
        lo, hi = 2e-3, 20e-3
        for _ in range(60):
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if inverter(mid)[0] < target else (lo, mid)
        return (lo + hi) / 2

    gaps = [gap_for(K[0]), gap_for(K[1])]
    phis = [inverter(x)[1] for x in gaps]
    lengths = [(np.pi + (phis[0] + phis[1]) / 2) * lg0 / (2 * np.pi), (np.pi + phis[1]) * lg0 / (2 * np.pi)]
    return np.array(gaps + lengths)


def characteristic(frequencies, f1, f2):
    """Chebyshev polynomial of degree 3 of the band-pass variable in guide wavelengths."""
    lg = lambda f: 1 / np.sqrt((f / C0) ** 2 - (0.5 / A) ** 2)
    lg1, lg2 = lg(f1), lg(f2)
    x = (lg1 + lg2 - 2 * lg(frequencies)) / (lg1 - lg2)
    return 4 * x**3 - 3 * x


def optimise(values, f1, f2, ripple_db, thickness):
    """Gauss-Newton on abs(S11) at points across the band."""
    frequencies = np.linspace(f1 - 0.35 * (f2 - f1), f2 + 0.35 * (f2 - f1), 31)
    epsilon2 = 10 ** (ripple_db / 10) - 1
    target = characteristic(frequencies, f1, f2)
    wanted = np.sqrt(epsilon2 * target**2 / (1 + epsilon2 * target**2))

    def residual(v):
        g1, g2, l1, l2 = v
        s11 = response([g1, g2, g2, g1], [l1, l2, l1], thickness, frequencies, 16)[0]
        return np.abs(s11) - wanted

    for _ in range(25):
        r = residual(values)
        step = 1e-6
        J = np.array([(residual(values + step * e) - residual(values - step * e)) / (2 * step) for e in np.eye(4)]).T
        change = np.linalg.lstsq(J, -r, rcond=None)[0]
        scale = min(1.0, 3e-4 / np.max(np.abs(change)))
        values = values + scale * change
        if np.max(np.abs(change)) < 1e-8:
            break
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--band", type=float, nargs=2, default=[9.75e9, 10.25e9], help="band edges [Hz]")
    parser.add_argument("--return-loss", type=float, default=20.0, help="in the band [dB]")
    parser.add_argument("--thickness", type=float, default=2e-3, help="of the irises [m]")
    parser.add_argument("--values", type=float, nargs=4, metavar="MM", help="gap1 gap2 length1 length2: response only")
    options = parser.parse_args()
    f1, f2 = options.band
    ripple = -10 * np.log10(1 - 10 ** (-options.return_loss / 10))
    if options.values:
        values = np.array(options.values) * 1e-3
    else:
        start = start_values(f1, f2, ripple, options.thickness)
        print("start   [mm]", np.round(start * 1e3, 4))
        values = np.round(optimise(start, f1, f2, ripple, options.thickness), 5)  # to 0.01 mm, as one would mill
    print("gap1 gap2 length1 length2 [mm]", np.round(values * 1e3, 3))
    g1, g2, l1, l2 = values
    frequencies = np.linspace(9.5e9, 10.5e9, 41)
    for modes in (16, 48):
        s11, s21 = response([g1, g2, g2, g1], [l1, l2, l1], options.thickness, frequencies, modes)
        inside = (frequencies >= f1) & (frequencies <= f2)
        print(f"{modes} modes: worst return loss in the band {-20 * np.log10(np.max(np.abs(s11[inside]))):.2f} dB, "
              f"power balance {np.max(np.abs(np.abs(s11)**2 + np.abs(s21)**2 - 1)):.1e}")
    print("f_GHz  S11_dB  S21_dB")
    for f, r, t in zip(frequencies[::2], s11[::2], s21[::2]):
        print(f"{f/1e9:6.3f} {20*np.log10(abs(r)):7.2f} {20*np.log10(abs(t)):7.3f}")


if __name__ == "__main__":
    main()
