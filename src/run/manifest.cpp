// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "run/share.hpp"

namespace curlew::run {
namespace {

std::string path_of(const std::string& folder) {
  return (std::filesystem::path(folder) / "manifest.json").string();
}

/// The hash in a manifest; empty if it has another format.
std::string stated_hash(const std::string& path) {
  try {
    return nlohmann::json::parse(io::read_text_file(path)).at("hash").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return "";
  }
}

}  // namespace

std::string Manifest::hash() const {
  std::string text = program + "\n" + kind + "\n";
  for (const Item& item : items) text += item.name + " " + item.values + " " + item.hash + "\n";
  return hash_text(text);
}

void write_manifest(const std::string& folder, const Manifest& manifest) {
  const std::string path = path_of(folder);
  if (std::filesystem::exists(path)) require_manifest(folder, manifest);
  nlohmann::ordered_json json = {{"program", manifest.program},
                                 {"config", manifest.config},
                                 {"kind", manifest.kind},
                                 {"hash", manifest.hash()},
                                 {"items", nlohmann::ordered_json::array()}};
  for (const auto& item : manifest.items)
    json["items"].push_back(
        {{"name", item.name}, {"values", item.values}, {"inputs_hash", item.hash}, {"state", item.state}});
  io::write_text_file(path, json.dump(2) + "\n");
}

void require_manifest(const std::string& folder, const Manifest& manifest) {
  const std::string path = path_of(folder);
  if (!std::filesystem::exists(path))
    throw InputError(
        fmt::format("--join: {} is not there: run the shares first, with --array 1/N to N/N", path));
  if (stated_hash(path) != manifest.hash())
    throw InputError(fmt::format(
        "{} is of another sweep: config, options or version differ; give another --output, or remove "
        "that folder",
        path));
}

}  // namespace curlew::run
