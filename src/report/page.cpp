// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.hpp"

#include <fmt/format.h>

namespace curlew::report {
namespace {

constexpr const char* style = R"css(
body { font: 15px/1.5 sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto }
caption { text-align: left; font-weight: bold } th, td { padding: 2px 10px; text-align: left; border-bottom: 1px solid #ddd }
td:not(:last-child) { white-space: nowrap }
pre { background: #f5f5f5; padding: 1em; overflow-x: auto } figure { margin: 1em 0 }
svg { max-width: 100%; height: auto; font: 12px sans-serif; fill: #222 } svg .title { font-size: 15px }
.frame { fill: none; stroke: #888 } .grid { stroke: #ccc; stroke-width: 0.7 }
.curve { fill: none; stroke-width: 1.8 } .bar { stroke: #000; stroke-width: 1.2 }
.legend span { margin-right: 1em; display: inline-block } .legend i { display: inline-block; width: 16px; height: 4px; margin: 0 5px 3px 0 }
.warning { background: #fff3cd; padding: 0.5em 1em; margin: 0.3em 0 } canvas { touch-action: none; border: 1px solid #ddd }
)css";

}  // namespace

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      title, style);
}

}  // namespace curlew::report
