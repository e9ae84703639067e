// SPDX-License-Identifier: BSD-3-Clause
#include "run/converted_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/temporary_folder.hpp"
#include "curlew/build.hpp"
#include "io/atomic_file.hpp"
#include "mesh/geo_parameters.hpp"
#include "run/file_identity.hpp"
#include "run/mesh_converter.hpp"
#include "run/recorded_files.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Read = std::function<void(const std::string&)>;

/// 128-bit FNV-1a. Source: Fowler, Noll, Vo, RFC 9923. Not cryptographic: it avoids accidental collisions.
std::string hash(const std::string& content) {
  __extension__ using Wide = unsigned __int128;
  Wide value = (Wide(0x6c62272e07bb0142) << 64) | 0x62b821756295c58d;
  const Wide prime = (Wide(1) << 88) | 0x13b;
  for (const unsigned char c : content) value = (value ^ c) * prime;
  return fmt::format("{:016x}{:016x}", std::uint64_t(value >> 64), std::uint64_t(value));
}

/// Equal for the same geometry, folder (it may name other files there), options and build.
std::string content_name(const std::vector<std::string>& files, const Arguments& arguments) {
  std::error_code fault;
  std::string content = fmt::format("em-mesh {} {}\n{}\n", CURLEW_VERSION, build_identity("em-mesh"),
                                    fs::canonical(files[0], fault).string());
  for (const std::string& argument : arguments) content += argument + '\n';
  for (const std::string& file : files) content += io::read_text_file(file) + '\n';
  return fs::path(files[0]).stem().string() + "-" + hash(content) + ".h5";
}

/// Whether only this user can have created or changed it: in a shared folder such as /tmp a cached mesh could
/// be from another user.
bool is_own(const fs::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void forbid_others(const fs::path& path) {
  std::error_code not_ours;
  fs::permissions(path, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, not_ours);
}

/// Next to the output folder, or in it if that is not writable or the cache there belongs to another user.
fs::path cache_folder(Run& run) {
  const std::string& home = run.state().home;
  const fs::path output = fs::absolute(home.empty() ? run.output_path() : home).lexically_normal();
  const fs::path above = (output.has_filename() ? output : output.parent_path()).parent_path();
  const fs::path folder = above / ".mesh-cache";
  if (!fs::exists(folder)) return access(above.c_str(), W_OK) == 0 ? folder : output / ".mesh-cache";
  forbid_others(folder);
  return is_own(folder) && access(folder.c_str(), W_OK) == 0 ? folder : output / ".mesh-cache";
}

/// @throws ResourceError if it cannot be made
void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw ResourceError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  forbid_others(folder);
}

/// Results also depend on files that only em-mesh reads.
void depend_on(const std::vector<RecordedFile>& files, Run& run) {
  for (const auto& file : files)
    if (fs::is_regular_file(file.path)) run.depends_on(file.path);
}

/// Reads a file cached by an earlier run; false if there is none, it was made from other files, or it is
/// unreadable (failed machine, full disk).
bool read_kept(const std::string& path, const Read& read, Run& run) {
  if (!fs::exists(path)) return false;
  try {
    if (!is_own(path)) throw InputError(fmt::format("{}: other users may have written it", path));
    const auto files = recorded_files(path);
    if (!are_unchanged(files)) return false;
    read(path);
    depend_on(files, run);
    log::info("mesh: reused from an earlier run: {}", path);
    return true;
  } catch (const InputError& e) {
    log::warn("mesh: {}: made again", e.what());
    return false;
  }
}

/// em-mesh's refusal of a region, at the table that names it.
void blame_table(const io::Config& table, const std::string& geometry, const NeededRegion& needed,
                 std::string message) {
  const char* listed = needed.kind == "volume" ? "(volumes: " : "(surfaces: ";
  if (!message.starts_with(fmt::format("region \"{}\" is not in ", needed.name)) ||
      message.find(listed) == std::string::npos)
    return;
  const auto at = message.find(geometry);  // its name in the config, as in errors of reading the mesh
  if (at != std::string::npos) message.replace(at, geometry.size(), table.get<std::string>("file"));
  needed.table.error(needed.key, message);
}

void convert(const io::Config& table, const std::string& geometry, Arguments arguments,
             const std::string& result, const Read& read, const std::vector<NeededRegion>& needed) {
  const std::string program = find_mesh_converter();
  if (program.empty())
    table.error("file", fmt::format("{} must be converted, but em-mesh is not in the folder of this program "
                                    "(built without Gmsh?): give a file that em-mesh made elsewhere",
                                    geometry));
  if (mesh::geo_asks_environment(geometry))
    table.error("file", fmt::format("{} reads environment variables (GetEnv), which would not be recorded in "
                                    "the results: use DefineConstant and [mesh] parameters, or give the mesh "
                                    "that em-mesh makes of it",
                                    geometry));
  arguments.insert(arguments.begin(), {geometry, "-o", result});
  for (const auto& region : needed)
    arguments.insert(arguments.end(), {"--need", region.kind + "=" + region.name});
  try {
    run_mesh_converter(program, arguments);
    read(result);
  } catch (const InputError& e) {
    for (const auto& region : needed) blame_table(table, geometry, region, e.what());
    table.error("file", e.what());
  }
}

}  // namespace

void with_converted(const io::Config& table, const std::string& geometry, Arguments arguments, Run& run,
                    const Read& read, const std::vector<NeededRegion>& needed, bool kept) {
  const auto files =
      fs::path(geometry).extension() == ".geo" ? mesh::geo_files(geometry) : std::vector{geometry};
  for (const std::string& file : files) run.depends_on(file);
  if (const auto program = find_mesh_converter(); !program.empty()) run.depends_on(program);
  const std::string name = content_name(files, arguments);
  const fs::path folder = cache_folder(run);
  if (kept && read_kept((folder / name).string(), read, run)) return;
  if (run.dry_run() || !kept) {
    const TemporaryFolder made("mesh");
    return convert(table, geometry, std::move(arguments), made.path() + "/" + name, read, needed);
  }
  make_cache_folder(folder);
  const std::string result = (folder / name).string();
  convert(table, geometry, std::move(arguments), result, read, needed);
  forbid_others(result);
  depend_on(recorded_files(result), run);
}

}  // namespace curlew::run
