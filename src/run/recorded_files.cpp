// SPDX-License-Identifier: BSD-3-Clause
#include "run/recorded_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "run/file_identity.hpp"

namespace curlew::run {
namespace {

bool is_unchanged(const RecordedFile& file) {
  std::error_code fault;
  const bool exists = std::filesystem::exists(file.path, fault);
  if (file.identity == absent || file.identity == present) return exists == (file.identity == present);
  try {
    return exists && file_identity(file.path) == file.identity;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::vector<RecordedFile> recorded_files(const std::string& path) {
  const auto mesh = io::H5File::open(path);
  if (!mesh.has("read_files")) throw InputError(fmt::format("{}: has no record of its inputs", path));
  std::vector<RecordedFile> files;
  std::istringstream lines(mesh.read_string("read_files"));
  for (std::string line; std::getline(lines, line);) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) throw InputError(fmt::format("{}: read_files is damaged", path));
    files.push_back({line.substr(blank + 1), line.substr(0, blank)});
  }
  return files;
}

bool are_unchanged(const std::vector<RecordedFile>& files) {
  return std::all_of(files.begin(), files.end(), is_unchanged);
}

}  // namespace curlew::run
