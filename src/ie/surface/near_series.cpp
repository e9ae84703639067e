// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/near_series.hpp"

#include <array>

namespace curlew::ie {
namespace {

constexpr int most_terms = 32;

/// Terms of a series for |k R| <= x, of which the first omitted one is below 1e-14 of the sum of the entries
/// of 1/R; most_terms + 1 if those are not enough.
int terms_for(double x) {
  double term = 1;
  for (int t = 1; t <= most_terms; ++t)
    if ((term *= x / t) < 1e-14 && t >= 3) return t;
  return most_terms + 1;
}

/// For the farthest points of a pair: no corner is farther from its centroid than 2/3 of an edge.
int terms_of(const PairView& view, Index test, Index source, double k) {
  return terms_for(k * (norm(view.centroids[test] - view.centroids[source]) +
                        2.0 / 3 * (view.longest[test] + view.longest[source])));
}

std::size_t width_of(bool magnetic, bool rotated) {
  return 10 + (magnetic ? 9 : 0) + (rotated ? 9 : 0);
}

/// Calls visit(test) for the near pairs of a source, in the order of Blocks::next.
template <class Visit>
void for_each_near(const System& system, int region, Index position, Visit&& visit) {
  const auto& triangles = system.scene().regions[region].triangles;
  for (Index i = system.is_symmetric() ? position : 0; i < Index(triangles.size()); ++i)
    if (system.integrals(region).kind(triangles[i], triangles[position]) >= PairKind::near)
      visit(triangles[i]);
}

/// Integrals of the powers t = 0, ..., terms - 1 of one pair.
/// @param[out] out [terms, width]: of each power the charges' part of all entries, the currents' parts, and
/// the magnetic and rotated entries if requested
template <bool magnetic, bool rotated>
void integrate(const PairView& view, Index test, Index source, int terms, double* out) {
  using Point = Vec3<double>;
  std::array<PairMoments<double, double, magnetic, rotated>, most_terms> moments{};
  const auto &t = view.frames[test], &s = view.frames[source];
  for (int n = 0; n < terms; ++n) moments[n].normal = t.normal;
  view.for_each_near_point(test, source, [&](Point r, double weight) {
    std::array<double, most_terms> sum{};
    std::array<Point, most_terms> moment{}, gradient{};
    const auto p = quadrature::triangle_potentials(s, r);
    const Point from = r - view.centroids[source];
    for (int q = 0; q < view.smooth.size; ++q) {
      const Point at = PairView::at(s, view.smooth.points + 3 * q), d = r - at;
      const Point own = at - view.centroids[source];
      const double distance = norm(d);
      double power = view.smooth.weights[q] * s.area;  // times R^(n - 1)
      double before = 0, two_before = 0;
      for (int n = 1; n < terms; ++n) {
        sum[n] += power, moment[n] += power * own;
        if ((magnetic || rotated) && n >= 3) gradient[n] += ((n - 1) * two_before) * d;
        two_before = before, before = power, power *= distance;
      }
    }
    sum[0] = p.inverse, moment[0] = p.inverse_moment + p.inverse * from, gradient[0] = p.gradient;
    sum[2] = p.distance, moment[2] = p.distance_moment + p.distance * from;
    gradient[2] = -p.inverse_moment;
    for (int n = 0; n < terms; ++n)
      moments[n].add(r - view.centroids[test], weight, sum[n], moment[n], gradient[n]);
  });
  const double scale = 1 / (16 * pi * t.area * s.area);
  for (int n = 0; n < terms; ++n) {
    const auto& m = moments[n];
    *out++ = scale * m.s;
    const auto for_corners = [&](auto&& entry) {
      for (const Point& a : t.corner)
        for (const Point& b : s.corner) *out++ = entry(a - view.centroids[test], b);
    };
    for_corners([&](Point p, Point b) { return scale * m.current(p, b - view.centroids[source]); });
    if constexpr (magnetic)
      for_corners([&](Point p, Point b) { return m.magnetic_entry(p, b - view.centroids[test], scale); });
    if constexpr (rotated)
      for_corners([&](Point p, Point b) { return m.rotated_entry(p, b - view.centroids[test], scale); });
  }
}

void integrate(const PairView& view, bool magnetic, bool rotated, Index test, Index source, int terms,
               double* out) {
  if (magnetic && rotated)
    integrate<true, true>(view, test, source, terms, out);
  else if (rotated)
    integrate<false, true>(view, test, source, terms, out);
  else if (magnetic)
    integrate<true, false>(view, test, source, terms, out);
  else
    integrate<false, false>(view, test, source, terms, out);
}

/// Those of the blocks of a region, or 0 if one needs too many terms.
std::size_t bytes_of(const System& system, int r) {
  const auto& region = system.scene().regions[r];
  const PairView view = system.integrals(r).view();
  std::size_t terms = 0;
  bool is_possible = true;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : terms) reduction(&& : is_possible)
  for (std::size_t i = 0; i < region.triangles.size(); ++i)
    for_each_near(system, r, Index(i), [&](Index test) {
      const int own = terms_of(view, test, region.triangles[i], std::abs(region.k));
      terms += std::size_t(own);
      is_possible = is_possible && own <= most_terms;
    });
  return is_possible ? sizeof(double) * width_of(system.needs_magnetic(r), system.needs_rotated(r)) * terms
                     : 0;
}

}  // namespace

std::size_t NearSeries::estimate_bytes(const System& system) {
  std::size_t bytes = 0;
  for (int r = 0; r < int(system.scene().regions.size()); ++r) bytes += bytes_of(system, r);
  return bytes;
}

NearSeries::NearSeries(const System& system) {
  for (int r = 0; r < int(system.scene().regions.size()); ++r) {
    const auto& scene = system.scene().regions[r];
    Region& region = regions_.emplace_back();
    if (bytes_of(system, r) == 0) continue;
    region.greatest = std::abs(scene.k);
    region.magnetic = system.needs_magnetic(r), region.rotated = system.needs_rotated(r);
    region.sources.resize(scene.triangles.size());
    const std::size_t width = width_of(region.magnetic, region.rotated);
    const PairView view = system.integrals(r).view();
#pragma omp parallel for schedule(dynamic, 4)
    for (std::size_t i = 0; i < scene.triangles.size(); ++i) {
      Source& source = region.sources[i];
      for_each_near(system, r, Index(i), [&](Index test) {
        const int terms = terms_of(view, test, scene.triangles[i], region.greatest);
        const std::size_t at = source.values.size();
        source.terms.push_back((unsigned char)terms);
        source.values.resize(at + std::size_t(terms) * width);
        integrate(view, region.magnetic, region.rotated, test, scene.triangles[i], terms, &source.values[at]);
      });
    }
  }
}

NearSeries::Blocks::Blocks(const NearSeries& series, int region, Index position, Complex k)
    : magnetic_(series.regions_[region].magnetic),
      rotated_(series.regions_[region].rotated),
      width_(width_of(magnetic_, rotated_)),
      terms_(series.regions_[region].sources[position].terms.data()),
      values_(series.regions_[region].sources[position].values.data()),
      jk_(Complex(0, 1) * k),
      powers_(most_terms, 1.0) {
  for (int t = 1; t < most_terms; ++t) powers_[t] = powers_[t - 1] * (-jk_ / double(t));
}

PairBlock NearSeries::Blocks::next() {
  std::array<Complex, 28> sums{};
  for (int t = 0; t < *terms_; ++t, values_ += width_)
    for (std::size_t i = 0; i < width_; ++i) sums[i] += powers_[t] * values_[i];
  ++terms_;
  PairBlock block;
  const Complex charge = (4.0 / jk_) * sums[0];
  const Complex* from = &sums[1];
  const auto take = [&](Complex(&to)[3][3]) {
    for (auto& row : to)
      for (Complex& value : row) value = *from++;
  };
  take(block.electric);
  for (auto& row : block.electric)
    for (Complex& value : row) value = jk_ * value + charge;
  if (magnetic_) take(block.magnetic);
  if (rotated_) take(block.rotated);
  return block;
}

}  // namespace curlew::ie
