// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/mirror.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace curlew::ie {
namespace {

/// A direction in which points of regular meshes do not coincide.
constexpr Vec3<double> skew{0.6180339887, 0.4142135624, 0.6681786379};

/// Numbers in the order of values, for look-ups within a tolerance.
class SortedValues {
 public:
  explicit SortedValues(std::vector<double> values) : values_(std::move(values)), order_(values_.size()) {
    std::iota(order_.begin(), order_.end(), Index(0));
    std::sort(order_.begin(), order_.end(),
              [&](Index a, Index b) { return values_[std::size_t(a)] < values_[std::size_t(b)]; });
  }
  /// The first number with a value within the tolerance for which `fits` holds, or -1.
  template <class Fits>
  Index find(double value, double tolerance, Fits&& fits) const {
    auto at = std::lower_bound(order_.begin(), order_.end(), value - tolerance,
                               [&](Index i, double bound) { return values_[std::size_t(i)] < bound; });
    for (; at != order_.end() && values_[std::size_t(*at)] <= value + tolerance; ++at)
      if (fits(*at)) return *at;
    return -1;
  }

 private:
  std::vector<double> values_;
  std::vector<Index> order_;
};

/// Images of the parts of a problem in one plane, found step by step; empty if there is none.
class MirrorSearch {
 public:
  MirrorSearch(const System& system, const SortedValues& nodes, double tolerance, MirrorPlane plane)
      : system_(system), nodes_(nodes), tolerance_(tolerance), plane_(std::move(plane)) {}

  std::optional<MirrorPlane> find() {
    if (!find_nodes() || !find_triangles() || !check_sides() || !find_functions()) return std::nullopt;
    return std::move(plane_);
  }

 private:
  const SurfaceMesh& mesh() const { return system_.mesh(); }

  bool find_nodes() {
    const auto& nodes = mesh().nodes;
    node_.resize(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      auto image = nodes[n];
      image[plane_.axis] = 2 * plane_.position - image[plane_.axis];
      node_[n] = nodes_.find(dot(skew, image), 2 * tolerance_,
                             [&](Index m) { return norm(nodes[std::size_t(m)] - image) <= tolerance_; });
      if (node_[n] < 0) return false;
    }
    return true;
  }

  bool find_triangles() {
    const auto sorted = [](Triangle t) {
      std::sort(t.begin(), t.end());
      return t;
    };
    const auto& triangles = mesh().triangles;
    std::vector<std::pair<Triangle, Index>> known;
    known.reserve(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) known.emplace_back(sorted(triangles[t]), Index(t));
    std::sort(known.begin(), known.end());
    triangle_.resize(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      Triangle image = triangles[t];
      for (Index& n : image) n = node_[std::size_t(n)];
      image = sorted(image);
      const auto at = std::lower_bound(known.begin(), known.end(), std::pair{image, Index(0)});
      if (at == known.end() || at->first != image) return false;
      triangle_[t] = at->second;
    }
    return true;
  }

  /// Regions are images of each other by their triangles, and must be of the same medium.
  bool is_image_of_region(int region, int image) {
    if ((region < 0) != (image < 0) || (region == 0) != (image == 0)) return false;
    if (region < 0) return true;
    int& known = region_[std::size_t(region)];
    if (known < 0) known = image;
    const auto &r = system_.scene().regions[std::size_t(region)],
               &i = system_.scene().regions[std::size_t(image)];
    return known == image && r.k == i.k && r.eta == i.eta;
  }

  /// Checks that adjacent regions of triangles and their images agree.
  bool check_sides() {
    const auto& problem = system_.problem();
    const auto& scene = system_.scene();
    region_.assign(scene.regions.size(), -1);
    for (std::size_t t = 0; t < triangle_.size(); ++t) {
      const auto i = std::size_t(triangle_[t]);
      const auto &own = problem.surfaces[std::size_t(mesh().tag[t])],
                 &other = problem.surfaces[std::size_t(mesh().tag[i])];
      if (own.boundary != other.boundary || own.surface_impedance != other.surface_impedance) return false;
      if (!is_image_of_region(scene.front[t], scene.front[i]) ||
          !is_image_of_region(scene.back[t], scene.back[i]))
        return false;
      const double along = dot(plane_.reflected(mesh().area_vector(Index(t))), mesh().area_vector(Index(i)));
      if (scene.front[t] != scene.back[t] && along < 0) return false;
    }
    return true;
  }

  /// Corner of the image triangle that is the image of a triangle's corner.
  int corner_of_image(Index t, int vertex) const {
    const auto& image = mesh().triangles[std::size_t(triangle_[std::size_t(t)])];
    const Index node = node_[std::size_t(mesh().triangles[std::size_t(t)][std::size_t(vertex)])];
    return int(std::find(image.begin(), image.end(), node) - image.begin());
  }

  /// The factor of function g as the image of f, or 0 if it is another one.
  double factor_of(Index f, Index g) const {
    const auto& space = system_.space();
    const auto& own = space.functions()[std::size_t(f)];
    if (own.num_parts != space.functions()[std::size_t(g)].num_parts) return 0;
    double factor = 0;
    for (Index p = 0; p < own.num_parts; ++p) {
      const auto part = space.part(f, p);
      const int vertex = corner_of_image(part.triangle, part.vertex);
      double found = 0;
      space.for_each_part(g, [&](const FunctionPart& other) {
        if (other.triangle == triangle_[std::size_t(part.triangle)] && other.vertex == vertex)
          found = part.scale / other.scale;
      });
      constexpr double rounding = 1e-3;  // of lengths whose ends are off by the tolerance
      if (std::abs(std::abs(found) - 1) > rounding) return 0;
      const double sign = found > 0 ? 1 : -1;
      if (factor != 0 && factor != sign) return 0;
      factor = sign;
    }
    return factor;
  }

  bool find_functions() {
    const auto& space = system_.space();
    plane_.images.assign(std::size_t(system_.num_unknowns()), {-1, 0});
    for (Index f = 0; f < space.size(); ++f) {
      const auto part = space.part(f, 0);
      const Index t = triangle_[std::size_t(part.triangle)];
      MirrorImage image{-1, 0};
      for (Index a = space.begin(t); a < space.begin(t + 1) && image.unknown < 0; ++a) {
        const Index g = space.locals()[std::size_t(a)].function;
        const double sign = factor_of(f, g);
        if (sign != 0) image = {g, sign};
      }
      if (image.unknown < 0 || system_.electric_share(f) != system_.electric_share(image.unknown))
        return false;
      plane_.images[std::size_t(f)] = image;
      const Index own = system_.magnetic_unknown(f), other = system_.magnetic_unknown(image.unknown);
      if ((own < 0) != (other < 0)) return false;
      if (own >= 0) plane_.images[std::size_t(own)] = {other, -image.sign};
    }
    std::vector<char> is_taken(plane_.images.size());  // twice where nodes coincide
    for (const auto& image : plane_.images)
      if (is_taken[std::size_t(image.unknown)]++ != 0) return false;
    return true;
  }

  const System& system_;
  const SortedValues& nodes_;
  double tolerance_;
  MirrorPlane plane_;
  std::vector<Index> node_, triangle_;  // images
  std::vector<int> region_;
};

}  // namespace

std::vector<MirrorPlane> find_mirror_planes(const System& system) {
  const auto& nodes = system.mesh().nodes;
  std::vector<MirrorPlane> planes;
  if (system.mesh().num_second_sides > 0) return planes;
  Vec3<double> low = nodes.at(0), high = low;
  std::vector<double> along;
  for (const auto& node : nodes) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], node[d]), high[d] = std::max(high[d], node[d]);
    along.push_back(dot(skew, node));
  }
  const double tolerance = 1e-9 * norm(high - low);
  const SortedValues sorted(std::move(along));
  for (int axis = 0; axis < 3; ++axis) {
    double position = 0.5 * (low[axis] + high[axis]);
    if (std::abs(position) <= tolerance) position = 0;
    if (auto plane = MirrorSearch(system, sorted, tolerance, {axis, position, {}}).find())
      planes.push_back(std::move(*plane));
  }
  return planes;
}

std::vector<MirroredWave> pair_waves(std::span<const green::ArrivingWave> waves,
                                     std::span<const MirrorPlane> planes, double k) {
  constexpr double rounding = 1e-10;  // of sines and cosines of the same angles
  std::vector<double> along;
  for (const auto& wave : waves) along.push_back(dot(skew, wave.direction()));
  const SortedValues sorted(std::move(along));
  std::vector<MirroredWave> out(waves.size());
  for (std::size_t w = 0; w < waves.size(); ++w) {
    out[w] = {w};
    for (unsigned set = 0; set < 1u << planes.size() && out[w].from == w; ++set) {
      // A wave is the image of an earlier one if its own image is that wave.
      auto direction = waves[w].direction(), field = waves[w].electric_direction();
      double phase = 0;
      for (std::size_t p = 0; p < planes.size(); ++p) {
        if ((set >> p & 1) == 0) continue;
        direction = planes[p].reflected(direction), field = planes[p].reflected(field);
        phase += 2 * k * planes[p].position * direction[planes[p].axis];
      }
      double sign = 0;
      const Index from = sorted.find(dot(skew, direction), 2 * rounding, [&](Index other) {
        const auto& o = waves[std::size_t(other)];
        if (std::size_t(other) >= w || out[std::size_t(other)].from != std::size_t(other) ||
            norm(o.direction() - direction) > rounding || o.amplitude != waves[w].amplitude)
          return false;
        sign = dot(o.electric_direction(), field) > 0 ? 1 : -1;
        return norm(sign * o.electric_direction() - field) <= rounding;
      });
      // Mirrored at c, exp(-jk d.r) becomes exp(-jk d'.r) exp(-2jk c d_axis), d that of the earlier wave.
      if (from >= 0) out[w] = {std::size_t(from), set, std::polar(1.0, phase) * sign};
    }
  }
  return out;
}

void mirror_currents(const MirroredWave& wave, std::span<const MirrorPlane> planes,
                     std::span<const Complex> x, std::span<Complex> image) {
  const auto n = Index(x.size());
#pragma omp parallel for
  for (Index i = 0; i < n; ++i) {
    MirrorImage at{i, 1};
    for (std::size_t p = 0; p < planes.size(); ++p) {
      if ((wave.planes >> p & 1) == 0) continue;
      const auto& next = planes[p].images[std::size_t(at.unknown)];
      at = {next.unknown, at.sign * next.sign};
    }
    image[std::size_t(at.unknown)] = at.sign * wave.factor * x[std::size_t(i)];
  }
}

}  // namespace curlew::ie
