// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Object headers of an HDF5 file, read byte by byte: HDF5 1.10 does not check the lengths in them, and reads
// beyond its memory if types, names and values of attributes are damaged. A child process that reads the
// whole file does not find this: where the length of an attribute's shape is damaged, the library reports
// success and hands out whatever lies behind the attribute in its memory.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "io/hdf5_check.hpp"

namespace curlew::io::h5 {

/// The unread bytes of a header message. Reads beyond its end give zeros and are recorded.
class Bytes {
 public:
  Bytes(const std::uint8_t* first, std::size_t size) : first_(first), left_(size) {}
  /// Little-endian, of at most eight bytes.
  std::uint64_t number(std::size_t size);
  Bytes part(std::uint64_t size);
  void skip(std::uint64_t size) { part(size); }
  /// Skips a zero-terminated name. @return its length with the zero
  std::size_t skip_name();
  std::size_t left() const { return left_; }
  bool ok() const { return ok_; }
  void refuse() { ok_ = false, left_ = 0; }

 private:
  const std::uint8_t* first_;
  std::size_t left_;
  bool ok_ = true;
};

class HeaderReader {
 public:
  /// @param base offset of addresses in the file
  /// @param offset_size, length_size bytes of an address and of a length
  HeaderReader(const std::string& path, std::uint64_t base, std::size_t offset_size, std::size_t length_size);

  /// Sound if types, shapes, filters and attributes of the object stay within their messages and texts are at
  /// their expected positions. More than eight attributes of the newer format are in a heap, which is not
  /// read here: it has checksums, which the library compares.
  Verdict look_at(std::uint64_t address);

 private:
  struct Message {
    unsigned kind, flags;
    Bytes bytes;
  };
  struct Piece {
    std::uint64_t address, size;
  };
  using Look = std::function<bool(Message)>;

  std::vector<std::uint8_t> read(Piece piece);
  /// All messages of a header, with those of its later pieces. @return false if they do not fit or are
  /// refused
  bool visit(std::uint64_t address, const Look& look);
  bool visit_old(std::uint64_t address, const Look& look);
  bool visit_new(std::uint64_t address, const Look& look);
  bool visit_piece(Bytes bytes, bool is_new, bool has_order, std::vector<Piece>& later, const Look& look);
  bool check(Message message);
  void check_attribute(Bytes& bytes);
  void note_layout(Bytes bytes);
  bool check_lists(Bytes values, std::uint64_t entry);
  const std::map<std::uint64_t, std::uint64_t>& sizes_in_heap(std::uint64_t address);
  std::uint64_t values_of_space(Bytes& bytes) const;
  std::uint64_t size_of_named_type(Bytes& bytes);

  std::ifstream file_;
  std::uint64_t base_, file_size_ = 0;
  std::size_t offset_size_, length_size_;
  /// For the current object: bytes of an entry of its variable-length values, and these values if contiguous.
  std::uint64_t entry_ = 0;
  std::vector<std::uint8_t> values_;
  Piece place_{};
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> heaps_;  ///< address, number: bytes
};

}  // namespace curlew::io::h5
