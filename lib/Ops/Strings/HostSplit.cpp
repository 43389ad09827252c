// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts strings at separators, and joins them by segments.
#include "lib/Ops/Strings/Host.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <unordered_map>

namespace kiln::host {
namespace {

using Pieces = std::vector<std::string_view>;

constexpr std::string_view whiteSpace = " \t\n\v\f\r";

/// At each byte of a set; without one, between all bytes.
Pieces splitAtBytes(std::string_view text, std::string_view set,
                    bool skipsEmpty) {
  Pieces pieces;
  if (text.empty())
    return pieces;
  if (set.empty()) {
    for (size_t i = 0; i < text.size(); ++i)
      pieces.push_back(text.substr(i, 1));
    return pieces;
  }
  for (;;) {
    const size_t end = text.find_first_of(set);
    if (std::string_view piece = text.substr(0, end);
        !piece.empty() || !skipsEmpty)
      pieces.push_back(piece);
    if (end == text.npos)
      return pieces;
    text.remove_prefix(end + 1);
  }
}

void skipSpace(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(whiteSpace), text.size()));
}

/// As Python's str.split: a separator as a whole, or runs of white space; at
/// most so many cuts, any number if negative.
Pieces splitAtText(std::string_view text, std::string_view separator,
                   int64_t maxCuts) {
  if (maxCuts == 0)
    return {text};
  Pieces pieces;
  if (separator.empty()) {
    for (skipSpace(text); !text.empty();) {
      std::string_view piece =
          text.substr(0, std::min(text.find_first_of(whiteSpace), text.size()));
      pieces.push_back(piece);
      text.remove_prefix(piece.size());
      skipSpace(text);
      if (maxCuts == static_cast<int64_t>(pieces.size())) {
        pieces.push_back(text);
        break;
      }
    }
    return pieces;
  }
  for (size_t end = text.find(separator);
       end != text.npos && maxCuts != static_cast<int64_t>(pieces.size());
       end = text.find(separator)) {
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  pieces.push_back(text);
  return pieces;
}

/// Gives the pieces of each string as a sparse tensor.
Status splitAll(const HostCall &call, std::string_view separatorName,
                const std::function<Pieces(std::string_view text,
                                           std::string_view separator)> &cut) {
  const Tensor &input = call.inputs[0], &separator = call.inputs[1];
  if (input.rank() != 1)
    return invalidArgumentError(strCat("input must be a vector, got shape: ",
                                       input.shape().toString()));
  if (separator.rank() != 0)
    return invalidArgumentError(
        strCat(separatorName,
               " must be a scalar, got shape: ", separator.shape().toString()));
  std::vector<int64_t> indices;
  Pieces all;
  int64_t row = 0, longest = 0;
  for (const String &text : input.data<String>()) {
    Pieces pieces = cut(text.view(), separator.data<String>()[0].view());
    for (size_t i = 0; i < pieces.size(); ++i)
      indices.insert(indices.end(), {row, static_cast<int64_t>(i)});
    longest = std::max(longest, static_cast<int64_t>(pieces.size()));
    all.insert(all.end(), pieces.begin(), pieces.end());
    ++row;
  }
  const auto count = static_cast<int64_t>(all.size());
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(
                            {count, 2}, std::span<const int64_t>(indices)));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1],
      Tensor::fromStrings({count}, std::span<const std::string_view>(all)));
  KILN_ASSIGN_OR_RETURN(call.outputs[2],
                        Tensor::fromValues<int64_t>({2}, {row, longest}));
  return okStatus();
}

int64_t integerAt(const Tensor &tensor, int64_t i) {
  const auto place = static_cast<size_t>(i);
  return tensor.dtype() == DType::Int32 ? tensor.data<int32_t>()[place]
                                        : tensor.data<int64_t>()[place];
}

} // namespace

Status stringSplit(const HostCall &call) {
  const bool skipsEmpty = call.node.attrOr<bool>("skip_empty", true);
  return splitAll(call, "delimiter",
                  [=](std::string_view text, std::string_view separator) {
                    return splitAtBytes(text, separator, skipsEmpty);
                  });
}

Status stringSplitV2(const HostCall &call) {
  const auto maxCuts = call.node.attrOr<int64_t>("maxsplit", -1);
  return splitAll(call, "sep",
                  [=](std::string_view text, std::string_view separator) {
                    return splitAtText(text, separator, maxCuts);
                  });
}

Status unsortedSegmentJoin(const HostCall &call) {
  const Tensor &input = call.inputs[0], &segments = call.inputs[1],
               &number = call.inputs[2];
  if (number.numElements() == 0)
    return invalidArgumentError("Number of segments cannot be empty.");
  if (number.rank() != 0)
    return invalidArgumentError("Number of segments must be a scalar");
  const int64_t count = integerAt(number, 0);
  if (count < 0)
    return invalidArgumentError(
        strCat("Number of segments must be non-negative but got ", count));
  if (segments.rank() == 0)
    return invalidArgumentError("Segment_id cannot have rank 0");
  if (segments.rank() > input.rank())
    return outOfRangeError(strCat("Invalid segment_id rank ", segments.rank(),
                                  " for input with ", input.rank(),
                                  " dimension(s)"));
  std::vector<int64_t> dims{count};
  CheckedInt64 total = count;
  int64_t stride = 1; // elements of the input a segment number
  for (int d = 0; d < input.rank(); ++d) {
    if (d < segments.rank() && segments.dim(d) != input.dim(d))
      return invalidArgumentError(
          strCat("Segment dimension is ", segments.dim(d),
                 " while input dimension is ", input.rank(), " in rank ", d));
    if (d >= segments.rank()) {
      dims.push_back(input.dim(d));
      total *= input.dim(d);
      stride *= input.dim(d);
    }
  }
  for (int64_t i = 0; i < segments.numElements(); ++i)
    if (int64_t segment = integerAt(segments, i);
        segment < 0 || segment >= count)
      return invalidArgumentError("segment_ids are not allowed to exceed "
                                  "num_segments or to have negative values.");
  constexpr int64_t maxStrings = int64_t(1) << 32;
  if (!total.value() || *total.value() > maxStrings)
    return resourceExhaustedError(
        strCat("expected at most ", maxStrings, " strings, got shape ",
               Shape(std::span<const int64_t>(dims)).toString()));
  const auto separator = call.node.attrOr<std::string>("separator", "");
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::String, Shape(std::span<const int64_t>(dims))));
  std::unordered_map<int64_t, std::string> joined; // by the place
  auto texts = input.data<String>();
  for (int64_t i = 0; i < segments.numElements(); ++i)
    for (int64_t k = 0; k < stride; ++k) {
      std::string &to = joined[integerAt(segments, i) * stride + k];
      if (!to.empty())
        to += separator;
      to += texts[static_cast<size_t>(i * stride + k)].view();
    }
  std::span<String> results = call.outputs[0].mutableData<String>();
  for (const auto &[place, text] : joined) {
    KILN_ASSIGN_OR_RETURN(results[static_cast<size_t>(place)],
                          String::create(text));
  }
  return okStatus();
}

Status decodePaddedRaw(const HostCall &call) {
  const Tensor &input = call.inputs[0], &length = call.inputs[1];
  const auto dtype = call.node.attrOr<DType>("out_type", DType::Invalid);
  if (length.rank() != 0)
    return invalidArgumentError(
        strCat("k must be scalar, got shape ", length.shape().toString()));
  const int64_t bytes = integerAt(length, 0);
  const auto size = static_cast<int64_t>(dtypeSize(dtype));
  if (bytes % size != 0)
    return invalidArgumentError(
        strCat("fixed_length (", bytes,
               ") must be a multiple of the size of out_type (", size, ")"));
  if (bytes <= 0)
    return invalidArgumentError(
        strCat("fixed_length (", bytes, ") must be greater than zero."));
  std::vector<int64_t> dims(input.shape().dims().begin(),
                            input.shape().dims().end());
  dims.push_back(bytes / size);
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(dtype, Shape(std::span<const int64_t>(dims))));
  char *to = static_cast<char *>(call.outputs[0].mutableRawData());
  const bool isReversed = !call.node.attrOr<bool>("little_endian", true);
  if (call.outputs[0].byteSize() > 0)
    std::memset(to, 0, call.outputs[0].byteSize());
  for (const String &text : input.data<String>()) {
    std::string_view from = text.view().substr(0, static_cast<size_t>(bytes));
    std::ranges::copy(from, to);
    if (isReversed)
      for (int64_t i = 0; i < bytes; i += size)
        std::reverse(to + i, to + i + size);
    to += bytes;
  }
  return okStatus();
}

} // namespace kiln::host
