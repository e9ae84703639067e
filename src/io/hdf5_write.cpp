// SPDX-License-Identifier: BSD-3-Clause
// Writes datasets and groups to an HDF5 file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_handles.hpp"

namespace curlew::io {

using namespace h5;

namespace {

/// About 256 KiB per chunk: compresses well, and a chunk fits into HDF5's cache of 1 MiB.
Shape chunk_shape(Shape shape, std::size_t value_bytes) {
  constexpr std::uint64_t wanted_bytes = 256 * 1024;
  std::uint64_t row = value_bytes;
  for (std::size_t d = 1; d < shape.size(); ++d)
    row *= std::max<std::uint64_t>(shape[d], 1), shape[d] = std::max<std::uint64_t>(shape[d], 1);
  if (!shape.empty())
    shape[0] = std::clamp<std::uint64_t>(wanted_bytes / row, 1, std::max<std::uint64_t>(shape[0], 1));
  return shape;
}

bool is_number(double value) {
  return !std::isnan(value);  // a ratio or a level may well be infinite
}
bool is_number(Complex value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

/// Last check of a result: a value that is not a number ends the run and is not written.
/// @throws NumericalError naming the dataset and the first NaN, or the first complex number that is not
/// finite
template <class T>
void require_numbers(const T* values, std::uint64_t count, const std::string& label) {
  if constexpr (!std::is_integral_v<T>) {
    const T* const bad = std::find_if(values, values + count, [](T value) { return !is_number(value); });
    if (bad != values + count)
      throw NumericalError(fmt::format("{}: value {} of {} is not finite, so the file is not written", label,
                                       bad - values, count));
  }
}

}  // namespace

template <class T>
void H5Group::write(const std::string& name, const std::vector<T>& values, const About& about,
                    const Shape& shape, int deflate) {
  const Lock lock;
  const Shape extents = shape.empty() ? Shape{values.size()} : shape;
  if (product(extents) != values.size()) {
    throw std::logic_error(
        fmt::format("{}: shape [{}] for {} values", label(name), fmt::join(extents, ", "), values.size()));
  }
  write_raw(name, values.data(), extents, about, deflate);
}

template <class T>
void H5Group::write_raw(const std::string& name, const T* values, const Shape& shape, const About& about,
                        int deflate) {
  const Lock lock;
  require_numbers(values, product(shape), label(name));
  const Handle space = make_space(shape), links = make_links();
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (deflate > 0 && product(shape) > 0 && !shape.empty()) {
    const Shape chunk = chunk_shape(shape, sizeof(T));
    H5Pset_chunk(properties, int(chunk.size()), reinterpret_cast<const hsize_t*>(chunk.data()));
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, unsigned(deflate));
  }
  {
    const Handle set(H5Dcreate2(id_, name.c_str(), memory_type<T>(), space, links, properties, H5P_DEFAULT),
                     H5Dclose);
    if (!set.valid()) write_failed(label(name));
    require_room_for_parts(set, label(name));
    const bool empty = product(shape) == 0;
    if (!empty && H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, transfer(), values) < 0)
      write_failed(label(name));
  }
  set_attribute("unit", about.unit, name);
  set_attribute("description", about.description, name);
}

void H5Group::write_string(const std::string& name, const std::string& text, const std::string& description) {
  const Lock lock;
  const Handle space = make_space({}), type = utf8_type(), links = make_links();
  const char* value = text.c_str();
  {
    const Handle set(H5Dcreate2(id_, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!set.valid() || H5Dwrite(set, type, H5S_ALL, H5S_ALL, transfer(), &value) < 0)
      write_failed(label(name));
  }
  set_attribute("unit", "text", name);
  set_attribute("description", description, name);
}

template <class T>
void H5Group::append(const std::string& name, const std::vector<T>& values, const About& about,
                     const Shape& row_shape, int deflate) {
  const Lock lock;
  require_numbers(values.data(), values.size(), label(name));
  Shape extents{values.size() / std::max<std::uint64_t>(product(row_shape), 1)};
  extents.insert(extents.end(), row_shape.begin(), row_shape.end());
  const int rank = int(extents.size());
  const bool is_new = !has(name);
  if (is_new) {
    Shape none = extents, most = extents;
    none[0] = 0;
    most[0] = H5S_UNLIMITED;
    const Handle space(H5Screate_simple(rank, reinterpret_cast<const hsize_t*>(none.data()),
                                        reinterpret_cast<const hsize_t*>(most.data())),
                       H5Sclose);
    const Handle links = make_links(), properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Shape chunk = chunk_shape(extents, sizeof(T));
    H5Pset_chunk(properties, rank, reinterpret_cast<const hsize_t*>(chunk.data()));
    if (deflate > 0) {
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, unsigned(deflate));
    }
    const Handle made(H5Dcreate2(id_, name.c_str(), memory_type<T>(), space, links, properties, H5P_DEFAULT),
                      H5Dclose);
    if (!made.valid()) write_failed(label(name));
  }
  {
    const Handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
    require_room_for_parts(set, label(name));
    Shape start = shape(name), grown = start;
    grown[0] += extents[0];
    std::fill(start.begin() + 1, start.end(), 0);
    if (H5Dset_extent(set, reinterpret_cast<const hsize_t*>(grown.data())) < 0) write_failed(label(name));
    const Handle space(H5Dget_space(set), H5Sclose), memory = make_space(extents);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, reinterpret_cast<const hsize_t*>(start.data()), nullptr,
                        reinterpret_cast<const hsize_t*>(extents.data()), nullptr);
    const bool empty = values.empty();
    if (!empty && H5Dwrite(set, memory_type<T>(), memory, space, transfer(), values.data()) < 0)
      write_failed(label(name));
  }
  if (is_new) {
    set_attribute("unit", about.unit, name);
    set_attribute("description", about.description, name);
  }
}

H5Group H5Group::create_group(const std::string& name) {
  const Lock lock;
  const Handle links = make_links();
  const hid_t id = H5Gcreate2(id_, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) write_failed(label(name));
  return {id, file_, path_ + name + "/"};
}

#define CURLEW_H5_TYPE(T)                                                                                   \
  template void H5Group::write(const std::string&, const std::vector<T>&, const About&, const Shape&, int); \
  template void H5Group::write_raw(const std::string&, const T*, const Shape&, const About&, int);          \
  template void H5Group::append(const std::string&, const std::vector<T>&, const About&, const Shape&, int);
CURLEW_H5_TYPE(double)
CURLEW_H5_TYPE(float)
CURLEW_H5_TYPE(std::int32_t)
CURLEW_H5_TYPE(std::int64_t)
CURLEW_H5_TYPE(std::uint8_t)
CURLEW_H5_TYPE(Complex)
CURLEW_H5_TYPE(ComplexF)
#undef CURLEW_H5_TYPE

}  // namespace curlew::io
