// SPDX-License-Identifier: BSD-3-Clause
#include "results/pattern_output.hpp"

#include <cctype>
#include <map>
#include <string>

#include "io/atomic_file.hpp"

namespace curlew::results {

namespace {

std::string as_file_name(std::string port) {
  for (char& c : port)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return port;
}

}  // namespace

PatternOutput::PatternOutput(io::PatternFormats formats, run::Run& run)
    : formats_(formats), run_(run), csv_(run.output("farfield.csv"), run.provenance()) {}

void PatternOutput::row(const io::FarFieldRow& row) {
  csv_.row(row);
  if (formats_.ffe || formats_.ffs) rows_.push_back(row);
}

void PatternOutput::close() {
  csv_.close();
  if (formats_.ffe)
    io::write_text_file(run_.output("farfield.ffe"), io::feko_pattern(rows_, run_.provenance()));
  if (!formats_.ffs) return;
  std::map<std::string, std::vector<io::FarFieldRow>> of_port;
  for (const auto& row : rows_) of_port[row.port].push_back(row);
  for (const auto& [port, rows] : of_port)
    io::write_text_file(run_.output("farfield_" + as_file_name(port) + ".ffs"),
                        io::cst_pattern(rows, run_.provenance()));
}

}  // namespace curlew::results
