// SPDX-License-Identifier: BSD-3-Clause
// em-lint: likely mistakes of a config. It starts the program that the config is for with --lint.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "programs/programs.hpp"
#include "run/templates.hpp"

namespace {

using namespace curlew;
namespace fs = std::filesystem;

constexpr const char* help =
    "Likely mistakes of a config: units, layers too close to bodies, ports below cut-off, missing "
    "[output].\n\n"
    "Usage: em-lint CONFIG.toml [OPTIONS of its program]\n\nNothing is computed. Every finding is one line: "
    "place, problem, cure.\nExit status: 0 nothing found, 1 likely mistakes, 2 bad input.\n";

/// Becomes the program of the config. @throws ResourceError if it cannot be started
[[noreturn]] void start_program(int argc, char** argv) {
  const std::string config = argv[1];
  if (fs::path(config).extension() != ".toml") throw InputError(config + ": must be a config, CONFIG.toml");
  const std::string name(run::program_of(io::read_text_file(config)));
  const std::string program = (fs::read_symlink("/proc/self/exe").parent_path() / name).string();
  std::string lint = "--lint";
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  arguments.push_back(lint.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw ResourceError(fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
}

}  // namespace

int curlew::programs::em_lint(int argc, char** argv) {
  log::start("em-lint", log::Verbosity::normal);
  if (argc < 2 || std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h") {
    fmt::print("{}", help);
    return argc < 2 ? exit_input : exit_done;
  }
  try {
    start_program(argc, argv);
  } catch (const InputError& e) {
    log::error("{}", e.what());
    return exit_input;
  } catch (const ResourceError& e) {
    log::error("{}", e.what());
    return exit_resource;
  }
}
