# SPDX-License-Identifier: BSD-3-Clause
"""Feature selective validation: how alike two curves are, as engineers judge them.

Source: IEEE Std 1597.1-2008, annex B; Duffy et al. (2006), "Feature selective validation (FSV) for validation of
computational electromagnetics, part I", IEEE Trans. Electromagn. Compat. 48(3), 449-459.
"""
import numpy as np

# Upper ends of the words that the standard gives to ADM, FDM and GDM.
WORDS = [(0.1, "excellent"), (0.2, "very good"), (0.4, "good"), (0.8, "fair"), (1.6, "poor"), (np.inf, "very poor")]


def word(measure):
    return next(text for limit, text in WORDS if measure <= limit)


def split(curve):
    """Offset, low and high parts: the first four lines of the spectrum; those up to five behind 40 % of the rest; others."""
    spectrum = np.fft.rfft(curve)
    size = np.abs(spectrum)
    total = size[4:].sum()
    at = 4 + int(np.searchsorted(np.cumsum(size[4:]), 0.4 * total)) if total > 0 else 4
    # From all to nothing over eleven lines around that line.
    number = np.arange(len(spectrum))
    low = np.clip((at + 5 - number) / 10.0, 0, 1)
    low[:4] = 0
    high = 1 - low
    high[:4] = 0
    offset = np.where(number < 4, 1.0, 0.0)
    return [np.fft.irfft(spectrum * window, len(curve)) for window in (offset, low, high)]


def measures(curve, reference):
    """Mean ADM, FDM and GDM of two curves over the same points; 0 for equal ones."""
    curve, reference = np.asarray(curve, float), np.asarray(reference, float)
    if curve.shape != reference.shape or curve.ndim != 1 or len(curve) < 16:
        raise ValueError("two curves of the same 16 points or more are needed")
    # Ends that do not meet would put a step into the spectrum: mirror the curves.
    offset1, low1, high1 = split(np.concatenate([curve, curve[::-1]]))
    offset2, low2, high2 = split(np.concatenate([reference, reference[::-1]]))

    def relative(a, b, weight=1.0):
        mean = np.mean(np.abs(a) + np.abs(b))
        return (np.abs(a) - np.abs(b)) / (weight * mean) if mean > 1e-12 * scale else np.zeros(len(a))

    scale = np.max(np.abs(np.concatenate([curve, reference]))) or 1.0
    shift = relative(offset1, offset2)
    adm = np.abs(relative(low1, low2)) + np.abs(shift) * np.exp(np.abs(shift))
    slope, bend = np.gradient, lambda x: np.gradient(np.gradient(x))
    fdm = 2 * np.abs(relative(slope(low1), slope(low2), 2) + relative(slope(high1), slope(high2), 6)
                     + relative(bend(high1), bend(high2), 7.2))
    half = len(curve)
    return tuple(float(np.mean(part[:half])) for part in (adm, fdm, np.hypot(adm, fdm)))
