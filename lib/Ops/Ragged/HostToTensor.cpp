// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes tensors of rows of several lengths: cut off, or filled up with a
// default.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::host {
namespace {

enum class Partition : uint8_t { FirstSize, RowIds, RowSplits };

StatusOr<std::vector<Partition>> partitionsOf(const Node &node) {
  std::vector<Partition> list;
  for (const std::string &name :
       node.attrOr<std::vector<std::string>>("row_partition_types", {})) {
    if (name == "FIRST_DIM_SIZE")
      list.push_back(Partition::FirstSize);
    else if (name == "VALUE_ROWIDS")
      list.push_back(Partition::RowIds);
    else if (name == "ROW_SPLITS")
      list.push_back(Partition::RowSplits);
    else
      return invalidArgumentError(
          strCat("Unknown string for partition info type: ", name));
  }
  return list;
}

/// Where the rows of a dimension begin in the result, counted in elements of
/// the innermost ragged dimension; -1 for one that is cut off.
using Places = std::vector<int64_t>;

/// A row has eight bytes here: more of them than this are not meant.
constexpr int64_t maxRows = int64_t(1) << 28;

Status tooManyRows(int64_t rows) {
  return resourceExhaustedError(
      strCat("expected at most ", maxRows, " rows, got ", rows));
}

class RaggedToTensor {
public:
  explicit RaggedToTensor(const HostCall &call)
      : call(call), values(call.inputs[1]), fill(call.inputs[2]) {}

  Status run();

private:
  bool hasFirstSize() const { return types[0] == Partition::FirstSize; }
  size_t raggedRank() const { return types.size() - (hasFirstSize() ? 1 : 0); }
  /// What divides dimension d into rows.
  Partition type(size_t d) const { return types[d + (hasFirstSize() ? 1 : 0)]; }
  const Tensor &partition(size_t d) const {
    return call.inputs[3 + d + (hasFirstSize() ? 1 : 0)];
  }

  StatusOr<int64_t> firstSize() const;
  Status checkFill() const;
  Status findExtents(int64_t first);
  int64_t widest(size_t d) const;
  StatusOr<Places> divide(size_t d, const Places &outer, int64_t step,
                          int64_t extent) const;
  StatusOr<Places> bySplits(const Tensor &splits, const Places &outer,
                            int64_t step, int64_t extent) const;
  StatusOr<Places> byIds(const Tensor &ids, const Places &outer, int64_t step,
                         int64_t extent) const;
  void fillUp(Tensor &out, int64_t rows, int64_t size) const;

  const HostCall &call;
  const Tensor &values, &fill;
  std::vector<Partition> types;
  std::vector<int64_t> extents;
};

StatusOr<int64_t> RaggedToTensor::firstSize() const {
  switch (types[0]) {
  case Partition::FirstSize:
    return integerAt(call.inputs[3], 0);
  case Partition::RowIds:
    return invalidArgumentError(
        "Cannot handle VALUE_ROWIDS in first dimension.");
  case Partition::RowSplits:
    return call.inputs[3].numElements() - 1;
  }
  return 0;
}

Status RaggedToTensor::checkFill() const {
  auto error = [&](std::string why) {
    return invalidArgumentError(
        strCat("default_value.shape=", fill.shape().toString(),
               " and rt_input.flat_values.shape=", values.shape().toString(),
               " are incompatible: ", why));
  };
  if (fill.rank() >= values.rank())
    return error(strCat(
        "default_value.rank = ", fill.rank(),
        "  must be less than rt_input.flat_values.rank = ", values.rank()));
  for (int i = 0; i < fill.rank(); ++i) {
    const int place = values.rank() - fill.rank() + i;
    if (fill.dim(i) != 1 && fill.dim(i) != values.dim(place))
      return error(strCat("default_value.shape[", i - fill.rank(), "] = ",
                          fill.dim(i), " but rt_input.flat_values.shape[",
                          i - fill.rank(), "] = ", values.dim(place)));
  }
  return okStatus();
}

int64_t RaggedToTensor::widest(size_t d) const {
  const Tensor &rows = partition(d);
  int64_t widest = 0;
  if (type(d) == Partition::RowSplits) {
    for (int64_t i = 1; i < rows.numElements(); ++i)
      if (auto width = checkedAdd(integerAt(rows, i), -integerAt(rows, i - 1)))
        widest = std::max(widest, *width);
    return widest;
  }
  for (int64_t i = 0, first = 0; i < rows.numElements(); ++i) {
    if (integerAt(rows, i) != integerAt(rows, first))
      first = i;
    widest = std::max(widest, i - first + 1);
  }
  return widest;
}

/// The extents that are asked for; others are those of the values, or the
/// length of the longest row.
Status RaggedToTensor::findExtents(int64_t first) {
  const Tensor &wanted = call.inputs[0];
  const size_t rank = raggedRank() + static_cast<size_t>(values.rank());
  extents.assign(rank, -1);
  if (wanted.rank() > 1)
    return invalidArgumentError(
        strCat("shape must be a vector of {int32,int64}, got shape ",
               wanted.shape().toString()));
  if (wanted.rank() == 0 && integerAt(wanted, 0) != -1)
    return invalidArgumentError(
        strCat("if shape is a scalar, expected -1 (unknown rank), got ",
               integerAt(wanted, 0)));
  if (wanted.rank() == 1) {
    extents.clear();
    for (int64_t i = 0; i < wanted.numElements(); ++i)
      extents.push_back(integerAt(wanted, i));
    for (int64_t extent : extents)
      if (extent < -1)
        return invalidArgumentError(
            strCat("Dimension ", extent, " must be >= -1"));
    if (extents.size() != rank)
      return invalidArgumentError(
          strCat("rt_input.shape and shape=",
                 Shape(std::span<const int64_t>(extents)).toString(),
                 " are incompatible: rt_input.rank = ", rank,
                 " but shape.rank = ", extents.size()));
  }
  for (int i = 1; i < values.rank(); ++i) {
    const size_t place = raggedRank() + static_cast<size_t>(i);
    if (extents[place] >= 0 && extents[place] != values.dim(i))
      return invalidArgumentError(strCat(
          "rt_input.shape and shape=",
          Shape(std::span<const int64_t>(extents)).toString(),
          " are incompatible: rt_input.shape[", place, "] = ", values.dim(i),
          " but shape[", place, "] = ", extents[place]));
    extents[place] = values.dim(i);
  }
  if (extents[0] < 0)
    extents[0] = first;
  for (size_t d = 1; d <= raggedRank(); ++d)
    if (extents[d] < 0)
      extents[d] = widest(d - 1);
  return okStatus();
}

StatusOr<Places> RaggedToTensor::bySplits(const Tensor &splits,
                                          const Places &outer, int64_t step,
                                          int64_t extent) const {
  const int64_t rows = splits.numElements() - 1;
  if (rows > static_cast<int64_t>(outer.size()))
    return invalidArgumentError(
        strCat("Row partition size is greater than output size: ", rows, " > ",
               outer.size()));
  Places places;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t end = integerAt(splits, i + 1), begin = integerAt(splits, i);
    if (begin < 0 || end < begin)
      return invalidArgumentError("Invalid row split size.");
    if (end > maxRows)
      return tooManyRows(end);
    const int64_t start = outer[static_cast<size_t>(i)];
    for (int64_t j = 0; j < end - begin; ++j)
      places.push_back(start < 0 || j >= extent ? -1 : start + j * step);
  }
  if (rows >= 0 &&
      static_cast<int64_t>(places.size()) != integerAt(splits, rows))
    return invalidArgumentError("Invalid row split size.");
  return places;
}

StatusOr<Places> RaggedToTensor::byIds(const Tensor &ids, const Places &outer,
                                       int64_t step, int64_t extent) const {
  Places places;
  int64_t column = 0;
  for (int64_t i = 0; i < ids.numElements(); ++i) {
    const int64_t id = integerAt(ids, i);
    column = i > 0 && id == integerAt(ids, i - 1) ? column + 1 : 0;
    if (id < 0 || id >= static_cast<int64_t>(outer.size()))
      return invalidArgumentError(
          strCat("Got ", i == 0 ? "current" : "next", "_value_rowid=", id,
                 " which is not less than ", outer.size()));
    const int64_t start = outer[static_cast<size_t>(id)];
    places.push_back(start < 0 || column >= extent ? -1
                                                   : start + column * step);
  }
  return places;
}

StatusOr<Places> RaggedToTensor::divide(size_t d, const Places &outer,
                                        int64_t step, int64_t extent) const {
  switch (type(d)) {
  case Partition::RowSplits:
    return bySplits(partition(d), outer, step, extent);
  case Partition::RowIds:
    return byIds(partition(d), outer, step, extent);
  case Partition::FirstSize:
    break;
  }
  return invalidArgumentError("Unsupported partition type:FIRST_DIM_SIZE");
}

void RaggedToTensor::fillUp(Tensor &out, int64_t rows, int64_t size) const {
  std::span<const int64_t> inner = values.shape().dims().subspan(1);
  const std::vector<int64_t> strides = stridesOf(inner),
                             own = stridesOf(fill.shape().dims());
  const size_t missing = inner.size() - own.size();
  ElementCopy copy(fill, out);
  for (int64_t e = 0; e < size; ++e) {
    int64_t from = 0;
    for (size_t d = 0; d < own.size(); ++d)
      if (fill.dim(static_cast<int>(d)) != 1)
        from += e / strides[missing + d] % inner[missing + d] * own[d];
    copy(from, e);
  }
  ElementCopy again(out, out);
  for (int64_t done = 1; done < rows;) {
    const int64_t count = std::min(done, rows - done);
    again(0, done * size, count * size);
    done += count;
  }
}

Status RaggedToTensor::run() {
  KILN_ASSIGN_OR_RETURN(types, partitionsOf(call.node));
  if (types.empty())
    return invalidArgumentError("No row_partition_types given.");
  if (types.size() != call.inputs.size() - 3)
    return invalidArgumentError(
        strCat("Number of row partitions (", types.size(),
               ") does not match that of row partition tensors (",
               call.inputs.size() - 3, ")"));
  if (call.inputs[3].numElements() == 0)
    return invalidArgumentError("Invalid first partition input. Tensor "
                                "requires at least one element.");
  KILN_ASSIGN_OR_RETURN(int64_t first, firstSize());
  KILN_RETURN_IF_ERROR(checkFill());
  KILN_RETURN_IF_ERROR(findExtents(first));
  KILN_ASSIGN_OR_RETURN(int64_t elements, checkExtents(extents));
  KILN_ASSIGN_OR_RETURN(
      Tensor out,
      Tensor::create(values.dtype(), Shape(std::span<const int64_t>(extents))));
  if (elements > 0) {
    const int64_t size =
        values.dim(0) == 0
            ? checkExtents(values.shape().dims().subspan(1)).value()
            : values.numElements() / values.dim(0);
    const std::vector<int64_t> steps =
        stridesOf(std::span<const int64_t>(extents).first(raggedRank() + 1));
    if (first > maxRows)
      return tooManyRows(first);
    Places places;
    for (int64_t i = 0; i < first; ++i)
      places.push_back(i < extents[0] ? i * steps[0] : -1);
    for (size_t d = 1; d <= raggedRank(); ++d) {
      KILN_ASSIGN_OR_RETURN(places,
                            divide(d - 1, places, steps[d], extents[d]));
    }
    if (static_cast<int64_t>(places.size()) > values.dim(0))
      return invalidArgumentError(
          strCat("expected ", places.size(), " values, got ", values.dim(0)));
    fillUp(out, elements / size, size);
    ElementCopy copy(values, out);
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0)
        copy(static_cast<int64_t>(i) * size, places[i] * size, size);
  }
  call.outputs[0] = std::move(out);
  return okStatus();
}

} // namespace

Status raggedTensorToTensor(const HostCall &call) {
  return RaggedToTensor(call).run();
}

} // namespace kiln::host
