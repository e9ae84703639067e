// SPDX-License-Identifier: BSD-3-Clause
#include "base/device_faults.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"

namespace curlew {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// N of "WORD N"; 0 for another text.
long number_behind(const std::string& text, const std::string& word) {
  if (!text.starts_with(word + " ")) return 0;
  const char *at = text.data() + word.size() + 1, *end = text.data() + text.size();
  long number = 0;
  const auto read = std::from_chars(at, end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 1 ? number : 0;
}

}  // namespace

DeviceFaults::DeviceFaults(const std::string& request, std::string count_file)
    : first_{number_behind(request, "memory"), number_behind(request, "calls")},
      count_file_(std::move(count_file)) {
  if (!request.empty() && first_[0] + first_[1] == 0)
    throw InputError(
        fmt::format("CURLEW_FAIL_DEVICE=\"{}\": must be \"memory N\" or \"calls N\" with N >= 1", request));
}

DeviceFaults::~DeviceFaults() {
  std::FILE* file = count_file_.empty() ? nullptr : std::fopen(count_file_.c_str(), "w");
  if (file == nullptr) return;
  std::fprintf(file, "%ld %ld\n", seen_[0].load(), seen_[1].load());
  std::fclose(file);
}

bool DeviceFaults::strike(DeviceFault kind) {
  const int which = kind == DeviceFault::memory ? 0 : 1;
  const long number = ++seen_[which];
  return first_[which] > 0 && number >= first_[which];
}

bool device_fails_on_request(DeviceFault kind) {
  static const std::string request = variable("CURLEW_FAIL_DEVICE"),
                           count_file = variable("CURLEW_COUNT_DEVICE");
  static const bool is_asked = !request.empty() || !count_file.empty();
  if (!is_asked) return false;
  static DeviceFaults faults(request, count_file);
  return faults.strike(kind);
}

}  // namespace curlew
