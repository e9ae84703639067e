// SPDX-License-Identifier: BSD-3-Clause
// Files that h5py or a text editor can make, and that our own writer never does.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

/// A new file that `fill` writes into by the C interface.
template <class Fill>
std::string make_file(const std::string& path, Fill&& fill) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fill(file);
  H5Fclose(file);
  return path;
}

template <class T>
std::string fault_of_reading(const std::string& path) {
  return test::message_of<InputError>([&] { H5File::open(path).read<T>("x"); });
}

TEST(HostileHdf5, NumbersThatAreNotFiniteAreNamed) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto fault = [&](auto values) {
    H5File out = H5File::create(path);
    out.write("x", decltype(values)(values.size()), {"1", "values"});
    out.close();
    // Writes by the C interface what our writer refuses.
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                set = H5Dopen2(file, "x", H5P_DEFAULT), type = H5Dget_type(set);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
    return fault_of_reading<Complex>(path);
  };

  EXPECT_EQ(fault(std::vector<double>{1, std::nan(""), 3}), path + ": x: value 1 is nan: must be finite");
  EXPECT_EQ(fault(std::vector<Complex>{{1, 0}, {0, -inf}}),
            path + ": x: value 1 is (0, -inf): must be finite");
}

TEST(HostileHdf5, AShapeThatTheFileCannotFillIsNotAllocated) {
  const test::TempFolder folder;
  const hsize_t wide[] = {hsize_t(1) << 33, hsize_t(1) << 33}, chunk[] = {4, 4};  // 2^66 wraps around to 4
  const std::string path = make_file(folder / "a.h5", [&](hid_t file) {
    const hid_t space = H5Screate_simple(2, wide, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
  });

  EXPECT_NE(
      fault_of_reading<double>(path).find("x: has 7.3787e+19 values by its shape, but 0 bytes in the file"),
      std::string::npos)
      << fault_of_reading<double>(path);
}

TEST(HostileHdf5, AnAttributeOfSeveralNumbersIsNoNumber) {
  const test::TempFolder folder;
  const hsize_t eight = 8;
  const std::string path = make_file(folder / "a.h5", [&](hid_t file) {
    const hid_t space = H5Screate_simple(1, &eight, nullptr);
    H5Aclose(H5Acreate2(file, "n", H5T_NATIVE_INT8, space, H5P_DEFAULT, H5P_DEFAULT));  // 8 bytes in all
    H5Sclose(space);
  });

  EXPECT_NE(test::message_of<InputError>([&] {
              H5File::open(path).number_attribute("n");
            }).find("no number attribute"),
            std::string::npos);
}

TEST(HostileHdf5, DataOfOtherFilesAreRefused) {
  const test::TempFolder folder;
  write_text_file(folder / "secret", "12345678");
  const hsize_t eight = 8;
  const std::string linked = make_file(folder / "a.h5", [&](hid_t file) {
    H5Lcreate_external((folder / "b.h5").c_str(), "/x", file, "x", H5P_DEFAULT, H5P_DEFAULT);
  });
  const std::string stored = make_file(folder / "b.h5", [&](hid_t file) {
    const hid_t space = H5Screate_simple(1, &eight, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, (folder / "secret").c_str(), 0, 8);
    H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_UINT8, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
  });

  for (const auto& path : {linked, stored})
    EXPECT_NE(fault_of_reading<std::uint8_t>(path).find("refers to data in another file"), std::string::npos);
}

/// HDF5 1.10 steps through the heap of texts by the sizes of its objects: by zero where a size wraps around.
TEST(HostileHdf5, AFileOnWhichTheLibraryLoopsIsDamaged) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  H5File out = H5File::create(path);
  out.set_attribute("format", std::string("curlew-mesh"));
  out.close();
  std::string bytes = read_text_file(path);
  const auto heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  const auto size_of_first = heap + 24;
  bytes.replace(size_of_first, 8, "\xf0" + std::string(7, '\xff'));
  write_text_file(path, bytes);

  EXPECT_EQ(test::message_of<InputError>([&] { H5File::open(path); }),
            path + ": is a damaged or truncated HDF5 file");
}

/// HDF5 1.10 finds the value of an attribute by the lengths of its name, type and shape.
TEST(HostileHdf5, AnAttributeWhosePartsAreLongerThanItsHeaderSaysIsDamaged) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  H5File out = H5File::create(path);
  out.write("x", std::vector<double>{1, 2}, {"1", "values"});
  out.close();
  const std::string sound = read_text_file(path);
  const auto lengths = sound.find("description") - 6;  // of the name, the type and the shape, two bytes each
  ASSERT_EQ(sound[lengths], 12);
  EXPECT_EQ(H5File::open(path).string_attribute("description", "x"), "values");

  for (const std::size_t part : {0, 1, 2}) {
    for (const int more : {8, 16, 256, 0xf000}) {
      std::string bytes = sound;
      char* const length = &bytes[lengths + 2 * part];
      const int changed = *length + more;
      length[0] = char(changed & 0xff), length[1] = char(changed >> 8);
      write_text_file(path, bytes);
      EXPECT_EQ(test::message_of<InputError>([&] { H5File::open(path); }),
                path + ": is a damaged or truncated HDF5 file")
          << "part " << part << " longer by " << more;
    }
  }
}

/// HDF5 1.10 looks for a text by its number in a heap without asking how many there are, and copies as many
/// bytes as stand there.
TEST(HostileHdf5, ATextThatIsNotInItsHeapIsDamaged) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  for (const bool is_attribute : {true, false}) {
    H5File out = H5File::create(path);
    if (is_attribute)
      out.set_attribute("inputs", std::string("a text"));
    else
      out.write_string("names", "a text", "any");
    out.close();
    const std::string sound = read_text_file(path);
    if (is_attribute)
      EXPECT_EQ(H5File::open(path).string_attribute("inputs"), "a text");
    else
      EXPECT_EQ(H5File::open(path).read_string("names"), "a text");
    const auto object = sound.rfind("a text") - 16;  // number, references, size
    const std::uint64_t heap = sound.rfind("GCOL", object);
    const std::string reference = std::string("\6\0\0\0", 4) +
                                  std::string(reinterpret_cast<const char*>(&heap), sizeof heap) +
                                  sound.substr(object, 2);
    const auto at = sound.find(reference);
    ASSERT_NE(at, std::string::npos);
    for (const std::size_t place : {at + 14, at, object + 8, object}) {  // number, length, size, number there
      std::string bytes = sound;
      bytes[place] = '\x5d';
      write_text_file(path, bytes);
      EXPECT_EQ(test::message_of<InputError>([&] { H5File::open(path); }),
                path + ": is a damaged or truncated HDF5 file")
          << is_attribute << " " << place;
    }
  }
}

/// Files as h5py, netCDF and others write them: each kind of type, types with a name, filters, headers in
/// several pieces.
void fill_with_every_kind(hid_t file, int num_attributes) {
  const hsize_t extents[] = {6, 2}, chunk[] = {3, 2};
  const hid_t space = H5Screate_simple(2, extents, nullptr), none = H5Screate(H5S_NULL),
              single = H5Screate(H5S_SCALAR), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  H5Pset_shuffle(creation);
  H5Pset_deflate(creation, 1);
  const hid_t named = H5Tcopy(H5T_NATIVE_DOUBLE), text = H5Tcopy(H5T_C_S1),
              colours = H5Tenum_create(H5T_NATIVE_INT8), list = H5Tvlen_create(H5T_NATIVE_INT32),
              array = H5Tarray_create2(H5T_NATIVE_FLOAT, 2, extents), opaque = H5Tcreate(H5T_OPAQUE, 5),
              record = H5Tcreate(H5T_COMPOUND, 56);
  const std::int8_t red = 1, green = 2;
  H5Tenum_insert(colours, "red", &red), H5Tenum_insert(colours, "green", &green);
  H5Tset_tag(opaque, "five bytes");
  H5Tset_size(text, H5T_VARIABLE);
  H5Tinsert(record, "a", 0, H5T_NATIVE_DOUBLE), H5Tinsert(record, "array", 8, array);
  H5Tcommit2(file, "named", named, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t set = H5Dcreate2(file, "x", named, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const double values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  int number = 0;
  for (const hid_t type : {named, text, colours, list, array, opaque, record}) {
    if (type != named)
      H5Dclose(H5Dcreate2(file, std::to_string(number).c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT));
    H5Aclose(H5Acreate2(set, ("attribute " + std::to_string(number++)).c_str(), type,
                        type == list ? none : single, H5P_DEFAULT, H5P_DEFAULT));
  }
  for (; number < num_attributes; ++number)
    H5Aclose(H5Acreate2(set, ("attribute " + std::to_string(number)).c_str(), H5T_STD_REF_OBJ, space,
                        H5P_DEFAULT, H5P_DEFAULT));
  for (const hid_t type : {named, text, colours, list, array, opaque, record}) H5Tclose(type);
  for (const hid_t each : {space, none, single}) H5Sclose(each);
  H5Dclose(set);
  H5Pclose(creation);
}

TEST(Hdf5OfOthers, HeadersOfBothFormatsAreRead) {
  const test::TempFolder folder;
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const auto file_of = [&](H5F_libver_t oldest, int num_attributes) {
    const std::string path = folder / "a.h5";
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_userblock(creation, 512);
    H5Pset_libver_bounds(access, oldest, H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
    fill_with_every_kind(file, num_attributes);
    H5Fclose(file);
    H5Pclose(creation), H5Pclose(access);
    return path;
  };

  for (const int num_attributes : {7, 8, 40})
    EXPECT_EQ(H5File::open(file_of(H5F_LIBVER_EARLIEST, num_attributes)).read<double>("x"), values);
  for (const int num_attributes : {8, 9, 40})
    EXPECT_EQ(H5File::open(file_of(H5F_LIBVER_LATEST, num_attributes)).read<double>("x"), values);
}

/// More than eight attributes are in a heap, which the library protects by checksums.
TEST(HostileHdf5, AChangedBitAmongManyAttributesIsFoundOrChangesNothing) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), single = H5Screate(H5S_SCALAR);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  for (int i = 0; i < 20; ++i) {
    const double value = 1.5 * i;
    const hid_t one =
        H5Acreate2(file, std::to_string(i).c_str(), H5T_NATIVE_DOUBLE, single, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(one, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(one);
  }
  H5Fclose(file), H5Pclose(access), H5Sclose(single);
  const std::string sound = read_text_file(path);

  int refused = 0;
  for (std::size_t at = 0; at < sound.size(); at += 5) {
    std::string bytes = sound;
    bytes[at] = char(bytes[at] ^ (1 << at % 8));
    write_text_file(path, bytes);
    try {
      const H5File in = H5File::open(path);
      for (const int i : {0, 7, 19}) EXPECT_EQ(in.number_attribute(std::to_string(i)), 1.5 * i) << at;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, int(sound.size()) / 10);
}

}  // namespace
}  // namespace curlew::io
