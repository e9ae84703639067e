// SPDX-License-Identifier: BSD-3-Clause
// em-bench and wrong command lines; its figures are its own.
#include <algorithm>

#include "run_program.hpp"

namespace curlew::test {
namespace {

class EmBench : public ProgramTest {};

TEST_F(EmBench, RefusesWhatItDoesNotKnowInOneLine) {
  write("huge.mtx", "%%MatrixMarket matrix coordinate pattern general\n2147483647 2 2\n1 1\n2 2\n");
  const std::pair<const char*, const char*> bad[] = {
      {"ngim --case nope", "--case nope: ngim has no such case"},
      {"limits --case nope", "--case nope: limits has no such case"},
      {"spmv --case nope", "--case nope: must be"},
      {"sparse", "sparse"},
      {"limits --repeat 0", "--repeat"},
      {"limits --threads -1", "--threads -1"},
      {"spmv --matrix none.mtx", "none.mtx"},
      {"spmv --matrix huge.mtx", "huge.mtx:2: 2147483647 rows for 2 entries"},
  };
  for (const auto& [arguments, words] : bad) {
    const Ended ended = run(std::string("em-bench --device cpu ") + arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
  }
}

}  // namespace
}  // namespace curlew::test
