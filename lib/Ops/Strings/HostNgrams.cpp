// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins neighbours in each row of a ragged tensor of strings, with strings that
// stand before its first and behind its last one.
#include "lib/Ops/Strings/Host.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kiln::host {
namespace {

/// Strings that an op may join in all: more are a mistake, or malice.
constexpr int64_t maxTokens = int64_t(1) << 31;

struct Settings {
  explicit Settings(const Node &node)
      : separator(node.attrOr<std::string>("separator", "")),
        left(node.attrOr<std::string>("left_pad", "")),
        right(node.attrOr<std::string>("right_pad", "")),
        widths(node.attrOr<std::vector<int64_t>>("ngram_widths", {})),
        padWidth(node.attrOr<int64_t>("pad_width", 0)),
        keepsShort(node.attrOr<bool>("preserve_short_sequences", false)) {}

  /// How many strings stand on each side; no n-gram is all of these.
  int64_t padOf(int64_t width) const {
    return padWidth < 0 ? width - 1 : std::min(padWidth, width - 1);
  }

  const std::string separator, left, right;
  const std::vector<int64_t> widths;
  const int64_t padWidth;
  const bool keepsShort;
};

/// The n-grams of all rows, one after the other.
class Ngrams {
public:
  explicit Ngrams(const Settings &settings) : settings(settings) {}

  Status addRow(std::span<const String> row) {
    const size_t before = texts.size();
    const auto length = static_cast<int64_t>(row.size());
    for (int64_t width : settings.widths)
      KILN_RETURN_IF_ERROR(addOf(row, width, settings.padOf(width)));
    if (!settings.keepsShort || length == 0 || texts.size() > before)
      return okStatus();
    if (settings.padWidth < 0)
      return invalidArgumentError(strCat(
          "Pad width should be >= 0 when preserve_short_sequences is True and "
          "ngram_widths are not provided, got ",
          settings.padWidth));
    CheckedInt64 width = settings.padWidth;
    width *= 2;
    width += length;
    return addOf(row, width.value().value_or(maxTokens + 1), settings.padWidth);
  }

  std::vector<std::string> texts;

private:
  Status addOf(std::span<const String> row, int64_t width, int64_t pad) {
    const auto length = static_cast<int64_t>(row.size());
    if (width > maxTokens)
      return tooMany();
    const int64_t count = std::max<int64_t>(0, length + 2 * pad - width + 1);
    CheckedInt64 tokens = count;
    tokens *= width;
    tokens += numTokens;
    numTokens = tokens.value().value_or(maxTokens + 1);
    if (numTokens > maxTokens)
      return tooMany();
    for (int64_t begin = -pad; begin < count - pad; ++begin) {
      std::string &text = texts.emplace_back();
      for (int64_t i = begin; i < begin + width; ++i) {
        if (i > begin)
          text += settings.separator;
        text += i < 0         ? std::string_view(settings.left)
                : i >= length ? std::string_view(settings.right)
                              : row[static_cast<size_t>(i)].view();
      }
    }
    return okStatus();
  }

  Status tooMany() const {
    return resourceExhaustedError(
        strCat("expected to join at most ", maxTokens, " strings"));
  }

  const Settings &settings;
  int64_t numTokens = 0;
};

template <class T>
Status checkSplits(std::span<const T> splits, int64_t numStrings) {
  if (splits[0] != 0)
    return invalidArgumentError(
        strCat("First split value must be 0, got ", splits[0]));
  for (size_t i = 1; i < splits.size(); ++i)
    if (splits[i] < splits[i - 1] || splits[i] > numStrings)
      return invalidArgumentError(strCat("Invalid split value ", splits[i],
                                         ", must be in [", splits[i - 1], ", ",
                                         numStrings, "]"));
  if (splits.back() != numStrings)
    return invalidArgumentError(
        strCat("Last split value must be data size. Expected ", numStrings,
               ", got ", splits.back()));
  return okStatus();
}

template <class T> Status join(const HostCall &call) {
  const Settings settings(call.node);
  for (int64_t width : settings.widths)
    if (width <= 0)
      return invalidArgumentError("ngram_widths must contain positive values");
  const Tensor &data = call.inputs[0], &splits = call.inputs[1];
  auto ends = splits.data<T>();
  if (!ends.empty())
    KILN_RETURN_IF_ERROR(checkSplits(ends, data.numElements()));
  // As TensorFlow: nothing to split gives empty strings of the data's shape.
  if (ends.empty() || data.numElements() == 0) {
    KILN_ASSIGN_OR_RETURN(call.outputs[0],
                          Tensor::create(DType::String, data.shape()));
    KILN_ASSIGN_OR_RETURN(call.outputs[1],
                          Tensor::zeros(splits.dtype(), splits.shape()));
    return okStatus();
  }
  Ngrams ngrams(settings);
  std::vector<T> counts{0};
  for (size_t i = 1; i < ends.size(); ++i) {
    auto begin = static_cast<size_t>(ends[i - 1]),
         end = static_cast<size_t>(ends[i]);
    KILN_RETURN_IF_ERROR(
        ngrams.addRow(data.data<String>().subspan(begin, end - begin)));
    counts.push_back(static_cast<T>(ngrams.texts.size()));
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings({static_cast<int64_t>(ngrams.texts.size())},
                          std::span<const std::string>(ngrams.texts)));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1],
      Tensor::fromValues<T>(splits.shape(), std::span<const T>(counts)));
  return okStatus();
}

} // namespace

Status stringNgrams(const HostCall &call) {
  return call.inputs[1].dtype() == DType::Int32 ? join<int32_t>(call)
                                                : join<int64_t>(call);
}

} // namespace kiln::host
