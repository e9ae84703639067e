// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stages of one evaluation on a CUDA device, in one precision, all regimes. Compiled with CUDA only; the
// kernels are in device/.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/complex.hpp"
#include "ngim/scheme.hpp"
#include "ngim/share.hpp"

struct CUstream_st;

namespace curlew::ngim {

namespace device {
struct DeviceTree;
}

/// Points, tree, lists and scheme on the device.
struct DeviceProblem {
  Scheme scheme;
  std::unique_ptr<device::DeviceTree> tree;
  double copy_seconds = 0, tree_seconds = 0;  ///< to copy points; to make tree and lists

  /// @param targets ignored when same_points
  /// @throws as Plan
  DeviceProblem(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                bool same_points, Complex k, Accuracy accuracy, bool single_precision, Offset leaf_size);
  ~DeviceProblem();

  /// Source ranges of each box, in the order of the tree. @pre the tree was not moved to a solver
  std::vector<SourceRange> source_ranges() const;
};

/// Tree and lists in the format of the host, for comparison: boxes, children, leaves, colleagues, points,
/// lists.
std::pair<Tree, InteractionLists> download_tree(const DeviceProblem& problem);

template <class T>
class DeviceSolver {
 public:
  /// Makes matrices and cones; moves the tree from the problem. Work arrays for one charge vector are
  /// allocated immediately, those for four when first needed.
  /// @throws ResourceError if they do not fit
  DeviceSolver(DeviceProblem& problem, bool gradient);
  ~DeviceSolver();

  /// Fields of any number of charge vectors: device pointers, in the caller's order of points and units. U is
  /// float or double. Returns when the work is queued in the stream; calls share the work arrays.
  /// @param charges   [num_vectors, n]
  /// @param potential [num_vectors, m], overwritten
  /// @param gradient [num_vectors, 3, m], overwritten; nullptr: not computed
  template <class U>
  void apply(const complex<U>* charges, Index num_vectors, complex<U>* potential, complex<U>* gradient,
             CUstream_st* stream = nullptr) const;
  /// The same with arrays on the host; waits for the result.
  void apply_host(const Complex* charges, Index num_vectors, Complex* potential, Complex* gradient) const;

  // ---- parts of apply() for solvers of one tree that share grids of sources ---- Largest number of vectors
  // processed together.
  int most_together() const;
  /// Allocates memory for `given` vectors. @return false if there is not enough, but fewer vectors may fit
  /// @throws ResourceError if there is not enough for one
  bool reserve(Index given, bool gradient) const;
  /// Whether reserve() would free arrays. The caller must then wait for all devices first.
  bool must_grow(Index given, bool gradient) const;
  /// Sets the boxes of this solver among those of solvers with the same tree; default: all.
  void set_share(BoxShares shares, int index);
  /// Computes the near field, in a second stream, and the grids of this solver's boxes. @pre reserve(given,
  /// gradient)
  template <class U>
  void start(const complex<U>* charges, Index given, bool gradient, CUstream_st* stream) const;
  /// Copies the grids of the boxes of another solver, which has started, on any device.
  void receive(const DeviceSolver& other, Index given, CUstream_st* stream) const;
  /// Computes all further stages. @pre grids of all others were received
  template <class U>
  void finish(Index given, complex<U>* potential, complex<U>* gradient, CUstream_st* stream) const;

  std::size_t device_bytes() const;
  Offset near_pairs() const;
  /// Milliseconds of each stage of one evaluation of 1 or 4 charge vectors, timed in sequence with events.
  std::vector<std::pair<std::string, double>> time_stages(const complex<T>* charges, int num_vectors = 1,
                                                          bool gradient = false) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Pairs per second of a plain all-pairs sum of n points with the same arithmetic as the near field: an upper
/// limit for it.
template <class T>
double all_pairs_rate(Offset n, double k);

}  // namespace curlew::ngim
