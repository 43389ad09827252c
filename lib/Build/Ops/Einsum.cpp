// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products that an equation tells of, as TensorFlow's Python adds them.
#include "kiln/GraphScopes.h"
#include "kiln/ops/Linalg.h"
#include "kiln/ops/LinearAlgebraOps.h"
#include "lib/Build/Ops/EinsumPath.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <set>

namespace kiln::ops {
namespace {

/// What stands for "..." while an equation is taken apart.
constexpr char ellipsisLabel = '0';

std::string replaced(std::string text, std::string_view what,
                     std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// An equation whose result is written out.
struct Equation {
  std::vector<std::string> inputs;
  std::string output;
  bool hasEllipsis = false;

  std::string text() const {
    return withDots(strCat(strJoin(inputs, ","), "->", output));
  }
  std::string withDots(const std::string &part) const {
    return hasEllipsis ? replaced(part, std::string(1, ellipsisLabel), "...")
                       : part;
  }
};

bool isLabel(char c, bool hasEllipsis) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (hasEllipsis && c == ellipsisLabel);
}

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkOutput(const Equation &parsed, const std::string &equation) {
  const std::string &output = parsed.output;
  if (std::set<char>(output.begin(), output.end()).size() != output.size())
    return invalidArgumentError(
        strCat("Output subscripts contain a label appearing more than once: ",
               equation));
  std::string all = strJoin(parsed.inputs, ",");
  for (char label : output)
    if (label != ellipsisLabel && all.find(label) == std::string::npos)
      return invalidArgumentError(strCat(
          "Output subscripts contain the label ", std::string_view(&label, 1),
          " not present in the input subscripts."));
  return okStatus();
}

/// **Source**: special_math_ops._einsum_v2_parse_and_resolve_equation.
StatusOr<Equation> parse(const std::string &equation, size_t count) {
  std::string text = replaced(equation, " ", "");
  Equation parsed;
  parsed.hasEllipsis = text.find("...") != std::string::npos;
  if (parsed.hasEllipsis) {
    if (text.find(ellipsisLabel) != std::string::npos)
      return invalidArgumentError(
          strCat("Invalid character \"0\" in equation: ", equation, "."));
    text = replaced(text, "...", std::string(1, ellipsisLabel));
  }
  size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  if (arrow != std::string::npos)
    parsed.output = text.substr(arrow + 2);
  auto isPart = [&](char c) { return isLabel(c, parsed.hasEllipsis); };
  if (!std::ranges::all_of(left,
                           [&](char c) { return c == ',' || isPart(c); }) ||
      !std::ranges::all_of(parsed.output, isPart))
    return invalidArgumentError(
        strCat("Subscripts have incorrect format: ", text));
  size_t begin = 0;
  for (size_t comma = left.find(','); comma != std::string::npos;
       begin = comma + 1, comma = left.find(',', begin))
    parsed.inputs.push_back(left.substr(begin, comma - begin));
  parsed.inputs.push_back(left.substr(begin));
  if (parsed.inputs.size() != count)
    return invalidArgumentError(strCat("Got ", count, " inputs for equation \"",
                                       equation, "\", expecting ",
                                       parsed.inputs.size()));
  if (arrow == std::string::npos) {
    std::map<char, int> counts;
    for (char label : left)
      ++counts[label];
    for (auto [label, uses] : counts)
      if (label != ',' && uses == 1)
        parsed.output += label;
  }
  KILN_RETURN_IF_ERROR(checkOutput(parsed, equation));
  return parsed;
}

Shape shapeOf(const Input &input) {
  if (const Output *tensor = input.output())
    return tensor->node ? tensor->shape() : Shape::unknownRank();
  if (const auto *variable =
          std::get_if<std::shared_ptr<const VariableData>>(&input.value()))
    return (*variable)->shape;
  const Tensor *array = std::get_if<Tensor>(&input.value());
  return array ? array->shape() : Shape::unknownRank();
}

/// The extents of labels, as far as shapes tell; others count as 1.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts for shapes that do not
/// fit.
StatusOr<std::map<char, int64_t>> extentsOf(const Equation &parsed,
                                            const std::string &equation,
                                            const std::vector<Input> &inputs) {
  std::map<char, int64_t> extents;
  for (const std::string &labels : parsed.inputs)
    for (char label : labels)
      extents[label] = 1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string &labels = parsed.inputs[i];
    Shape shape = shapeOf(inputs[i]);
    if (!shape.hasRank())
      continue;
    std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
    size_t dots =
        parsed.hasEllipsis ? labels.find(ellipsisLabel) : std::string::npos;
    if (dots != std::string::npos) {
      if (dots != labels.rfind(ellipsisLabel))
        return invalidArgumentError(strCat("Too many ellipses in input label ",
                                           parsed.withDots(labels), "."));
      if (labels.size() > dims.size() + 1)
        return invalidArgumentError(strCat(
            "Too many named labels in ", i, "th subscript string of equation ",
            equation, " for input shape [", strJoin(dims, ", "), "] "));
      size_t covered = dims.size() + 1 - labels.size();
      int64_t product = 1;
      for (size_t at = dots; at < dots + covered; ++at)
        product *= std::max<int64_t>(dims[at], 1);
      auto first = dims.begin() + static_cast<ptrdiff_t>(dots);
      dims.erase(first, first + static_cast<ptrdiff_t>(covered));
      dims.insert(dims.begin() + static_cast<ptrdiff_t>(dots), product);
    } else if (labels.size() != dims.size()) {
      return invalidArgumentError(strCat(
          "Number of named labels in input #", i, " of equation ", equation,
          " must be equal to the number of dimensions in shape [",
          strJoin(dims, ", "), "]"));
    }
    for (size_t at = 0; at < labels.size(); ++at)
      extents[labels[at]] = std::max(extents[labels[at]], dims[at]);
  }
  return extents;
}

} // namespace

Output einsum(const std::string &equation, const InputList &inputs,
              const OpOptions &options) {
  std::vector<Input> operands = inputs.list();
  std::optional<GraphScope> graph;
  for (const Input &each : operands)
    if (each.output() && !graph)
      graph.emplace(builderOf(each));
  NameScope scope(options.name, "einsum");
  auto parsed = parse(equation, operands.size());
  if (!parsed.ok())
    return failed(parsed.status(), scope.name());
  if (operands.size() <= 2)
    return rawOps::einsum(operands, parsed->text());
  auto extents = extentsOf(*parsed, equation, operands);
  if (!extents.ok())
    return failed(extents.status(), scope.name());
  for (const Contraction &step :
       einsumPath(parsed->inputs, parsed->output, *extents)) {
    std::vector<Input> pair;
    for (size_t at : step.operands) {
      pair.push_back(operands[at]);
      operands.erase(operands.begin() + static_cast<ptrdiff_t>(at));
    }
    operands.emplace_back(
        rawOps::einsum(pair, parsed->withDots(step.equation)));
  }
  return *operands[0].output();
}

} // namespace kiln::ops
