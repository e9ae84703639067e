// SPDX-License-Identifier: BSD-3-Clause
// Text files of numbers: tables and contours (.csv), Matrix Market. The first byte chooses.

#include "io/csv.hpp"
#include "linalg/matrix_market.hpp"
#include "scratch.hpp"

namespace {

using namespace curlew;

void read_columns(const std::string& file) {
  const auto table = io::read_csv(file);
  for (const auto& column : table.columns)
    fuzz::accepts([&] {
      if (table.numbers(column).size() != table.num_rows) std::abort();
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text = fuzz::text_of(data + 1, size - 1);
  fuzz::accepts([&] {
    if (data[0] % 2 == 0) return read_columns(fuzz::scratch().file("table.csv", text));
    check_structure(linalg::read_matrix_market(fuzz::scratch().file("matrix.mtx", text)), "matrix");
  });
  return 0;
}
