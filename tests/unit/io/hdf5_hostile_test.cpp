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
    // What our writer refuses: behind its back.
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
    EXPECT_NE(fault_of_reading<std::uint8_t>(path).find("takes data from another file"), std::string::npos);
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

}  // namespace
}  // namespace curlew::io
