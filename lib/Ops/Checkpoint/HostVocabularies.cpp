// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the places of words in two vocabularies, and moves the rows and columns
// of a checkpoint's matrix to them.
#include "lib/Ops/Checkpoint/Host.h"

#include "lib/IO/BundleIndex.h"
#include "lib/IO/BundleReader.h"
#include "lib/IO/InputFile.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_map>

namespace kiln::host {

using namespace io;
namespace {

/// The lines of a file; at most `limit` of them, which must be there, where
/// that is not negative.
StatusOr<std::vector<std::string>> linesOf(const HostCall &call, size_t input,
                                           std::string_view name,
                                           int64_t limit) {
  const Tensor &tensor = call.inputs[input];
  if (tensor.rank() != 0)
    return invalidArgumentError(strCat(name,
                                       " should be a single string, but got ",
                                       tensor.shape().toString()));
  const std::string path(tensor.data<String>()[0].view());
  if (path.empty())
    return invalidArgumentError("new vocab filename cannot be empty.");
  KILN_RETURN_IF_ERROR(call.files.check(path));
  KILN_ASSIGN_OR_RETURN(auto file, InputFile::open(path, Compression::None));
  std::vector<std::string> lines;
  std::string line;
  size_t place = 0;
  while (limit < 0 || static_cast<int64_t>(lines.size()) < limit) {
    KILN_ASSIGN_OR_RETURN(bool isThere, file->readLine(line));
    if (!isThere && lines.empty())
      return outOfRangeError("Read less bytes than requested");
    if (!isThere)
      break;
    place += line.size() + 1;
    if (line.empty())
      return invalidArgumentError(strCat("Invalid content in ", path,
                                         ": empty line found at position ",
                                         place, "."));
    lines.push_back(line);
  }
  if (limit > static_cast<int64_t>(lines.size()))
    return invalidArgumentError(strCat("Invalid vocab_size in ", path,
                                       ": expected ", limit, " but got ",
                                       lines.size()));
  return lines;
}

/// From an old row or column to the new one.
using Places = std::unordered_map<int64_t, int64_t>;

StatusOr<Places> placesOf(std::span<const int64_t> remapping) {
  Places places;
  for (size_t i = 0; i < remapping.size(); ++i) {
    if (remapping[i] < 0)
      continue;
    auto [found, isNew] = places.emplace(remapping[i], static_cast<int64_t>(i));
    if (!isNew)
      return unimplementedError(
          strCat("Old ID ", remapping[i], " is mapped to both new ID ",
                 found->second, " and ", i, ", which is not supported."));
  }
  return places;
}

/// The matrix that is asked for, and where it comes from.
struct Remapping {
  std::span<const int64_t> rows, columns;
  int64_t numRows, numColumns;
  Places newRows, newColumns;

  bool movesColumns() const { return !columns.empty(); }
  bool isKnown(int64_t row, int64_t column) const {
    return rows[static_cast<size_t>(row)] >= 0 &&
           (!movesColumns() || columns[static_cast<size_t>(column)] >= 0);
  }
};

StatusOr<Remapping> remappingOf(const HostCall &call) {
  const Tensor &rows = call.inputs[2], &columns = call.inputs[3];
  Remapping result{rows.data<int64_t>(),
                   columns.data<int64_t>(),
                   call.node.attrOr<int64_t>("num_rows", 0),
                   call.node.attrOr<int64_t>("num_cols", 1),
                   {},
                   {}};
  if (rows.rank() != 1)
    return invalidArgumentError(
        strCat("The `row_remapping` tensor must be 1-D, got a tensor of shape ",
               rows.shape().toString()));
  if (rows.dim(0) != result.numRows)
    return invalidArgumentError(
        strCat("Size of row_remapping is ", rows.dim(0),
               " instead of being equal to num_rows=", result.numRows));
  KILN_ASSIGN_OR_RETURN(result.newRows, placesOf(result.rows));
  if (result.movesColumns() && columns.dim(0) != result.numColumns)
    return invalidArgumentError(strCat(
        "Provided col_remapping, but its size is ", columns.numElements(),
        " instead of being equal to num_cols=", result.numColumns));
  KILN_ASSIGN_OR_RETURN(result.newColumns, placesOf(result.columns));
  return result;
}

Status checkStored(const std::string &name, const StoredTensor &stored,
                   const Remapping &remapping) {
  if (stored.dtype != DType::Float32)
    return invalidArgumentError(strCat("Tensor ", name, " has invalid type ",
                                       dtypeTfName(stored.dtype),
                                       " instead of expected type float"));
  if (stored.shape.rank() != 2)
    return invalidArgumentError(
        strCat("Tensor ", name, " has shape ", stored.shape.toString(),
               " of invalid rank ", stored.shape.rank(),
               " instead of expected shape of rank 2."));
  if (!remapping.movesColumns() && stored.shape.dim(1) != remapping.numColumns)
    return invalidArgumentError(
        strCat("Tensor ", name, " has shape ", stored.shape.toString(),
               ", where the size of its 2nd dimension is ", stored.shape.dim(1),
               " instead of being equal to num_cols=", remapping.numColumns));
  return okStatus();
}

/// Copies a stretch of the stored matrix that begins at a row.
void copyRows(const Tensor &part, int64_t firstRow, const Remapping &remapping,
              std::span<float> out) {
  std::span<const float> from = part.data<float>();
  const int64_t width = part.dim(1);
  for (int64_t row = 0; row < part.dim(0); ++row) {
    auto newRow = remapping.newRows.find(firstRow + row);
    if (newRow == remapping.newRows.end())
      continue;
    for (int64_t column = 0; column < width; ++column) {
      int64_t to = column;
      if (remapping.movesColumns()) {
        auto newColumn = remapping.newColumns.find(column);
        if (newColumn == remapping.newColumns.end())
          continue;
        to = newColumn->second;
      }
      out[static_cast<size_t>(newRow->second * remapping.numColumns + to)] =
          from[static_cast<size_t>(row * width + column)];
    }
  }
}

/// Reads the rows between the first and the last that are asked for.
Status readRows(BundleReader &reader, const std::string &name,
                const StoredTensor &stored, const Remapping &remapping,
                int64_t rowsAtOnce, std::span<float> out) {
  int64_t first = -1, last = -1;
  for (int64_t row : remapping.rows) {
    if (row >= 0 && (first < 0 || row < first))
      first = row;
    last = std::max(last, row);
  }
  if (last >= stored.shape.dim(0))
    return internalError(strCat("Extent in dimension 0 out of bounds: shape = ",
                                stored.shape.toString(), ", slice = ", first,
                                ",", last - first + 1, ":-"));
  while (first >= 0 && first <= last) {
    const int64_t count = rowsAtOnce <= 0
                              ? last - first + 1
                              : std::min(rowsAtOnce, last - first + 1);
    TensorSlice slice;
    slice.extents = {{first, count}, {0, stored.shape.dim(1)}};
    KILN_ASSIGN_OR_RETURN(Tensor part, reader.readSlice(name, stored, slice));
    copyRows(part, first, remapping, out);
    first += count;
  }
  return okStatus();
}

} // namespace

Status generateVocabRemapping(const HostCall &call) {
  const auto offset = call.node.attrOr<int64_t>("new_vocab_offset", 0),
             count = call.node.attrOr<int64_t>("num_new_vocab", 0);
  KILN_ASSIGN_OR_RETURN(std::vector<std::string> words,
                        linesOf(call, 0, "new_vocab_file", -1));
  const std::optional<int64_t> end = checkedAdd(offset, count);
  if (!end || *end > static_cast<int64_t>(words.size()))
    return invalidArgumentError(
        "lookup table size must be larger than last new vocab entry's line");
  KILN_ASSIGN_OR_RETURN(
      std::vector<std::string> old,
      linesOf(call, 1, "old_vocab_file",
              call.node.attrOr<int64_t>("old_vocab_size", -1)));
  std::unordered_map<std::string_view, int64_t> places;
  for (size_t i = 0; i < old.size(); ++i) {
    auto [found, isNew] = places.emplace(old[i], static_cast<int64_t>(i));
    if (!isNew)
      return failedPreconditionError(
          strCat("HashTable has different value for same key. Key ", old[i],
                 " has ", found->second, " and trying to add value ", i));
  }
  std::vector<int64_t> remapping;
  int32_t present = 0;
  for (int64_t i = 0; i < count; ++i) {
    auto found = places.find(words[static_cast<size_t>(offset + i)]);
    remapping.push_back(found == places.end() ? -1 : found->second);
    present += found != places.end();
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(
                            {count}, std::span<const int64_t>(remapping)));
  KILN_ASSIGN_OR_RETURN(call.outputs[1],
                        Tensor::fromValues<int32_t>(Shape(), {present}));
  return okStatus();
}

Status loadAndRemapMatrix(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Remapping remapping, remappingOf(call));
  const Tensor &path = call.inputs[0], &tensorName = call.inputs[1],
               &initial = call.inputs[4];
  if (path.numElements() != 1)
    return invalidArgumentError(
        strCat("The `ckpt_path` tensor must have exactly one element, got "
               "tensor of shape ",
               path.shape().toString()));
  if (tensorName.numElements() != 1)
    return invalidArgumentError(
        strCat("The `old_tensor_name` tensor must have exactly one element, "
               "got tensor of shape ",
               tensorName.shape().toString()));
  const std::string prefix(path.data<String>()[0].view()),
      name(tensorName.data<String>()[0].view());
  KILN_ASSIGN_OR_RETURN(BundleReader reader,
                        BundleReader::open(prefix, call.files));
  KILN_ASSIGN_OR_RETURN(StoredTensor stored, reader.find(name));
  KILN_RETURN_IF_ERROR(checkStored(name, stored, remapping));
  KILN_ASSIGN_OR_RETURN(
      Tensor out,
      Tensor::zeros(DType::Float32, {remapping.numRows, remapping.numColumns}));
  std::span<float> matrix = out.mutableData<float>();
  KILN_RETURN_IF_ERROR(
      readRows(reader, name, stored, remapping,
               call.node.attrOr<int64_t>("max_rows_in_memory", -1), matrix));
  std::span<const float> fill = initial.data<float>();
  size_t used = 0;
  for (int64_t row = 0; row < remapping.numRows; ++row)
    for (int64_t column = 0; column < remapping.numColumns; ++column) {
      if (remapping.isKnown(row, column))
        continue;
      if (used == fill.size())
        return invalidArgumentError(
            strCat("initializing_values contained ", fill.size(),
                   " elements, but more missing values remain."));
      matrix[static_cast<size_t>(row * remapping.numColumns + column)] =
          fill[used++];
    }
  if (used != fill.size())
    return invalidArgumentError(strCat(
        "initializing_values contained ", fill.size(), " elements, but only ",
        used, " elements were used to fill in missing values."));
  call.outputs[0] = std::move(out);
  return okStatus();
}

} // namespace kiln::host
