// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/follower.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"

namespace curlew::linalg {
namespace {

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
  std::optional<TemporaryFolder> folder;
  try {
    folder.emplace(std::string(name) + "-process-" + std::to_string(rank));
  } catch (const ResourceError& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return exit_resource;
  }
  if (std::freopen("/dev/null", "w", stdout) == nullptr)
    return exit_resource;  // tables of a dry run are printed once
  auto words = words_of_follower(argc, argv, folder->path() + "/results");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return program(int(words.size()), pointers.data());
}

}  // namespace curlew::linalg
