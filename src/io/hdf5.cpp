// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "curlew/build.hpp"

namespace curlew::io {
namespace {

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

/// Before the first call of HDF5. It prints its error stack by default: we say it in one line instead. And a file
/// that a full disk cut short cannot be flushed: HDF5 would try again, and crash, in its clean-up at exit.
void start_library() {
  static const herr_t no_clean_up = H5dont_atexit();
  static_cast<void>(no_clean_up);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// The innermost reason on HDF5's error stack: for a full disk it holds the system's message.
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

[[noreturn]] void write_failed(const std::string& label) {
  const std::string why = reason();
  throw ResourceError(fmt::format("{}: cannot be written{}", label, why.empty() ? "" : " (" + why + ")"));
}

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

template <class T>
hid_t memory_type();
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

template <class T>
inline constexpr bool is_complex_v = std::is_same_v<T, Complex> || std::is_same_v<T, ComplexF>;

std::uint64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

/// About 256 KiB a chunk: compresses well, and one chunk fits HDF5's cache of 1 MiB.
Shape chunk_shape(Shape shape, std::size_t value_bytes) {
  constexpr std::uint64_t wanted_bytes = 256 * 1024;
  std::uint64_t row = value_bytes;
  for (std::size_t d = 1; d < shape.size(); ++d)
    row *= std::max<std::uint64_t>(shape[d], 1), shape[d] = std::max<std::uint64_t>(shape[d], 1);
  if (!shape.empty())
    shape[0] = std::clamp<std::uint64_t>(wanted_bytes / row, 1, std::max<std::uint64_t>(shape[0], 1));
  return shape;
}

Handle make_space(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(int(shape.size()), reinterpret_cast<const hsize_t*>(shape.data()), nullptr),
          H5Sclose};
}

Handle make_links() {  // "A/00" makes the group A
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  return links;
}

void write_attribute(hid_t location, const std::string& object, const std::string& name, hid_t type,
                     hid_t space, const void* value, const std::string& label) {
  Handle at(H5Oopen(location, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (at.valid() && H5Aexists(at, name.c_str()) > 0) H5Adelete(at, name.c_str());
  Handle attribute(H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute, type, value) < 0) write_failed(label);
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
  if (id_ >= 0) H5Gclose(id_);
}

std::string H5Group::label(const std::string& name) const {
  return fmt::format("{}: {}{}", file_, path_, name == "." ? "" : name);
}

// ---- writing ----

template <class T>
void H5Group::write(const std::string& name, const std::vector<T>& values, const About& about,
                    const Shape& shape, int deflate) {
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
    const bool empty = product(shape) == 0;
    if (!empty && H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      write_failed(label(name));
  }
  set_attribute("unit", about.unit, name);
  set_attribute("description", about.description, name);
}

void H5Group::write_string(const std::string& name, const std::string& text, const std::string& description) {
  const Handle space = make_space({}), type = utf8_type(), links = make_links();
  const char* value = text.c_str();
  {
    const Handle set(H5Dcreate2(id_, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!set.valid() || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0)
      write_failed(label(name));
  }
  set_attribute("unit", "text", name);
  set_attribute("description", description, name);
}

template <class T>
void H5Group::append(const std::string& name, const std::vector<T>& values, const About& about,
                     const Shape& row_shape) {
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
    const Handle made(H5Dcreate2(id_, name.c_str(), memory_type<T>(), space, links, properties, H5P_DEFAULT),
                      H5Dclose);
    if (!made.valid()) write_failed(label(name));
  }
  {
    const Handle set(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
    Shape start = shape(name), grown = start;
    grown[0] += extents[0];
    std::fill(start.begin() + 1, start.end(), 0);
    if (H5Dset_extent(set, reinterpret_cast<const hsize_t*>(grown.data())) < 0) write_failed(label(name));
    const Handle space(H5Dget_space(set), H5Sclose), memory = make_space(extents);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, reinterpret_cast<const hsize_t*>(start.data()), nullptr,
                        reinterpret_cast<const hsize_t*>(extents.data()), nullptr);
    const bool empty = values.empty();
    if (!empty && H5Dwrite(set, memory_type<T>(), memory, space, H5P_DEFAULT, values.data()) < 0)
      write_failed(label(name));
  }
  if (is_new) {
    set_attribute("unit", about.unit, name);
    set_attribute("description", about.description, name);
  }
}

H5Group H5Group::create_group(const std::string& name) {
  const Handle links = make_links();
  const hid_t id = H5Gcreate2(id_, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) write_failed(label(name));
  return {id, file_, path_ + name + "/"};
}

// ---- reading ----

bool H5Group::has(const std::string& name) const {
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(id_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0;
}

bool H5Group::is_group(const std::string& name) const {
  if (!has(name)) return false;
  const Handle object(H5Oopen(id_, name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object) == H5I_GROUP;
}

namespace {
Handle open_dataset(hid_t group, const std::string& name, const std::string& label, bool exists) {
  if (!exists) throw InputError(fmt::format("{}: there is no such dataset", label));
  Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) throw InputError(fmt::format("{}: is no dataset", label));
  return set;
}

Shape extents_of(hid_t set) {
  const Handle space(H5Dget_space(set), H5Sclose);
  Shape shape(std::size_t(std::max(H5Sget_simple_extent_ndims(space), 0)));
  H5Sget_simple_extent_dims(space, reinterpret_cast<hsize_t*>(shape.data()), nullptr);
  return shape;
}

bool has_complex_members(hid_t type) {
  return H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == 2 &&
         H5Tget_member_index(type, "r") >= 0 && H5Tget_member_index(type, "i") >= 0;
}

template <class T>
void read_values(hid_t set, hid_t type, T* values, const std::string& label) {
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) return;
  throw InputError(fmt::format("{}: cannot be read ({}); is the file complete?", label, reason()));
}
}  // namespace

template <class T>
std::vector<T> H5Group::read(const std::string& name, Shape* shape) const {
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  const bool real = kind == H5T_INTEGER || kind == H5T_FLOAT;
  const bool complex = has_complex_members(type);
  if (!real && !(complex && is_complex_v<T>)) {
    throw InputError(fmt::format(
        "{}: must hold {} numbers{}", label(name), is_complex_v<T> ? "real or complex" : "real",
        complex ? ", holds complex ones" : " (complex: compounds of r and i, as h5py writes them)"));
  }
  if (std::is_integral_v<T> && kind != H5T_INTEGER)
    throw InputError(fmt::format("{}: must hold whole numbers", label(name)));
  const Shape extents = extents_of(set);
  if (shape != nullptr) *shape = extents;
  std::vector<T> values(product(extents));
  if (values.empty()) return values;
  if constexpr (is_complex_v<T>) {
    if (real) {
      std::vector<typename T::value_type> parts(values.size());
      read_values(set, memory_type<typename T::value_type>(), parts.data(), label(name));
      std::copy(parts.begin(), parts.end(), values.begin());
      return values;
    }
  }
  read_values(set, memory_type<T>(), values.data(), label(name));
  return values;
}

std::string H5Group::read_string(const std::string& name) const {
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  bool ok = H5Tget_class(type) == H5T_STRING && product(extents_of(set)) == 1;
  std::string text;
  if (ok) {
    text = read_text(
        type, [&](hid_t memory, void* to) { return H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); },
        ok);
  }
  if (!ok) throw InputError(fmt::format("{}: must be one text", label(name)));
  return text;
}

Shape H5Group::shape(const std::string& name) const {
  return extents_of(open_dataset(id_, name, label(name), has(name)));
}

bool H5Group::is_complex(const std::string& name) const {
  const Handle set = open_dataset(id_, name, label(name), has(name));
  const Handle type(H5Dget_type(set), H5Tclose);
  return has_complex_members(type);
}

H5Group H5Group::group(const std::string& name) const {
  if (!is_group(name)) throw InputError(fmt::format("{}: there is no such group", label(name)));
  return {H5Gopen2(id_, name.c_str(), H5P_DEFAULT), file_, path_ + name + "/"};
}

std::vector<std::string> H5Group::members() const {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  H5Literate(id_, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  return names;
}

// ---- attributes ----

void H5Group::set_attribute(const std::string& name, const std::string& value, const std::string& object) {
  const Handle space = make_space({}), type = utf8_type();
  const char* text = value.c_str();
  write_attribute(id_, object, name, type, space, &text, label(object));
}
void H5Group::set_attribute(const std::string& name, double value, const std::string& object) {
  write_attribute(id_, object, name, H5T_NATIVE_DOUBLE, make_space({}), &value, label(object));
}
void H5Group::set_attribute(const std::string& name, std::int64_t value, const std::string& object) {
  write_attribute(id_, object, name, H5T_NATIVE_INT64, make_space({}), &value, label(object));
}
void H5Group::set_attribute(const std::string& name, const std::vector<double>& values,
                            const std::string& object) {
  write_attribute(id_, object, name, H5T_NATIVE_DOUBLE, make_space({values.size()}), values.data(),
                  label(object));
}
void H5Group::set_attribute(const std::string& name, const std::vector<std::int64_t>& values,
                            const std::string& object) {
  write_attribute(id_, object, name, H5T_NATIVE_INT64, make_space({values.size()}), values.data(),
                  label(object));
}
void H5Group::set_fixed_string_attribute(const std::string& name, const std::string& value,
                                         const std::string& object) {
  const Handle type = string_type(value.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  write_attribute(id_, object, name, type, make_space({}), value.data(), label(object));
}

bool H5Group::has_attribute(const std::string& name, const std::string& object) const {
  return H5Aexists_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string H5Group::string_attribute(const std::string& name, const std::string& object) const {
  const Handle attribute(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute) : -1, H5Tclose);
  bool ok = type.valid() && H5Tget_class(type) == H5T_STRING;
  std::string text;
  if (ok)
    text = read_text(
        type, [&](hid_t memory, void* to) { return H5Aread(attribute, memory, to); }, ok);
  if (!ok) throw InputError(fmt::format("{}: there is no text attribute \"{}\"", label(object), name));
  return text;
}

double H5Group::number_attribute(const std::string& name, const std::string& object) const {
  const Handle attribute(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  double value = 0;
  const bool single = attribute.valid() && H5Aget_storage_size(attribute) <= sizeof(double);
  if (!single || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) {
    throw InputError(fmt::format("{}: there is no number attribute \"{}\"", label(object), name));
  }
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
  start_library();
  const Handle access = access_properties();  // it lives past reason(): closing it clears the error stack
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (id < 0) write_failed(path);
  H5File file(id, H5Gopen2(id, "/", H5P_DEFAULT), path);
  file.writable_ = true;
  return file;
}

H5File H5File::open(const std::string& path) {
  start_library();
  std::FILE* probe = std::fopen(path.c_str(), "rb");  // the system's reason is better than HDF5's
  if (probe == nullptr) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  std::fclose(probe);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_properties());
  if (id < 0) {
    const bool foreign = H5Fis_hdf5(path.c_str()) <= 0;
    throw InputError(
        fmt::format("{}: {}", path, foreign ? "is no HDF5 file" : "is a damaged or truncated HDF5 file"));
  }
  return {id, H5Gopen2(id, "/", H5P_DEFAULT), path};
}

H5File::~H5File() {
  if (id_ >= 0) H5Gclose(std::exchange(id_, -1));
  if (file_id_ >= 0) H5Fclose(file_id_);
}

void H5File::write_provenance(const Provenance& provenance, const std::string& format, int format_version) {
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
  const std::string found = has_attribute("format") ? string_attribute("format") : "";
  if (found != format) {
    throw InputError(fmt::format("{}: must be a file of format \"{}\"{}", file_, format,
                                 found.empty() ? ", states none" : fmt::format(", is \"{}\"", found)));
  }
  const int version = int(number_attribute("format_version"));
  if (version < 1 || version > newest) {
    throw InputError(fmt::format(
        "{}: format_version {} is not known to this program (1 to {}): use curlew's newer version", file_,
        version, newest));
  }
  return version;
}

void H5File::close() {
  if (file_id_ < 0) return;
  const bool flushed = !writable_ || H5Fflush(file_id_, H5F_SCOPE_LOCAL) >= 0;
  const std::string why = flushed ? "" : reason();
  H5Gclose(std::exchange(id_, -1));
  const bool closed = H5Fclose(std::exchange(file_id_, -1)) >= 0;
  if (!flushed || !closed) {
    throw ResourceError(fmt::format("{}: cannot be written{}", file_, why.empty() ? "" : " (" + why + ")"));
  }
}

#define CURLEW_H5_TYPE(T)                                                                                   \
  template void H5Group::write(const std::string&, const std::vector<T>&, const About&, const Shape&, int); \
  template void H5Group::write_raw(const std::string&, const T*, const Shape&, const About&, int);          \
  template void H5Group::append(const std::string&, const std::vector<T>&, const About&, const Shape&);     \
  template std::vector<T> H5Group::read(const std::string&, Shape*) const;
CURLEW_H5_TYPE(double)
CURLEW_H5_TYPE(float)
CURLEW_H5_TYPE(std::int32_t)
CURLEW_H5_TYPE(std::int64_t)
CURLEW_H5_TYPE(std::uint8_t)
CURLEW_H5_TYPE(Complex)
CURLEW_H5_TYPE(ComplexF)
#undef CURLEW_H5_TYPE

}  // namespace curlew::io
