// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S of a file that a program has written (Hz, real and imaginary parts), read without any code of its writer.

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/touchstone.hpp"

namespace curlew::test {

inline io::Touchstone read_touchstone(const std::string& path) {
  io::Touchstone data;
  data.num_ports = std::stoi(path.substr(path.rfind(".s") + 2));
  const auto n = std::size_t(data.num_ports), per_frequency = 1 + 2 * n * n;
  std::vector<double> numbers;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const bool has_numbers = line.find_first_of("!#[") != 0;
    std::istringstream words(has_numbers ? line : line.substr(std::min(line.size(), line.find(' '))));
    if (line.starts_with("! ")) data.comments.push_back(line.substr(2));
    if (line.starts_with("# Hz S RI R ")) data.reference_impedance = std::stod(line.substr(12));
    for (double x = 0; (has_numbers || line.starts_with("[Reference]")) && words >> x;)
      (has_numbers ? numbers : data.references).push_back(x);
  }
  if (numbers.empty() || numbers.size() % per_frequency != 0)
    throw std::runtime_error(path + ": " + std::to_string(numbers.size()) + " numbers");
  for (std::size_t f = 0; f < numbers.size(); f += per_frequency) {
    data.frequencies.push_back(numbers[f]);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto at = f + 1 + 2 * (n == 2 ? j * n + i : i * n + j);  // of two ports column by column
        data.s.emplace_back(numbers[at], numbers[at + 1]);
      }
  }
  return data;
}

}  // namespace curlew::test
