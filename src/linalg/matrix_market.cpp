// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

struct Header {
  bool complex = false, pattern = false;
  bool symmetric = false, skew = false, hermitian = false;
};

/// Reads words and numbers line by line and counts lines for messages.
class LineReader {
 public:
  explicit LineReader(const std::string& file) : file_(file), in_(file) {
    if (!in_) throw InputError(fmt::format("{}: cannot be opened", file));
  }

  /// The next line that is neither empty nor a comment; false at the end.
  bool next() {
    while (std::getline(in_, line_)) {
      ++number_;
      rest_ = line_;
      skip_blanks();
      if (!rest_.empty() && rest_.front() != '%') return true;
    }
    return false;
  }
  /// The next line as it is.
  bool next_raw() {
    ++number_;
    if (!std::getline(in_, line_)) return false;
    rest_ = line_;
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const auto end = std::min(rest_.find_first_of(" \t\r"), rest_.size());
    const auto result = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return result;
  }
  template <class T>
  T number(const char* what) {
    auto text = word();
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    T value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size())
      fail(fmt::format("\"{}\" where {} is expected", text, what));
    return value;
  }
  void expect_end() {
    skip_blanks();
    if (!rest_.empty()) fail(fmt::format("\"{}\" behind the last value", rest_));
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw InputError(fmt::format("{}:{}: {}", file_, number_, text));
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }

  std::string file_, line_;
  std::ifstream in_;
  std::string_view rest_;
  long number_ = 0;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return result;
}

Header read_header(LineReader& reader) {
  if (!reader.next_raw() || lower(reader.word()) != "%%matrixmarket")
    reader.fail("not a Matrix Market file: the first line must start with %%MatrixMarket");
  if (lower(reader.word()) != "matrix") reader.fail("only objects of type \"matrix\" are read");
  if (const auto format = lower(reader.word()); format != "coordinate")
    reader.fail(fmt::format("format \"{}\": only \"coordinate\" (sparse) is read", format));
  Header header;
  const auto field = lower(reader.word());
  header.complex = field == "complex";
  header.pattern = field == "pattern";
  if (!header.complex && !header.pattern && field != "real" && field != "integer")
    reader.fail(fmt::format("field \"{}\": must be real, complex, integer or pattern", field));
  const auto symmetry = lower(reader.word());
  header.symmetric = symmetry == "symmetric";
  header.skew = symmetry == "skew-symmetric";
  header.hermitian = symmetry == "hermitian";
  if (!header.symmetric && !header.skew && !header.hermitian && symmetry != "general")
    reader.fail(fmt::format("symmetry \"{}\": must be general, (skew-)symmetric or hermitian", symmetry));
  return header;
}

Index read_size(LineReader& reader, const char* what) {
  const auto value = reader.number<Offset>(what);
  if (value < 0 || value > std::numeric_limits<Index>::max())
    reader.fail(fmt::format("{} {} is outside 0..{}", what, value, std::numeric_limits<Index>::max()));
  return Index(value);
}

/// Otherwise a damaged line of sizes would allocate rows that the file does not have.
void check_rows(const LineReader& reader, Offset rows, Offset entries, bool general) {
  constexpr Offset most_empty = Offset(1) << 24U;  // 128 MiB of row offsets
  const Offset filled = std::min(entries, rows) * (general ? 1 : 2);
  if (rows - filled > most_empty)
    reader.fail(fmt::format("{} rows for {} entries: at least {} rows would be empty, at most {} may be",
                            rows, entries, rows - filled, most_empty));
}

void read_entry(LineReader& reader, const Header& header, Coo<Complex>& coo) {
  const auto row = reader.number<Offset>("a row number") - 1;
  const auto column = reader.number<Offset>("a column number") - 1;
  if (row < 0 || row >= coo.num_rows || column < 0 || column >= coo.num_cols)
    reader.fail(fmt::format("row {}, column {} is outside the {} x {} matrix (numbers start at 1)", row + 1,
                            column + 1, coo.num_rows, coo.num_cols));
  Complex value = 1;
  if (!header.pattern) value = reader.number<double>("a number");
  if (header.complex) value.imag(reader.number<double>("a number"));
  reader.expect_end();
  if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
    reader.fail("the value is not a finite number");
  coo.add(Index(row), Index(column), value);
  if (row == column) return;
  if (header.symmetric) coo.add(Index(column), Index(row), value);
  if (header.skew) coo.add(Index(column), Index(row), -value);
  if (header.hermitian) coo.add(Index(column), Index(row), std::conj(value));
}

void write_entries(std::FILE* out, const Csr<Complex>& a, bool symmetric, bool real) {
  fmt::memory_buffer text;
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (symmetric && a.columns[k] > i) break;
      fmt::format_to(fmt::appender(text), "{} {} {:.17g}", i + 1, a.columns[k] + 1, a.values[k].real());
      if (!real) fmt::format_to(fmt::appender(text), " {:.17g}", a.values[k].imag());
      text.push_back('\n');
    }
    if (text.size() > 1 << 16 || i + 1 == a.num_rows) {
      std::fwrite(text.data(), 1, text.size(), out);  // errors are checked when the file is closed
      text.clear();
    }
  }
}

}  // namespace

Csr<Complex> read_matrix_market(const std::string& file) {
  LineReader reader(file);
  const Header header = read_header(reader);
  if (!reader.next()) reader.fail("the line of sizes (rows columns entries) is missing");
  Coo<Complex> coo;
  coo.num_rows = read_size(reader, "number of rows");
  coo.num_cols = read_size(reader, "number of columns");
  const auto entries = reader.number<Offset>("number of entries");
  reader.expect_end();
  if (entries < 0) reader.fail(fmt::format("{} entries: must be 0 or more", entries));
  const bool general = !header.symmetric && !header.skew && !header.hermitian;
  if (!general && coo.num_rows != coo.num_cols)
    reader.fail(fmt::format("a {} x {} matrix cannot be symmetric", coo.num_rows, coo.num_cols));
  check_rows(reader, coo.num_rows, entries, general);
  for (Offset k = 0; k < entries; ++k) {
    if (!reader.next()) reader.fail(fmt::format("the file ends after {} of {} entries", k, entries));
    read_entry(reader, header, coo);
  }
  if (reader.next()) reader.fail(fmt::format("more than the {} entries announced", entries));
  return to_csr(coo);
}

void write_matrix_market(const std::string& file, const Csr<Complex>& a, const std::string& comment) {
  const bool symmetric = a.num_rows == a.num_cols && asymmetry(a) == 0;
  const bool real = is_real(a);
  Offset entries = a.nnz();
  if (symmetric) {
    entries = 0;
    for (Index i = 0; i < a.num_rows; ++i) {
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) entries += a.columns[k] <= i;
    }
  }
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr)
    throw ResourceError(fmt::format("{}: cannot be written ({})", file, std::strerror(errno)));
  fmt::print(out, "%%MatrixMarket matrix coordinate {} {}\n", real ? "real" : "complex",
             symmetric ? "symmetric" : "general");
  for (std::size_t begin = 0; begin < comment.size();) {
    const auto end = std::min(comment.find('\n', begin), comment.size());
    fmt::print(out, "% {}\n", comment.substr(begin, end - begin));
    begin = end + 1;
  }
  fmt::print(out, "{} {} {}\n", a.num_rows, a.num_cols, entries);
  write_entries(out, a, symmetric, real);
  const bool failed = std::ferror(out) != 0;
  if (std::fclose(out) != 0 || failed)
    throw ResourceError(fmt::format("{}: cannot be written (disk full?)", file));
}

}  // namespace curlew::linalg
