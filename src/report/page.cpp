// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.hpp"

#include <fmt/format.h>

namespace curlew::report {

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
      "<noscript><p>The charts of this page are drawn by its script; the tables stand without "
      "it.</p></noscript>\n",
      title, page_style);
}

std::string page_end() {
  return fmt::format("</main>\n<script>\nconst TABLE = {};\n{}</script>\n</body>\n</html>\n", chart_table,
                     page_script);
}

}  // namespace curlew::report
