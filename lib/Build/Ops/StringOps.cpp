// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts as TensorFlow's Python functions take them.
#include "kiln/ops/StringOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Logging.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Strings.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <numeric>

namespace kiln::ops {
namespace {

/// The parts that a node splits texts into, and what is known of their shapes.
template <class Add> SparseTensor splitParts(const Add &add) {
  BuildState &state = GraphBuilder::current().internals();
  HoldScope hold(state);
  const Node *node = add();
  if (!node)
    return {};
  SparseTensor parts{{node, 0}, {node, 1}, {node, 2}};
  setShape(state, parts.indices, {Shape::unknownDim, 2});
  setShape(state, parts.values, {Shape::unknownDim});
  setShape(state, parts.denseShape, {2});
  return makeSparseTensor(parts.indices, parts.values, parts.denseShape);
}

const std::string *textOf(const Input &input) {
  return std::get_if<std::string>(&input.value());
}

} // namespace

SparseTensor stringSplit(const Input &source,
                         const StringSplitOptions &options) {
  FunctionScope scope(options.name, "StringSplit", {&source});
  Output separator =
      convert(options.sep.value_or(Input(" ")), "", DType::String);
  Output texts = convert(source, "", DType::String);
  return splitParts([&] {
    return rawOps::stringSplit(texts, separator,
                               {.skipEmpty = options.skipEmpty})
        .operation;
  });
}

SparseTensor stringsSplit(const Input &input,
                          const StringsSplitOptions &options) {
  FunctionScope scope(options.name, "StringSplit", {&input});
  Output texts = convert(input, "input", DType::String);
  if (!texts.node)
    return {};
  if (texts.shape().rank() == 0)
    texts = expandDims(texts, 0);
  if (!texts.node)
    return {};
  if (texts.shape().rank() != 1) {
    failed(unimplementedError(strCat("expected texts of one axis, got shape ",
                                     texts.shape().toTupleString())),
           scope);
    return {};
  }
  Output separator =
      convert(options.sep.value_or(Input("")), "", DType::String);
  return splitParts([&] {
    return rawOps::stringSplitV2(texts, separator,
                                 {.maxsplit = options.maxsplit})
        .operation;
  });
}

Output reduceJoin(const Input &inputs, const ReduceJoinOptions &options) {
  FunctionScope scope("", "ReduceJoin", {&inputs});
  Output texts = valueOf(inputs);
  if (!texts.node)
    return {};
  Input axes = 0;
  if (options.axis) {
    axes = *options.axis;
  } else if (texts.shape().hasRank()) {
    std::vector<int32_t> all(static_cast<size_t>(texts.shape().rank()));
    std::iota(all.rbegin(), all.rend(), 0);
    axes = constant(all, {.dtype = DType::Int32});
  } else {
    Output last = rank(texts) - 1;
    axes = rangeFrom(last, -1, -1);
  }
  return rawOps::reduceJoin(texts, axes,
                            {.keepDims = options.keepDims,
                             .separator = options.separator,
                             .name = options.name});
}

Output regexFullMatch(const Input &input, const Input &pattern,
                      const OpOptions &options) {
  if (const std::string *text = textOf(pattern))
    return rawOps::staticRegexFullMatch(input, *text, options);
  return rawOps::regexFullMatch(input, pattern, options);
}

Output regexReplace(const Input &input, const Input &pattern,
                    const Input &rewrite, const RegexReplaceOptions &options) {
  const std::string *from = textOf(pattern), *to = textOf(rewrite);
  if (from && to)
    return rawOps::staticRegexReplace(
        input, *from, *to,
        {.replaceGlobal = options.replaceGlobal, .name = options.name});
  return rawOps::regexReplace(
      input, pattern, rewrite,
      {.replaceGlobal = options.replaceGlobal, .name = options.name});
}

namespace {

size_t countOf(std::string_view text, std::string_view part) {
  if (part.empty())
    return text.size() + 1;
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

} // namespace

Output stringFormat(const std::string &text, const InputList &inputs,
                    const StringFormatOptions &options) {
  size_t expected = countOf(text, options.placeholder);
  if (expected != inputs.size())
    return failed(
        invalidArgumentError(strCat(
            "The template expects ", expected,
            " tensors, but the inputs only has ", inputs.size(),
            ". Please ensure the number of placeholders in template matches "
            "inputs length.")),
        options.name.empty() ? "StringFormat" : options.name);
  return rawOps::stringFormat(inputs, {.template_ = text,
                                       .placeholder = options.placeholder,
                                       .summarize = options.summarize,
                                       .name = options.name});
}

namespace {

/// What stands for a tensor: none of the texts has it. The digits are the first
/// that Python's random.Random(5) draws.
std::string placeholderFor(const std::vector<TensorOrSparse> &inputs) {
  std::string placeholder = "{}";
  for (char digit : std::string_view("9458073021")) {
    bool isUsed = std::ranges::any_of(inputs, [&](const TensorOrSparse &each) {
      const std::string *text =
          each.tensor() ? textOf(*each.tensor()) : nullptr;
      return text && text->find(placeholder) != std::string::npos;
    });
    if (!isUsed)
      break;
    placeholder += digit;
  }
  return placeholder;
}

} // namespace

const Node *printV2(const std::vector<TensorOrSparse> &inputs,
                    const PrintLineOptions &options) {
  rawOps::PrintV2Options print{.outputStream = options.outputStream,
                               .end = options.end,
                               .name = options.name};
  if (inputs.size() == 1)
    if (Output only = inputs[0].output();
        only.node && only.dtype() == DType::String && only.shape().rank() == 0)
      return rawOps::printV2(only, print);
  std::string placeholder = placeholderFor(inputs);
  std::vector<std::string> parts;
  std::vector<Input> tensors;
  for (const TensorOrSparse &each : inputs) {
    if (const SparseTensor *sparse = each.sparse()) {
      for (const Output &part :
           {sparse->indices, sparse->values, sparse->denseShape})
        tensors.emplace_back(part);
      // Python's pprint puts the text into quotes.
      parts.push_back(strCat("'SparseTensor(indices=", placeholder, ", values=",
                             placeholder, ", shape=", placeholder, ")'"));
    } else if (const std::string *text = textOf(*each.tensor())) {
      parts.push_back(*text);
    } else {
      tensors.push_back(*each.tensor());
      parts.push_back(placeholder);
    }
  }
  Output line = stringFormat(
      strJoin(parts, options.sep), tensors,
      {.placeholder = placeholder,
       .summarize = options.summarize,
       .name = options.name.empty() ? "" : options.name + "_format"});
  return line.node ? rawOps::printV2(line, print) : nullptr;
}

} // namespace kiln::ops
