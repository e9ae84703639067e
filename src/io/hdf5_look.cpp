// SPDX-License-Identifier: BSD-3-Clause
// The check of a file, in which HDF5 may loop or crash: hdf5_check.cpp runs it in a child process.
#include "io/hdf5_check.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/hdf5_handles.hpp"
#include "io/hdf5_headers.hpp"

namespace curlew::io::h5 {
namespace {

/// Texts are in a separate heap, which the library reads only with them: damage there is found only then.
template <class Read>
void read_if_text(hid_t type, hid_t space, Read&& read) {
  bool ok = true;
  if (H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1) read_text(type, read, ok);
}

herr_t look_at_attribute(hid_t object, const char* name, const H5A_info_t*, void*) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return damaged;
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  read_if_text(type, space, [&](hid_t memory, void* to) { return H5Aread(attribute, memory, to); });
  return 0;
}

herr_t look_at_object(hid_t root, const char* name, const H5O_info_t* info, void* headers) {
  if (const auto verdict = static_cast<HeaderReader*>(headers)->look_at(info->addr); verdict != sound)
    return verdict;
  const Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
  if (!object.valid()) return damaged;
  const herr_t attributes =
      H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, look_at_attribute, nullptr);
  if (attributes != 0) return damaged;
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Handle creation(H5Dget_create_plist(object), H5Pclose);
  if (H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL) return foreign;
  H5Dget_storage_size(object);  // follows the index of the chunks
  const Handle type(H5Dget_type(object), H5Tclose), space(H5Dget_space(object), H5Sclose);
  read_if_text(type, space, [&](hid_t memory, void* to) {
    return H5Dread(object, memory, H5S_ALL, H5S_ALL, transfer(), to);
  });
  return 0;
}

HeaderReader headers_of(hid_t file, const std::string& path) {
  const Handle creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t base = 0;
  std::size_t offset_size = 0, length_size = 0;
  H5Pget_userblock(creation, &base);
  H5Pget_sizes(creation, &offset_size, &length_size);
  return {path, base, offset_size, length_size};
}

herr_t look_at_link(hid_t, const char*, const H5L_info_t* info, void*) {
  return info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT ? 0 : foreign;
}

}  // namespace

Verdict look_at_file(const std::string& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);  // as H5File: the parent may hold the file open
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.valid()) return damaged;
  if (const herr_t links = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_link, nullptr); links != 0)
    return links == foreign ? foreign : damaged;
  auto headers = headers_of(file, path);
  const herr_t objects = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_object, &headers);
  return objects >= 0 ? Verdict(objects) : damaged;
}

void require_sound(int verdict, const std::string& path) {
  if (verdict == foreign)
    throw InputError(fmt::format(
        "{}: refers to data in another file: copy the data into it (h5repack, or h5py's copy)", path));
  if (verdict != sound) throw InputError(fmt::format("{}: is a damaged or truncated HDF5 file", path));
}

}  // namespace curlew::io::h5
