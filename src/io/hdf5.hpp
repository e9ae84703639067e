// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// HDF5 files: vectors in, vectors out. Complex numbers are compounds of r and i, as h5py reads and writes
// them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "io/provenance.hpp"

namespace curlew::io {

/// Extents of a dataset, row-major; empty: a scalar.
using Shape = std::vector<std::uint64_t>;

/// Attributes of every dataset.
struct About {
  std::string unit;         ///< "m", "V/m", "1"
  std::string description;  ///< one sentence, with the meaning of the axes
};

/// An open group of an HDF5 file. T is one of double, float, std::int32_t, std::int64_t, std::uint8_t,
/// Complex, ComplexF. Reading converts between widths, and from real to complex; never from complex to real.
/// @throws InputError on reading missing data or another type; NumericalError on writing NaN, or complex
/// numbers that are not finite; ResourceError when writing fails
class H5Group {
 public:
  H5Group(H5Group&& other) noexcept;
  H5Group& operator=(H5Group&& other) noexcept;
  H5Group(const H5Group&) = delete;
  H5Group& operator=(const H5Group&) = delete;
  virtual ~H5Group();

  // ---- writing ----
  /// A new dataset. @param shape empty: [values.size()]; else its product must be values.size()
  /// @param deflate 0: contiguous; 1..9: chunked and compressed
  template <class T>
  void write(const std::string& name, const std::vector<T>& values, const About& about,
             const Shape& shape = {}, int deflate = 0);
  /// The same from memory of any owner; the product of the shape says how many values there are.
  template <class T>
  void write_raw(const std::string& name, const T* values, const Shape& shape, const About& about,
                 int deflate = 0);
  void write_string(const std::string& name, const std::string& text, const std::string& description);
  /// Rows added to the end of a dataset that grows along its first axis; made by the first call. @param
  /// deflate as in write; set by the first call
  template <class T>
  void append(const std::string& name, const std::vector<T>& values, const About& about,
              const Shape& row_shape = {}, int deflate = 0);
  /// A new subgroup; "A/00" makes both.
  H5Group create_group(const std::string& name);

  // ---- reading ----
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  /// @param[out] shape extents, if asked for
  template <class T>
  std::vector<T> read(const std::string& name, Shape* shape = nullptr) const;
  std::string read_string(const std::string& name) const;
  Shape shape(const std::string& name) const;
  bool is_complex(const std::string& name) const;
  H5Group group(const std::string& name) const;
  /// Names of groups and datasets in this group, ascending.
  std::vector<std::string> members() const;

  // ---- attributes of this group, or of the dataset or subgroup `object` ----
  void set_attribute(const std::string& name, const std::string& value, const std::string& object = ".");
  void set_attribute(const std::string& name, double value, const std::string& object = ".");
  void set_attribute(const std::string& name, std::int64_t value, const std::string& object = ".");
  void set_attribute(const std::string& name, const std::vector<double>& values,
                     const std::string& object = ".");
  void set_attribute(const std::string& name, const std::vector<std::int64_t>& values,
                     const std::string& object = ".");
  /// An ASCII string of fixed length, as VTK asks for.
  void set_fixed_string_attribute(const std::string& name, const std::string& value,
                                  const std::string& object = ".");
  bool has_attribute(const std::string& name, const std::string& object = ".") const;
  std::string string_attribute(const std::string& name, const std::string& object = ".") const;
  double number_attribute(const std::string& name, const std::string& object = ".") const;

  const std::string& file_name() const { return file_; }

 protected:
  H5Group(std::int64_t id, std::string file, std::string path);
  std::string label(const std::string& name) const;  // "system.h5: A/00/values", for messages

  std::int64_t id_ = -1;
  std::string file_;  // name in messages
  std::string path_;
};

/// An open file, which is also its root group.
class H5File : public H5Group {
 public:
  /// Replaces an existing file. @throws ResourceError if it cannot be made
  static H5File create(const std::string& path);
  /// Read only. @throws InputError if it is missing, no HDF5 file, or truncated
  /// @param is_known it was opened before, or written by this program: no check in a forked process that HDF5
  /// can read it. Do not fork while another thread computes: OpenBLAS ends its threads at a fork.
  static H5File open(const std::string& path, bool is_known = false);
  H5File(H5File&&) noexcept;
  H5File& operator=(H5File&&) = delete;
  ~H5File() override;

  /// format, format_version, program, version, config (text), time_convention as attributes of the root.
  /// @param format e.g. "curlew-system"
  void write_provenance(const Provenance& provenance, const std::string& format, int format_version);
  /// @throws InputError unless the root has this format and a version from 1 to `newest`; returns the version
  int check_format(const std::string& format, int newest) const;
  /// Flushes and closes. Call it after writing: only this reliably reports a full disk. @throws ResourceError
  /// if data could not be written
  void close();

 private:
  H5File(std::int64_t file_id, std::int64_t root_id, std::string file);
  std::int64_t file_id_ = -1;
  bool writable_ = false;
};

}  // namespace curlew::io
