// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtkhdf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "base/huge_pages.hpp"
#include "io/schema/check.hpp"
#include "io/schema/result.hpp"

namespace curlew::io {
namespace {

constexpr int compression = 1;  // fast; connectivity shrinks to a third

/// The real parts (part 0) or the imaginary parts (part 1).
template <class R>
std::vector<R> parts(const std::vector<Complex>& values, int part) {
  auto result = huge_vector<R>(values.size());
  const double* numbers = reinterpret_cast<const double*>(values.data()) + part;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = R(numbers[2 * i]);
  return result;
}

template <class R>
std::vector<R> magnitudes(const std::vector<Complex>& values, int components) {
  auto result = huge_vector<R>(values.size() / std::size_t(components));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double* numbers = reinterpret_cast<const double*>(&values[i * std::size_t(components)]);
    double sum = 0;
    for (int c = 0; c < 2 * components; ++c) sum += numbers[c] * numbers[c];
    result[i] = R(std::sqrt(sum));
  }
  return result;
}

const char* const point_data = "PointData";
const char* const cell_data = "CellData";

}  // namespace

void VtkGrid::add_cell(VtkCell type, const std::int64_t* cell_points, int count) {
  connectivity.insert(connectivity.end(), cell_points, cell_points + count);
  offsets.push_back(std::int64_t(connectivity.size()));
  types.push_back(type);
}

VtkGrid regular_grid(Vec3<double> origin, std::array<Vec3<double>, 3> steps, std::array<int, 3> n) {
  VtkGrid grid;
  for (int k = 0; k < n[2]; ++k) {
    for (int j = 0; j < n[1]; ++j) {
      for (int i = 0; i < n[0]; ++i) {
        grid.points.push_back(origin + double(i) * steps[0] + double(j) * steps[1] + double(k) * steps[2]);
      }
    }
  }
  std::vector<int> axes;  // those along which there are cells
  for (int d = 0; d < 3; ++d) {
    if (n[std::size_t(d)] > 1) axes.push_back(d);
  }
  const std::array<std::int64_t, 3> stride{1, n[0], std::int64_t(n[0]) * n[1]};
  const auto cells = [&](int d) { return std::max(n[std::size_t(d)] - 1, 1); };
  constexpr std::array<VtkCell, 4> kinds{VtkCell::vertex, VtkCell::line, VtkCell::quad, VtkCell::hexahedron};
  for (int k = 0; k < cells(2); ++k) {
    for (int j = 0; j < cells(1); ++j) {
      for (int i = 0; i < cells(0); ++i) {
        std::vector<std::int64_t> corners{i + j * stride[1] + k * stride[2]};
        for (std::size_t a = 0; a < axes.size(); ++a) {
          const std::int64_t step = stride[std::size_t(axes[a])];
          const auto lower = corners;
          // VTK goes around a quad: the second line is added backwards; hexahedra add the second quad as it
          // is.
          for (std::size_t c = 0; c < lower.size(); ++c)
            corners.push_back((a == 1 ? lower[lower.size() - 1 - c] : lower[c]) + step);
        }
        grid.add_cell(kinds[axes.size()], corners.data(), int(corners.size()));
      }
    }
  }
  return grid;
}

struct VtkHdfWriter::State {
  State(const std::string& path, const Provenance& provenance, VtkNumbers kind)
      : numbers(kind), file(H5File::create(path)), root(file.create_group("VTKHDF")) {
    file.write_provenance(provenance, "curlew-fields", 1);
  }

  struct Array {
    std::size_t steps = 0;
    int components = 1;
  };

  /// Values as they are stored.
  template <class R>
  void add(const char* where, const std::string& name, const std::vector<R>& values, int components,
           const About& about);
  /// Complex ones as three real arrays.
  template <class R>
  void add_parts(const char* where, const std::string& name, const std::vector<Complex>& values,
                 int components, const About& about);
  void add_real(const char* where, const std::string& name, const std::vector<double>& values, int components,
                const About& about);
  void add_complex(const char* where, const std::string& name, const std::vector<Complex>& values,
                   int components, const About& about);
  void add_static(const char* where, const std::string& name, const std::vector<double>& values,
                  int components, const About& about);
  void check(const char* where, const std::string& name, std::size_t count, int components) const;
  void check_complete() const;
  void write_steps();

  VtkNumbers numbers;
  H5File file;
  H5Group root;
  std::size_t num_points = 0, num_cells = 0;
  std::vector<double> steps;
  std::map<std::string, Array> varying;  // "PointData/E_re"
  std::vector<std::string> fixed;        // "CellData/material"
  bool closed = false;
};

void VtkHdfWriter::State::check(const char* where, const std::string& name, std::size_t count,
                                int components) const {
  const std::size_t entities = where == point_data ? num_points : num_cells;
  if (count != entities * std::size_t(components)) {
    throw std::logic_error(fmt::format("{}: array {}/{} has {} values, not {} x {}", file.file_name(), where,
                                       name, count, entities, components));
  }
}

void VtkHdfWriter::State::add_static(const char* where, const std::string& name,
                                     const std::vector<double>& values, int components, const About& about) {
  if (schema::is_checking()) schema::check_array(name, about.unit);
  check(where, name, values.size(), components);
  const std::string path = fmt::format("{}/{}", where, name);
  const Shape shape = components == 1
                          ? Shape{values.size()}
                          : Shape{values.size() / std::size_t(components), std::uint64_t(components)};
  root.write(path, values, about, shape, compression);
  fixed.push_back(path);
}

template <class R>
void VtkHdfWriter::State::add(const char* where, const std::string& name, const std::vector<R>& values,
                              int components, const About& about) {
  if (steps.empty())
    throw std::logic_error(fmt::format("{}: array {} before the first step", file.file_name(), name));
  if (schema::is_checking()) schema::check_array(name, about.unit);
  check(where, name, values.size(), components);
  const std::string path = fmt::format("{}/{}", where, name);
  auto& array = varying[path];
  if (++array.steps != steps.size()) {
    throw std::logic_error(
        fmt::format("{}: array {} twice in a step, or missing in one before", file.file_name(), path));
  }
  array.components = components;
  const Shape row = components == 1 ? Shape{} : Shape{std::uint64_t(components)};
  // No compression: fields in single precision would shrink by 17 % only, at about 60 MB/s.
  root.append(path, values, about, row, sizeof(R) == sizeof(float) ? 0 : compression);
}

template <class R>
void VtkHdfWriter::State::add_parts(const char* where, const std::string& name,
                                    const std::vector<Complex>& values, int components, const About& about) {
  const auto described = [&](const char* part) { return About{about.unit, about.description + part}; };
  add(where, name + "_re", parts<R>(values, 0), components, described(", real part"));
  add(where, name + "_im", parts<R>(values, 1), components, described(", imaginary part"));
  add(where, name + "_abs", magnitudes<R>(values, components), 1, described(", size of the phasor"));
}

void VtkHdfWriter::State::add_real(const char* where, const std::string& name,
                                   const std::vector<double>& values, int components, const About& about) {
  if (numbers == VtkNumbers::single_precision)
    add(where, name, std::vector<float>(values.begin(), values.end()), components, about);
  else
    add(where, name, values, components, about);
}

void VtkHdfWriter::State::add_complex(const char* where, const std::string& name,
                                      const std::vector<Complex>& values, int components,
                                      const About& about) {
  if (numbers == VtkNumbers::single_precision)
    add_parts<float>(where, name, values, components, about);
  else
    add_parts<double>(where, name, values, components, about);
}

void VtkHdfWriter::State::check_complete() const {
  for (const auto& [path, array] : varying) {
    if (array.steps != steps.size())
      throw std::logic_error(fmt::format("{}: array {} is missing in a step", file.file_name(), path));
  }
}

/// Offsets of the parts of each step. All steps share one geometry, whose offsets are zero.
void VtkHdfWriter::State::write_steps() {
  const std::vector<std::int64_t> zeros(steps.size(), 0), ones(steps.size(), 1);
  H5Group group = root.create_group("Steps");
  group.set_attribute("NSteps", std::int64_t(steps.size()));
  group.write("Values", steps,
              {"Hz or mode number", "value of every step: frequency, or number of the mode"});
  const About offset{"1", "first entry of every step"};
  group.write("PartOffsets", zeros, offset);
  group.write("NumberOfParts", ones, {"1", "parts of every step"});
  group.write("PointOffsets", zeros, offset);
  group.write("CellOffsets", zeros, offset, {steps.size(), 1});
  group.write("ConnectivityIdOffsets", zeros, offset, {steps.size(), 1});
  for (const auto& path : fixed) {
    const auto slash = path.find('/');
    group.write(path.substr(0, slash) + "Offsets" + path.substr(slash), zeros, offset);
  }
  for (const auto& [path, array] : varying) {
    const auto slash = path.find('/');
    const std::size_t entities = path.starts_with(point_data) ? num_points : num_cells;
    std::vector<std::int64_t> starts(steps.size());
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = std::int64_t(i * entities);
    group.write(path.substr(0, slash) + "Offsets" + path.substr(slash), starts, offset);
  }
}

VtkHdfWriter::VtkHdfWriter(const std::string& path, const VtkGrid& grid, const Provenance& provenance,
                           VtkNumbers numbers)
    : state_(std::make_unique<State>(path, provenance, numbers)) {
  H5Group& root = state_->root;
  state_->num_points = grid.points.size();
  state_->num_cells = grid.num_cells();
  root.set_attribute("Version", std::vector<std::int64_t>{2, 0});
  root.set_fixed_string_attribute("Type", "UnstructuredGrid");

  std::vector<std::uint8_t> types;
  for (const auto type : grid.types) types.push_back(std::uint8_t(type));
  const auto count = [&](const char* name, std::size_t value, const char* of) {
    root.write(name, std::vector<std::int64_t>{std::int64_t(value)}, {"1", of});
  };
  count("NumberOfPoints", grid.points.size(), "points of the one part");
  count("NumberOfCells", grid.num_cells(), "cells of the one part");
  count("NumberOfConnectivityIds", grid.connectivity.size(), "length of Connectivity");
  // No compression: coordinates would shrink by a third, at about 40 MB/s.
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  root.write_raw("Points", reinterpret_cast<const double*>(grid.points.data()), {grid.points.size(), 3},
                 {"m", "points, [point, x y z]"});
  root.write("Connectivity", grid.connectivity, {"1", "points of all cells"}, {}, compression);
  root.write("Offsets", grid.offsets, {"1", "first entry in Connectivity of every cell, and the end"}, {},
             compression);
  root.write("Types", types, {"1", "VTK's number of every cell's type"}, {}, compression);
  root.create_group(point_data);
  root.create_group(cell_data);
}

VtkHdfWriter::~VtkHdfWriter() = default;

void VtkHdfWriter::static_point_array(const std::string& name, const std::vector<double>& values,
                                      int components, const About& about) {
  state_->add_static(point_data, name, values, components, about);
}
void VtkHdfWriter::static_cell_array(const std::string& name, const std::vector<double>& values,
                                     int components, const About& about) {
  state_->add_static(cell_data, name, values, components, about);
}

void VtkHdfWriter::begin_step(double value) {
  state_->check_complete();
  if (!state_->steps.empty() && !(value > state_->steps.back()))
    throw std::logic_error(fmt::format("{}: step {} after step {}: steps must ascend",
                                       state_->file.file_name(), value, state_->steps.back()));
  state_->steps.push_back(value);
}

void VtkHdfWriter::point_array(const std::string& name, const std::vector<double>& values, int components,
                               const About& about) {
  state_->add_real(point_data, name, values, components, about);
}
void VtkHdfWriter::cell_array(const std::string& name, const std::vector<double>& values, int components,
                              const About& about) {
  state_->add_real(cell_data, name, values, components, about);
}

void VtkHdfWriter::point_array(const std::string& name, const std::vector<Complex>& values, int components,
                               const About& about) {
  state_->add_complex(point_data, name, values, components, about);
}
void VtkHdfWriter::cell_array(const std::string& name, const std::vector<Complex>& values, int components,
                              const About& about) {
  state_->add_complex(cell_data, name, values, components, about);
}

void VtkHdfWriter::close() {
  if (state_->closed) return;
  state_->closed = true;
  state_->check_complete();
  if (!state_->steps.empty()) state_->write_steps();
  H5Group done = std::move(state_->root);
  { const H5Group closing = std::move(done); }
  state_->file.close();
}

}  // namespace curlew::io
