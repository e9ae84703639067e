// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/matrix_market.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "message_of.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

std::string with_text(const std::string& text) {
  const auto file = temporary("case.mtx");
  std::ofstream(file) << text;
  return file;
}

std::string error_of(const std::string& text) {
  return test::message_of<InputError>([&] { read_matrix_market(with_text(text)); });
}

TEST(MatrixMarket, WrittenBitsComeBack) {
  auto general = helmholtz_like(4);
  general.values[3] = {1.0 / 3, -1e-300};  // makes it unsymmetric
  for (const auto& a :
       {general, helmholtz_like(4), to_complex(chain(9)), Csr<Complex>{3, 2, {0, 0, 0, 0}, {}, {}}}) {
    const auto file = temporary("written.mtx");
    write_matrix_market(file, a, "exp(+jwt), SI units\nsecond line");
    const auto back = read_matrix_market(file);
    EXPECT_EQ(back.row_offsets, a.row_offsets);
    EXPECT_EQ(back.columns, a.columns);
    EXPECT_EQ(back.values, a.values);
    EXPECT_EQ(back.num_cols, a.num_cols);
  }
}

TEST(MatrixMarket, SymmetricRealMatrixIsWrittenAsItsLowerTriangle) {
  const auto file = temporary("triangle.mtx");
  write_matrix_market(file, to_complex(chain(3)), "");

  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(text,
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n");
}

TEST(MatrixMarket, EverySymmetryIsCompleted) {
  const auto value = [](const std::string& field, const std::string& symmetry, const std::string& entry) {
    const auto a = read_matrix_market(with_text("%%MatrixMarket matrix coordinate " + field + " " + symmetry +
                                                "\n% c\n\n2 2 1\n" + entry + "\n"));
    Complex sum = 0;  // the entry at row 0, column 1
    for (Offset k = a.row_offsets[0]; k < a.row_offsets[1]; ++k) sum += a.columns[k] == 1 ? a.values[k] : 0;
    return sum;
  };
  EXPECT_EQ(value("complex", "symmetric", "2 1 3 4"), Complex(3, 4));
  EXPECT_EQ(value("complex", "hermitian", "2 1 3 4"), Complex(3, -4));
  EXPECT_EQ(value("real", "skew-symmetric", "2 1 +3e0"), Complex(-3));
  EXPECT_EQ(value("integer", "general", "2 1 3"), Complex(0));
  EXPECT_EQ(value("pattern", "symmetric", "2 1"), Complex(1));
}

TEST(MatrixMarketErrors, NameFileAndLine) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_THROW(read_matrix_market(temporary("absent.mtx")), InputError);
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", ":1: not a Matrix Market"},
           {"%%MatrixMarket matrix array real general\n1 1\n1\n", ":1: format \"array\""},
           {"%%MatrixMarket matrix coordinate quaternion general\n", ":1: field \"quaternion\""},
           {"%%MatrixMarket matrix coordinate real hermitan\n", ":1: symmetry \"hermitan\""},
           {head, "sizes"},
           {head + "2 x 1\n", ":2: \"x\" where number of columns is expected"},
           {head + "2 2 -1\n", ":2: -1 entries"},
           {head + "2147483647 2 2\n1 1 1\n2 2 1\n", ":2: 2147483647 rows for 2 entries"},
           {"%%MatrixMarket matrix coordinate real symmetric\n2 2 9223372036854775807\n",
            "the file ends after 0 of 9223372036854775807 entries"},
           {head + "2 2 2\n1 1 1\n", "the file ends after 1 of 2 entries"},
           {head + "2 2 1\n1 1 1\n2 2 1\n", ":4: more than the 1 entries"},
           {head + "2 2 1\n3 1 1\n", ":3: row 3, column 1 is outside"},
           {head + "2 2 1\n1 1 nan\n", ":3: the value is not a finite"},
           {head + "2 2 1\n1 1\n", ":3: \"\" where a number is expected"},
           {head + "2 2 1\n1 1 1 7\n", ":3: \"7\" behind"},
           {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
            ":2: a 2 x 3 matrix cannot be symmetric"}}) {
    EXPECT_NE(error_of(text).find(expected), std::string::npos) << error_of(text) << " for " << text;
  }
}

// Programs give a temporary name (io::AtomicFile): the writer makes no second one.
TEST(MatrixMarket, IsWrittenUnderTheNameThatIsGiven) {
  const std::filesystem::path folder = temporary("matrix_alone");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::filesystem::path part = folder / "a.mtx.part-1", other_name = folder / "linked";
  std::ofstream(part).flush();
  std::filesystem::create_hard_link(part, other_name);

  write_matrix_market(part, to_complex(chain(3)), "");

  EXPECT_EQ(read_matrix_market(other_name).nnz(), 7);  // in place: a file beside it would have taken its name
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
}

TEST(MatrixMarketErrors, FolderThatDoesNotExist) {
  const auto said = test::message_of<ResourceError>(
      [] { write_matrix_market("/nonexistent/a.mtx", helmholtz_like(2), ""); });
  EXPECT_EQ(said, "/nonexistent/a.mtx: cannot be written (No such file or directory)");
}

TEST(MatrixMarketErrors, FullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_THROW(write_matrix_market("/dev/full", helmholtz_like(2), ""), ResourceError);
}

}  // namespace
}  // namespace curlew::linalg
