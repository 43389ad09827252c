// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse tensor as three messages, of its indices, values and shape.
#include "lib/Ops/Sparse/Host.h"

#include "lib/IO/TensorMessage.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Tensor.pb.h"
#include "lib/Support/SparseIndices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <vector>

namespace kiln::host {

using namespace io;
namespace {

constexpr int maxDepth = 100;

struct Parts {
  Tensor indices, values, shape;
};

/// What every row's messages are made of.
struct Rows {
  const Tensor &values;
  std::span<const int64_t> indices;
  size_t rank;
  std::string shape;

  /// Appends those of the elements from `begin` to `end`.
  Status add(int64_t begin, int64_t end,
             std::vector<std::string> &messages) const {
    std::vector<int64_t> own;
    for (int64_t i = begin; i < end; ++i) {
      auto index = indices.subspan(static_cast<size_t>(i) * rank, rank);
      own.insert(own.end(), index.begin() + 1, index.end());
    }
    KILN_ASSIGN_OR_RETURN(Tensor places,
                          Tensor::fromValues<int64_t>(
                              {end - begin, static_cast<int64_t>(rank) - 1},
                              std::span<const int64_t>(own)));
    KILN_ASSIGN_OR_RETURN(Tensor numbers, elementsOf(values, begin, end));
    KILN_ASSIGN_OR_RETURN(messages.emplace_back(), serializePacked(places));
    KILN_ASSIGN_OR_RETURN(messages.emplace_back(), serializePacked(numbers));
    messages.push_back(shape);
    return okStatus();
  }
};

StatusOr<Tensor> parse(std::string_view bytes) {
  proto::TensorProto message;
  if (!parseBinary(bytes, maxDepth, message).ok())
    return invalidArgumentError("Could not parse serialized proto");
  auto tensor = decodeContents(message);
  if (!tensor.ok() && tensor.status().code() == StatusCode::InvalidArgument)
    return invalidArgumentError("Could not construct tensor from proto");
  return tensor;
}

/// The tensor of three messages, number i. **Errors**: where they are none of
/// one.
StatusOr<Parts> partsOf(std::span<const String> messages, size_t i,
                        DType dtype) {
  auto place = [&](int part) {
    return strCat("Expected serialized_sparse[", i, ", ", part, "] to ");
  };
  auto asInts = [&](const Tensor &tensor, int part, std::string_view kind) {
    return tensor.dtype() == DType::Int64
               ? okStatus()
               : invalidArgumentError(strCat(place(part), "be a ", kind,
                                             " of DT_INT64 but received dtype ",
                                             dtypeTfName(tensor.dtype())));
  };
  Parts parts;
  KILN_ASSIGN_OR_RETURN(parts.indices, parse(messages[3 * i].view()));
  if (parts.indices.rank() != 2)
    return invalidArgumentError(
        strCat(place(0), "represent an index matrix but received shape ",
               parts.indices.shape().toString()));
  KILN_RETURN_IF_ERROR(asInts(parts.indices, 0, "matrix"));
  KILN_ASSIGN_OR_RETURN(parts.values, parse(messages[3 * i + 1].view()));
  if (parts.values.rank() != 1)
    return invalidArgumentError(
        strCat(place(1), "represent a values vector but received shape ",
               parts.values.shape().toString()));
  const std::string name = strCat("SparseTensor[", i, "]");
  if (parts.values.dtype() != dtype)
    return invalidArgumentError(
        strCat("Requested SparseTensor of type ", dtypeTfName(dtype), " but ",
               name, ".values.dtype() == ", dtypeTfName(parts.values.dtype())));
  if (parts.indices.dim(0) != parts.values.dim(0))
    return invalidArgumentError(
        strCat("Expected row counts of ", name, ".indices and ", name,
               ".values to match but they do not: ", parts.indices.dim(0),
               " vs. ", parts.values.dim(0)));
  KILN_ASSIGN_OR_RETURN(parts.shape, parse(messages[3 * i + 2].view()));
  if (parts.shape.rank() != 1)
    return invalidArgumentError(strCat(place(1),
                                       "be a shape vector but its shape is ",
                                       parts.shape.shape().toString()));
  KILN_RETURN_IF_ERROR(asInts(parts.shape, 2, "vector"));
  if (parts.indices.dim(1) != parts.shape.dim(0))
    return invalidArgumentError(
        strCat("Expected column counts of ", name, ".indices to match size of ",
               name, ".shape but they do not: ", parts.indices.dim(1), " vs. ",
               parts.shape.dim(0)));
  return parts;
}

/// Puts tensors into one, behind the dimensions that number them.
Status stack(const std::vector<Parts> &parts, std::span<const int64_t> outer,
             DType dtype, const HostCall &call) {
  const auto rank = static_cast<size_t>(parts[0].shape.dim(0));
  std::vector<int64_t> shape(outer.begin(), outer.end());
  shape.resize(outer.size() + rank, 0);
  int64_t count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::span<const int64_t> own = parts[i].shape.data<int64_t>();
    if (own.size() != rank)
      return invalidArgumentError(
          strCat("Inconsistent shape across SparseTensors: rank prior to "
                 "SparseTensor[",
                 i, "] was: ", rank, " but rank of SparseTensor[", i,
                 "] is: ", own.size()));
    for (size_t d = 0; d < rank; ++d)
      shape[outer.size() + d] = std::max(shape[outer.size() + d], own[d]);
    count += parts[i].values.dim(0);
  }
  const auto width = static_cast<int64_t>(shape.size());
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::Int64, {count, width}));
  KILN_ASSIGN_OR_RETURN(call.outputs[1], Tensor::create(dtype, {count}));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[2],
      Tensor::fromValues<int64_t>({width}, std::span<const int64_t>(shape)));
  auto index = call.outputs[0].mutableData<int64_t>().begin();
  auto *bytes = static_cast<char *>(call.outputs[1].mutableRawData());
  auto text = call.outputs[1].mutableData<String>().begin();
  std::vector<int64_t> place(outer.size(), 0);
  for (const Parts &part : parts) {
    auto own = part.indices.data<int64_t>().begin();
    for (int64_t k = 0; k < part.values.dim(0); ++k) {
      index = std::ranges::copy(place, index).out;
      index = std::copy_n(own, rank, index);
      own += static_cast<std::ptrdiff_t>(rank);
    }
    if (dtype == DType::String)
      text = std::ranges::copy(part.values.data<String>(), text).out;
    else if (part.values.byteSize() > 0)
      bytes = std::copy_n(static_cast<const char *>(part.values.rawData()),
                          part.values.byteSize(), bytes);
    for (size_t d = outer.size(); d-- > 0 && ++place[d] == outer[d];)
      place[d] = 0;
  }
  return okStatus();
}

} // namespace

Status serializeSparse(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkSparseRanks(call.inputs));
  std::vector<std::string> messages;
  for (const Tensor &part : call.inputs) {
    KILN_ASSIGN_OR_RETURN(messages.emplace_back(), serializePacked(part));
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings(Shape({3}), {messages[0], messages[1], messages[2]}));
  return okStatus();
}

Status serializeManySparse(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkSparseRanks(call.inputs));
  std::span<const int64_t> indices = call.inputs[0].data<int64_t>(),
                           shape = call.inputs[2].data<int64_t>();
  const Tensor &values = call.inputs[1];
  if (shape.size() < 2)
    return invalidArgumentError(
        strCat("Rank of input SparseTensor should be > 1, but saw rank: ",
               shape.size()));
  KILN_RETURN_IF_ERROR(Shape::fromDims(shape).status());
  if (values.dim(0) != call.inputs[0].dim(0))
    return invalidArgumentError(strCat(
        "indices and values rows (indexing dimension) must match. (indices = ",
        call.inputs[0].dim(0), ", values = ", values.dim(0), ")"));
  if (call.inputs[2].dim(0) != call.inputs[0].dim(1))
    return invalidArgumentError("Shape rank must be SparseTensor rank.");
  KILN_RETURN_IF_ERROR(checkOrderedIndices(indices, shape));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::String, {shape[0], 3}));
  KILN_ASSIGN_OR_RETURN(
      Tensor rest,
      Tensor::fromValues<int64_t>({static_cast<int64_t>(shape.size()) - 1},
                                  shape.subspan(1)));
  Rows rows{values, indices, shape.size(), {}};
  KILN_ASSIGN_OR_RETURN(rows.shape, serializePacked(rest));
  auto text = call.outputs[0].mutableData<String>().begin();
  const int64_t count = values.dim(0);
  for (int64_t row = 0, begin = 0; row < shape[0]; ++row) {
    int64_t end = begin;
    while (end < count &&
           indices[static_cast<size_t>(end) * shape.size()] == row)
      ++end;
    std::vector<std::string> messages;
    KILN_RETURN_IF_ERROR(rows.add(begin, end, messages));
    for (const std::string &message : messages) {
      KILN_ASSIGN_OR_RETURN(*text, String::create(message));
      ++text;
    }
    begin = end;
  }
  return okStatus();
}

Status deserializeSparse(const HostCall &call) {
  const Tensor &serialized = call.inputs[0];
  const std::string shape = serialized.shape().toString();
  if (serialized.rank() == 0)
    return invalidArgumentError(
        strCat("Serialized sparse should have non-zero rank ", shape));
  if (serialized.dim(serialized.rank() - 1) != 3)
    return invalidArgumentError(strCat(
        "Serialized sparse should have 3 as the last dimension ", shape));
  if (serialized.numElements() == 0)
    return invalidArgumentError(
        strCat("Serialized sparse should have at least 1 serialized tensor, "
               "but has a zero dimension ",
               shape));
  const auto dtype = call.node.attrOr<DType>("dtype", DType::Invalid);
  std::span<const String> messages = serialized.data<String>();
  std::vector<Parts> parts;
  for (size_t i = 0; i < messages.size() / 3; ++i) {
    KILN_ASSIGN_OR_RETURN(parts.emplace_back(), partsOf(messages, i, dtype));
  }
  std::vector<int64_t> outer;
  for (int d = 0; d + 1 < serialized.rank(); ++d)
    outer.push_back(serialized.dim(d));
  return stack(parts, outer, dtype, call);
}

} // namespace kiln::host
