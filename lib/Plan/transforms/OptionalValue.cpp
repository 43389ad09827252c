// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks optionals in one another.
#include "lib/Plan/transforms/OptionalValue.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

const OptionalForm *Optional::find(int number) const {
  auto found =
      std::find_if(forms.begin(), forms.end(), [&](const OptionalForm &form) {
        return form.number == number;
      });
  return found == forms.end() ? nullptr : &*found;
}

Status Optional::measure() {
  depth = 1;
  numTensors = 1;
  for (const OptionalForm &form : forms)
    for (const OptionalPart &part : form.parts) {
      depth = std::max(depth, part.optional ? 1 + part.optional->depth : 1);
      numTensors += part.optional ? part.optional->numTensors : 1;
      if (depth > maxOptionalDepth || numTensors > maxOptionalTensors)
        return resourceExhaustedError(
            strCat("expected optionals at most ", maxOptionalDepth,
                   " deep in one another and of at most ", maxOptionalTensors,
                   " tensors, got more"));
    }
  return okStatus();
}

int OptionalForms::numberOf(std::vector<OptionalType> types) {
  std::string key;
  for (OptionalType &type : types) {
    if (type.dtype == DType::Variant)
      type.shape = Shape();
    key += strCat(dtypeName(type.dtype), type.shape.toString(), type.kind, ";");
  }
  auto [found, isNew] =
      numbers.try_emplace(std::move(key), static_cast<int>(list.size()) + 1);
  if (isNew)
    list.push_back(std::move(types));
  return found->second;
}

/// Whether two kinds may be one; what is open may be any.
static bool mayBeOne(std::string_view a, std::string_view b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == '?' || b[i] == '?')
      return true;
    if (a[i] != b[i])
      return false;
  }
  return a.size() == b.size();
}

Status OptionalForms::fits(int number,
                           std::span<const OptionalType> wanted) const {
  const std::vector<OptionalType> &types = of(number);
  if (types.size() != wanted.size())
    return invalidArgumentError(strCat("The given optional has ", types.size(),
                                       " components, expected ", wanted.size(),
                                       "."));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const OptionalType &has = types[i], &wants = wanted[i];
    if (has.dtype != wants.dtype)
      return invalidArgumentError(
          strCat("The given optional does not match the expected type for "
                 "component ",
                 i, ". Expected: ", dtypeTfName(wants.dtype),
                 ". Actual: ", dtypeTfName(has.dtype), "."));
    if (has.dtype == DType::Variant && !mayBeOne(has.kind, wants.kind))
      return invalidArgumentError(
          strCat("The given optional does not match what is expected for "
                 "component ",
                 i, ": optionals and lists are told apart."));
    if (has.dtype != DType::Variant && !has.shape.isCompatibleWith(wants.shape))
      return invalidArgumentError(
          strCat("The given optional does not match the expected shape for "
                 "component ",
                 i, ". Expected: ", wants.shape.toString(),
                 ". Actual: ", has.shape.toString(), "."));
  }
  return okStatus();
}

StatusOr<KnownOptional> mapTensors(const Optional &a, const Optional &b,
                                   int more, const MakeTensor &make) {
  auto result = std::make_shared<Optional>();
  result->lists = a.lists + more;
  for (const OptionalForm &form : a.forms) {
    const OptionalForm *other = b.find(form.number);
    OptionalForm &to = result->forms.emplace_back();
    to.number = form.number;
    for (size_t i = 0; i < form.parts.size(); ++i) {
      static const Optional none;
      const OptionalPart &x = form.parts[i];
      const OptionalPart &y = other ? other->parts[i] : OptionalPart();
      OptionalPart &part = to.parts.emplace_back();
      part.dtype = x.dtype;
      part.shape = x.shape;
      if (other && !x.optional != !y.optional)
        return invalidArgumentError(
            "expected an optional in the place of an optional, got a tensor");
      if (x.optional) {
        KILN_ASSIGN_OR_RETURN(part.optional,
                              mapTensors(*x.optional,
                                         y.optional ? *y.optional : none, more,
                                         make));
      } else {
        KILN_ASSIGN_OR_RETURN(
            part.tensor, make(x.tensor, y.tensor, {x.dtype, x.shape, a.lists}));
      }
    }
  }
  result->has = a.has;
  if (a.lists > 0 || result->lists > 0 || !a.has.isConstant() ||
      a.has != b.has) {
    KILN_ASSIGN_OR_RETURN(
        result->has,
        make(a.has, b.has, {DType::Int32, Shape(), a.lists, /*isHas=*/true}));
  }
  KILN_RETURN_IF_ERROR(result->measure());
  return KnownOptional(std::move(result));
}

void appendTensors(const Optional &from, std::vector<PlanValue> &to) {
  for (const OptionalForm &form : from.forms)
    for (const OptionalPart &part : form.parts) {
      if (part.optional)
        appendTensors(*part.optional, to);
      else
        to.push_back(part.tensor);
    }
  if (from.lists > 0 || !from.has.isConstant())
    to.push_back(from.has);
}

} // namespace kiln
