// SPDX-License-Identifier: BSD-3-Clause
// Layout of these structures: "HDF5 File Format Specification", version 3, section IV.A.
#include "io/hdf5_headers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace curlew::io::h5 {
namespace {

enum Kind : unsigned {
  space = 0x01,
  type = 0x03,
  old_fill_value = 0x04,
  fill_value = 0x05,
  layout = 0x08,
  filters = 0x0b,
  attribute = 0x0c,
  continuation = 0x10
};
constexpr unsigned shared = 2;  // flag of a message
constexpr std::size_t most_pieces = 10'000;

constexpr std::uint64_t up_to_eight(std::uint64_t size) {
  return (size + 7) / 8 * 8;
}

/// Product without overflow: it is limited to the largest number.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

// ---- types ----

constexpr int most_nested = 32;
std::uint64_t size_of_type(Bytes& bytes, int depth = 0);

struct Members {
  unsigned version;
  std::uint64_t number, size;
  int depth;
};

void skip_member_name(Bytes& bytes, unsigned version) {
  const auto length = bytes.skip_name();
  if (version < 3) bytes.skip(up_to_eight(length) - length);
}

void check_compound(Bytes& bytes, const Members& of) {
  const auto offset_bytes = of.version < 3 ? 4 : std::size_t(std::bit_width(of.size | 1U) + 7) / 8;
  constexpr std::uint64_t old_extents = 28;
  for (std::uint64_t i = 0; i < of.number && bytes.ok(); ++i) {
    skip_member_name(bytes, of.version);
    const auto offset = bytes.number(offset_bytes);
    if (of.version == 1) bytes.skip(old_extents);
    if (offset + size_of_type(bytes, of.depth + 1) > of.size) bytes.refuse();
  }
}

void check_enumeration(Bytes& bytes, const Members& of) {
  const auto size = size_of_type(bytes, of.depth + 1);
  for (std::uint64_t i = 0; i < of.number && bytes.ok(); ++i) skip_member_name(bytes, of.version);
  bytes.skip(times(of.number, size));
}

void check_array(Bytes& bytes, const Members& of) {
  const auto rank = bytes.number(1);
  bytes.skip(of.version < 3 ? 3 + 8 * rank : 4 * rank);
  size_of_type(bytes, of.depth + 1);
}

/// Reads the type that begins here. @return the bytes of a value
std::uint64_t size_of_type(Bytes& bytes, int depth) {
  enum Class : unsigned {
    whole,
    real,
    time,
    text,
    bits,
    opaque,
    compound,
    reference,
    enumeration,
    list,
    array
  };
  const auto first = unsigned(bytes.number(1));
  const auto flags = bytes.number(3), size = bytes.number(4);
  const Members members{first >> 4U, flags & 0xffffU, size, depth};
  if (members.version < 1 || members.version > 3 || depth > most_nested) bytes.refuse();
  switch (first & 15U) {
    case whole:
    case bits:
      bytes.skip(4);
      break;
    case real:
      bytes.skip(12);
      break;
    case time:
      bytes.skip(2);
      break;
    case text:
    case reference:
      break;
    case opaque:
      bytes.skip(flags & 0xffU);
      break;
    case compound:
      check_compound(bytes, members);
      break;
    case enumeration:
      check_enumeration(bytes, members);
      break;
    case list:
      size_of_type(bytes, depth + 1);
      break;
    case array:
      check_array(bytes, members);
      break;
    default:
      bytes.refuse();
  }
  return size;
}

/// Bytes per entry if values of this type are lists (texts too), otherwise 0.
std::uint64_t entry_of_list(Bytes bytes) {
  constexpr unsigned list = 9;
  const auto first = unsigned(bytes.number(1));
  bytes.skip(7);
  return (first & 15U) == list ? size_of_type(bytes) : 0;
}

// ---- storage of a dataset ----

void check_fill_value(Bytes& bytes) {
  const auto version = bytes.number(1);
  bool has_value = version == 1;
  if (version == 3) {
    has_value = (bytes.number(1) & 0x20U) != 0;
  } else {
    bytes.skip(2);
    has_value |= bytes.number(1) != 0;
  }
  if (!has_value) return;
  const auto size = bytes.number(4);
  if (size < 0x8000'0000U) bytes.skip(size);  // otherwise it is negative: undefined
}

/// Values stored in the header itself.
void check_layout(Bytes& bytes) {
  if (const auto version = bytes.number(1); version >= 3) {
    if (bytes.number(1) == 0) bytes.skip(bytes.number(2));
  } else {
    const auto rank = bytes.number(1);
    if (bytes.number(1) != 0) return;
    bytes.skip(5 + 4 * rank);
    bytes.skip(bytes.number(4));
  }
}

void check_filters(Bytes& bytes) {
  constexpr std::uint64_t first_with_name = 256;
  const auto version = bytes.number(1), number = bytes.number(1);
  if (version == 1) bytes.skip(6);
  for (std::uint64_t i = 0; i < number && bytes.ok(); ++i) {
    const auto filter = bytes.number(2);
    const auto name = version == 1 || filter >= first_with_name ? bytes.number(2) : 0;
    bytes.skip(2);
    const auto values = bytes.number(2);
    bytes.skip(version == 1 ? up_to_eight(name) : name);
    bytes.skip(4 * (version == 1 ? values + values % 2 : values));
  }
}

}  // namespace

// ---- bytes ----

std::uint64_t Bytes::number(std::size_t size) {
  const Bytes found = part(size);
  std::uint64_t value = 0;
  if (ok_)
    for (std::size_t i = size; i-- > 0;) value = value << 8U | found.first_[i];
  return value;
}

Bytes Bytes::part(std::uint64_t size) {
  if (size > left_) refuse();
  if (!ok_) return {first_, 0};
  const Bytes found(first_, std::size_t(size));
  first_ += size, left_ -= std::size_t(size);
  return found;
}

std::size_t Bytes::skip_name() {
  const auto* const end = std::find(first_, first_ + left_, std::uint8_t(0));
  const auto length = std::size_t(end - first_) + 1;
  skip(length);
  return length;
}

// ---- headers ----

HeaderReader::HeaderReader(const std::string& path, std::uint64_t base, std::size_t offset_size,
                           std::size_t length_size)
    : file_(path, std::ios::binary | std::ios::ate),
      base_(base),
      offset_size_(offset_size),
      length_size_(length_size) {
  if (file_) file_size_ = std::uint64_t(file_.tellg());
}

Verdict HeaderReader::look_at(std::uint64_t address) {
  entry_ = 0, values_.clear(), place_ = {};
  if (!visit(address, [this](Message message) { return check(message); })) return damaged;
  if (entry_ > 0 && place_.size > 0) values_ = read(place_);
  if (entry_ > 0 && !check_lists({values_.data(), values_.size()}, entry_)) return damaged;
  return sound;
}

/// Empty if the file does not hold it.
std::vector<std::uint8_t> HeaderReader::read(Piece piece) {
  if (base_ > file_size_ || piece.address > file_size_ - base_ ||
      piece.size > file_size_ - base_ - piece.address)
    return {};
  std::vector<std::uint8_t> bytes(piece.size);
  file_.clear();
  file_.seekg(std::streamoff(base_ + piece.address));
  file_.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!file_) bytes.clear();
  return bytes;
}

bool HeaderReader::visit(std::uint64_t address, const Look& look) {
  constexpr std::size_t most_size = 8;
  const auto first = read({address, 1});
  if (first.empty() || std::max(offset_size_, length_size_) > most_size) return false;
  return first[0] == 1 ? visit_old(address, look) : visit_new(address, look);
}

bool HeaderReader::visit_old(std::uint64_t address, const Look& look) {
  constexpr std::size_t prefix_size = 16;
  const auto prefix = read({address, prefix_size});
  Bytes bytes(prefix.data(), prefix.size());
  bytes.skip(8);
  std::vector<Piece> pieces{{address + prefix_size, bytes.number(4)}};
  if (!bytes.ok()) return false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {  // the list grows in the loop
    const auto piece = read(pieces[i]);
    if (piece.size() != pieces[i].size) return false;
    if (!visit_piece({piece.data(), piece.size()}, false, false, pieces, look)) return false;
  }
  return true;
}

bool HeaderReader::visit_new(std::uint64_t address, const Look& look) {
  constexpr std::size_t most_prefix = 34, signature = 4, checksum = 4;
  const auto prefix = read({address, std::min<std::uint64_t>(most_prefix, file_size_ - base_ - address)});
  if (prefix.size() < signature || std::memcmp(prefix.data(), "OHDR", signature) != 0) return false;
  Bytes bytes(prefix.data(), prefix.size());
  bytes.skip(signature);
  const auto version = bytes.number(1), flags = bytes.number(1);
  bytes.skip(((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0));
  const auto size = bytes.number(std::size_t(1) << (flags & 3U));
  if (!bytes.ok() || version != 2) return false;
  const bool has_order = (flags & 4U) != 0;
  std::vector<Piece> pieces{{address + prefix.size() - bytes.left(), size}};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = read(pieces[i]);
    if (piece.size() != pieces[i].size) return false;
    Bytes messages(piece.data(), piece.size());
    if (i > 0) {  // "OCHK", messages and a checksum
      messages.skip(signature);
      if (messages.left() < checksum) return false;
      messages = messages.part(messages.left() - checksum);
    }
    if (!visit_piece(messages, true, has_order, pieces, look)) return false;
  }
  return true;
}

bool HeaderReader::visit_piece(Bytes bytes, bool is_new, bool has_order, std::vector<Piece>& later,
                               const Look& look) {
  const std::size_t heading = is_new ? 4 + (has_order ? 2 : 0) : 8;
  while (bytes.left() >= heading) {  // a new one may end with a gap
    const auto kind = unsigned(bytes.number(is_new ? 1 : 2));
    const auto size = bytes.number(2);
    const auto flags = unsigned(bytes.number(1));
    bytes.skip(is_new ? heading - 4 : 3);
    Bytes message = bytes.part(size);
    if (!bytes.ok()) return false;
    if (kind != continuation) {
      if (!look({kind, flags, message})) return false;
      continue;
    }
    const auto address = message.number(offset_size_), length = message.number(length_size_);
    if (!message.ok() || later.size() == most_pieces) return false;
    later.push_back({address, length});
  }
  return bytes.left() == 0 || is_new;
}

// ---- messages ----

bool HeaderReader::check(Message message) {
  Bytes& bytes = message.bytes;
  if ((message.flags & shared) != 0) return message.kind != type || size_of_named_type(bytes) > 0;
  switch (message.kind) {
    case space:
      values_of_space(bytes);
      break;
    case type:
      entry_ = entry_of_list(bytes);
      size_of_type(bytes);
      break;
    case old_fill_value:
      bytes.skip(bytes.number(4));
      break;
    case fill_value:
      check_fill_value(bytes);
      break;
    case layout:
      note_layout(bytes);
      check_layout(bytes);
      break;
    case filters:
      check_filters(bytes);
      break;
    case attribute:
      check_attribute(bytes);
      break;
    default:
      break;
  }
  return bytes.ok();
}

/// The name, the type and the shape of an attribute have separate lengths; its values follow them.
void HeaderReader::check_attribute(Bytes& bytes) {
  constexpr unsigned shared_type = 1, shared_space = 2;
  const auto version = bytes.number(1), flags = bytes.number(1) * (version > 1 ? 1 : 0);
  const auto name_size = bytes.number(2), type_size = bytes.number(2), space_size = bytes.number(2);
  if (version == 3) bytes.skip(1);
  if (version < 1 || version > 3 || (flags & shared_space) != 0) bytes.refuse();
  const auto part = [&](std::uint64_t size) {
    const Bytes found = bytes.part(size);
    if (version == 1) bytes.skip(up_to_eight(size) - size);
    return found;
  };
  Bytes name = part(name_size), in_type = part(type_size), in_space = part(space_size);
  if (name.skip_name() != name_size) bytes.refuse();
  const auto entry = (flags & shared_type) != 0 ? 0 : entry_of_list(in_type);
  const auto size = (flags & shared_type) != 0 ? size_of_named_type(in_type) : size_of_type(in_type);
  const auto values = values_of_space(in_space);
  if (!name.ok() || !in_type.ok() || !in_space.ok()) bytes.refuse();
  if (!check_lists(bytes.part(times(values, size)), entry)) bytes.refuse();
}

/// Notes the position of values that are contiguous, in the header or elsewhere.
void HeaderReader::note_layout(Bytes bytes) {
  if (bytes.number(1) < 3) return;
  const auto kind = bytes.number(1);
  if (kind == 0) {
    Bytes values = bytes.part(bytes.number(2));
    while (values.left() > 0) values_.push_back(std::uint8_t(values.number(1)));
  } else if (kind == 1) {
    place_.address = bytes.number(offset_size_), place_.size = bytes.number(length_size_);
  }
}

/// Lists are in heaps of the file, each given by an address and a number: HDF5 1.10 checks neither number nor
/// size.
/// @param entry bytes of an entry; 0: the values are no lists
bool HeaderReader::check_lists(Bytes values, std::uint64_t entry) {
  while (entry > 0 && values.left() > 0) {
    const auto length = values.number(4), address = values.number(offset_size_), number = values.number(4);
    if (!values.ok()) return false;
    if (length == 0 || address == 0) continue;
    const auto& sizes = sizes_in_heap(address);
    const auto found = sizes.find(number);
    if (found == sizes.end() || found->second != times(length, entry)) return false;
  }
  return true;
}

/// Sizes of the objects in a "global heap collection"; empty if it is none, or damaged.
const std::map<std::uint64_t, std::uint64_t>& HeaderReader::sizes_in_heap(std::uint64_t address) {
  const auto [place, is_new] = heaps_.try_emplace(address);
  if (!is_new) return place->second;
  constexpr std::size_t signature = 4;
  const auto prefix = read({address, 8 + length_size_});
  if (prefix.empty() || std::memcmp(prefix.data(), "GCOL", signature) != 0) return place->second;
  Bytes heading(prefix.data(), prefix.size());
  heading.skip(8);
  const auto heap = read({address, heading.number(length_size_)});
  Bytes bytes(heap.data(), heap.size());
  bytes.skip(prefix.size());
  while (bytes.left() >= 8 + length_size_) {
    const auto number = bytes.number(2);
    bytes.skip(6);
    const auto size = bytes.number(length_size_);
    if (number == 0) break;  // free space
    bytes.skip(size > bytes.left() ? size : up_to_eight(size));
    if (!bytes.ok()) break;
    place->second[number] = size;
  }
  return place->second;
}

std::uint64_t HeaderReader::values_of_space(Bytes& bytes) const {
  constexpr std::uint64_t most_rank = 32, null = 2;
  const auto version = bytes.number(1), rank = bytes.number(1), flags = bytes.number(1);
  const auto kind = bytes.number(1);
  if (version == 1) bytes.skip(4);
  if (version < 1 || version > 2 || rank > most_rank) bytes.refuse();
  std::uint64_t values = version == 2 && kind == null ? 0 : 1;
  for (std::uint64_t axis = 0; axis < rank && bytes.ok(); ++axis)
    values = times(values, bytes.number(length_size_));
  if ((flags & 1U) != 0) bytes.skip(rank * length_size_);
  return values;
}

/// 0 if it is not one.
std::uint64_t HeaderReader::size_of_named_type(Bytes& bytes) {
  const auto version = bytes.number(1);
  const auto place = bytes.number(1);
  const auto address = bytes.number(offset_size_);
  if ((version != 2 && version != 3) || (version == 3 && place != 2)) bytes.refuse();
  std::uint64_t size = 0;
  const bool sound = bytes.ok() && visit(address, [&](Message message) {
                       if (message.kind != type) return true;
                       if ((message.flags & shared) != 0) return false;
                       size = size_of_type(message.bytes);
                       return message.bytes.ok();
                     });
  if (!sound) bytes.refuse();
  return sound ? size : 0;
}

}  // namespace curlew::io::h5
