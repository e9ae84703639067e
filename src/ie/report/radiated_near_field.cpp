// SPDX-License-Identifier: BSD-3-Clause
#include "ie/report/radiated_near_field.hpp"

namespace curlew::ie {
namespace {

std::vector<io::NearFieldOrigin> origins_of(const std::vector<int>& regions) {
  std::vector<io::NearFieldOrigin> origins;
  origins.reserve(regions.size());
  for (const int region : regions)
    origins.push_back(region < 0 ? io::NearFieldOrigin::none : io::NearFieldOrigin::currents);
  return origins;
}

}  // namespace

RadiatedFieldOutput::RadiatedFieldOutput(const std::vector<io::NearFieldRequest>& requests,
                                         std::vector<int> regions, run::Run& run)
    : points_(io::near_field_points(requests)),
      regions_(std::move(regions)),
      files_(
          requests, origins_of(regions_), [&](const std::string& name) { return run.output(name); },
          run.provenance()) {}

void RadiatedFieldOutput::add_scattered(const std::string& excitation, const std::string& suffix,
                                        const io::NearFieldValues& radiated, const KnownField& incident) {
  auto scattered = radiated, total = radiated;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (regions_[i] < 0) continue;
    const auto known = incident(points_[i]);
    if (regions_[i] == 0)
      total.e[i] += known.e, total.h[i] += known.h;
    else
      scattered.e[i] -= known.e, scattered.h[i] -= known.h;
  }
  files_.add(excitation, "scattered", suffix, scattered);
  files_.add(excitation, "total", suffix, total);
}

void RadiatedFieldOutput::add_dipoles(const std::string& suffix, const io::NearFieldValues& radiated,
                                      const DipoleSources& dipoles) {
  auto total = radiated;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto own = dipoles.own_field(points_[i], regions_[i]);
    total.e[i] += own.e, total.h[i] += own.h;
  }
  auto scattered = total;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (regions_[i] < 0) continue;
    const auto incident = dipoles.incident_field(points_[i]);
    scattered.e[i] -= incident.e, scattered.h[i] -= incident.h;
  }
  files_.add("dipole", "scattered", suffix, scattered);
  files_.add("dipole", "total", suffix, total);
}

}  // namespace curlew::ie
