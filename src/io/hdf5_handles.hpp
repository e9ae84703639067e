// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the hdf5*.cpp files: owned identifiers, types, reasons of failures. Private to them, as it
// brings the C API with it.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

#include "base/types.hpp"
#include "io/hdf5.hpp"

namespace curlew::io::h5 {

/// Serialises calls of HDF5: not every build is thread-safe, and files are checked in a child process
/// (hdf5_check), in which the lock of another thread would never be released. Every member of H5Group and
/// H5File begins with one.
class Lock {
 public:
  Lock() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

/// An HDF5 identifier with the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: it goes where an identifier goes
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The innermost reason on HDF5's error stack: for a full disk it contains the system's message.
std::string reason();
/// @throws ResourceError with the label and the reason
[[noreturn]] void write_failed(const std::string& label);

/// The type of T in memory and in new files.
template <class T>
hid_t memory_type();
template <>
hid_t memory_type<double>();
template <>
hid_t memory_type<float>();
template <>
hid_t memory_type<std::int32_t>();
template <>
hid_t memory_type<std::int64_t>();
template <>
hid_t memory_type<std::uint8_t>();
template <>
hid_t memory_type<Complex>();
template <>
hid_t memory_type<ComplexF>();

/// True for integers of 1 to 8 bytes and reals of 4, 8 or sizeof(long double), in either byte order. Of other
/// types, as in damaged files, the library would read beyond the bytes.
bool is_number_type(hid_t type);
/// Two such numbers of one type, r and i, side by side.
bool is_complex_type(hid_t type);

/// For H5Dread and H5Dwrite: values are converted by pieces in our memory. HDF5 1.10 would allocate two
/// blocks of 1 MiB, and under low memory has a use-after-free in its list of free blocks of this size.
hid_t transfer();
/// Checks beforehand that the blocks which HDF5 allocates for the parts of a dataset fit into memory: its
/// cache (1 MiB, or a larger chunk) and one block in two filters. @throws ResourceError naming what
void require_room_for_parts(hid_t set, const std::string& label);

std::uint64_t product(const Shape& shape);
Handle make_space(const Shape& shape);
/// "A/00" makes the group A.
Handle make_links();
/// A text of this many bytes, or of any length in UTF-8.
Handle string_type(std::size_t length);
Handle utf8_type();

/// Variable or fixed strings, from a dataset (H5Dread) or an attribute (H5Aread).
template <class Read>
std::string read_text(hid_t file_type, Read&& read, bool& ok) {
  if (H5Tis_variable_str(file_type) > 0) {
    Handle type = utf8_type();
    H5Tset_cset(type, H5Tget_cset(file_type));
    char* text = nullptr;
    ok = read(hid_t(type), &text) >= 0;
    std::string value = ok && text != nullptr ? text : "";
    if (text != nullptr) H5free_memory(text);
    return value;
  }
  std::string value(H5Tget_size(file_type), '\0');
  ok = read(file_type, value.data()) >= 0;
  return value.substr(0, value.find('\0'));
}

}  // namespace curlew::io::h5
