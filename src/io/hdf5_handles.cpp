// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5_handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>

#include "base/allocation.hpp"
#include "base/error.hpp"

namespace curlew::io::h5 {
namespace {

template <class T>
hid_t complex_type() {  // made once, kept for the life of the process
  using Real = typename T::value_type;
  static const hid_t type = [] {
    const hid_t made = H5Tcreate(H5T_COMPOUND, sizeof(T));
    const hid_t real = sizeof(Real) == sizeof(double) ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    H5Tinsert(made, "r", 0, real);
    H5Tinsert(made, "i", sizeof(Real), real);
    return made;
  }();
  return type;
}

}  // namespace

template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
hid_t memory_type<Complex>() {
  return complex_type<Complex>();
}
template <>
hid_t memory_type<ComplexF>() {
  return complex_type<ComplexF>();
}

std::string reason() {
  std::string text;
  const auto collect = [](unsigned, const H5E_error2_t* entry, void* data) -> herr_t {
    auto& found = *static_cast<std::string*>(data);
    if (found.empty() && entry->desc != nullptr) found = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &text);
  const auto at = text.find("error message = '");
  if (at != std::string::npos) {
    text = text.substr(at + 17);
    text = text.substr(0, text.find('\''));
  }
  return text;
}

void write_failed(const std::string& label) {
  const std::string why = reason();
  throw ResourceError(fmt::format("{}: cannot be written{}", label, why.empty() ? "" : " (" + why + ")"));
}

hid_t transfer() {  // kept for the life of the process; Lock lets one thread at a time use it
  static std::array<std::byte, 65536> converted, background;
  static const hid_t properties = [] {
    const hid_t made = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_buffer(made, converted.size(), converted.data(), background.data());
    return made;
  }();
  return properties;
}

void require_room_for_parts(hid_t set, const std::string& label) {
  const Handle properties(H5Dget_create_plist(set), H5Pclose), type(H5Dget_type(set), H5Tclose);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return;
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  const int rank = H5Pget_chunk(properties, int(shape.size()), shape.data());
  std::size_t part = H5Tget_size(type);
  for (int d = 0; d < rank; ++d) part *= std::size_t(shape[std::size_t(d)]);
  constexpr std::size_t cache = std::size_t(1) << 20;
  require_allocation(std::max(cache, part) + 3 * part, label);
}

bool is_number_type(hid_t type) {
  const hid_t whole[] = {H5T_STD_I8LE,  H5T_STD_U8LE,  H5T_STD_I16LE, H5T_STD_I32LE,
                         H5T_STD_I64LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
                         H5T_STD_I16BE, H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_U16BE,
                         H5T_STD_U32BE, H5T_STD_U64BE, H5T_STD_I8BE,  H5T_STD_U8BE};
  const hid_t real[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_NATIVE_LDOUBLE};
  const auto is_type = [&](hid_t known) { return H5Tequal(type, known) > 0; };
  return std::any_of(std::begin(whole), std::end(whole), is_type) ||
         std::any_of(std::begin(real), std::end(real), is_type);
}

bool is_complex_type(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return false;
  const int r = H5Tget_member_index(type, "r"), i = H5Tget_member_index(type, "i");
  if (r < 0 || i < 0) return false;
  const Handle real(H5Tget_member_type(type, unsigned(r)), H5Tclose),
      imaginary(H5Tget_member_type(type, unsigned(i)), H5Tclose);
  const std::size_t size = H5Tget_size(real), at_r = H5Tget_member_offset(type, unsigned(r)),
                    at_i = H5Tget_member_offset(type, unsigned(i));
  return is_number_type(real) && H5Tequal(real, imaginary) > 0 && H5Tget_size(type) == 2 * size &&
         std::min(at_r, at_i) == 0 && std::max(at_r, at_i) == size;
}

std::uint64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

Handle make_space(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(int(shape.size()), reinterpret_cast<const hsize_t*>(shape.data()), nullptr),
          H5Sclose};
}

Handle make_links() {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  return links;
}

Handle string_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, length);
  return type;
}

Handle utf8_type() {
  Handle type = string_type(H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace curlew::io::h5
