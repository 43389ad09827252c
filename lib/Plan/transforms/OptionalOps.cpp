// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an op of each tensor for an op of an optional.
#include "lib/Plan/transforms/OptionalOps.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {

StatusOr<KnownOptional> OptionalOps::zerosLike(const Optional &from) {
  return mapTensors(from, from, 0,
                    [&](const PlanValue &tensor, const PlanValue &,
                        const OptionalPlace &place) -> StatusOr<PlanValue> {
                      if (place.isHas || !tensor.isTensor())
                        return tensor;
                      DType dtype = place.typeIn(0);
                      KILN_ASSIGN_OR_RETURN(Output zeros,
                                            made.name(node, dtype));
                      KILN_RETURN_IF_ERROR(call("ZerosLike", {{"T", dtype}},
                                                {tensor}, {dtype}, {zeros}));
                      return PlanValue::result(zeros);
                    });
}

Status OptionalOps::hasValue(const Optional &from) {
  KILN_ASSIGN_OR_RETURN(const PlanValue form, number(from.has));
  KILN_ASSIGN_OR_RETURN(const PlanValue none, made.number(node, 0, *block));
  return call("NotEqual", {{"T", DType::Int32}}, {form, none},
              {DType::Int32, DType::Int32}, {{&node, 0}});
}

Status OptionalOps::fail(std::string text) {
  KILN_ASSIGN_OR_RETURN(Output never, made.name(node, DType::Bool));
  KILN_RETURN_IF_ERROR(
      call("Const", {{"dtype", DType::Bool}, {"value", Tensor::scalar(false)}},
           {}, {}, {never}));
  return failUnless(PlanValue::result(never), std::move(text));
}

Status OptionalOps::failUnless(const PlanValue &condition, std::string text) {
  KILN_ASSIGN_OR_RETURN(Output words, made.name(node, DType::String));
  KILN_RETURN_IF_ERROR(
      call("Const", {{"dtype", DType::String}, {"value", Tensor::scalar(text)}},
           {}, {}, {words}));
  return call("Assert", {{"T", std::vector<DType>{DType::String}}},
              {condition, PlanValue::result(words)},
              {DType::Bool, DType::String}, {});
}

Status OptionalOps::failUnlessSame(PlanValue a, PlanValue b) {
  if (a == b)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(a, number(a));
  KILN_ASSIGN_OR_RETURN(b, number(b));
  KILN_ASSIGN_OR_RETURN(Output same, made.name(node, DType::Bool));
  KILN_RETURN_IF_ERROR(call("Equal", {{"T", DType::Int32}}, {a, b},
                            {DType::Int32, DType::Int32}, {same}));
  return failUnless(PlanValue::result(same),
                    "Cannot add optionals because one has a value and "
                    "the other doesn't.");
}

StatusOr<OptionalForm>
OptionalOps::sumOfForm(std::span<const KnownOptional> terms, int number) {
  OptionalForm sums{number, {}};
  const OptionalForm &first = *terms[0]->find(number);
  for (size_t i = 0; i < first.parts.size(); ++i) {
    OptionalPart &part = sums.parts.emplace_back(first.parts[i]);
    std::vector<PlanValue> tensors;
    std::vector<KnownOptional> optionals;
    for (const KnownOptional &term : terms) {
      const OptionalPart &other = term->find(number)->parts[i];
      if (!other.optional != !part.optional)
        return invalidArgumentError(
            "expected an optional in the place of an optional, got a tensor");
      tensors.push_back(other.tensor);
      optionals.push_back(other.optional);
    }
    if (part.optional) {
      KILN_ASSIGN_OR_RETURN(part.optional, sum(optionals));
      continue;
    }
    KILN_ASSIGN_OR_RETURN(Output total, made.name(node, part.dtype));
    part.tensor = PlanValue::result(total);
    std::vector<DType> types(tensors.size(), part.dtype);
    KILN_RETURN_IF_ERROR(call(
        "AddN", {{"T", part.dtype}, {"N", static_cast<int64_t>(terms.size())}},
        std::move(tensors), std::move(types), {total}));
  }
  return sums;
}

StatusOr<KnownOptional> OptionalOps::sum(std::span<const KnownOptional> terms) {
  auto total = std::make_shared<Optional>();
  total->has = terms[0]->has;
  for (const KnownOptional &term : terms) {
    if (term->lists > 0)
      return unimplementedError(
          "sums of lists of optionals are not implemented");
    KILN_RETURN_IF_ERROR(failUnlessSame(terms[0]->has, term->has));
    total->has = total->has.isConstant() ? total->has : term->has;
  }
  for (const OptionalForm &form : terms[0]->forms) {
    bool isOfAll =
        std::all_of(terms.begin(), terms.end(), [&](const KnownOptional &term) {
          return term->find(form.number);
        });
    if (!isOfAll ||
        (total->has.isConstant() && total->has.number() != form.number))
      continue;
    if (total->has.isConstant()) {
      KILN_ASSIGN_OR_RETURN(OptionalForm of, sumOfForm(terms, form.number));
      total->forms.push_back(std::move(of));
      continue;
    }
    // What there is without a value may have any shape.
    Item choice = makeItem(Item::Kind::If, &node, block->path);
    choice.condition = total->has;
    choice.number = form.number;
    Block *outer = std::exchange(block, choice.first.get());
    auto inside = sumOfForm(terms, form.number);
    block = outer;
    if (!inside.ok())
      return inside.status();
    Optional one;
    one.forms.push_back(*std::move(inside));
    KILN_ASSIGN_OR_RETURN(
        KnownOptional given,
        mapTensors(one, one, 0,
                   [&](const PlanValue &tensor, const PlanValue &,
                       const OptionalPlace &place) -> StatusOr<PlanValue> {
                     KILN_ASSIGN_OR_RETURN(Output name,
                                           made.name(node, place.typeIn(0)));
                     choice.results.push_back(name);
                     choice.first->results.push_back(tensor);
                     choice.second->results.push_back(
                         place.isHas && place.lists == 0
                             ? PlanValue::constant(0)
                             : PlanValue());
                     return PlanValue::result(name);
                   }));
    total->forms.push_back(given->forms[0]);
    block->items.push_back(std::move(choice));
  }
  KILN_RETURN_IF_ERROR(total->measure());
  return KnownOptional(std::move(total));
}

StatusOr<KnownOptional> OptionalOps::emptyList(const Optional &element) {
  KILN_ASSIGN_OR_RETURN(PlanValue anyShape, made.number(node, -1, *block));
  return mapTensors(
      element, element, 1,
      [&](const PlanValue &, const PlanValue &,
          const OptionalPlace &place) -> StatusOr<PlanValue> {
        KILN_ASSIGN_OR_RETURN(Output list, made.name(node, DType::Variant));
        KILN_RETURN_IF_ERROR(call(
            "EmptyTensorList",
            {{"element_dtype", place.typeIn(0)}, {"shape_type", DType::Int32}},
            {anyShape, node.input(1)}, {DType::Int32, DType::Int32}, {list}));
        return PlanValue::result(list);
      });
}

StatusOr<PlanValue> OptionalOps::fill(const OptionalPlace &place) {
  DType dtype = place.typeIn(-1);
  if (dtype == DType::Variant || dtype == DType::Resource)
    return unimplementedError("an optional of lists or handles that may have "
                              "no value cannot be pushed to a list");
  std::vector<int64_t> extents;
  for (int i = 0; i < place.shape.rank(); ++i)
    extents.push_back(std::max<int64_t>(place.shape.dim(i), 0));
  KILN_ASSIGN_OR_RETURN(Tensor zero, Tensor::create(dtype, Shape()));
  KILN_ASSIGN_OR_RETURN(Output result, made.name(node, dtype));
  KILN_RETURN_IF_ERROR(
      call("Const",
           {{"dtype", dtype},
            {"value", TensorConstant(std::move(zero), Shape(extents))}},
           {}, {}, {result}));
  return PlanValue::result(result);
}

StatusOr<KnownOptional> OptionalOps::pushBack(const Optional &list,
                                              const Optional &element) {
  if (list.lists != element.lists + 1)
    return unimplementedError("expected an optional to be pushed to a list of "
                              "optionals, got other elements");
  return mapTensors(
      list, element, 0,
      [&](const PlanValue &to, PlanValue value,
          const OptionalPlace &place) -> StatusOr<PlanValue> {
        if (value.isConstant() && place.isHas && place.lists == 1) {
          KILN_ASSIGN_OR_RETURN(value, number(value));
        } else if (!value.isTensor()) {
          KILN_ASSIGN_OR_RETURN(value, fill(place));
        }
        KILN_ASSIGN_OR_RETURN(Output longer, made.name(node, DType::Variant));
        DType dtype = place.typeIn(-1);
        KILN_RETURN_IF_ERROR(call("TensorListPushBack",
                                  {{"element_dtype", dtype}}, {to, value},
                                  {DType::Variant, dtype}, {longer}));
        return PlanValue::result(longer);
      });
}

StatusOr<OptionalOps::Popped> OptionalOps::popBack(const Optional &list) {
  if (list.lists == 0)
    return unimplementedError("expected a list of optionals, got an optional");
  KILN_ASSIGN_OR_RETURN(PlanValue anyShape, made.number(node, -1, *block));
  Popped popped;
  KILN_ASSIGN_OR_RETURN(
      popped.list,
      mapTensors(list, list, 0,
                 [&](const PlanValue &, const PlanValue &,
                     const OptionalPlace &) -> StatusOr<PlanValue> {
                   KILN_ASSIGN_OR_RETURN(Output name,
                                         made.name(node, DType::Variant));
                   return PlanValue::result(name);
                 }));
  KILN_ASSIGN_OR_RETURN(
      popped.element,
      mapTensors(list, *popped.list, -1,
                 [&](const PlanValue &from, const PlanValue &rest,
                     const OptionalPlace &place) -> StatusOr<PlanValue> {
                   DType dtype = place.typeIn(-1);
                   KILN_ASSIGN_OR_RETURN(Output element,
                                         made.name(node, dtype));
                   KILN_RETURN_IF_ERROR(
                       call("TensorListPopBack", {{"element_dtype", dtype}},
                            {from, anyShape}, {DType::Variant, DType::Int32},
                            {rest.output(), element}));
                   return PlanValue::result(element);
                 }));
  return popped;
}

} // namespace kiln
