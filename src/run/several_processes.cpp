// SPDX-License-Identifier: BSD-3-Clause
#include "run/several_processes.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::run {
namespace {

int number_in(const char* variable, int fallback) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : fallback;
}

int refuse(const char* program, ExitStatus status, const std::string& text) {
  if (number_in("OMPI_COMM_WORLD_RANK", 0) == 0) {
    log::start(program, log::Verbosity::normal);
    log::error("{}", text);
  }
  return status;
}

}  // namespace

bool is_one_of_several() {
  return number_in("OMPI_COMM_WORLD_SIZE", 1) > 1;
}

int continue_with_mpi(const char* program, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--jobs"))
      return refuse(program, exit_input, "--jobs starts its own processes: use either --jobs or mpirun");
  }
  std::error_code unreadable;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", unreadable).parent_path();
  const std::string parallel = (here / program).string() + "-mpi";
  if (access(parallel.c_str(), X_OK) == 0) execv(parallel.c_str(), argv);
  return refuse(program, exit_resource,
                "mpirun started several processes, but this build lacks MPI: run scripts/setup --mpi and "
                "build again, or start one process");
}

}  // namespace curlew::run
