// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rearrangements and selections as TensorFlow's Python functions add them.
#include "kiln/ops/ArrayOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/Reduction.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {

Output expandDims(const Input &input, const Input &axis,
                  const OpOptions &options) {
  return rawOps::expandDims(input, axis, {.name = options.name});
}
Output squeeze(const Input &input, const SqueezeOptions &options) {
  return rawOps::squeeze(input,
                         {.squeezeDims = options.axis, .name = options.name});
}

Output concat(const InputList &values, const Input &axis,
              const OpOptions &options) {
  std::string name = options.name.empty() ? "concat" : options.name;
  if (values.size() == 1) {
    GraphScope graph(builderOf(values.list()[0]));
    NameScope scope(name);
    convert(axis, "concat_dim", DType::Int32);
    return {GraphBuilder::current().addOp(
                {.op = "Identity", .name = name, .inputs = {values.list()[0]}}),
            0};
  }
  return rawOps::concatV2(values, axis, {.name = name});
}

Output stack(const InputList &values, const StackOptions &options) {
  if (options.axis == 0) {
    const Input list(values.list());
    for (const Input &each : values.list())
      if (each.output()) {
        GraphScope graph(builderOf(each));
        return convert(list, options.name);
      }
    return convert(list, options.name);
  }
  if (!values.list().empty()) {
    GraphScope graph(builderOf(values.list()[0]));
    // Of a value a constant stays behind, as in TensorFlow.
    Output first = convert(values.list()[0], options.name);
    if (first.node && first.shape().hasRank()) {
      const int64_t rank = first.shape().rank() + 1;
      if (options.axis < -rank || options.axis >= rank)
        return failed(invalidArgumentError(
                          strCat("Argument `axis` = ", options.axis,
                                 " not in range [", -rank, ", ", rank, ")")),
                      options.name);
    }
  }
  return rawOps::pack(values, {.axis = options.axis, .name = options.name});
}

std::vector<Output> unstack(const Input &value, const UnstackOptions &options) {
  GraphScope graph(builderOf(value));
  Output tensor = valueOf(value);
  if (!tensor.node)
    return {};
  int64_t num = options.num;
  if (num < 0) {
    const Shape &shape = tensor.shape();
    if (shape.hasRank() &&
        (options.axis < -shape.rank() || options.axis >= shape.rank())) {
      failed(invalidArgumentError(strCat("Argument `axis` = ", options.axis,
                                         " not in range [", -shape.rank(), ", ",
                                         shape.rank(), ")")),
             options.name);
      return {};
    }
    num = shape.hasRank() ? shape.dim(static_cast<int>(options.axis)) : -1;
    if (num < 0) {
      failed(
          invalidArgumentError(strCat("Cannot infer argument `num` from shape ",
                                      shape.toTupleString())),
          options.name);
      return {};
    }
  }
  return rawOps::unpack(tensor, num,
                        {.axis = options.axis, .name = options.name});
}

std::vector<Output> split(const Input &value, int64_t parts,
                          const SplitOptions &options) {
  return rawOps::split(options.axis, value, parts, {.name = options.name});
}

std::vector<Output> splitBySizes(const Input &value, const Input &sizes,
                                 const SplitOptions &options) {
  GraphScope graph(builderOf(value));
  Output converted = valueOf(sizes);
  if (!converted.node)
    return {};
  int64_t num = converted.shape().rank() == 1 ? converted.shape().dim(0) : -1;
  if (num < 0) {
    failed(
        invalidArgumentError(strCat("Cannot infer argument `num` from shape ",
                                    converted.shape().toTupleString())),
        options.name);
    return {};
  }
  return rawOps::splitV(value, converted, options.axis, num,
                        {.name = options.name});
}

Output transpose(const Input &a, const OpOptions &options) {
  FunctionScope scope(options.name, "transpose", {&a});
  Output tensor = convert(a, "a");
  if (!tensor.node)
    return {};
  int rank = tensor.shape().rank();
  if (rank < 0) {
    Output last = rawOps::rank(tensor) - 1;
    return rawOps::transpose(tensor, rawOps::range(last, -1, -1),
                             {.name = scope});
  }
  std::vector<int32_t> perm;
  while (rank-- > 0)
    perm.push_back(rank);
  return rawOps::transpose(tensor, perm, {.name = scope});
}

Output permute(const Input &a, const Input &perm, const OpOptions &options) {
  FunctionScope scope(options.name, "transpose", {&a});
  return rawOps::transpose(convert(a, "a"), perm, {.name = scope});
}

Output where(const Input &condition, const OpOptions &options) {
  FunctionScope scope(options.name, "Where", {&condition});
  Output converted = GraphBuilder::current().convert(
      condition, {.dtypeHint = DType::Bool, .name = "condition"});
  return rawOps::where(converted, {.name = scope});
}
Output where(const Input &condition, const Input &x, const Input &y,
             const OpOptions &options) {
  return rawOps::select(condition, x, y, {.name = options.name});
}

Output oneHot(const Input &indices, const Input &depth,
              const OneHotOptions &options) {
  FunctionScope scope(options.name, "one_hot", {&indices, &depth});
  GraphBuilder graph = GraphBuilder::current();
  DType dtype = options.dtype;
  auto given = [&](const std::optional<Input> &value) {
    return value ? graph.convert(*value, {.dtypeHint = dtype}) : Output();
  };
  Output on = given(options.onValue), off = given(options.offValue);
  if (dtype == DType::Invalid)
    dtype = on.node ? on.dtype() : off.node ? off.dtype() : DType::Float32;
  if (!options.onValue)
    on = convert(1, "on_value", dtype);
  if (!options.offValue)
    off = convert(0, "off_value", dtype);
  if (on.node && off.node && on.dtype() != off.dtype())
    return failed(
        invalidArgumentError(strCat("dtype ", dtypeName(on.dtype()),
                                    " of on_value does not match dtype ",
                                    dtypeName(off.dtype()), " of off_value")),
        scope);
  return rawOps::oneHot(indices, depth, on, off,
                        {.axis = options.axis, .name = scope});
}

Output pad(const Input &tensor, const Input &paddings,
           const PadOptions &options) {
  if (options.mode == "REFLECT" || options.mode == "SYMMETRIC")
    return rawOps::mirrorPad(tensor, paddings, options.mode,
                             {.name = options.name});
  if (options.mode != "CONSTANT")
    return failed(
        invalidArgumentError(strCat(
            "Value of argument `mode` expected to be one of \"CONSTANT\", "
            "\"REFLECT\", or \"SYMMETRIC\". Received `mode` = ",
            options.mode)),
        options.name.empty() ? "Pad" : options.name);
  if (options.constantValues)
    return rawOps::padV2(tensor, paddings, *options.constantValues,
                         {.name = options.name});
  return rawOps::pad(tensor, paddings, {.name = options.name});
}

Output stridedSlice(const Input &input, const Input &begin, const Input &end,
                    const Input &strides, const StridedSliceOptions &options) {
  return rawOps::stridedSlice(input, begin, end, strides,
                              {.beginMask = options.beginMask,
                               .endMask = options.endMask,
                               .ellipsisMask = options.ellipsisMask,
                               .newAxisMask = options.newAxisMask,
                               .shrinkAxisMask = options.shrinkAxisMask,
                               .name = options.name});
}

Output booleanMask(const Input &tensor, const Input &mask,
                   const BooleanMaskOptions &options) {
  FunctionScope scope(options.name, "boolean_mask", {&tensor, &mask});
  Output values = convert(tensor, "tensor"), holds = convert(mask, "mask");
  if (!values.node || !holds.node)
    return {};
  int rank = holds.shape().rank(), axis = options.axis;
  if (rank == 0)
    return failed(invalidArgumentError("mask cannot be scalar."), scope);
  if (rank < 0)
    return failed(
        invalidArgumentError(
            "Number of mask dimensions must be specified, even if some "
            "dimensions are None.  E.g. shape=[None] is ok, but shape=None is "
            "not."),
        scope);
  if (values.shape().rank() >= axis + rank) {
    Shape masked(values.shape().dims().subspan(static_cast<size_t>(axis),
                                               static_cast<size_t>(rank)));
    if (!masked.isCompatibleWith(holds.shape()))
      return failed(invalidArgumentError(strCat(
                        "Shapes ", masked.toTupleString(), " and ",
                        holds.shape().toTupleString(), " are incompatible")),
                    scope);
  }
  Output leading =
      rawOps::prod(shape(values)[{kiln::slice(axis, axis + rank)}], {0});
  Output flat =
      rawOps::reshape(values, concat({shape(values)[{sliceTo(axis)}],
                                      Input(Input::List{leading}),
                                      shape(values)[{sliceFrom(axis + rank)}]},
                                     0));
  Output flatMask = rawOps::reshape(holds, {-1});
  Output indices = squeeze(rawOps::where(flatMask), {.axis = {1}});
  return gather(flat, indices, {.axis = axis});
}

} // namespace kiln::ops
