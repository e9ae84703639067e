// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/follower.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace curlew::linalg {
namespace {

namespace fs = std::filesystem;

/// The words of the command line with another folder for results, and nothing printed.
std::vector<std::string> words_of_follower(int argc, char** argv, const std::string& folder) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-o" || word == "--output") {
      ++i;
      continue;
    }
    if (!word.starts_with("--output=") && word != "-v" && word != "--verbose") words.push_back(word);
  }
  words.insert(words.end(), {"--output", folder, "--quiet"});
  return words;
}

}  // namespace

int run_follower(int argc, char** argv, int (*program)(int, char**), const char* name, int rank) {
  std::string folder =
      (fs::temp_directory_path() / (std::string(name) + "-process-" + std::to_string(rank) + "-XXXXXX"))
          .string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;  // tables of a dry run are printed once
  auto words = words_of_follower(argc, argv, folder + "/results");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int status = program(int(words.size()), pointers.data());
  std::error_code left;
  fs::remove_all(folder, left);
  return status;
}

}  // namespace curlew::linalg
