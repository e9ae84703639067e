// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A solution as it leaves its program: what is kept on disk for --resume, and what another process would
// send.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace curlew::job {

struct Array {
  std::string name;
  std::string unit;                  ///< "1" for numbers without one
  std::vector<std::uint64_t> shape;  ///< its product is the number of values; a fact is an array of one
  std::variant<std::vector<double>, std::vector<Complex>> values;
};

struct Solution {
  double frequency = 0;  ///< [Hz]
  std::vector<Array> arrays;

  /// The values of an array. @throws std::out_of_range if there is none of the name
  template <class T>
  std::vector<T>& values(const std::string& name) {
    return std::get<std::vector<T>>(find(name).values);
  }
  Array& find(const std::string& name);
};

}  // namespace curlew::job
