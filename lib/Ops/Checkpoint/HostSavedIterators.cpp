// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saved iterators in checkpoints: vectors of strings, since no other program
// knows what is in them.
//
// A string is a TensorProto. One that begins with a zero byte says that there
// are variants: behind that byte stands a TensorProto of their shape, and the
// strings that follow are those of the tensors that they hold.
#include "lib/Ops/Checkpoint/Host.h"

#include "lib/IO/Formats.h"
#include "lib/Pipelines/IteratorState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln::host {
namespace {

constexpr int maxDepth = 16; ///< of variants in variants

Status encode(const Tensor &value, std::vector<std::string> &texts, int depth) {
  if (value.dtype() != DType::Variant) {
    KILN_ASSIGN_OR_RETURN(texts.emplace_back(), encodeTensor(value));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(
      const Tensor shape,
      Tensor::fromValues<int64_t>({value.rank()}, value.shape().dims()));
  KILN_ASSIGN_OR_RETURN(const std::string text, encodeTensor(shape));
  texts.push_back(std::string(1, '\0') + text);
  for (int64_t i = 0; i < value.numElements(); ++i) {
    const auto held = variantAt<TensorVariant>(value, static_cast<size_t>(i));
    if (!held || depth == maxDepth)
      return unimplementedError(
          "expected a saved iterator of tensors and sparse tensors, got one "
          "that holds other variants");
    KILN_RETURN_IF_ERROR(encode(held->tensor, texts, depth + 1));
  }
  return okStatus();
}

/// Takes the next value off the front of the strings.
StatusOr<Tensor> decode(std::span<const String> &texts, int depth) {
  if (texts.empty() || depth > maxDepth)
    return dataLossError("expected more of a saved iterator, got its end");
  std::string_view text = texts[0].view();
  texts = texts.subspan(1);
  if (!text.starts_with('\0'))
    return decodeTensor(text);
  text.remove_prefix(1);
  KILN_ASSIGN_OR_RETURN(const Tensor dims, decodeTensor(text));
  KILN_ASSIGN_OR_RETURN(const Shape shape,
                        Shape::fromDims(dims.data<int64_t>()));
  KILN_ASSIGN_OR_RETURN(const int64_t count, shape.numElements());
  if (count > static_cast<int64_t>(texts.size()))
    return dataLossError("expected more of a saved iterator, got its end");
  std::vector<VariantPtr> variants;
  for (int64_t i = 0; i < count; ++i) {
    KILN_ASSIGN_OR_RETURN(Tensor held, decode(texts, depth + 1));
    variants.push_back(std::make_shared<TensorVariant>(std::move(held)));
  }
  return tensorOfVariants(shape, std::move(variants));
}

StatusOr<Tensor> toStrings(const Tensor &variant) {
  const auto saved = variantAt<SavedIterator>(variant);
  if (!saved || variant.rank() != 0)
    return unimplementedError("expected a saved iterator, got another variant");
  std::vector<std::string> texts;
  for (const Tensor &value : saved->values)
    KILN_RETURN_IF_ERROR(encode(value, texts, 0));
  return Tensor::fromStrings(Shape({static_cast<int64_t>(texts.size())}),
                             std::span<const std::string>(texts));
}

StatusOr<Tensor> fromStrings(const Tensor &strings) {
  std::span<const String> texts = strings.data<String>();
  std::vector<Tensor> values;
  while (!texts.empty()) {
    KILN_ASSIGN_OR_RETURN(values.emplace_back(), decode(texts, 0));
  }
  std::vector<VariantPtr> saved{
      std::make_shared<SavedIterator>(std::move(values))};
  return tensorOfVariants(Shape(), std::move(saved));
}

} // namespace

Status saveWithIterators(const HostCall &call) {
  std::vector<Tensor> inputs(call.inputs.begin(), call.inputs.end());
  for (Tensor &input : inputs)
    if (input.dtype() == DType::Variant) {
      KILN_ASSIGN_OR_RETURN(input, toStrings(input));
    }
  return saveV2({call.node, inputs, call.outputs, call.files});
}

Status restoreWithIterators(const HostCall &call) {
  KILN_RETURN_IF_ERROR(restoreV2(call));
  const auto dtypes = call.node.attrOr<std::vector<DType>>("dtypes", {});
  for (size_t i = 0; i < dtypes.size(); ++i)
    if (dtypes[i] == DType::Variant) {
      KILN_ASSIGN_OR_RETURN(call.outputs[i], fromStrings(call.outputs[i]));
    }
  return okStatus();
}

} // namespace kiln::host
