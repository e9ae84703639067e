// SPDX-License-Identifier: BSD-3-Clause
// Sound HDF5 files with wrong content: values, shapes, types, attributes, missing and additional objects. The
// first byte chooses the kind of file, then each eight bytes are a change.

#include <hdf5.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "hdf5_files.hpp"
#include "scratch.hpp"

namespace {

using namespace curlew;

struct Change {
  std::uint8_t action, object, attribute, value;
  std::uint32_t place;
};

std::vector<std::string> objects_of(hid_t file) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5O_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, collect, &names);
  return names;
}

double odd_number(std::uint8_t choice) {
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double numbers[] = {0,   -1,   1,   2,    3,          -0.0,         1e-320, 1e308, -1e308, nan,
                                inf, -inf, 0.5, 7e-5, 2147483647, 4294967296.0, 9.3e18, -2,    1e15,   255};
  return numbers[choice % std::size(numbers)];
}

/// Types that files may hold where we expect a number.
hid_t type_of(std::uint8_t choice) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT8, H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT,
                         H5T_C_S1,          H5T_STD_REF_OBJ, H5T_IEEE_F64BE,    H5T_NATIVE_LDOUBLE};
  return types[choice % std::size(types)];
}

hid_t space_of(const Change& change) {
  const hsize_t small = change.place % 7, huge = hsize_t(1) << (change.place % 64);
  const hsize_t shapes[][4] = {{small},      {small, 3},        {huge},
                               {huge, huge}, {small, small, 3}, {3, small, 11, 3}};
  const int ranks[] = {1, 2, 1, 2, 3, 4};
  const auto choice = change.value % 7;
  return choice == 6 ? H5Screate(H5S_SCALAR) : H5Screate_simple(ranks[choice], shapes[choice], nullptr);
}

void change_value(hid_t object, const Change& change) {
  const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
  const auto count = H5Sget_simple_extent_npoints(space);
  const auto size = H5Tget_size(type);
  if (count > 0 && count < 100000 && !H5Tis_variable_str(type) && H5Tget_class(type) != H5T_STRING) {
    std::vector<std::uint8_t> values(std::size_t(count) * size);
    H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    const double number = odd_number(change.value);
    const auto at = change.place % std::size_t(count) * size;
    if (H5Tget_class(type) == H5T_INTEGER) {
      const auto whole = std::int64_t(std::abs(number) < 9e18 ? number : 9e18);
      std::memcpy(&values[at], &whole, std::min(size, sizeof whole));
    } else {
      std::memcpy(&values[at], &number, std::min(size, sizeof number));
    }
    H5Dwrite(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Sclose(space);
  H5Tclose(type);
}

/// Another dataset in its place, chunked so that a huge one takes no space.
void replace(hid_t file, const std::string& name, const Change& change) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE),
              space = space_of(change);
  H5Pset_create_intermediate_group(links, 1);
  const int rank = H5Sget_simple_extent_ndims(space);
  const hsize_t chunk[] = {4, 4, 4, 4};
  if (rank > 0) H5Pset_chunk(creation, rank, chunk);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t set =
      H5Dcreate2(file, name.c_str(), type_of(change.attribute), space, links, creation, H5P_DEFAULT);
  if (set >= 0) H5Dclose(set);
  for (const hid_t list : {links, creation}) H5Pclose(list);
  H5Sclose(space);
}

void change_attribute(hid_t object, const Change& change) {
  const int count = H5Aget_num_attrs(object);
  if (count <= 0) return;
  char name[64] = {};
  H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, hsize_t(change.attribute % count), name,
                     sizeof name - 1, H5P_DEFAULT);
  H5Adelete(object, name);
  if (change.value % 4 == 0) return;
  const hid_t space = change.value % 4 == 1 ? space_of(change) : H5Screate(H5S_SCALAR);
  const auto points = H5Sget_simple_extent_npoints(space);
  const hid_t attribute = points < 1000 ? H5Acreate2(object, name, type_of(std::uint8_t(change.place)), space,
                                                     H5P_DEFAULT, H5P_DEFAULT)
                                        : -1;
  const double number = odd_number(change.value);
  if (attribute >= 0 && points == 1) H5Awrite(attribute, H5T_NATIVE_DOUBLE, &number);
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
}

void apply(hid_t file, const Change& change) {
  const auto names = objects_of(file);
  const std::string& name = names[change.object % names.size()];
  if (name != "." && change.action % 5 == 0) return replace(file, name, change);
  if (name != "." && change.action % 5 == 1) {
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    return;
  }
  if (change.action % 25 == 2) {
    H5Lcreate_soft(name.c_str(), file, "loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("/etc/passwd", "/", file, "outside", H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  if (object < 0) return;
  if (change.action % 5 == 3)
    change_attribute(object, change);
  else if (H5Iget_type(object) == H5I_DATASET)
    change_value(object, change);
  H5Oclose(object);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto number = fuzz::kind_of(data[0]);
  const auto& kind = fuzz::file_kinds()[number];
  const std::string path = fuzz::scratch().file(kind.name, fuzz::sound_file(number));
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) std::abort();
  for (std::size_t i = 1; i + sizeof(Change) <= size && i < 80; i += sizeof(Change)) {
    Change change{};
    std::memcpy(&change, data + i, sizeof change);
    apply(file, change);
  }
  H5Fclose(file);
  fuzz::accepts([&] { kind.read(path); });
  return 0;
}
