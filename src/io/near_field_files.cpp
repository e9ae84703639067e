// SPDX-License-Identifier: BSD-3-Clause
#include "io/near_field_files.hpp"

#include "io/csv.hpp"

namespace curlew::io {
namespace {

constexpr const char* origin_names[] = {"none", "elements", "currents"};

std::vector<std::string> comments(const Provenance& provenance) {
  auto lines = provenance_lines(provenance);
  lines.push_back("E in V/m, H in A/m, peak values; origin none: inside a body without field");
  return lines;
}

std::vector<std::string> columns() {
  std::vector<std::string> names{"frequency_hz", "excitation", "field", "x_m", "y_m", "z_m"};
  for (const char* field : {"e", "h"})
    for (const char* axis : {"x", "y", "z"})
      for (const char* part : {"re_", "im_"}) names.push_back(std::string(part) + field + axis);
  names.push_back("origin");
  return names;
}

std::vector<Complex> components(std::span<const Vec3<Complex>> field) {
  std::vector<Complex> values;
  for (const auto& v : field) values.insert(values.end(), {v.x, v.y, v.z});
  return values;
}

}  // namespace

/// The two files of one request.
struct NearFieldFiles::File {
  File(const NearFieldRequest& request, std::span<const NearFieldOrigin> of,
       const std::function<std::string(const std::string&)>& path, const Provenance& provenance)
      : points(request.grid.points),
        origins(of.begin(), of.end()),
        csv(path("near_" + request.name + ".csv"), comments(provenance), columns()),
        vtk(path("near_" + request.name + ".vtkhdf"), request.grid, provenance) {
    std::vector<double> numbers;
    for (const auto origin : origins) numbers.push_back(double(origin));
    vtk.static_point_array("origin", numbers, 1, {"1", "0 none, 1 elements, 2 currents"});
  }

  void add(double frequency, const std::string& excitation, const std::string& field,
           const std::string& suffix, std::span<const Vec3<Complex>> e, std::span<const Vec3<Complex>> h) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<Cell> row{frequency, excitation, field, points[i].x, points[i].y, points[i].z};
      for (const auto& v : {e[i], h[i]})
        for (int axis = 0; axis < 3; ++axis) row.insert(row.end(), {v[axis].real(), v[axis].imag()});
      row.emplace_back(origin_names[std::size_t(origins[i])]);
      csv.row(row);
    }
    const std::string word = field == "total" ? "" : "_" + field;
    vtk.point_array("E" + word + suffix, components(e), 3, {"V/m", "electric field, " + excitation});
    vtk.point_array("H" + word + suffix, components(h), 3, {"A/m", "magnetic field, " + excitation});
  }

  std::vector<Vec3<double>> points;
  std::vector<NearFieldOrigin> origins;
  CsvWriter csv;
  VtkHdfWriter vtk;
};

std::vector<Vec3<double>> near_field_points(std::span<const NearFieldRequest> requests) {
  std::vector<Vec3<double>> points;
  for (const auto& r : requests) points.insert(points.end(), r.grid.points.begin(), r.grid.points.end());
  return points;
}

NearFieldFiles::NearFieldFiles(std::span<const NearFieldRequest> requests,
                               std::span<const NearFieldOrigin> origins,
                               const std::function<std::string(const std::string&)>& path,
                               const Provenance& provenance) {
  for (const auto& r : requests) {
    files_.push_back(std::make_unique<File>(r, origins.subspan(0, r.grid.points.size()), path, provenance));
    origins = origins.subspan(r.grid.points.size());
  }
}
NearFieldFiles::~NearFieldFiles() = default;
NearFieldFiles::NearFieldFiles(NearFieldFiles&&) noexcept = default;

void NearFieldFiles::begin_step(double frequency, double step) {
  frequency_ = frequency;
  for (auto& file : files_) file->vtk.begin_step(step);
}

void NearFieldFiles::add(const std::string& excitation, const std::string& field, const std::string& suffix,
                         const NearFieldValues& values) {
  std::size_t first = 0;
  for (auto& file : files_) {
    const std::size_t n = file->points.size();
    file->add(frequency_, excitation, field, suffix, std::span(values.e).subspan(first, n),
              std::span(values.h).subspan(first, n));
    first += n;
  }
}

void NearFieldFiles::close() {
  for (auto& file : files_) file->csv.close(), file->vtk.close();
}

}  // namespace curlew::io
