// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/allocation.hpp"
#include "base/error.hpp"
#include "curlew/build.hpp"
#include "io/hdf5_check.hpp"
#include "io/hdf5_handles.hpp"

namespace curlew::io {

using namespace h5;

namespace {

/// Before the first call of HDF5. Turns off the error stack that it prints by default: errors are reported in
/// one line. It also turns off the clean-up at exit: a file that a full disk has truncated cannot be flushed,
/// and HDF5 would crash when it tried again.
void start_library() {
  static const herr_t no_clean_up = H5dont_atexit();
  static_cast<void>(no_clean_up);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// HDF5 1.10 writes to the cache of a file without a check that it was allocated; the crash of the checking
/// process would be reported as a damaged file.
void require_room_for_file(const std::string& path) {
  require_allocation(std::size_t(4) << 20, path);
}

void write_attribute(hid_t location, const std::string& object, const std::string& name, hid_t type,
                     hid_t space, const void* value, const std::string& label) {
  Handle at(H5Oopen(location, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (at.valid() && H5Aexists(at, name.c_str()) > 0) H5Adelete(at, name.c_str());
  Handle attribute(H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute, type, value) < 0) write_failed(label);
}

bool is_single(const Handle& attribute) {
  const Handle space(attribute.valid() ? H5Aget_space(attribute) : -1, H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space) == 1;
}

}  // namespace

H5Group::H5Group(std::int64_t id, std::string file, std::string path)
    : id_(id), file_(std::move(file)), path_(std::move(path)) {}
H5Group::H5Group(H5Group&& other) noexcept
    : id_(std::exchange(other.id_, -1)), file_(std::move(other.file_)), path_(std::move(other.path_)) {}
H5Group& H5Group::operator=(H5Group&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(file_, other.file_);
  std::swap(path_, other.path_);
  return *this;
}
H5Group::~H5Group() {
  const Lock lock;
  if (id_ >= 0) H5Gclose(id_);
}

std::string H5Group::label(const std::string& name) const {
  const std::string place = path_ + (name == "." ? "" : name);
  return place.empty() ? file_ : fmt::format("{}: {}", file_, place);
}

// ---- attributes ----

void H5Group::set_attribute(const std::string& name, const std::string& value, const std::string& object) {
  const Lock lock;
  const Handle space = make_space({}), type = utf8_type();
  const char* text = value.c_str();
  write_attribute(id_, object, name, type, space, &text, label(object));
}
void H5Group::set_attribute(const std::string& name, double value, const std::string& object) {
  const Lock lock;
  write_attribute(id_, object, name, H5T_NATIVE_DOUBLE, make_space({}), &value, label(object));
}
void H5Group::set_attribute(const std::string& name, std::int64_t value, const std::string& object) {
  const Lock lock;
  write_attribute(id_, object, name, H5T_NATIVE_INT64, make_space({}), &value, label(object));
}
void H5Group::set_attribute(const std::string& name, const std::vector<double>& values,
                            const std::string& object) {
  const Lock lock;
  write_attribute(id_, object, name, H5T_NATIVE_DOUBLE, make_space({values.size()}), values.data(),
                  label(object));
}
void H5Group::set_attribute(const std::string& name, const std::vector<std::int64_t>& values,
                            const std::string& object) {
  const Lock lock;
  write_attribute(id_, object, name, H5T_NATIVE_INT64, make_space({values.size()}), values.data(),
                  label(object));
}
void H5Group::set_fixed_string_attribute(const std::string& name, const std::string& value,
                                         const std::string& object) {
  const Lock lock;
  const Handle type = string_type(value.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  write_attribute(id_, object, name, type, make_space({}), value.data(), label(object));
}

bool H5Group::has_attribute(const std::string& name, const std::string& object) const {
  const Lock lock;
  return H5Aexists_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string H5Group::string_attribute(const std::string& name, const std::string& object) const {
  const Lock lock;
  const Handle attribute(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute) : -1, H5Tclose);
  bool ok = is_single(attribute) && H5Tget_class(type) == H5T_STRING;
  std::string text;
  if (ok)
    text = read_text(
        type, [&](hid_t memory, void* to) { return H5Aread(attribute, memory, to); }, ok);
  if (!ok) throw InputError(fmt::format("{}: there is no text attribute \"{}\"", label(object), name));
  return text;
}

double H5Group::number_attribute(const std::string& name, const std::string& object) const {
  const Lock lock;
  const Handle attribute(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute) : -1, H5Tclose);
  double value = 0;
  if (!is_single(attribute) || !is_number_type(type) || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    throw InputError(fmt::format("{}: there is no number attribute \"{}\"", label(object), name));
  if (!std::isfinite(value))
    throw InputError(fmt::format("{}: attribute \"{}\" is {}: must be finite", label(object), name, value));
  return value;
}

// ---- the file ----

H5File::H5File(std::int64_t file_id, std::int64_t root_id, std::string file)
    : H5Group(root_id, std::move(file), ""), file_id_(file_id) {}
H5File::H5File(H5File&& other) noexcept
    : H5Group(std::move(other)), file_id_(std::exchange(other.file_id_, -1)), writable_(other.writable_) {}

namespace {
/// Closing a file closes its groups too: a group that outlives it must not keep it half-written.
Handle access_properties() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}
}  // namespace

H5File H5File::create(const std::string& path) {
  const Lock lock;
  start_library();
  require_room_for_file(path);
  const Handle access = access_properties();  // it lives past reason(): closing it clears the error stack
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (id < 0) write_failed(path);
  H5File file(id, H5Gopen2(id, "/", H5P_DEFAULT), path);
  file.writable_ = true;
  return file;
}

H5File H5File::open(const std::string& path, bool is_known) {
  const Lock lock;
  start_library();
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown) &&
      !std::filesystem::is_directory(path, unknown))
    throw InputError(fmt::format("{}: is no file", path));  // a pipe would be waited for
  std::FILE* probe = std::fopen(path.c_str(), "rb");        // the system's reason is better than HDF5's
  if (probe == nullptr) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  std::fclose(probe);
  require_room_for_file(path);
  if (H5Fis_hdf5(path.c_str()) <= 0) throw InputError(fmt::format("{}: is not an HDF5 file", path));
  if (!is_known) check_file(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_properties());
  if (id < 0) throw InputError(fmt::format("{}: is a damaged or truncated HDF5 file", path));
  return {id, H5Gopen2(id, "/", H5P_DEFAULT), path};
}

H5File::~H5File() {
  const Lock lock;
  if (id_ >= 0) H5Gclose(std::exchange(id_, -1));
  if (file_id_ >= 0) H5Fclose(file_id_);
}

void H5File::write_provenance(const Provenance& provenance, const std::string& format, int format_version) {
  const Lock lock;
  set_attribute("format", format);
  set_attribute("format_version", std::int64_t(format_version));
  set_attribute("program", provenance.program);
  set_attribute("version", std::string(CURLEW_VERSION));
  set_attribute("config_name", provenance.config_name);
  set_attribute("time_convention", std::string("exp(+jwt), peak phasors, SI units"));
  if (!has("config"))
    write_string("config", provenance.config_text, "the config with its options applied, TOML");
}

int H5File::check_format(const std::string& format, int newest) const {
  const Lock lock;
  const std::string found = has_attribute("format") ? string_attribute("format") : "";
  if (found != format) {
    throw InputError(fmt::format("{}: must be a file of format \"{}\"{}", file_, format,
                                 found.empty() ? ", states none" : fmt::format(", is \"{}\"", found)));
  }
  const double version = number_attribute("format_version");
  if (!(version >= 1 && version <= newest)) {
    throw InputError(
        fmt::format("{}: format_version {} is not known to this program (1 to {}): the file is from a newer "
                    "version of curlew",
                    file_, version, newest));
  }
  return int(version);
}

void H5File::close() {
  const Lock lock;
  if (file_id_ < 0) return;
  const bool flushed = !writable_ || H5Fflush(file_id_, H5F_SCOPE_LOCAL) >= 0;
  const std::string why = flushed ? "" : reason();
  H5Gclose(std::exchange(id_, -1));
  const bool closed = H5Fclose(std::exchange(file_id_, -1)) >= 0;
  if (!flushed || !closed) {
    throw ResourceError(fmt::format("{}: cannot be written{}", file_, why.empty() ? "" : " (" + why + ")"));
  }
}

}  // namespace curlew::io
