// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of several lengths as variants: whole, or a variant for each row, and
// put together again.
#include "lib/Ops/Ragged/Host.h"
#include "lib/Ops/Ragged/HostSplits.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/Elements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Support/Variants.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace kiln::host {
namespace {

/// A ragged tensor; without splits any tensor.
struct RaggedVariant final : VariantObject {
  RaggedVariant(std::vector<Tensor> nested, Tensor held)
      : splits(std::move(nested)), values(std::move(held)) {}
  int64_t byteSize() const override {
    int64_t bytes = heldBytesOf(values);
    for (const Tensor &each : splits)
      bytes += heldBytesOf(each);
    return bytes;
  }

  const std::vector<Tensor> splits;
  const Tensor values;
};
using RaggedPtr = std::shared_ptr<const RaggedVariant>;

StatusOr<Tensor> splitsTensor(const Splits &splits, DType dtype) {
  const Shape shape({static_cast<int64_t>(splits.size())});
  KILN_ASSIGN_OR_RETURN(Tensor made, Tensor::create(dtype, shape));
  if (dtype == DType::Int64)
    std::ranges::copy(splits, made.mutableData<int64_t>().begin());
  else
    std::ranges::transform(splits, made.mutableData<int32_t>().begin(),
                           [](int64_t at) { return static_cast<int32_t>(at); });
  return made;
}

/// Rows of a tensor of rank 1 or more.
StatusOr<Tensor> rowsBetween(const Tensor &values, int64_t begin, int64_t end) {
  std::vector<int64_t> dims(values.shape().dims().begin(),
                            values.shape().dims().end());
  dims[0] = end - begin;
  KILN_ASSIGN_OR_RETURN(Tensor made,
                        Tensor::create(values.dtype(), Shape(dims)));
  const int64_t each =
      values.dim(0) == 0 ? 0 : values.numElements() / values.dim(0);
  copyElements(made, 0, values, begin * each, made.numElements());
  return made;
}

/// **Errors**: INVALID_ARGUMENT with the texts of this op, which are others
/// than those of checkSplits().
Status verifySplits(const std::vector<Splits> &nested, int64_t values) {
  auto fail = [](auto... parts) {
    return invalidArgumentError(strCat("Invalid ragged splits: ", parts...));
  };
  for (size_t d = nested.size(); d-- > 0;) {
    const Splits &splits = nested[d];
    if (splits.empty())
      return fail("ragged splits must have at least one splits, but is empty");
    if (splits[0] != 0)
      return fail("first element of ragged splits  must be 0 but is ",
                  splits[0]);
    for (size_t i = 1; i < splits.size(); ++i)
      if (splits[i] < splits[i - 1])
        return fail("ragged splits must be monotonically increasing, but "
                    "ragged_splits[",
                    i, "]=", splits[i], " is smaller than row_splits[", i - 1,
                    "]=", splits[i - 1]);
    const int64_t below = d + 1 < nested.size()
                              ? static_cast<int64_t>(nested[d + 1].size()) - 1
                              : values;
    if (splits.back() != below)
      return fail("last element of ragged splits must be the number of ragged "
                  "values(",
                  below, ") but is ", splits.back());
  }
  return okStatus();
}

/// Row i of a ragged tensor, as a ragged tensor of one dimension less.
StatusOr<VariantPtr> rowOf(const std::vector<Splits> &nested,
                           const Tensor &values, DType splitsType, size_t i) {
  std::vector<Tensor> own;
  int64_t begin = nested[0][i], end = nested[0][i + 1];
  for (size_t d = 1; d < nested.size(); ++d) {
    Splits row(nested[d].begin() + begin, nested[d].begin() + end + 1);
    begin = row.front();
    end = row.back();
    for (int64_t &at : row)
      at -= begin;
    KILN_ASSIGN_OR_RETURN(own.emplace_back(), splitsTensor(row, splitsType));
  }
  KILN_ASSIGN_OR_RETURN(Tensor elements, rowsBetween(values, begin, end));
  return VariantPtr(
      std::make_shared<RaggedVariant>(std::move(own), std::move(elements)));
}

/// The rows of a tensor without splits.
StatusOr<Tensor> denseRows(const Tensor &values) {
  if (values.rank() < 1)
    return invalidArgumentError("Can't unbatch rank-0 tensor.");
  std::vector<VariantPtr> rows;
  const Shape shape(values.shape().dims().subspan(1));
  for (int64_t i = 0; i < values.dim(0); ++i) {
    KILN_ASSIGN_OR_RETURN(Tensor row, rowsBetween(values, i, i + 1));
    KILN_ASSIGN_OR_RETURN(row, row.reshaped(shape));
    rows.push_back(
        std::make_shared<RaggedVariant>(std::vector<Tensor>(), std::move(row)));
  }
  return tensorOfVariants(Shape({values.dim(0)}), std::move(rows));
}

/// Element i of the variants, with TensorFlow's checks.
StatusOr<RaggedPtr> decode(const Tensor &encoded, size_t i, const Node &node,
                           size_t inputRank, bool givesSplits) {
  const auto ragged = variantAt<RaggedVariant>(encoded, i);
  if (!ragged)
    return invalidArgumentError(strCat("Input Variant element at index ", i,
                                       " doesn't hold a RaggedTensorVariant"));
  if (ragged->splits.size() != inputRank)
    return invalidArgumentError(strCat(
        "Encoded input RaggedTensorVariant has ragged_rank=",
        ragged->splits.size(), ".  Expected ragged_rank=", inputRank, "."));
  const auto dtype = node.attrOr<DType>("Tvalues", DType::Invalid);
  if (ragged->values.dtype() != dtype)
    return invalidArgumentError(
        strCat("Expected values Tensor dtype: ", dtypeTfName(dtype),
               ", found: ", dtypeTfName(ragged->values.dtype())));
  if (ragged->values.rank() < 1 && givesSplits)
    return invalidArgumentError(
        strCat("Ragged values must have rank >= 1; encoded scalar element at "
               "index ",
               i, " has values of shape ", ragged->values.shape().toString()));
  const auto splitsType = node.attrOr<DType>("Tsplits", DType::Int64);
  for (const Tensor &splits : ragged->splits)
    if (splits.dtype() != splitsType)
      return invalidArgumentError(
          strCat("Expected row_splits Tensor dtype: ", dtypeTfName(splitsType),
                 ", found: ", dtypeTfName(splits.dtype())));
  return ragged;
}

/// The values of all, one behind the other.
StatusOr<Tensor> joinValues(const std::vector<RaggedPtr> &parts, DType dtype,
                            bool stacks) {
  if (parts.empty())
    return Tensor::create(dtype, Shape({0}));
  auto innerOf = [&](const RaggedPtr &part) {
    return part->values.shape().dims().subspan(stacks ? 0 : 1);
  };
  const auto inner = innerOf(parts[0]);
  int64_t count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto own = innerOf(parts[i]);
    if (!std::ranges::equal(own, inner))
      return invalidArgumentError(strCat(
          "All flat_values must have compatible shapes.  Shape at index 0: ",
          Shape(inner).toString(), ".  Shape at index ", i, ": ",
          Shape(own).toString()));
    count += stacks ? 1 : parts[i]->values.dim(0);
  }
  std::vector<int64_t> dims{count};
  dims.insert(dims.end(), inner.begin(), inner.end());
  KILN_ASSIGN_OR_RETURN(const Shape shape, Shape::fromDims(dims));
  KILN_ASSIGN_OR_RETURN(Tensor made, Tensor::create(dtype, shape));
  int64_t at = 0;
  for (const RaggedPtr &part : parts) {
    copyElements(made, at, part->values, 0, part->values.numElements());
    at += part->values.numElements();
  }
  return made;
}

/// The splits of the variants' own dimensions and of the first of theirs, then
/// those of theirs, joined.
StatusOr<std::vector<Tensor>> joinSplits(const std::vector<RaggedPtr> &parts,
                                         const Shape &outer, size_t inputRank,
                                         DType splitsType) {
  std::vector<Splits> all;
  for (int d = 0; d + 1 < outer.rank(); ++d) {
    Splits &even = all.emplace_back();
    for (int64_t i = 0; i <= outer.dim(d); ++i)
      even.push_back(i * outer.dim(d + 1));
  }
  Splits &rows = all.emplace_back(1, 0);
  for (const RaggedPtr &part : parts)
    rows.push_back(rows.back() + (inputRank > 0
                                      ? part->splits[0].numElements() - 1
                                      : part->values.dim(0)));
  for (size_t d = 0; d < inputRank; ++d) {
    Splits joined{0};
    for (const RaggedPtr &part : parts) {
      const int64_t before = joined.back();
      const Tensor &own = part->splits[d];
      for (int64_t i = 1; i < own.numElements(); ++i)
        joined.push_back(before + integerAt(own, i));
    }
    all.push_back(std::move(joined));
  }
  std::vector<Tensor> made;
  for (const Splits &splits : all) {
    KILN_ASSIGN_OR_RETURN(made.emplace_back(),
                          splitsTensor(splits, splitsType));
  }
  return made;
}

} // namespace

Status raggedTensorToVariant(const HostCall &call) {
  const size_t numSplits = call.inputs.size() - 1;
  const Tensor &values = call.inputs[numSplits];
  if (numSplits > 0 && values.rank() < 1)
    return invalidArgumentError("Requires flat_values to have rank>=1 when "
                                "nested_row_splits is not empty, but is 0.");
  KILN_ASSIGN_OR_RETURN(const std::vector<Splits> nested,
                        splitsOf(call, 0, numSplits));
  if (numSplits > 0)
    KILN_RETURN_IF_ERROR(verifySplits(nested, values.dim(0)));
  if (!call.node.attrOr<bool>("batched_input", false)) {
    std::vector<Tensor> own(call.inputs.begin(), call.inputs.end() - 1);
    std::vector<VariantPtr> whole{
        std::make_shared<RaggedVariant>(std::move(own), values)};
    KILN_ASSIGN_OR_RETURN(call.outputs[0],
                          tensorOfVariants(Shape(), std::move(whole)));
    return okStatus();
  }
  if (numSplits == 0) {
    KILN_ASSIGN_OR_RETURN(call.outputs[0], denseRows(values));
    return okStatus();
  }
  std::vector<VariantPtr> rows;
  for (size_t i = 0; i + 1 < nested[0].size(); ++i) {
    KILN_ASSIGN_OR_RETURN(rows.emplace_back(),
                          rowOf(nested, values, call.inputs[0].dtype(), i));
  }
  const Shape shape({static_cast<int64_t>(rows.size())});
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        tensorOfVariants(shape, std::move(rows)));
  return okStatus();
}

Status raggedTensorFromVariant(const HostCall &call) {
  const Tensor &encoded = call.inputs[0];
  const int64_t outputRank = call.node.attrOr<int64_t>("output_ragged_rank", 0);
  int64_t inputRank = call.node.attrOr<int64_t>("input_ragged_rank", 0);
  if (inputRank == -1) {
    inputRank = outputRank == 0 ? 0 : outputRank - encoded.rank();
    if (inputRank < 0)
      return invalidArgumentError(strCat(
          "Inferred input_ragged_rank (output_ragged_rank - "
          "encoded_variant.dims()) must be >= 0, found output_ragged_rank: ",
          outputRank, ", encoded_variant.dims(): ", encoded.rank(),
          ", inferred input_ragged_rank: ", inputRank));
  }
  if (!(outputRank == 0 && inputRank == 0) &&
      outputRank != encoded.rank() + inputRank)
    return invalidArgumentError(
        strCat("output_ragged_rank must be equal to input_ragged_rank + "
               "encoded_ragged.dims(); output_ragged_rank: ",
               outputRank, ", input_ragged_rank: ", inputRank,
               ", encoded_variant.dims(): ", encoded.rank(), "."));
  std::vector<RaggedPtr> parts;
  for (int64_t i = 0; i < encoded.numElements(); ++i) {
    KILN_ASSIGN_OR_RETURN(parts.emplace_back(),
                          decode(encoded, static_cast<size_t>(i), call.node,
                                 static_cast<size_t>(inputRank),
                                 outputRank != 0));
  }
  if (encoded.rank() == 0) {
    std::ranges::copy(parts[0]->splits, call.outputs.begin());
    call.outputs.back() = parts[0]->values;
    return okStatus();
  }
  if (outputRank != 0) {
    KILN_ASSIGN_OR_RETURN(
        std::vector<Tensor> splits,
        joinSplits(parts, encoded.shape(), static_cast<size_t>(inputRank),
                   call.node.attrOr<DType>("Tsplits", DType::Int64)));
    std::ranges::move(splits, call.outputs.begin());
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs.back(),
      joinValues(parts, call.node.attrOr<DType>("Tvalues", DType::Invalid),
                 outputRank == 0));
  return okStatus();
}

} // namespace kiln::host
