// SPDX-License-Identifier: BSD-3-Clause
#include "io/toml_advice.hpp"

#include <regex>
#include <sstream>

namespace curlew::io {
namespace {

struct Advice {
  const char* pattern;  ///< of the line
  const char* cure;
};

/// What users of JSON, Gmsh scripts, Python and forms of other programs write. The first that fits counts.
constexpr Advice remedies[] = {
    {R"(^\s*[{}])", "a config is TOML, not JSON: [table] in a line of its own, then key = value"},
    {R"(^\s*(//|/\*|%|!|;|--))", "a comment begins with #"},
    {R"(;\s*(#.*)?$)", "leave the ; out"},
    {R"(^[^"'=]*==)", "write one = between key and value"},
    {R"(^\s*[\w.-]+\s*:)", "write = between key and value, not :"},
    {R"(=[\s\[]*(True|TRUE|yes|on)\b)", "write true"},
    {R"(=[\s\[]*(False|FALSE|no|off)\b)", "write false"},
    {R"(=\s*[-+]?[\d_]+,\d+\s*(#.*)?$)", "a number has a decimal point, not a comma"},
    {R"([=\[,]\s*[-+]?(\.\d|\d+\.(\D|$)))", "a decimal point needs digits on both sides: 0.5, 5.0"},
    {R"(=\s*[-+]?0\d)", "leave zeros before a number out"},
    {R"([=\[,]\s*[-+]?\d[\d_]*(\.\d+)?([eE][-+]?\d+)?\s*[A-DF-Za-df-z*/+(^-])",
     "a number with a unit, or a formula, is a text in quotes: \"2.5 mm\""},
    {R"("[^"]*\\)", "write / for \\, or put the text in single quotes"},
    {R"(=\s*('[^']*|"[^"]*)$)", "close the quotes"},
    {R"([=\[,]\s*[A-Za-z_])", "text must be in quotes: unit = \"mm\""},
};

std::string line_of(const std::string& text, unsigned number) {
  std::istringstream lines(text);
  std::string line;
  for (unsigned i = 0; i < number && std::getline(lines, line); ++i) continue;
  return line;
}

}  // namespace

std::string toml_advice(const std::string& text, unsigned number, const std::string& reason) {
  if (reason.find("cannot redefine") != std::string::npos)
    return ": write a table once, with all its keys; of a list each table has two brackets, [[port]]";
  const std::string line = line_of(text, number);
  for (const auto& [pattern, cure] : remedies)
    if (std::regex_search(line, std::regex(pattern))) return std::string(": ") + cure;
  return "";
}

}  // namespace curlew::io
