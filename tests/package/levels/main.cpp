// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

const char* level_by_name();
int bytes_of_vectors();

int main() {
  std::printf("%s, vectors of %d bytes\n", level_by_name(), bytes_of_vectors());
}
