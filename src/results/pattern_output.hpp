// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// farfield.csv, and, if the config requests them, farfield.ffe and farfield_PORT.ffs.

#include <vector>

#include "io/far_field_files.hpp"
#include "io/pattern_files.hpp"
#include "run/run.hpp"

namespace curlew::results {

class PatternOutput {
 public:
  PatternOutput(io::PatternFormats formats, run::Run& run);
  void row(const io::FarFieldRow& row);
  void close();

 private:
  io::PatternFormats formats_;
  run::Run& run_;
  io::FarFieldWriter csv_;
  std::vector<io::FarFieldRow> rows_;  ///< empty without other formats
};

}  // namespace curlew::results
