// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse tensor as three messages or variants, of its indices, values and
// shape.
#include "lib/Ops/Sparse/Host.h"

#include "lib/IO/Formats.h"
#include "lib/Support/SparseIndices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Support/Variants.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace kiln::host {

namespace {

struct Parts {
  Tensor indices, values, shape;
};

/// The parts of sparse tensors, as messages or as variants, in order.
class PartList {
public:
  /// **Errors**: RESOURCE_EXHAUSTED.
  static StatusOr<PartList> make(const Node &node, const Shape &shape) {
    PartList parts;
    parts.shape = shape;
    if (node.attrOr<DType>("out_type", DType::String) != DType::Variant) {
      KILN_ASSIGN_OR_RETURN(parts.messages,
                            Tensor::create(DType::String, shape));
      return parts;
    }
    KILN_ASSIGN_OR_RETURN(const int64_t count, shape.numElements());
    if (static_cast<size_t>(count) > parts.variants.max_size())
      return resourceExhaustedError(
          strCat("OOM when allocating tensor with shape", shape.toString()));
    parts.variants.reserve(static_cast<size_t>(count));
    return parts;
  }

  Status add(const Tensor &part) {
    if (!messages.isValid()) {
      variants.push_back(std::make_shared<TensorVariant>(part));
      return okStatus();
    }
    KILN_ASSIGN_OR_RETURN(const std::string message, encodeTensor(part));
    KILN_ASSIGN_OR_RETURN(messages.mutableData<String>()[numAdded],
                          String::create(message));
    ++numAdded;
    return okStatus();
  }
  StatusOr<Tensor> give() {
    if (messages.isValid())
      return std::move(messages);
    return tensorOfVariants(shape, std::move(variants));
  }

private:
  Shape shape;
  Tensor messages; ///< not valid where there are variants
  size_t numAdded = 0;
  std::vector<VariantPtr> variants;
};

/// What every row's parts are made of.
struct Rows {
  const Tensor &values;
  std::span<const int64_t> indices;
  size_t rank;
  Tensor shape;

  /// Appends those of the elements from `begin` to `end`.
  Status add(int64_t begin, int64_t end, PartList &parts) const {
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
    KILN_RETURN_IF_ERROR(parts.add(places));
    KILN_RETURN_IF_ERROR(parts.add(numbers));
    return parts.add(shape);
  }
};

/// One of the three parts of sparse tensor number i.
StatusOr<Tensor> partOf(const Tensor &serialized, size_t i, size_t part) {
  if (serialized.dtype() != DType::Variant)
    return decodeTensor(serialized.data<String>()[3 * i + part].view());
  const auto held = variantAt<TensorVariant>(serialized, 3 * i + part);
  if (!held)
    return invalidArgumentError(strCat(
        "Could not get a tensor from serialized_sparse[", i, ", ", part, "]"));
  return held->tensor;
}

/// The sparse tensor of three messages or variants, number i. **Errors**: where
/// they are none of one.
StatusOr<Parts> partsOf(const Tensor &serialized, size_t i, DType dtype) {
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
  KILN_ASSIGN_OR_RETURN(parts.indices, partOf(serialized, i, 0));
  if (parts.indices.rank() != 2)
    return invalidArgumentError(
        strCat(place(0), "represent an index matrix but received shape ",
               parts.indices.shape().toString()));
  KILN_RETURN_IF_ERROR(asInts(parts.indices, 0, "matrix"));
  KILN_ASSIGN_OR_RETURN(parts.values, partOf(serialized, i, 1));
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
  KILN_ASSIGN_OR_RETURN(parts.shape, partOf(serialized, i, 2));
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
  KILN_ASSIGN_OR_RETURN(PartList parts, PartList::make(call.node, Shape({3})));
  for (const Tensor &part : call.inputs)
    KILN_RETURN_IF_ERROR(parts.add(part));
  KILN_ASSIGN_OR_RETURN(call.outputs[0], parts.give());
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
  Rows rows{values, indices, shape.size(), {}};
  KILN_ASSIGN_OR_RETURN(
      rows.shape,
      Tensor::fromValues<int64_t>({static_cast<int64_t>(shape.size()) - 1},
                                  shape.subspan(1)));
  KILN_ASSIGN_OR_RETURN(PartList parts,
                        PartList::make(call.node, Shape({shape[0], 3})));
  const int64_t count = values.dim(0);
  for (int64_t row = 0, begin = 0; row < shape[0]; ++row) {
    int64_t end = begin;
    while (end < count &&
           indices[static_cast<size_t>(end) * shape.size()] == row)
      ++end;
    KILN_RETURN_IF_ERROR(rows.add(begin, end, parts));
    begin = end;
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[0], parts.give());
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
  std::vector<Parts> parts;
  const auto count = static_cast<size_t>(serialized.numElements()) / 3;
  for (size_t i = 0; i < count; ++i) {
    KILN_ASSIGN_OR_RETURN(parts.emplace_back(), partsOf(serialized, i, dtype));
  }
  std::vector<int64_t> outer;
  for (int d = 0; d + 1 < serialized.rank(); ++d)
    outer.push_back(serialized.dim(d));
  return stack(parts, outer, dtype, call);
}

} // namespace kiln::host
