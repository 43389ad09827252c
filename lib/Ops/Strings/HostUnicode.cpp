// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns strings into characters and back, with TensorFlow's ways to treat what
// is none.
#include "lib/Ops/Strings/Host.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "lib/Support/Unicode.h"

#include <vector>

namespace kiln::host {
namespace {

/// What is done with what is no character.
struct Policy {
  bool isStrict = false, isIgnored = false, replacesControls = false;
  int32_t replacement = replacementCharacter;
};

StatusOr<Policy> policyOf(const Node &node) {
  Policy policy;
  auto errors = node.attrOr<std::string>("errors", "replace");
  policy.isStrict = errors == "strict";
  policy.isIgnored = errors == "ignore";
  policy.replacesControls =
      node.attrOr<bool>("replace_control_characters", false);
  const auto replacement =
      node.attrOr<int64_t>("replacement_char", replacementCharacter);
  if (replacement < 0 || replacement > lastCharacter)
    return invalidArgumentError(
        "replacement_char out of unicode codepoint range");
  policy.replacement = static_cast<int32_t>(replacement);
  return policy;
}

StatusOr<Encoding> inputEncodingOf(const Node &node) {
  auto name = node.attrOr<std::string>("input_encoding", "");
  if (auto encoding = encodingOf(name))
    return *encoding;
  return invalidArgumentError(
      strCat("Could not create converter for input encoding: ", name));
}

StatusOr<Encoding> outputEncodingOf(const Node &node) {
  auto name = node.attrOr<std::string>("output_encoding", "");
  if (auto encoding = encodingOf(name))
    return *encoding;
  return invalidArgumentError(strCat("Invalid encoding \"", name, "\""));
}

/// Calls use(value, offset) for each character that is not ignored.
template <class Use>
Status forCharacters(std::string_view text, Encoding encoding,
                     const Policy &policy, Use use) {
  for (size_t at = 0; at < text.size();) {
    const Character next = nextCharacter(text.substr(at), encoding);
    const bool isReplaced =
        !next.isValid || (policy.replacesControls && next.value <= 0x1F);
    if (isReplaced && policy.isStrict)
      return invalidArgumentError("Invalid formatting on input string");
    if (!isReplaced || !policy.isIgnored)
      use(isReplaced ? policy.replacement : next.value,
          static_cast<int64_t>(at));
    at += next.numBytes;
  }
  return okStatus();
}

StatusOr<Tensor> splitsOf(const std::vector<int64_t> &ends, DType dtype) {
  const Shape shape({static_cast<int64_t>(ends.size())});
  if (dtype == DType::Int64)
    return Tensor::fromValues<int64_t>(shape, std::span<const int64_t>(ends));
  const std::vector<int32_t> narrow(ends.begin(), ends.end());
  return Tensor::fromValues<int32_t>(shape, std::span<const int32_t>(narrow));
}

int64_t integerAt(const Tensor &tensor, int64_t i) {
  const auto place = static_cast<size_t>(i);
  return tensor.dtype() == DType::Int32 ? tensor.data<int32_t>()[place]
                                        : tensor.data<int64_t>()[place];
}

} // namespace

Status unicodeDecode(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Policy policy, policyOf(call.node));
  KILN_ASSIGN_OR_RETURN(Encoding encoding, inputEncodingOf(call.node));
  std::vector<int64_t> ends{0}, offsets;
  std::vector<int32_t> values;
  for (const String &text : call.inputs[0].data<String>()) {
    KILN_RETURN_IF_ERROR(forCharacters(text.view(), encoding, policy,
                                       [&](int32_t value, int64_t offset) {
                                         values.push_back(value);
                                         offsets.push_back(offset);
                                       }));
    ends.push_back(static_cast<int64_t>(values.size()));
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      splitsOf(ends, call.node.attrOr<DType>("Tsplits", DType::Int64)));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1],
      Tensor::fromValues<int32_t>({static_cast<int64_t>(values.size())},
                                  std::span<const int32_t>(values)));
  if (call.outputs.size() == 3) {
    KILN_ASSIGN_OR_RETURN(call.outputs[2], splitsOf(offsets, DType::Int64));
  }
  return okStatus();
}

Status unicodeEncode(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Policy policy, policyOf(call.node));
  KILN_ASSIGN_OR_RETURN(Encoding encoding, outputEncodingOf(call.node));
  const Tensor &values = call.inputs[0], &splits = call.inputs[1];
  if (values.rank() != 1 || splits.rank() != 1)
    return invalidArgumentError(
        "Both the input_tensor and input_splits should be of rank 1. ");
  const int64_t count = splits.numElements(), size = values.numElements();
  if (count == 0)
    return invalidArgumentError("Input_splits should contain elements, but "
                                "given input_values has 0 elements");
  if (integerAt(splits, 0) != 0)
    return invalidArgumentError("First value in input_splits must be zero.");
  if (integerAt(splits, count - 1) != size)
    return invalidArgumentError("Last value in input_splits must be equal to "
                                "length of input_tensor.");
  std::vector<std::string> texts;
  int64_t at = 0;
  for (int64_t i = 1; i < count; ++i) {
    const int64_t end = integerAt(splits, i);
    if (integerAt(splits, i - 1) > end)
      return invalidArgumentError(
          "Values in input_splits must be equal or in ascending order.");
    if (end > size)
      return invalidArgumentError("Values in input_splits must be less than or "
                                  "equal to input_tensor length.");
    std::string &text = texts.emplace_back();
    for (; at < end; ++at) {
      const int32_t value = values.data<int32_t>()[static_cast<size_t>(at)];
      const bool isValid =
          value >= 0 && value <= lastCharacter && !isSurrogate(value);
      if (!isValid && policy.isStrict)
        return invalidArgumentError(
            "Code point is out of range for Unicode, or is a surrogate.");
      if (isValid || !policy.isIgnored)
        appendCharacter(isValid ? value : policy.replacement, encoding, text);
    }
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings({count - 1}, std::span<const std::string>(texts)));
  return okStatus();
}

Status unicodeTranscode(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Policy policy, policyOf(call.node));
  KILN_ASSIGN_OR_RETURN(Encoding from, inputEncodingOf(call.node));
  KILN_ASSIGN_OR_RETURN(Encoding to, outputEncodingOf(call.node));
  const Tensor &input = call.inputs[0];
  std::vector<std::string> texts;
  for (const String &text : input.data<String>()) {
    std::string &result = texts.emplace_back();
    KILN_RETURN_IF_ERROR(
        forCharacters(text.view(), from, policy, [&](int32_t value, int64_t) {
          appendCharacter(value, to, result);
        }));
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings(input.shape(), std::span<const std::string>(texts)));
  return okStatus();
}

} // namespace kiln::host
