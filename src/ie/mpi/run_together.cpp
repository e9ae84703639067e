// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mpi/run_together.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "ie/operator/process_group.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/mpi/cores.hpp"

namespace curlew::ie {
namespace {

namespace fs = std::filesystem;

class MpiGroup final : public ProcessGroup {
 public:
  MpiGroup() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(void* data, std::size_t bytes) const override {
    in_pieces(static_cast<char*>(data), bytes,
              [](char* piece, int n) { MPI_Bcast(piece, n, MPI_BYTE, 0, MPI_COMM_WORLD); });
  }
  void add_up(Complex* y, std::size_t n) const override {
    in_pieces(reinterpret_cast<double*>(y), 2 * n, [this](double* piece, int count) {
      MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : piece, piece, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    });
  }

 private:
  /// MPI counts in int.
  template <class T, class Work>
  static void in_pieces(T* data, std::size_t n, const Work& work) {
    constexpr std::size_t most = std::size_t(1) << 28;
    for (std::size_t first = 0; first < n; first += most) work(data + first, int(std::min(most, n - first)));
  }
  int rank_ = 0, size_ = 1;
};

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

int run_follower(int argc, char** argv, int (*program)(int, char**), int rank) {
  std::string folder =
      (fs::temp_directory_path() / ("ie-solve-process-" + std::to_string(rank) + "-XXXXXX")).string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  auto words = words_of_follower(argc, argv, folder + "/results");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int status = program(int(words.size()), pointers.data());
  std::error_code left;
  fs::remove_all(folder, left);
  return status;
}

/// Waits until all processes are here; ends all if one stays away.
void meet_or_end(int status) {
  using namespace std::chrono_literals;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (auto waited = 0ms; waited < 5000ms; waited += 10ms) {
    int arrived = 0;
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) return;
    std::this_thread::sleep_for(10ms);
  }
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace

int run_together(int argc, char** argv, int (*program)(int, char**)) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const MpiGroup group;
  process_group() = &group;
  linalg::share_cores();
  linalg::mumps_group().own_communicator = MPI_Comm_c2f(MPI_COMM_SELF);  // factors are each process's own
  const int status =
      group.rank() == 0 ? program(argc, argv) : run_follower(argc, argv, program, group.rank());
  // Results of process 0 take longer than those of the others: a follower that failed ends all at once.
  if (status != 0)
    meet_or_end(status);
  else
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}

}  // namespace curlew::ie
