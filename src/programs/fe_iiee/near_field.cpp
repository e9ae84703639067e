// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/near_field.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/point_location.hpp"
#include "fields/radiation.hpp"

namespace curlew::fe_iiee {

TruncatedNearField::TruncatedNearField(const Setup& setup, const TruncatedProblem& problem, run::Run& run) {
  place(setup, problem);
  if (!inside_.empty()) elements_.emplace(problem.system().space(), setup.model, inside_points_, nullptr);
  files_.emplace(
      setup.near_fields, origins_, [&](const std::string& name) { return run.output(name); },
      run.provenance());
}

void TruncatedNearField::place(const Setup& setup, const TruncatedProblem& problem) {
  const fem::PointLocator locator(setup.mesh);
  for (const auto& point : io::near_field_points(setup.near_fields)) {
    const std::size_t i = origins_.size();
    const bool in_cell = !locator.locate(point).empty();
    const bool is_outside = !in_cell && !truncation::is_inside_outer(setup.mesh, problem.surfaces(), point);
    if (!in_cell && !is_outside && !problem.surfaces().planes.empty())
      throw InputError(
          fmt::format("near_field: the point ({:.4g}, {:.4g}, {:.4g}) m is in metal or beyond a plane of "
                      "symmetry: inside of \"{}\", name points of the part that is modelled",
                      point.x, point.y, point.z, setup.options.names.outer));
    origins_.push_back(in_cell      ? io::NearFieldOrigin::elements
                       : is_outside ? io::NearFieldOrigin::currents
                                    : io::NearFieldOrigin::none);
    if (in_cell) inside_.push_back(i), inside_points_.push_back(point);
    if (is_outside) outside_.push_back(i), outside_points_.push_back(point);
  }
}

void TruncatedNearField::add(double frequency, const TruncatedProblem& problem,
                             const TruncationResult& result, const Drive& drive) {
  const auto medium = problem.exterior(frequency);
  const auto n = std::size_t(problem.system().space().num_dofs());
  const auto num_sources = std::size_t(problem.inner_points().size());
  files_->begin_step(frequency);
  for (std::size_t s = 0; s < drive.shown.size(); ++s) {
    const std::size_t c = drive.shown[s];
    const auto radiated = fields::radiate(problem.inner_points(), column_of(result.inner, c, num_sources),
                                          outside_points_, medium);
    const auto write = [&](const std::string& field, const fem::IncidentField& in,
                           const fem::IncidentField& out) {
      files_->add(drive.labels[c], field, drive.suffix(s),
                  values(&result.x[c * n], frequency, radiated, medium, in, out));
    };
    const auto incident = incident_of(drive.excitations[c]);
    if (incident) write("scattered", negative(incident), nullptr);
    write("total", nullptr, incident);
  }
}

io::NearFieldValues TruncatedNearField::values(const Complex* x, double frequency,
                                               const fields::NearFields& radiated,
                                               const fields::Exterior& medium, const fem::IncidentField& in,
                                               const fem::IncidentField& out) const {
  io::NearFieldValues all{std::vector<Vec3<Complex>>(origins_.size()),
                          std::vector<Vec3<Complex>>(origins_.size())};
  if (elements_) {
    const auto inside = elements_->evaluate(x, frequency, in);
    for (std::size_t i = 0; i < inside_.size(); ++i)
      all.e[inside_[i]] = inside.e[i], all.h[inside_[i]] = inside.h[i];
  }
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    const auto known = out ? out(outside_points_[i]) : fem::KnownField{};
    all.e[outside_[i]] = radiated.e[i] + known.e;
    all.h[outside_[i]] = fields::magnetic_field(radiated.curl[i] + known.curl, medium);
  }
  return all;
}

}  // namespace curlew::fe_iiee
