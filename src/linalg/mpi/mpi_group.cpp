// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/mpi/mpi_group.hpp"

#include <mpi.h>

#include <algorithm>

namespace curlew::linalg {
namespace {

/// MPI counts in int.
template <class T, class Work>
void in_pieces(T* data, std::size_t n, const Work& work) {
  constexpr std::size_t most = std::size_t(1) << 28;
  for (std::size_t first = 0; first < n; first += most) work(data + first, int(std::min(most, n - first)));
}

}  // namespace

MpiGroup::MpiGroup() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

int MpiGroup::communicator() const {
  return MPI_Comm_c2f(MPI_COMM_WORLD);
}

void MpiGroup::broadcast(void* data, std::size_t bytes) const {
  in_pieces(static_cast<char*>(data), bytes,
            [](char* piece, int n) { MPI_Bcast(piece, n, MPI_BYTE, 0, MPI_COMM_WORLD); });
}

void MpiGroup::add_up(Complex* y, std::size_t n) const {
  in_pieces(reinterpret_cast<double*>(y), 2 * n, [this](double* piece, int count) {
    MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : piece, piece, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  });
}

void MpiGroup::send(const void* data, std::size_t bytes) const {
  in_pieces(static_cast<const char*>(data), bytes,
            [](const char* piece, int n) { MPI_Send(piece, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD); });
}

void MpiGroup::receive(int from, void* data, std::size_t bytes) const {
  in_pieces(static_cast<char*>(data), bytes, [from](char* piece, int n) {
    MPI_Recv(piece, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

// MPI_Allreduce gives all processes identical results (MPI 3.1, section 5.9.6).

void MpiGroup::sum(double* y, std::size_t n) const {
  in_pieces(y, n, [](double* piece, int count) {
    MPI_Allreduce(MPI_IN_PLACE, piece, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  });
}

void MpiGroup::largest(Index* y, std::size_t n) const {
  static_assert(sizeof(Index) == sizeof(int));
  in_pieces(y, n, [](Index* piece, int count) {
    MPI_Allreduce(MPI_IN_PLACE, piece, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  });
}

void MpiGroup::exchange(const char* out, const std::vector<std::size_t>& out_begin, char* in,
                        const std::vector<std::size_t>& in_begin) const {
  std::vector<MPI_Request> requests;
  for (int p = 0; p < size_; ++p)
    in_pieces(in + in_begin[std::size_t(p)], in_begin[std::size_t(p) + 1] - in_begin[std::size_t(p)],
              [&](char* piece, int n) {
                MPI_Irecv(piece, n, MPI_BYTE, p, 0, MPI_COMM_WORLD, &requests.emplace_back());
              });
  for (int p = 0; p < size_; ++p)
    in_pieces(out + out_begin[std::size_t(p)], out_begin[std::size_t(p) + 1] - out_begin[std::size_t(p)],
              [&](const char* piece, int n) {
                MPI_Isend(piece, n, MPI_BYTE, p, 0, MPI_COMM_WORLD, &requests.emplace_back());
              });
  MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace curlew::linalg
