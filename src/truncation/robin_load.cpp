// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/robin_load.hpp"

#include <algorithm>
#include <cmath>

#include "fem/boundary_terms.hpp"

namespace curlew::truncation {

RobinLoad::RobinLoad(const fem::NedelecSpace& space, std::span<const Index> triangles, int degree)
    : num_functions_(fem::nedelec_face_dim(space.order)), dofs_(fem::surface_dofs(space, triangles)) {
  const fem::TraceEvaluator evaluator(space, degree);
  num_points_ = evaluator.num_points();
  fem::TriangleTrace trace;
  std::vector<double> diagonal(dofs_.size(), 0.0);
  for (const Index t : triangles) {
    evaluator.evaluate(t, trace);
    Trace& rows = traces_.emplace_back();
    for (int a = 0; a < num_functions_; ++a) {
      const Index dof = trace.dofs[std::size_t(a)];
      rows.rows[a] = dof < 0 ? -1 : Index(std::lower_bound(dofs_.begin(), dofs_.end(), dof) - dofs_.begin());
    }
    points_.insert(points_.end(), trace.points.begin(), trace.points.end());
    normals_.insert(normals_.end(), trace.normals.begin(), trace.normals.end());
    for (int q = 0; q < num_points_; ++q) {
      for (int a = 0; a < num_functions_; ++a) {
        const Vec3<double> value = trace.values[std::size_t(q * num_functions_ + a)];
        values_.push_back(trace.weights[std::size_t(q)] * value);
        if (rows.rows[a] >= 0) diagonal[rows.rows[a]] += trace.weights[std::size_t(q)] * dot(value, value);
      }
    }
  }
  for (const double d : diagonal) scale_.push_back(std::sqrt(d));
}

void RobinLoad::evaluate(const std::function<FieldAt(std::size_t)>& field, double k, Complex inverse_mu,
                         Complex* load) const {
  std::fill(load, load + dofs_.size(), 0.0);
  for (std::size_t t = 0; t < traces_.size(); ++t) {
    for (int q = 0; q < num_points_; ++q) {
      const std::size_t at = t * std::size_t(num_points_) + std::size_t(q);
      const FieldAt f = field(at);
      const Vec3<double> n = normals_[at];
      const Vec3<Complex> psi = inverse_mu * (cross(n, f.curl) + Complex(0, k) * cross(n, cross(n, f.e)));
      const Vec3<double>* values = &values_[at * std::size_t(num_functions_)];
      for (int a = 0; a < num_functions_; ++a)
        if (traces_[t].rows[a] >= 0) load[traces_[t].rows[a]] += dot(values[a], psi);
    }
  }
  for (std::size_t i = 0; i < dofs_.size(); ++i) load[i] /= scale_[i];
}

}  // namespace curlew::truncation
