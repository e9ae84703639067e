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

}  // namespace curlew::linalg
