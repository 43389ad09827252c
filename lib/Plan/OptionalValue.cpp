// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks optionals in one another.
#include "lib/Plan/OptionalValue.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

Status Optional::measure() {
  depth = 1;
  numTensors = 1;
  for (const OptionalPart &part : parts) {
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

StatusOr<KnownOptional> mapTensors(const Optional &a, const Optional &b,
                                   int more, const MakeTensor &make) {
  if (a.parts.size() != b.parts.size())
    return invalidArgumentError(strCat("expected optionals of ", a.parts.size(),
                                       " tensors, got one of ",
                                       b.parts.size()));
  auto result = std::make_shared<Optional>();
  result->lists = a.lists + more;
  for (size_t i = 0; i < a.parts.size(); ++i) {
    const OptionalPart &x = a.parts[i], &y = b.parts[i];
    OptionalPart &part = result->parts.emplace_back();
    part.dtype = x.dtype;
    if (!x.optional != !y.optional)
      return invalidArgumentError(
          "expected an optional in the place of an optional, got a tensor");
    if (x.optional) {
      KILN_ASSIGN_OR_RETURN(part.optional,
                            mapTensors(*x.optional, *y.optional, more, make));
    } else {
      KILN_ASSIGN_OR_RETURN(part.tensor,
                            make(x.tensor, y.tensor, {x.dtype, a.lists}));
    }
  }
  result->has = a.has;
  if (a.lists > 0 || result->lists > 0 || a.has.node || a.has != b.has) {
    KILN_ASSIGN_OR_RETURN(
        result->has,
        make(a.has, b.has, {DType::Int32, a.lists, /*isHas=*/true}));
  }
  KILN_RETURN_IF_ERROR(result->measure());
  return KnownOptional(std::move(result));
}

void appendTensors(const Optional &from, std::vector<Output> &to) {
  for (const OptionalPart &part : from.parts) {
    if (part.optional)
      appendTensors(*part.optional, to);
    else
      to.push_back(part.tensor);
  }
  if (from.lists > 0 || from.has.node)
    to.push_back(from.has);
}

} // namespace kiln
