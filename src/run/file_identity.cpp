// SPDX-License-Identifier: BSD-3-Clause
// Source of the format of build ids: man 5 elf, "Notes".
#include "run/file_identity.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "mesh/geo_parameters.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// The build id among the notes of an ELF file, in hexadecimal digits; empty if there is none.
std::string build_id_in(const std::string& notes) {
  constexpr std::size_t word = 4;
  const auto padded = [](std::size_t size) { return (size + word - 1) / word * word; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.size();) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data() + at, sizeof head);
    const std::size_t name = at + sizeof head, value = name + padded(head.n_namesz);
    if (value + head.n_descsz > notes.size()) return "";
    if (head.n_type == NT_GNU_BUILD_ID && notes.compare(name, 4, std::string("GNU", 4)) == 0) {
      std::string text;
      for (std::size_t i = 0; i < head.n_descsz; ++i)
        text += fmt::format("{:02x}", static_cast<unsigned char>(notes[value + i]));
      return text;
    }
    at = value + padded(head.n_descsz);
  }
  return "";
}

/// Empty for files that are no program or library, or without build id.
std::string build_id_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(ElfW(Phdr)))
    return "";
  for (int i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part{};
    file.seekg(std::streamoff(head.e_phoff + std::size_t(i) * sizeof part));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return "";
    constexpr std::size_t most = 1 << 20;  // of a damaged file
    if (part.p_type != PT_NOTE || part.p_filesz > most) continue;
    std::string notes(part.p_filesz, '\0');
    file.seekg(std::streamoff(part.p_offset));
    if (!file.read(notes.data(), std::streamsize(notes.size()))) return "";
    if (auto id = build_id_in(notes); !id.empty()) return id;
  }
  return "";
}

std::string content_hash(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  TextHash hash;
  std::string block(std::size_t(1) << 20, '\0');
  while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
    hash.add({block.data(), std::size_t(file.gcount())});
  if (file.bad()) throw InputError(fmt::format("{}: cannot be read", path));
  return hash.text();
}

/// The files of this suite that are loaded. The shared library's builds for several processor levels are made
/// together and represented by the lowest.
std::set<std::string> loaded_files() {
  std::set<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* out) {
        const std::string path = object->dlpi_name;
        const auto name = fs::path(path).filename().string();
        if (!name.starts_with("libcurlew")) return 0;
        const auto level = path.find("glibc-hwcaps/");
        static_cast<std::set<std::string>*>(out)->insert(
            level == std::string::npos ? path : path.substr(0, level) + name);
        return 0;
      },
      &files);
  return files;
}

}  // namespace

std::string file_identity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) return hash_text(io::read_text_file(path));
  using State = std::tuple<std::string, dev_t, ino_t, off_t, long, long, long, long>;
  const State state{path,
                    status.st_dev,
                    status.st_ino,
                    status.st_size,
                    status.st_mtim.tv_sec,
                    status.st_mtim.tv_nsec,
                    status.st_ctim.tv_sec,
                    status.st_ctim.tv_nsec};
  static std::mutex mutex;
  static std::map<State, std::string> known;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(state); found != known.end()) return found->second;
  }
  std::string identity = build_id_of(path);
  if (identity.empty()) identity = content_hash(path);
  constexpr long settled = 2;  // [s] a file that is younger can change again without another time
  if (std::time(nullptr) - status.st_mtim.tv_sec < settled) return identity;
  const std::lock_guard lock(mutex);
  return known[state] = identity;
}

std::string build_identity(const std::string& program) {
  std::error_code fault;
  const fs::path own = fs::read_symlink("/proc/self/exe", fault);
  std::set<std::string> files;
  for (const char* kind : {"", "-mpi"})
    if (const fs::path other = own.parent_path() / (program + kind); fs::is_regular_file(other, fault))
      files.insert(other.string());
  if (files.empty()) files.insert(own.string());  // elsewhere, or a test that contains the program
  files.merge(loaded_files());
  std::set<std::string> identities;  // not the names: an installed copy is the same build
  for (const auto& file : files) {
    try {
      identities.insert(file_identity(file));
    } catch (const InputError&) {  // replaced while it runs
      identities.insert("gone");
    }
  }
  std::string text;
  for (const auto& identity : identities) text += identity + " ";
  return text;
}

std::vector<std::string> named_files(const io::Config& config) {
  std::vector<std::string> files;
  const io::Config copy = config.clone();  // keys read here do not count as read
  constexpr std::pair<const char*, const char*> keys[] = {
      {"mesh", "file"}, {"contour", "file"}, {"material", "table"}, {"boundary", "table"}};
  for (const auto& [list, key] : keys) try {
      for (const io::Config& table : copy.tables(list)) {
        if (table.kind(key) != io::Config::Kind::string) continue;
        const std::string path = table.resolve_path(table.get<std::string>(key));
        std::error_code fault;
        if (!fs::is_regular_file(path, fault)) continue;
        const auto all = fs::path(path).extension() == ".geo" ? mesh::geo_files(path) : std::vector{path};
        files.insert(files.end(), all.begin(), all.end());
      }
    } catch (const InputError&) {  // reported when the key is read
    }
  return files;
}

}  // namespace curlew::run
