// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/system_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "io/hdf5.hpp"

namespace curlew::fem {
namespace {

using Matrix = linalg::Csr<Complex>;

constexpr const char* system_format = "curlew-system";
constexpr int format_version = 1;

Matrix block_of(const System& system, int i, int j) {
  const auto& o = system.block_offsets;
  return linalg::block(system.a, o[std::size_t(i)], o[std::size_t(i) + 1], o[std::size_t(j)],
                       o[std::size_t(j) + 1]);
}

int num_levels(const System& system) {
  int levels = 3;
  while (levels > 1 &&
         system.block_offsets[std::size_t(levels)] == system.block_offsets[std::size_t(levels) - 1])
    --levels;
  return levels;
}

Matrix read_csr(const io::H5Group& group, const std::string& what) {
  Matrix a;
  a.row_offsets = group.read<Offset>("row_offsets");
  a.columns = group.read<Index>("columns");
  a.values = group.read<Complex>("values");
  if (a.row_offsets.empty()) throw InputError(what + ": row_offsets is empty");
  a.num_rows = Index(a.row_offsets.size() - 1);
  const double num_cols =
      group.has_attribute("num_cols") ? group.number_attribute("num_cols") : double(a.num_rows);
  if (!(num_cols >= 0 && num_cols <= std::numeric_limits<Index>::max()))
    throw InputError(fmt::format("{}: num_cols is {}", what, num_cols));
  a.num_cols = Index(num_cols);
  linalg::check_structure(a, what.c_str());
  return a;
}

/// Appends the rows of blocks [i][0..levels) in sequence.
void append_rows(const std::vector<Matrix>& blocks, const std::array<Index, 4>& offsets, Matrix& a) {
  for (Index r = 0; r < blocks[0].num_rows; ++r) {
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      const auto begin = blocks[j].row_offsets[std::size_t(r)],
                 end = blocks[j].row_offsets[std::size_t(r) + 1];
      for (Offset k = begin; k < end; ++k) {
        a.columns.push_back(blocks[j].columns[std::size_t(k)] + offsets[j]);
        a.values.push_back(blocks[j].values[std::size_t(k)]);
      }
    }
    a.row_offsets.push_back(Offset(a.columns.size()));
  }
}

System read_blocks(const io::H5Group& group, const std::string& path) {
  System system;
  int levels = 1;
  while (levels < 3 && group.has(fmt::format("{0}{0}", levels))) ++levels;
  for (int i = 0; i < levels; ++i) {
    const auto name = fmt::format("{0}{0}", i);
    const auto offsets = group.group(name).shape("row_offsets");
    if (offsets.size() != 1 || offsets[0] == 0)
      throw InputError(fmt::format("{}: A/{}: row_offsets must be a list", path, name));
    const Index rows = Index(offsets[0]) - 1;
    system.block_offsets[std::size_t(i) + 1] = system.block_offsets[std::size_t(i)] + rows;
  }
  for (int i = levels; i < 3; ++i)
    system.block_offsets[std::size_t(i) + 1] = system.block_offsets[std::size_t(i)];
  for (int i = 0; i < levels; ++i) {
    std::vector<Matrix> row;
    for (int j = 0; j < levels; ++j) {
      const auto name = fmt::format("{}{}", i, j);
      row.push_back(read_csr(group.group(name), fmt::format("{}: A/{}", path, name)));
      const auto& o = system.block_offsets;
      if (row.back().num_rows != o[std::size_t(i) + 1] - o[std::size_t(i)] ||
          row.back().num_cols != o[std::size_t(j) + 1] - o[std::size_t(j)]) {
        throw InputError(
            fmt::format("{}: the size of block A/{} does not fit the diagonal blocks", path, name));
      }
    }
    append_rows(row, system.block_offsets, system.a);
  }
  system.a.num_rows = system.a.num_cols = system.block_offsets[3];
  return system;
}

}  // namespace

void write_system(const std::string& path, const System& system, const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, system_format, format_version);
  file.set_attribute("frequency_hz", system.frequency);
  for (int i = 0; i < num_levels(system); ++i) {
    for (int j = 0; j < num_levels(system); ++j) {
      const Matrix b = block_of(system, i, j);
      auto group = file.create_group(fmt::format("A/{}{}", i, j));
      group.set_attribute("num_cols", std::int64_t(b.num_cols));
      group.write("row_offsets", b.row_offsets, {"1", "first entry of every row, and the number of entries"});
      group.write("columns", b.columns, {"1", "column of every entry, from 0 within the block"});
      group.write("values", b.values, {system.matrix_unit, "entries of " + system.meaning});
    }
  }
  std::vector<Complex> rows(system.rhs.size());
  const auto n = std::size_t(system.a.num_rows), columns = std::size_t(system.num_rhs);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < n; ++i) rows[i * columns + j] = system.rhs[j * n + i];
  }
  if (columns > 0)
    file.write("rhs", rows, {system.rhs_unit, "right-hand sides (unknown, column)"}, {n, columns});
  file.close();
}

System read_system(const std::string& path) {
  const auto file = io::H5File::open(path);
  if (!file.is_group("A"))
    throw InputError(path + ": no group \"A\": not a system (fem-assemble writes system.h5)");
  if (file.has_attribute("format"))
    file.check_format(system_format, format_version);  // matrices of others have none
  const auto group = file.group("A");
  System system;
  if (group.has("row_offsets")) {
    system.a = read_csr(group, path + ": A");
    if (system.a.num_rows != system.a.num_cols) throw InputError(path + ": A is not square");
    system.block_offsets = {0, system.a.num_rows, system.a.num_rows, system.a.num_rows};
  } else {
    system = read_blocks(group, path);
  }
  if (file.has_attribute("frequency_hz")) system.frequency = file.number_attribute("frequency_hz");
  if (!file.has("rhs")) return system;
  io::Shape shape;
  const auto rows = file.read<Complex>("rhs", &shape);
  const auto n = std::size_t(system.a.num_rows);
  if (shape.empty() || shape[0] != n) throw InputError(fmt::format("{}: rhs has not {} rows", path, n));
  system.num_rhs = Index(shape.size() > 1 ? shape[1] : 1);
  system.rhs.resize(rows.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < std::size_t(system.num_rhs); ++j)
      system.rhs[j * n + i] = rows[i * std::size_t(system.num_rhs) + j];
  }
  return system;
}

std::vector<BlockInfo> block_table(const System& system) {
  std::vector<BlockInfo> table;
  for (int i = 0; i < num_levels(system); ++i) {
    for (int j = 0; j < num_levels(system); ++j) {
      const Matrix b = block_of(system, i, j);
      BlockInfo info{fmt::format("A{}{}", i, j), b.num_rows, b.num_cols, b.nnz(), 0};
      for (Index r = 0; r < b.num_rows; ++r) {
        info.longest_row = std::max(info.longest_row,
                                    Index(b.row_offsets[std::size_t(r) + 1] - b.row_offsets[std::size_t(r)]));
      }
      table.push_back(info);
    }
  }
  return table;
}

}  // namespace curlew::fem
