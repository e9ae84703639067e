// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the sources, the programs and the Python of this build are. Functions, so that a compiler cache
// serves the tests of every clone.
#include <string>

namespace curlew::test {

std::string source_dir();
std::string program_dir();
std::string python();

}  // namespace curlew::test
