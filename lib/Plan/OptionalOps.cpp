// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an op of each tensor for an op of an optional.
#include "lib/Plan/OptionalOps.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {

StatusOr<KnownOptional> OptionalOps::zerosLike(const Optional &from) {
  return mapTensors(from, from, 0,
                    [&](const Output &tensor, const Output &,
                        const OptionalPlace &place) -> StatusOr<Output> {
                      if (place.isHas || !tensor.node)
                        return tensor;
                      DType dtype = place.typeIn(0);
                      KILN_ASSIGN_OR_RETURN(Output zeros,
                                            made.name(node, dtype));
                      KILN_RETURN_IF_ERROR(call("ZerosLike", {{"T", dtype}},
                                                {tensor}, {dtype}, {zeros}));
                      return zeros;
                    });
}

Status OptionalOps::failUnlessSame(Output a, Output b) {
  if (a == b)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(a, number(a));
  KILN_ASSIGN_OR_RETURN(b, number(b));
  KILN_ASSIGN_OR_RETURN(Output same, made.name(node, DType::Bool));
  KILN_RETURN_IF_ERROR(call("Equal", {{"T", DType::Int32}}, {a, b},
                            {DType::Int32, DType::Int32}, {same}));
  KILN_ASSIGN_OR_RETURN(Output text, made.name(node, DType::String));
  Tensor words = Tensor::scalar("Cannot add optionals because one has a value "
                                "and the other doesn't.");
  KILN_RETURN_IF_ERROR(
      call("Const", {{"dtype", DType::String}, {"value", std::move(words)}}, {},
           {}, {text}));
  return call("Assert", {{"T", std::vector<DType>{DType::String}}},
              {same, text}, {DType::Bool, DType::String}, {});
}

StatusOr<KnownOptional>
OptionalOps::sumWithValue(std::span<const KnownOptional> terms) {
  auto total = std::make_shared<Optional>();
  total->has = hasValue;
  for (size_t i = 0; i < terms[0]->parts.size(); ++i) {
    const OptionalPart &first = terms[0]->parts[i];
    OptionalPart &part = total->parts.emplace_back();
    part.dtype = first.dtype;
    std::vector<Output> tensors;
    std::vector<KnownOptional> optionals;
    for (const KnownOptional &term : terms) {
      const OptionalPart &other = term->parts[i];
      if (!other.optional != !first.optional)
        return invalidArgumentError(
            "expected an optional in the place of an optional, got a tensor");
      tensors.push_back(other.tensor);
      optionals.push_back(other.optional);
    }
    if (first.optional) {
      KILN_ASSIGN_OR_RETURN(part.optional, sum(optionals));
      continue;
    }
    KILN_ASSIGN_OR_RETURN(part.tensor, made.name(node, first.dtype));
    std::vector<DType> types(tensors.size(), first.dtype);
    KILN_RETURN_IF_ERROR(call(
        "AddN", {{"T", first.dtype}, {"N", static_cast<int64_t>(terms.size())}},
        std::move(tensors), std::move(types), {part.tensor}));
  }
  KILN_RETURN_IF_ERROR(total->measure());
  return KnownOptional(std::move(total));
}

StatusOr<KnownOptional> OptionalOps::sum(std::span<const KnownOptional> terms) {
  const Optional &first = *terms[0];
  Output has = first.has;
  for (const KnownOptional &term : terms) {
    if (term->lists > 0)
      return unimplementedError(
          "sums of lists of optionals are not implemented");
    KILN_RETURN_IF_ERROR(failUnlessSame(first.has, term->has));
    has = has.node ? term->has : has;
  }
  if (has == hasNone)
    return terms[0];
  for (const KnownOptional &term : terms)
    if (term->parts.size() != first.parts.size())
      return invalidArgumentError(strCat("Cannot add optionals of ",
                                         first.parts.size(),
                                         " tensors and "
                                         "of ",
                                         term->parts.size()));
  if (!has.node)
    return sumWithValue(terms);
  // What there is without a value may have any shape.
  Item choice;
  choice.kind = Item::Kind::If;
  choice.node = &node;
  choice.condition = has;
  choice.first = std::make_unique<Block>();
  choice.second = std::make_unique<Block>();
  choice.first->path = choice.second->path = block->path;
  Block *outer = std::exchange(block, choice.first.get());
  auto total = sumWithValue(terms);
  block = outer;
  if (!total.ok())
    return total.status();
  KILN_ASSIGN_OR_RETURN(
      KnownOptional given,
      mapTensors(**total, **total, 0,
                 [&](const Output &tensor, const Output &,
                     const OptionalPlace &place) -> StatusOr<Output> {
                   KILN_ASSIGN_OR_RETURN(Output name,
                                         made.name(node, place.typeIn(0)));
                   choice.results.push_back(name);
                   choice.first->results.push_back(tensor);
                   choice.second->results.push_back(
                       place.isHas && place.lists == 0 ? hasNone : noTensor);
                   return name;
                 }));
  block->items.push_back(std::move(choice));
  auto result = std::make_shared<Optional>(*given);
  result->has = has;
  return KnownOptional(std::move(result));
}

StatusOr<KnownOptional> OptionalOps::emptyList(const Optional &element) {
  KILN_ASSIGN_OR_RETURN(Output anyShape, made.number(node, -1, *block));
  return mapTensors(
      element, element, 1,
      [&](const Output &, const Output &,
          const OptionalPlace &place) -> StatusOr<Output> {
        KILN_ASSIGN_OR_RETURN(Output list, made.name(node, DType::Variant));
        KILN_RETURN_IF_ERROR(call(
            "EmptyTensorList",
            {{"element_dtype", place.typeIn(0)}, {"shape_type", DType::Int32}},
            {anyShape, node.input(1)}, {DType::Int32, DType::Int32}, {list}));
        return list;
      });
}

StatusOr<KnownOptional> OptionalOps::pushBack(const Optional &list,
                                              const Optional &element) {
  if (list.lists != element.lists + 1)
    return unimplementedError("expected an optional to be pushed to a list of "
                              "optionals, got other elements");
  if (element.parts.empty() && !list.parts.empty())
    return unimplementedError(
        "an optional that never has a value cannot be pushed to a list");
  return mapTensors(
      list, element, 0,
      [&](const Output &to, Output value,
          const OptionalPlace &place) -> StatusOr<Output> {
        if (!value.node && !place.isHas)
          return unimplementedError(
              "an optional that never has a value cannot be pushed to a list");
        KILN_ASSIGN_OR_RETURN(value, number(value));
        KILN_ASSIGN_OR_RETURN(Output longer, made.name(node, DType::Variant));
        DType dtype = place.typeIn(-1);
        KILN_RETURN_IF_ERROR(call("TensorListPushBack",
                                  {{"element_dtype", dtype}}, {to, value},
                                  {DType::Variant, dtype}, {longer}));
        return longer;
      });
}

StatusOr<OptionalOps::Popped> OptionalOps::popBack(const Optional &list) {
  if (list.lists == 0)
    return unimplementedError("expected a list of optionals, got an optional");
  KILN_ASSIGN_OR_RETURN(Output anyShape, made.number(node, -1, *block));
  Popped popped;
  KILN_ASSIGN_OR_RETURN(
      popped.list,
      mapTensors(list, list, 0,
                 [&](const Output &, const Output &, const OptionalPlace &) {
                   return made.name(node, DType::Variant);
                 }));
  KILN_ASSIGN_OR_RETURN(
      popped.element,
      mapTensors(list, *popped.list, -1,
                 [&](const Output &from, const Output &rest,
                     const OptionalPlace &place) -> StatusOr<Output> {
                   DType dtype = place.typeIn(-1);
                   KILN_ASSIGN_OR_RETURN(Output element,
                                         made.name(node, dtype));
                   KILN_RETURN_IF_ERROR(
                       call("TensorListPopBack", {{"element_dtype", dtype}},
                            {from, anyShape}, {DType::Variant, DType::Int32},
                            {rest, element}));
                   return element;
                 }));
  return popped;
}

} // namespace kiln
