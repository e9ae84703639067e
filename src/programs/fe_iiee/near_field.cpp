// SPDX-License-Identifier: BSD-3-Clause
// [[output.near_field]] of fe-iiee: E and H inside S from the elements, outside from the currents on S' and
// the incident wave; for waves the scattered field too.
#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/output/near_field.hpp"
#include "fem/point_location.hpp"
#include "fields/radiation.hpp"
#include "programs/fe_iiee/job.hpp"

namespace curlew::fe_iiee {
namespace {

class NearFields : public job::SinkOf<Solved, TruncatedJob> {
 public:
  using SinkOf::SinkOf;
  /// @throws InputError for a point inside S beyond a plane of symmetry
  void open() override {
    const auto& requests = case_.near_fields;
    place();
    if (!inside_.empty()) elements_.emplace(job_.system().space(), case_.model, inside_points_, nullptr);
    files_.emplace(
        requests, origins_, [&](const auto& name) { return run_.output(name); }, run_.provenance());
  }
  void add(std::size_t, double frequency, const Solved& s) override;
  void close() override { files_->close(); }

 private:
  /// Sorts the points by the origin of their field.
  void place();
  /// @param x [num_dofs] total field @param radiated of the currents at the points outside
  /// @param in, out are added to the fields inside and outside
  io::NearFieldValues values(const Complex* x, double frequency, const fields::NearFields& radiated,
                             const fields::Exterior& medium, const fem::IncidentField& in,
                             const fem::IncidentField& out) const;

  std::vector<io::NearFieldOrigin> origins_;   // [points]
  std::vector<std::size_t> inside_, outside_;  // points of elements, of currents
  std::vector<Vec3<double>> inside_points_, outside_points_;
  std::optional<fem::NearFieldEvaluator> elements_;  // at the points inside
  std::optional<io::NearFieldFiles> files_;
};

void NearFields::place() {
  const auto& surfaces = job_.problem().surfaces();
  const fem::PointLocator locator(case_.mesh);
  for (const auto& point : io::near_field_points(case_.near_fields)) {
    const std::size_t i = origins_.size();
    const bool in_cell = !locator.locate(point).empty();
    const bool is_outside = !in_cell && !truncation::is_inside_outer(case_.mesh, surfaces, point);
    if (!in_cell && !is_outside && !surfaces.planes.empty())
      throw InputError(
          fmt::format("near_field: the point ({:.4g}, {:.4g}, {:.4g}) m is in metal or beyond a plane of "
                      "symmetry: inside of \"{}\" choose points of the modelled part",
                      point.x, point.y, point.z, case_.options.names.outer));
    origins_.push_back(in_cell      ? io::NearFieldOrigin::elements
                       : is_outside ? io::NearFieldOrigin::currents
                                    : io::NearFieldOrigin::none);
    if (in_cell) inside_.push_back(i), inside_points_.push_back(point);
    if (is_outside) outside_.push_back(i), outside_points_.push_back(point);
  }
}

void NearFields::add(std::size_t, double frequency, const Solved& solved) {
  if (!solved.is_written) return;
  const Drive& drive = solved.drive;
  const auto medium = job_.problem().exterior(frequency);
  files_->begin_step(frequency);
  for (std::size_t s = 0; s < drive.shown.size(); ++s) {
    const std::size_t c = drive.shown[s];
    const auto radiated =
        fields::radiate(job_.problem().inner_points(), job_.currents(solved, c), outside_points_, medium);
    const auto write = [&](const std::string& field, const fem::IncidentField& in,
                           const fem::IncidentField& out) {
      files_->add(drive.labels[c], field, drive.suffix(s),
                  values(&solved.result.x[c * job_.num_dofs()], frequency, radiated, medium, in, out));
    };
    const auto incident = incident_of(drive.excitations[c]);
    if (incident) write("scattered", negative(incident), nullptr);
    write("total", nullptr, incident);
  }
}

io::NearFieldValues NearFields::values(const Complex* x, double frequency, const fields::NearFields& radiated,
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

}  // namespace

std::unique_ptr<job::Sink<Solved>> near_field_sink(const TruncatedJob& job, run::Run& run) {
  return std::make_unique<NearFields>(job, run);
}

}  // namespace curlew::fe_iiee
