// SPDX-License-Identifier: BSD-3-Clause
// Reads datasets and groups of an HDF5 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_chunks.hpp"
#include "io/hdf5_handles.hpp"

namespace curlew::io {

using namespace h5;

namespace {

template <class T>
inline constexpr bool is_complex_v = std::is_same_v<T, Complex> || std::is_same_v<T, ComplexF>;

Handle open_dataset(hid_t group, const std::string& name, const std::string& label, bool exists) {
  if (!exists) throw InputError(fmt::format("{}: there is no such dataset", label));
  Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) throw InputError(fmt::format("{}: is not a dataset", label));
  return set;
}

Shape extents_of(hid_t set) {
  const Handle space(H5Dget_space(set), H5Sclose);
  Shape shape(std::size_t(std::max(H5Sget_simple_extent_ndims(space), 0)));
  H5Sget_simple_extent_dims(space, reinterpret_cast<hsize_t*>(shape.data()), nullptr);
  return shape;
}

/// Largest ratio of values in memory to values in the file.
double most_compression(hid_t set) {
  const Handle creation(H5Dget_create_plist(set), H5Pclose);
  const bool is_compressed = H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_nfilters(creation) > 0;
  return is_compressed ? most_compression_of_deflate : 1;
}

/// Number of values. Sizes that a damaged or hostile file only claims are not allocated, and the library does
/// not read beyond the stored data.
std::size_t count_values(hid_t set, hid_t type, const Shape& extents, const std::string& label) {
  double values = 1;  // the product of the extents may overflow 64 bits
  for (const auto extent : extents) values *= double(extent);
  if (values * double(H5Tget_size(type)) > most_compression(set) * double(H5Dget_storage_size(set)))
    throw InputError(fmt::format("{}: has {:g} values by its shape, but {} bytes in the file", label, values,
                                 H5Dget_storage_size(set)));
  check_chunks(set, type, extents, label);
  return product(extents);
}

/// Refuses NaN and infinity, which a matrix would carry into every result.
template <class T>
void require_finite(const std::vector<T>& values, const std::string& label) {
  const auto finite = [](const T& v) {
    if constexpr (is_complex_v<T>)
      return std::isfinite(v.real()) && std::isfinite(v.imag());
    else
      return std::isfinite(v);
  };
  const auto bad = std::find_if_not(values.begin(), values.end(), finite);
  if (bad == values.end()) return;
  const auto number = std::size_t(bad - values.begin());
  if constexpr (is_complex_v<T>)
    throw InputError(
        fmt::format("{}: value {} is ({}, {}): must be finite", label, number, bad->real(), bad->imag()));
  else
    throw InputError(fmt::format("{}: value {} is {}: must be finite", label, number, *bad));
}

template <class T>
void read_values(hid_t set, hid_t type, T* values, const std::string& label) {
  require_room_for_parts(set, label);
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, transfer(), values) >= 0) return;
  throw InputError(fmt::format("{}: cannot be read ({}); is the file complete?", label, reason()));
}

}  // namespace

bool H5Group::has(const std::string& name) const {
  const Lock lock;
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(id_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0;
}

bool H5Group::is_group(const std::string& name) const {
  const Lock lock;
  if (!has(name)) return false;
  const Handle object(H5Oopen(id_, name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object) == H5I_GROUP;
}

template <class T>
std::vector<T> H5Group::read(const std::string& name, Shape* shape) const {
  const Lock lock;
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  const bool real = is_number_type(type), complex = is_complex_type(type);
  if (!real && !(complex && is_complex_v<T>)) {
    throw InputError(fmt::format(
        "{}: must hold {} numbers{}", label(name), is_complex_v<T> ? "real or complex" : "real",
        complex ? ", holds complex ones" : " (complex: compounds of r and i, as h5py writes them)"));
  }
  if (std::is_integral_v<T> && kind != H5T_INTEGER)
    throw InputError(fmt::format("{}: must hold whole numbers", label(name)));
  const Shape extents = extents_of(set);
  if (shape != nullptr) *shape = extents;
  std::vector<T> values(count_values(set, type, extents, label(name)));
  if (values.empty()) return values;
  if constexpr (is_complex_v<T>) {
    if (real) {
      std::vector<typename T::value_type> parts(values.size());
      read_values(set, memory_type<typename T::value_type>(), parts.data(), label(name));
      require_finite(parts, label(name));
      std::copy(parts.begin(), parts.end(), values.begin());
      return values;
    }
  }
  read_values(set, memory_type<T>(), values.data(), label(name));
  if constexpr (!std::is_integral_v<T>) require_finite(values, label(name));
  return values;
}

std::string H5Group::read_string(const std::string& name) const {
  const Lock lock;
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  const Shape extents = extents_of(set);
  bool ok = H5Tget_class(type) == H5T_STRING &&
            std::all_of(extents.begin(), extents.end(), [](auto extent) { return extent == 1; });
  std::string text;
  if (ok) {
    text = read_text(
        type, [&](hid_t memory, void* to) { return H5Dread(set, memory, H5S_ALL, H5S_ALL, transfer(), to); },
        ok);
  }
  if (!ok) throw InputError(fmt::format("{}: must be one text", label(name)));
  return text;
}

Shape H5Group::shape(const std::string& name) const {
  const Lock lock;
  return extents_of(open_dataset(id_, name, label(name), has(name)));
}

bool H5Group::is_complex(const std::string& name) const {
  const Lock lock;
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  return is_complex_type(type);
}

H5Group H5Group::group(const std::string& name) const {
  const Lock lock;
  if (!is_group(name)) throw InputError(fmt::format("{}: there is no such group", label(name)));
  return {H5Gopen2(id_, name.c_str(), H5P_DEFAULT), file_, path_ + name + "/"};
}

std::vector<std::string> H5Group::members() const {
  const Lock lock;
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  H5Literate(id_, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  return names;
}

#define CURLEW_H5_TYPE(T) template std::vector<T> H5Group::read(const std::string&, Shape*) const;
CURLEW_H5_TYPE(double)
CURLEW_H5_TYPE(float)
CURLEW_H5_TYPE(std::int32_t)
CURLEW_H5_TYPE(std::int64_t)
CURLEW_H5_TYPE(std::uint8_t)
CURLEW_H5_TYPE(Complex)
CURLEW_H5_TYPE(ComplexF)
#undef CURLEW_H5_TYPE

}  // namespace curlew::io
