// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of several lengths: as sparse tensors, ranges, gathered, counted.
#include "lib/Ops/Ragged/HostSplits.h"
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostNumbers.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kiln::host {

StatusOr<std::vector<Splits>> splitsOf(const HostCall &call, size_t first,
                                       size_t count) {
  std::vector<Splits> list(count);
  for (size_t i = 0; i < count; ++i) {
    const Tensor &input = call.inputs[first + i];
    if (input.rank() != 1)
      return invalidArgumentError(
          strCat("Shape must be rank 1 but is rank ", input.rank()));
    for (int64_t k = 0; k < input.numElements(); ++k)
      list[i].push_back(integerAt(input, k));
  }
  return list;
}

namespace {

Status checkSplits(const std::vector<Splits> &nested, int64_t values) {
  for (size_t i = 0; i < nested.size(); ++i) {
    const Splits &splits = nested[i];
    if (splits.empty())
      return invalidArgumentError("ragged splits may not be empty.");
    if (splits[0] != 0)
      return invalidArgumentError("First value of ragged splits must be 0.");
    for (size_t j = 1; j < splits.size(); ++j)
      if (splits[j] < splits[j - 1])
        return invalidArgumentError(
            strCat("Ragged splits should be non decreasing, but we got ",
                   splits[j - 1], " followed by ", splits[j]));
    const int64_t below = i + 1 < nested.size()
                              ? static_cast<int64_t>(nested[i + 1].size()) - 1
                              : values;
    if (splits.back() != below)
      return invalidArgumentError("Final value of ragged splits must match the "
                                  "length the corresponding ragged values.");
  }
  return okStatus();
}

/// The index of each row of the innermost splits, and in it of each element.
class RowIndices {
public:
  explicit RowIndices(const std::vector<Splits> &nested)
      : nested(nested), places(nested.size()) {}

  size_t rows() const { return nested.back().size() - 1; }
  /// The indices of row k, which come in order, without the index in the row.
  void find(size_t k, std::vector<int64_t> &index) {
    places.back() = k;
    for (size_t d = places.size() - 1; d-- > 0;)
      while (static_cast<int64_t>(places[d + 1]) >= nested[d][places[d] + 1])
        ++places[d];
    index.clear();
    for (size_t d = 0; d < places.size(); ++d) {
      const int64_t start = d == 0 ? 0 : nested[d - 1][places[d - 1]];
      index.push_back(static_cast<int64_t>(places[d]) - start);
    }
  }

private:
  const std::vector<Splits> &nested;
  std::vector<size_t> places;
};

template <class T> struct Range {
  T start, limit, delta;
};

/// How many numbers a range has; nothing where they are too many.
template <class T> std::optional<int64_t> lengthOf(const Range<T> &range) {
  const auto [start, limit, delta] = range;
  if ((delta > 0 && limit < start) || (delta < 0 && limit > start))
    return 0;
  if constexpr (std::is_integral_v<T>) {
    auto wide = [](T number) {
      return static_cast<uint64_t>(static_cast<int64_t>(number));
    };
    const uint64_t span =
        limit > start ? wide(limit) - wide(start) : wide(start) - wide(limit);
    const uint64_t step = delta > 0 ? wide(delta) : 0 - wide(delta);
    const uint64_t length = span / step + (span % step != 0);
    if (length > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return std::nullopt;
    return static_cast<int64_t>(length);
  } else {
    const T length = std::ceil(std::abs((limit - start) / delta));
    if (!(length < T(9223372036854775808.0)))
      return std::nullopt;
    return static_cast<int64_t>(length);
  }
}

template <class T> Status ranges(const HostCall &call) {
  const DType splitsType = call.node.attrOr<DType>("Tsplits", DType::Int64);
  const int64_t largest = splitsType == DType::Int32
                              ? std::numeric_limits<int32_t>::max()
                              : std::numeric_limits<int64_t>::max();
  int64_t rows = -1;
  for (int i = 0; i < 3; ++i) {
    const Tensor &input = call.inputs[static_cast<size_t>(i)];
    constexpr const char *names[] = {"starts", "limits", "deltas"};
    if (input.rank() > 1)
      return invalidArgumentError(
          strCat(names[i], " must be a scalar or vector"));
    if (input.rank() == 0)
      continue;
    if (rows >= 0 && rows != input.dim(0))
      return invalidArgumentError(
          "starts, limits, and deltas must have the same shape");
    rows = input.dim(0);
  }
  rows = rows < 0 ? 1 : rows;
  auto rangeOf = [&](int64_t row) {
    auto number = [&](size_t i) {
      const Tensor &input = call.inputs[i];
      return input.data<T>()[input.rank() == 0 ? 0 : static_cast<size_t>(row)];
    };
    return Range<T>{number(0), number(1), number(2)};
  };
  Splits splits{0};
  for (int64_t row = 0; row < rows; ++row) {
    const Range<T> range = rangeOf(row);
    if (range.delta == 0)
      return invalidArgumentError("Requires delta != 0");
    const std::optional<int64_t> length = lengthOf(range);
    if (!length || *length > largest)
      return invalidArgumentError(
          strCat("Requires ((limit - start) / delta) <= ", largest));
    if (*length > largest - splits.back())
      return invalidArgumentError(
          "The total range size overflowed. Consider using int64 instead of "
          "int32 for row_splits_dtype.");
    splits.push_back(splits.back() + *length);
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[0], integers(splitsType, splits));
  KILN_ASSIGN_OR_RETURN(call.outputs[1],
                        Tensor::create(dtypeOf<T>, {splits.back()}));
  auto to = call.outputs[1].mutableData<T>().begin();
  for (int64_t row = 0; row < rows; ++row) {
    const auto place = static_cast<size_t>(row);
    const Range<T> range = rangeOf(row);
    T value = range.start;
    for (int64_t i = splits[place]; i < splits[place + 1]; ++i) {
      *to++ = value;
      if (i + 1 < splits[place + 1])
        value = sumOf(value, range.delta);
    }
  }
  return okStatus();
}

/// "[1,0]": where element i of a shape lies.
std::string placeText(const Shape &shape, int64_t i) {
  std::vector<int64_t> place;
  for (int64_t stride : stridesOf(shape.dims())) {
    place.push_back(i / stride);
    i %= stride;
  }
  return place.empty() ? "" : listText(place);
}

Status checkGathered(const std::vector<Splits> &nested, int64_t values) {
  for (size_t d = 0; d < nested.size(); ++d) {
    const Splits &splits = nested[d];
    if (splits.empty())
      return invalidArgumentError("Ragged splits may not be empty");
    if (splits[0] < 0)
      return invalidArgumentError("Ragged splits must be non-negative");
    const int64_t below = d + 1 < nested.size()
                              ? static_cast<int64_t>(nested[d + 1].size()) - 1
                              : values;
    if (splits.back() > below)
      return invalidArgumentError("Ragged splits must not point past values");
    if (!std::ranges::is_sorted(splits))
      return invalidArgumentError("Ragged splits must be sorted");
  }
  return okStatus();
}

template <class T> Status binCounts(const HostCall &call) {
  const Tensor &splits = call.inputs[0], &values = call.inputs[1],
               &weights = call.inputs[3];
  if (call.inputs[2].rank() != 0)
    return invalidArgumentError(
        strCat("Shape must be rank 0 but is rank ", call.inputs[2].rank()));
  const int64_t size = integerAt(call.inputs[2], 0);
  if (size < 0)
    return invalidArgumentError(
        strCat("size (", size, ") must be non-negative"));
  const int64_t rows = splits.numElements() - 1, count = values.numElements();
  if (rows < 0)
    return invalidArgumentError("Splits must be non-empty");
  KILN_RETURN_IF_ERROR(checkSplitEnds(splits, count));
  if (weights.numElements() != 0 && weights.numElements() != count)
    return invalidArgumentError(strCat(
        "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in "
        "which case it acts as all weights equal to 1. Received ",
        weights.shape().toString()));
  const std::vector<int64_t> extents = {rows, size};
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::zeros(dtypeOf<T>, {rows, size}));
  std::span<T> out = call.outputs[0].mutableData<T>();
  const bool isBinary = call.node.attrOr<bool>("binary_output", false);
  int64_t row = 0;
  for (int64_t i = 0; i < count; ++i) {
    while (i >= integerAt(splits, row))
      ++row;
    const int64_t bin = integerAt(values, i);
    if (bin < 0)
      return invalidArgumentError("Input must be non-negative");
    if (bin >= size)
      continue;
    T &to = out[static_cast<size_t>((row - 1) * size + bin)];
    if (isBinary)
      to = T(1);
    else
      to = sumOf(to, weights.numElements() == 0
                         ? T(1)
                         : weights.data<T>()[static_cast<size_t>(i)]);
  }
  return okStatus();
}

} // namespace

Status raggedTensorToSparse(const HostCall &call) {
  const Tensor &values = call.inputs.back();
  KILN_ASSIGN_OR_RETURN(std::vector<Splits> nested,
                        splitsOf(call, 0, call.inputs.size() - 1));
  if (values.rank() == 0)
    return invalidArgumentError("Shape must be at least rank 1 but is rank 0");
  KILN_RETURN_IF_ERROR(checkSplits(nested, values.dim(0)));
  std::span<const int64_t> inner = values.shape().dims().subspan(1);
  const std::vector<int64_t> strides = stridesOf(inner);
  KILN_ASSIGN_OR_RETURN(int64_t elements, checkExtents(inner));
  const int64_t rank = static_cast<int64_t>(nested.size()) + values.rank();
  const std::vector<int64_t> extents = {values.numElements(), rank};
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Int64, {values.numElements(), rank}));
  auto to = call.outputs[0].mutableData<int64_t>().begin();
  RowIndices rows(nested);
  std::vector<int64_t> prefix;
  for (size_t k = 0; k < rows.rows(); ++k) {
    const int64_t length = nested.back()[k + 1] - nested.back()[k];
    if (length == 0 || elements == 0)
      continue;
    rows.find(k, prefix);
    for (int64_t i = 0; i < length; ++i)
      for (int64_t e = 0; e < elements; ++e) {
        to = std::ranges::copy(prefix, to).out;
        *to++ = i;
        for (size_t d = 0; d < strides.size(); ++d)
          *to++ = e / strides[d] % inner[d];
      }
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[1],
                        values.reshaped({values.numElements()}));
  std::vector<int64_t> shape = {static_cast<int64_t>(nested[0].size()) - 1};
  for (const Splits &splits : nested) {
    int64_t widest = 0;
    for (size_t i = 1; i < splits.size(); ++i)
      widest = std::max(widest, splits[i] - splits[i - 1]);
    shape.push_back(widest);
  }
  shape.insert(shape.end(), inner.begin(), inner.end());
  KILN_ASSIGN_OR_RETURN(call.outputs[2], integers(DType::Int64, shape));
  return okStatus();
}

Status raggedRange(const HostCall &call) {
  switch (call.node.attrOr<DType>("T", DType::Int32)) {
  case DType::Float32:
    return ranges<float>(call);
  case DType::Float64:
    return ranges<double>(call);
  case DType::Int32:
    return ranges<int32_t>(call);
  case DType::Int64:
    return ranges<int64_t>(call);
  default:
    return unimplementedError("RaggedRange of bfloat16 is not implemented");
  }
}

Status raggedGather(const HostCall &call) {
  const Tensor &indices = call.inputs.back(),
               &values = call.inputs[call.inputs.size() - 2];
  KILN_ASSIGN_OR_RETURN(std::vector<Splits> nested,
                        splitsOf(call, 0, call.inputs.size() - 2));
  if (values.rank() == 0)
    return invalidArgumentError("params.rank must be nonzero");
  const int64_t rows = static_cast<int64_t>(nested[0].size()) - 1;
  for (int64_t i = 0; i < indices.numElements(); ++i)
    if (int64_t index = integerAt(indices, i); index < 0 || index >= rows)
      return invalidArgumentError(strCat("indices",
                                         placeText(indices.shape(), i), " = ",
                                         index, " is not in [0, ", rows, ")"));
  KILN_RETURN_IF_ERROR(checkGathered(nested, values.dim(0)));
  const int outer = indices.rank() - 1;
  std::vector<Splits> results(call.outputs.size() - 1, Splits{0});
  if (static_cast<int>(results.size()) !=
      outer + static_cast<int>(nested.size()))
    return invalidArgumentError(strCat("expected OUTPUT_RAGGED_RANK ",
                                       outer + static_cast<int>(nested.size()),
                                       ", got ", results.size()));
  int64_t before = 1;
  for (int d = 0; d < outer; ++d) {
    before *= indices.dim(d);
    for (int64_t i = 1; i <= before; ++i)
      results[static_cast<size_t>(d)].push_back(i * indices.dim(d + 1));
  }
  std::vector<std::pair<int64_t, int64_t>> pieces;
  int64_t total = 0;
  for (int64_t i = 0; i < indices.numElements(); ++i) {
    auto start = static_cast<size_t>(integerAt(indices, i)), limit = start + 1;
    for (size_t d = 0; d < nested.size(); ++d) {
      const Splits &splits = nested[d];
      if (const int to = outer + static_cast<int>(d); to >= 0) {
        Splits &result = results[static_cast<size_t>(to)];
        const int64_t shift = result.back() - splits[start];
        for (size_t j = start; j < limit; ++j)
          result.push_back(splits[j + 1] + shift);
      }
      start = static_cast<size_t>(splits[start]);
      limit = static_cast<size_t>(splits[limit]);
    }
    if (limit != start)
      pieces.emplace_back(start, limit - start);
    total += static_cast<int64_t>(limit - start);
  }
  const DType type = call.node.attrOr<DType>("Tsplits", DType::Int64);
  for (size_t i = 0; i < results.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(call.outputs[i], integers(type, results[i]));
  }
  std::vector<int64_t> extents(values.shape().dims().begin(),
                               values.shape().dims().end());
  extents[0] = total;
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  KILN_ASSIGN_OR_RETURN(
      Tensor out,
      Tensor::create(values.dtype(), Shape(std::span<const int64_t>(extents))));
  const int64_t size =
      values.dim(0) == 0 ? 0 : values.numElements() / values.dim(0);
  ElementCopy copy(values, out);
  int64_t to = 0;
  for (auto [start, count] : pieces) {
    copy(start * size, to, count * size);
    to += count * size;
  }
  call.outputs.back() = std::move(out);
  return okStatus();
}

Status raggedBincount(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return binCounts<T>(call); });
}

} // namespace kiln::host
