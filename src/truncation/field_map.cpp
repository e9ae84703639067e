// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/field_map.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::truncation {

FieldMap::FieldMap(const FieldMapParts& parts, const fields::Exterior& medium, Complex inverse_mu,
                   Index count, std::vector<Complex> interior, std::vector<Complex> incident)
    : parts_(parts),
      medium_(medium),
      inverse_mu_(inverse_mu),
      count_(count),
      interior_(std::move(interior)),
      incident_(std::move(incident)),
      solver_(parts.system) {}

void FieldMap::apply(const std::vector<Complex>& b, std::vector<Complex>& image) {
  check_interrupt();
  {
    const ScopedStage stage(parts_.stages, "substitution");
    std::vector<Complex> right = interior_;
    add_condition(b, right);
    solver_.solve(std::move(right), count_);
  }
  radiate(solver_.x(), false, image);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] += incident_[i];
}

std::vector<Complex> FieldMap::constant() const {
  const bool is_driven_inside =
      std::any_of(interior_.begin(), interior_.end(), [](Complex b) { return b != 0.0; });
  return is_driven_inside ? std::vector<Complex>() : incident_;
}

void FieldMap::apply_linear(std::vector<Complex>& b, double share, std::vector<Complex>& image) {
  check_interrupt();
  std::vector<Complex> x;
  {
    const ScopedStage stage(parts_.stages, "substitution");
    const auto count = Index(b.size() / size());
    std::vector<Complex> right(std::size_t(parts_.system.space().num_dofs()) * std::size_t(count));
    add_condition(b, right);
    x = solver_.solve_part(right, count, share);
  }
  const bool conjugates = parts_.system.is_lossless();
  if (conjugates) add_conjugates(b, x);
  image.resize(b.size());
  radiate(x, conjugates, image);
}

void FieldMap::add_conjugates(std::vector<Complex>& b, const std::vector<Complex>& x) const {
  const auto count = Index(x.size() / std::size_t(parts_.system.space().num_dofs()));
  const auto products = parts_.system.products_with_conjugates(parts_.load.dofs(), x.data(), count);
  for (std::size_t i = 0; i < products.size(); ++i)
    b.push_back(-products[i] / parts_.load.scale()[i % size()]);
}

void FieldMap::add_condition(const std::vector<Complex>& b, std::vector<Complex>& right) const {
  const auto n = std::size_t(parts_.system.space().num_dofs());
  for (std::size_t k = 0; k < b.size(); ++k) {
    const std::size_t c = k / size(), i = k % size();
    right[c * n + std::size_t(parts_.load.dofs()[i])] -= parts_.load.scale()[i] * b[k];
  }
}

void FieldMap::radiate(const std::vector<Complex>& x, bool conjugates, std::vector<Complex>& image) const {
  const auto count = Index(x.size() / std::size_t(parts_.system.space().num_dofs()));
  fields::SurfaceCurrents currents;
  {
    const ScopedStage stage(parts_.stages, "currents");
    currents = fields::with_images(parts_.sampler.currents(x.data(), count, medium_), parts_.planes);
  }
  fields::NearFields near;
  {
    const ScopedStage stage(parts_.stages, "radiation");
    near = parts_.radiation(currents, conjugates);
  }
  const ScopedStage stage(parts_.stages, "load");
  const std::size_t m = parts_.load.points().size();
#pragma omp parallel for num_threads(num_threads())
  for (Index c = 0; c < near.count; ++c) {
    const std::size_t first = std::size_t(c) * m;
    parts_.load.evaluate(
        [&](std::size_t i) {
          return FieldAt{near.e[first + i], near.curl[first + i]};
        },
        medium_.k, inverse_mu_, &image[std::size_t(c) * size()]);
  }
}

}  // namespace curlew::truncation
