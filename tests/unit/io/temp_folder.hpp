// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A folder that lives as long as a test.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace curlew::test {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "curlew-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The text of the exception of type E that `call` throws; "nothing" or "another" otherwise.
template <class E, class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another: ") + e.what();
  }
  return "nothing";
}

}  // namespace curlew::test
