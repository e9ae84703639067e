# SPDX-License-Identifier: BSD-3-Clause
"""Scattering of a plane wave by a sphere.

Series: Bohren and Huffman (1983), Absorption and Scattering of Light by Small Particles, (4.53), (4.74).
"""
import numpy as np
from scipy.special import spherical_jn, spherical_yn

C0 = 299792458.0


def amplitudes(x, m, angles):
    """S1, S2 of (4.74) at scattering angles in radians; m = None for a conductor."""
    count = int(x + 4.05 * np.cbrt(x) + 10)
    n = np.arange(1, count + 1)

    def riccati(z):
        j, dj = spherical_jn(n, z), spherical_jn(n, z, derivative=True)
        return z * j, j + z * dj

    psi, dpsi = riccati(x)
    y, dy = spherical_yn(n, x), spherical_yn(n, x, derivative=True)
    xi, dxi = psi + 1j * x * y, dpsi + 1j * (y + x * dy)
    if m is None:
        a, b = dpsi / dxi, psi / xi
    else:
        psi_m, dpsi_m = riccati(m * x)
        a = (m * psi_m * dpsi - psi * dpsi_m) / (m * psi_m * dxi - xi * dpsi_m)
        b = (psi_m * dpsi - m * psi * dpsi_m) / (psi_m * dxi - m * xi * dpsi_m)
    s1, s2 = [], []
    for mu in np.cos(angles):
        pi_n = np.zeros(count + 1)
        pi_n[1] = 1
        for i in range(2, count + 1):
            pi_n[i] = ((2 * i - 1) * mu * pi_n[i - 1] - i * pi_n[i - 2]) / (i - 1)
        tau = n * mu * pi_n[1:] - (n + 1) * pi_n[:-1]
        factor = (2 * n + 1) / (n * (n + 1))
        s1.append(np.sum(factor * (a * pi_n[1:] + b * tau)))
        s2.append(np.sum(factor * (a * tau + b * pi_n[1:])))
    return np.array(s1), np.array(s2)


def cross_section(frequency, radius, epsilon_r, theta, phi):
    """RCS [m^2] for a wave from theta = 180 degrees with polarization "theta"; angles in degrees, radius in metres.

    epsilon_r is None for a conductor. exp(+jwt) here, exp(-iwt) in the book: conjugate.
    """
    k = 2 * np.pi * frequency / C0
    m = None if epsilon_r is None else np.sqrt(np.conj(complex(epsilon_r)))
    s1, s2 = amplitudes(k * radius, m, np.radians(theta))
    phi = np.radians(phi)
    return 4 * np.pi / k**2 * (np.abs(s2 * np.cos(phi)) ** 2 + np.abs(s1 * np.sin(phi)) ** 2)
