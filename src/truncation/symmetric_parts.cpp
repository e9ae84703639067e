// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/symmetric_parts.hpp"

#include <algorithm>
#include <cmath>

#include "fem/transfer.hpp"

namespace curlew::truncation {

namespace {

double size(const Vec3<Complex>& a) {
  return std::sqrt(std::norm(a.x) + std::norm(a.y) + std::norm(a.z));
}

/// Appends a wave, or adds it to the one of equal direction.
void add_wave(std::vector<green::PlaneWave>& waves, const green::PlaneWave& wave) {
  for (auto& known : waves) {
    if (norm(known.direction - wave.direction) > 1e-12) continue;
    known.amplitude += wave.amplitude;
    return;
  }
  waves.push_back(wave);
}

/// Removes the components that the image of a current at the same position cancels: along an electric plane,
/// across a magnetic one.
void keep_symmetric(Vec3<Complex>& current, const fields::SymmetryPlane& plane) {
  for (int x = 0; x < 3; ++x)
    if ((x == plane.axis) != plane.electric) current[x] = 0;
}

/// Replaces a dipole by half of it, or by half of its image in the plane if that is on the modelled side.
void fold(green::Dipole& dipole, const fields::SymmetryPlane& plane, int side) {
  const double height = side * (dipole.position[plane.axis] - plane.position);
  dipole.moment = Complex(0.5) * dipole.moment;
  if (std::abs(height) < 1e-9 * (norm(dipole.position) + std::abs(plane.position)))
    return keep_symmetric(dipole.moment, plane);
  if (height > 0) return;
  dipole.position[plane.axis] += 2 * side * std::abs(height);
  dipole.moment[plane.axis] *= -1;
  if (plane.electric) dipole.moment = Complex(-1) * dipole.moment;
}

/// Appends a dipole, or adds it to the one at the same position.
void add_dipole(std::vector<green::Dipole>& dipoles, const green::Dipole& dipole) {
  for (auto& known : dipoles) {
    if (norm(known.position - dipole.position) > 1e-9 * norm(dipole.position)) continue;
    known.moment += dipole.moment;
    return;
  }
  dipoles.push_back(dipole);
}

/// The sides of the planes on which the mesh lies.
std::vector<int> sides_of(const mesh::Mesh& mesh, const std::vector<fields::SymmetryPlane>& planes) {
  std::vector<int> sides;
  for (const auto& plane : planes) {
    double sum = 0;
    for (const auto& node : mesh.nodes) sum += node[plane.axis] - plane.position;
    sides.push_back(sum > 0 ? 1 : -1);
  }
  return sides;
}

template <class T>
void add(std::vector<T>& sum, const std::vector<T>& more) {
  if (sum.empty()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

void add(fields::SurfaceCurrents& sum, const fields::SurfaceCurrents& more) {
  sum.count = more.count;
  add(sum.electric, more.electric);
  add(sum.magnetic, more.magnetic);
}

std::vector<Excitation> symmetric_parts(const std::vector<Excitation>& excitations,
                                        const std::vector<fields::SymmetryPlane>& planes,
                                        const std::vector<int>& sides) {
  std::vector<Excitation> parts(excitations.size());
  for (std::size_t c = 0; c < parts.size(); ++c) {
    for (const auto& wave : excitations[c].waves)
      for (const auto& part : symmetric_part(wave, planes)) parts[c].waves.push_back(part);
    if (!excitations[c].source) continue;
    const auto source = symmetric_part(*excitations[c].source, planes, sides);
    if (!source.dipoles.empty() || !source.currents.empty()) parts[c].source = source;
  }
  return parts;
}

void add(IterationReport& sum, const IterationReport& more) {
  sum.converged = sum.converged && more.converged;
  sum.iterations += more.iterations;
  sum.history.insert(sum.history.end(), more.history.begin(), more.history.end());
  sum.true_residual = std::max(sum.true_residual, more.true_residual);
}

}  // namespace

std::vector<green::PlaneWave> symmetric_part(const green::PlaneWave& wave,
                                             const std::vector<fields::SymmetryPlane>& planes) {
  std::vector<green::PlaneWave> waves{wave};
  for (const auto& plane : planes) {
    std::vector<green::PlaneWave> both;
    for (green::PlaneWave w : waves) {
      w.amplitude = Complex(0.5) * w.amplitude;
      add_wave(both, w);
      const double phase = -2 * w.k * plane.position * w.direction[plane.axis];
      w.direction[plane.axis] *= -1;
      w.amplitude[plane.axis] *= -1;
      w.amplitude = Complex(std::cos(phase), std::sin(phase)) * (plane.electric ? -1.0 : 1.0) * w.amplitude;
      add_wave(both, w);
    }
    waves = both;
  }
  std::erase_if(waves, [&](const auto& w) { return size(w.amplitude) < 1e-12 * size(wave.amplitude); });
  return waves;
}

fem::Excitation symmetric_part(const fem::Excitation& source,
                               const std::vector<fields::SymmetryPlane>& planes,
                               const std::vector<int>& sides) {
  fem::Excitation part = source;
  part.dipoles.clear();
  double largest = 0;
  for (green::Dipole dipole : source.dipoles) {
    largest = std::max(largest, size(dipole.moment));
    for (std::size_t p = 0; p < planes.size(); ++p) fold(dipole, planes[p], sides[p]);
    add_dipole(part.dipoles, dipole);
  }
  std::erase_if(part.dipoles, [&](const auto& d) { return size(d.moment) < 1e-12 * largest; });
  for (auto& current : part.currents)
    for (const auto& plane : planes) keep_symmetric(current.density, plane);
  std::erase_if(part.currents, [](const auto& c) { return size(c.density) == 0; });
  return part;
}

fem::Model with_planes(fem::Model model, const SurfaceNames& names, unsigned electric) {
  for (std::size_t p = 0; p < names.symmetry.size(); ++p)
    model.boundaries.push_back(
        {{names.symmetry[p]}, electric >> p & 1U ? fem::pec_condition() : fem::pmc_condition()});
  return model;
}

TruncationResult SymmetricParts::solve(TruncatedProblem& magnetic, double frequency,
                                       std::vector<Excitation> excitations, const std::vector<Complex>& start,
                                       const IterationObserver& observer) const {
  const auto count = excitations.size();
  std::vector<fields::SymmetryPlane> planes = magnetic.surfaces().planes;
  const std::vector<int> sides = sides_of(mesh_, planes);
  TruncationResult sum;
  sum.iteration.converged = true;
  sum.x.resize(std::size_t(magnetic.system().space().num_dofs()) * count);
  sum.source_power.assign(count, 0);
  sum.inner = {Index(count), magnetic.inner_points().size()};
  sum.outer = {Index(count), magnetic.outer_points().size()};
  for (unsigned electric = 0; electric < 1U << planes.size(); ++electric) {
    for (std::size_t p = 0; p < planes.size(); ++p) planes[p].electric = electric >> p & 1U;
    const auto parts = symmetric_parts(excitations, planes, sides);
    if (std::none_of(parts.begin(), parts.end(), [](const auto& e) { return !e.waves.empty() || e.source; }))
      continue;
    std::unique_ptr<TruncatedProblem> made;
    if (electric != 0) {
      auto model = with_planes(model_, options_.names, electric);
      fem::state_kinds(planes, mesh_, model.mirrors);
      made = std::make_unique<TruncatedProblem>(mesh_, topology_, model, options_);
      made->system().analyse();
    }
    TruncatedProblem& problem = made ? *made : magnetic;
    const std::size_t done = sum.interface.size(), size = std::size_t(problem.interface_size()) * count;
    std::vector<Complex> known;
    if (start.size() >= done + size)
      known.assign(start.begin() + long(done), start.begin() + long(done + size));
    const auto observe = [&](int iterations, double error,
                             const std::function<std::vector<Complex>()>& current) {
      if (observer)
        observer(sum.iteration.iterations + iterations, error, [&] {
          auto all = sum.interface;
          const auto last = current();
          all.insert(all.end(), last.begin(), last.end());
          return all;
        });
    };
    const auto result = problem.solve(frequency, parts, known, observe);
    fem::add_unknowns(problem.system().space(), result.x, magnetic.system().space(), sum.x);
    add(sum.inner, result.inner);
    add(sum.outer, result.outer);
    add(sum.iteration, result.iteration);
    for (std::size_t c = 0; c < count; ++c)
      sum.source_power[c] += std::ldexp(result.source_power[c], int(planes.size()));
    sum.interface.insert(sum.interface.end(), result.interface.begin(), result.interface.end());
    sum.solver_residual = std::max(sum.solver_residual, result.solver_residual);
    sum.solver_steps += result.solver_steps;
    if (!result.iteration.converged) break;
  }
  return sum;
}

}  // namespace curlew::truncation
