// SPDX-License-Identifier: BSD-3-Clause
// system.h5 of this and of other versions, and matrices of other programs, as docs/programs.md describes
// them.
#include "fem/output/system_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/hdf5.hpp"

#include "temp_folder.hpp"

namespace curlew::fem {
namespace {

/// The matrix [2 1; 0 3] as rows of one group, which need not say what wrote it.
void write_matrix(const std::string& path, int format_version) {
  auto file = io::H5File::create(path);
  if (format_version > 0)
    file.write_provenance({"fem-assemble", "a.toml", ""}, "curlew-system", format_version);
  auto group = file.create_group("A");
  group.write<Offset>("row_offsets", {0, 2, 3}, {"1", "rows"});
  group.write<Index>("columns", {0, 1, 1}, {"1", "columns"});
  group.write<Complex>("values", {2.0, 1.0, 3.0}, {"1", "entries"});
  file.close();
}

TEST(SystemFile, MatricesOfOthersNeedNoVersion) {
  const test::TempFolder folder;
  for (const int version : {0, 1}) {
    write_matrix(folder / "a.h5", version);

    const System system = read_system(folder / "a.h5");

    EXPECT_EQ(system.a.num_rows, 2);
    EXPECT_EQ(system.a.values, (std::vector<Complex>{2.0, 1.0, 3.0}));
  }
}

TEST(SystemFile, NewerVersionsAreRefused) {
  const test::TempFolder folder;
  write_matrix(folder / "a.h5", 2);

  const std::string message = test::message_of<InputError>([&] { read_system(folder / "a.h5"); });

  EXPECT_NE(message.find("format_version 2 is not known to this program (1 to 1)"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace curlew::fem
