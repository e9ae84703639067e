// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/system.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "ie/surface/dual_testing.hpp"
#include "ie/surface/gram.hpp"

namespace curlew::ie {

System::System(Problem problem, const Accuracy& accuracy)
    : problem_(std::move(problem)),
      scene_(make_scene(problem_)),
      functions_(std::make_shared<const Junctions>(make_functions(problem_, scene_))) {
  for (const auto& region : scene_.regions) {
    integrals_.emplace_back(problem_.mesh, region.k, accuracy);
    needs_magnetic_.push_back(0);
  }
  const RwgSpace& space = functions_->space;
  num_unknowns_ = space.size();
  magnetic_.assign(space.size(), -1);
  share_.assign(space.size(), 1.0);
  for (Index f = 0; f < space.size(); ++f) {
    bool on_conductor = false;
    space.for_each_part(f, [&](const FunctionPart& part) {
      const auto boundary = problem_.surfaces[mesh().tag[part.triangle]].boundary;
      on_conductor = on_conductor || boundary == Boundary::conductor;
    });
    if (on_conductor) {
      if (problem_.equation != Equation::efie) {
        share_[f] = problem_.equation == Equation::mfie ? 0.0 : problem_.alpha;
        symmetric_ = false;
      }
      continue;
    }
    magnetic_[f] = num_unknowns_++;
    space.for_each_part(f, [&](const FunctionPart& part) {
      for (const int r : {scene_.front[part.triangle], scene_.back[part.triangle]})
        if (r >= 0) needs_magnetic_[r] = 1;
    });
  }
  if (!symmetric_ && problem_.testing == MagneticTesting::dual)
    dual_ = std::make_shared<const DualTesting>(problem_, space);
}

System::System(const System& of, double frequency) : System(of) {
  problem_.frequency = frequency;
  for (std::size_t r = 0; r < scene_.regions.size(); ++r) {
    scene_.regions[r].k = wavenumber(frequency);
    integrals_[r] = integrals_[r].at(scene_.regions[r].k);
  }
}

bool System::differs_by_wavelength() const {
  return dual_ == nullptr && problem_.bodies.empty() &&
         std::ranges::all_of(problem_.surfaces,
                             [](const Surface& s) { return s.boundary == Boundary::conductor; });
}

void System::add_gram(Index t, std::vector<Entry>& out) const {
  const auto& surface = problem_.surfaces[mesh().tag[t]];
  const bool impedance = surface.boundary == Boundary::impedance;
  const Complex z = surface.surface_impedance / vacuum_impedance;
  for (Index a = space().begin(t); a < space().begin(t + 1); ++a) {
    const auto& row = space().locals()[a];
    const double share = share_[row.function];
    if (!impedance && (share == 1 || dual_)) continue;
    for (Index b = space().begin(t); b < space().begin(t + 1); ++b) {
      const auto& column = space().locals()[b];
      const double g = row.scale * column.scale * gram(mesh(), t, row.vertex, column.vertex);
      if (!impedance) {
        out.push_back({row.function, column.function, 0.5 * (1 - share) * g});
        continue;
      }
      out.push_back({row.function, column.function, 0.5 * g * z});
      out.push_back({magnetic_[row.function], magnetic_[column.function], -0.5 * g / z});
    }
  }
}

PointCurrents System::point_currents(int region, const BarycentricRule& rule) const {
  const auto& r = scene_.regions[region];
  PointCurrents out;
  out.num_unknowns = space().size();
  const std::size_t per_triangle = rule.weights.size();
  out.offsets.push_back(0);
  for (const Index t : r.triangles)
    for (std::size_t q = 0; q < per_triangle; ++q)
      out.offsets.push_back(out.offsets.back() + space().count(t));
  const auto entries = std::size_t(out.offsets.back());
  out.points.resize(r.triangles.size() * per_triangle);
  out.unknowns.resize(entries), out.current.resize(entries), out.charge.resize(entries);
  if (needs_rotated(region)) out.rotated.resize(entries);
#pragma omp parallel for
  for (std::size_t i = 0; i < r.triangles.size(); ++i) {
    const Index t = r.triangles[i];
    const double sign = r.sign[t];
    const Vec3<double> normal = normalized(mesh().area_vector(t));
    for (std::size_t q = 0; q < per_triangle; ++q) {
      Vec3<double>& point = out.points[i * per_triangle + q];
      for (int c = 0; c < 3; ++c) point += rule.points[q][c] * mesh().corner(t, c);
      Offset e = out.offsets[i * per_triangle + q];
      for (Index a = space().begin(t); a < space().begin(t + 1); ++a, ++e) {
        const auto& f = space().locals()[a];
        out.unknowns[e] = f.function;
        out.current[e] = (0.5 * sign * rule.weights[q] * f.scale) * (point - mesh().corner(t, f.vertex));
        if (needs_rotated(region)) out.rotated[e] = cross(out.current[e], normal);
        out.charge[e] = sign * rule.weights[q] * f.scale;
      }
    }
  }
  out.index_uses();
  return out;
}

}  // namespace curlew::ie
