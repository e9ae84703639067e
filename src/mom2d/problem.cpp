// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/passive_root.hpp"

namespace curlew::mom2d {
namespace {

const char* name_of(Equation equation) {
  return equation == Equation::efie ? "efie" : (equation == Equation::mfie ? "mfie" : "cfie");
}

void check_numbers(const Problem& p) {
  if (p.bodies.empty()) throw InputError("there is no contour: at least one [[contour]] is needed");
  if (!(p.wavenumber > 0) || !std::isfinite(p.wavenumber)) {
    throw InputError(fmt::format("the wave number must be finite and positive, not {}", p.wavenumber));
  }
  if (p.nodes < 1 || p.nodes > 12) throw InputError(fmt::format("nodes must lie in 1..12, not {}", p.nodes));
  if (p.method == Method::mom && p.nodes != 1) {
    throw InputError(
        fmt::format("method \"mom\" has one node per cell, not {}: for more, method = \"lcn\"", p.nodes));
  }
  if (!(p.alpha >= 0 && p.alpha <= 1))
    throw InputError(fmt::format("alpha must lie in 0..1, not {}", p.alpha));
}

/// Refuses sizes outside the range of double precision or of the unknowns per cell.
void check_lengths(const Problem& p, const Contour& contour) {
  double farthest = 0, longest = 0, length = 0;
  for (const Panel& panel : contour.panels) {
    const CurvePoint start = evaluate<double>(panel, -1);
    farthest = std::max({farthest, std::abs(start.x), std::abs(start.y)});
    longest = std::max(longest, panel_length(panel));
    length += panel_length(panel);
  }
  if (!(farthest < 1e9 * length))
    throw InputError(
        fmt::format("contour \"{}\" is {:.3g} m long and lies {:.3g} m from the origin, where rounding "
                    "merges its points: move it nearer",
                    contour.name, length, farthest));
  const double wavelengths = longest * p.wavenumber / (2 * pi);
  if (!(wavelengths <= 10))
    throw InputError(
        fmt::format("contour \"{}\": its longest cell, {:.3g} m, is {:.3g} wavelengths: no current on it can "
                    "follow the wave; check frequency and unit, or give more cells",
                    contour.name, longest, wavelengths));
}

void check_body(const Problem& p, const Body& body) {
  const auto& name = body.contour.name;
  check_lengths(p, body.contour);
  if (!body.contour.closed && body.boundary != Boundary::pec) {
    throw InputError(
        fmt::format("contour \"{}\" is open: only a closed one bounds a material or an impedance", name));
  }
  if (!body.contour.closed && p.equation != Equation::efie) {
    throw InputError(fmt::format("contour \"{}\" is open: equation = \"{}\" needs an inside, use \"efie\"",
                                 name, name_of(p.equation)));
  }
  for (const Complex c : {body.material.epsilon_r, body.material.mu_r}) {
    if (!std::isfinite(c.real()) || !std::isfinite(c.imag()) || c == 0.0 || c.imag() > 0) {
      throw InputError(
          fmt::format("contour \"{}\": epsilon_r and mu_r must be finite, not zero, and passive (Im <= 0 "
                      "under exp(+jwt)), not {} {:+}j",
                      name, c.real(), c.imag()));
    }
  }
  if (body.boundary == Boundary::impedance && !(body.surface_impedance.real() >= 0)) {
    throw InputError(fmt::format("contour \"{}\": a passive surface impedance has Re >= 0", name));
  }
}

void check_paper_mom(const Problem& p) {
  if (!p.paper_mom) return;
  bool conductors = true;
  for (const auto& body : p.bodies) conductors = conductors && body.boundary == Boundary::pec;
  if (p.method != Method::mom || p.polarization != Polarization::tm || p.equation != Equation::efie ||
      !conductors) {
    throw InputError(
        "with method = \"mom\", integration = \"paper\" is only for the TM EFIE on conductors: else take "
        "integration = \"accurate\"");
  }
}

}  // namespace

Complex wavenumber_in(const Material& material, double k0) {
  const Complex n = passive_root(material.epsilon_r) * passive_root(material.mu_r);
  return k0 * (n.imag() > 0 ? -n : Complex(n.real(), n.imag() == 0 ? 0.0 : n.imag()));
}

Scene make_scene(const Problem& problem) {
  check_numbers(problem);
  for (const auto& body : problem.bodies) check_body(problem, body);
  check_paper_mom(problem);
  std::vector<Contour> contours;
  for (const auto& body : problem.bodies) contours.push_back(body.contour);
  const auto parents = nesting(contours);

  Scene scene;
  scene.regions.push_back({problem.wavenumber, 1.0});
  for (const auto& body : problem.bodies) {
    if (body.boundary != Boundary::dielectric) {
      scene.inner.push_back(-1);
      continue;
    }
    scene.inner.push_back(int(scene.regions.size()));
    const auto& m = body.material;
    scene.regions.push_back({wavenumber_in(m, problem.wavenumber),
                             problem.polarization == Polarization::tm ? m.mu_r : m.epsilon_r});
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const int parent = parents[i];
    if (parent >= 0 && scene.inner[std::size_t(parent)] < 0) {
      throw InputError(fmt::format("contour \"{}\" lies inside the conductor \"{}\", where there is no field",
                                   contours[i].name, contours[std::size_t(parent)].name));
    }
    scene.outer.push_back(parent < 0 ? 0 : scene.inner[std::size_t(parent)]);
  }
  return scene;
}

}  // namespace curlew::mom2d
