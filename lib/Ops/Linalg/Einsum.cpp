// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the equations of Einsum.
#include "lib/Ops/Linalg/Einsum.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr std::string_view ellipsis = "...";

int namedLabels(std::string_view text) {
  return static_cast<int>(text.size()) -
         (text.find(ellipsis) == text.npos ? 0 : 3);
}

Status checkTerm(std::string_view text, std::string_view equation) {
  const size_t at = text.find(ellipsis);
  std::string rest(text);
  if (at != text.npos)
    rest.erase(at, ellipsis.size());
  if (rest.find('.') != rest.npos)
    return invalidArgumentError(
        strCat("Periods in an einsum equation stand for an ellipsis (...), at "
               "most one a term: ",
               equation));
  return okStatus();
}

} // namespace

StatusOr<EinsumEquation> parseEinsum(std::string_view equation, int numInputs) {
  std::string text(equation);
  const size_t arrow = text.find("->");
  if (arrow == text.npos || text.find("->", arrow + 2) != text.npos)
    return invalidArgumentError(
        strCat("Expecting exactly one '->' in einsum equation: ", equation));
  EinsumEquation result{{}, text.substr(arrow + 2)};
  for (size_t at = 0; at <= arrow;) {
    const size_t end = std::min(text.find(',', at), arrow);
    result.inputs.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto count = static_cast<int>(result.inputs.size());
  if (count != 1 && count != 2)
    return invalidArgumentError(
        strCat("Expecting 1 or 2 input subscripts in equation '", equation,
               "' but got: ", count));
  if (count != numInputs)
    return invalidArgumentError(strCat("Expected ", count,
                                       " inputs for equation ", equation,
                                       " but got: ", numInputs));
  KILN_RETURN_IF_ERROR(checkTerm(result.output, equation));
  for (const std::string &input : result.inputs)
    KILN_RETURN_IF_ERROR(checkTerm(input, equation));
  for (char label : result.output)
    if (label != '.' &&
        std::ranges::none_of(result.inputs, [&](const std::string &input) {
          return input.find(label) != input.npos;
        }))
      return invalidArgumentError(
          strCat("Einsum output subscripts for equation '", equation,
                 "' has label '", std::string(1, label),
                 "' which is not present in the input subscripts"));
  return result;
}

EinsumLabels einsumLabels(std::string_view text, int ellipsisDims) {
  EinsumLabels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') {
      labels.push_back(static_cast<unsigned char>(text[i]));
      continue;
    }
    for (int k = ellipsisDims; k-- > 0;)
      labels.push_back(ellipsisLabel + k);
    i += ellipsis.size() - 1;
  }
  return labels;
}

StatusOr<int> einsumEllipsisDims(std::string_view text, int input, int rank) {
  const int named = namedLabels(text);
  if (text.find(ellipsis) == text.npos && rank != named)
    return invalidArgumentError(strCat(
        "Expected input ", input, " to have rank ", named, " but got: ", rank));
  if (rank < named)
    return invalidArgumentError(strCat("Expected input ", input,
                                       " to have rank at least ", named,
                                       " but got: ", rank));
  return rank - named;
}

} // namespace kiln
