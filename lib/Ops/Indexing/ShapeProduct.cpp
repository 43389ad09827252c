// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of the product of a matrix that has few elements and
// another.
#include "lib/Ops/Indexing/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
static Status checkRanks(const InferenceContext &context) {
  struct Rank {
    int input, rank;
    std::string_view text;
  };
  constexpr Rank ranks[] = {{3, 2, "Tensor 'b' is not a matrix"},
                            {2, 1, "Tensor 'a_shape' is not a vector"},
                            {1, 1, "Tensor 'a_values' is not a vector"},
                            {0, 2, "Tensor 'a_indices' is not a matrix"}};
  for (const Rank &each : ranks)
    if (const SymShape &shape = context.inputShape(each.input);
        shape.rankKnown && shape.rank() != each.rank)
      return context.error(std::string(each.text));
  return okStatus();
}

/// indices [n, 2], values [n], the shape of the matrix that they are, b.
Status inferSparseTensorDenseMatMul(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRanks(context));
  DimSpace &space = context.dims();
  const SymShape &indices = context.inputShape(0),
                 &values = context.inputShape(1), &b = context.inputShape(3);
  if (indices.rankKnown && values.rankKnown)
    KILN_RETURN_IF_ERROR(
        space
            .unify(indices.dims[0], values.dims[0],
                   {.prefix = "Number of rows of a_indices does not match "
                              "number of entries in a_values"})
            .status());
  if (indices.rankKnown)
    KILN_RETURN_IF_ERROR(
        space
            .unify(indices.dims[1], Dim::known(2),
                   {.prefix = "Number of columns of a_indices does not match "
                              "number of entries in a_shape"})
            .status());
  Dims dims = {Dim::unknown(), Dim::unknown()};
  const bool adjointA = context.boolAttr("adjoint_a"),
             adjointB = context.boolAttr("adjoint_b");
  if (b.rankKnown)
    dims[1] = b.dims[adjointB ? 0 : 1];
  if (const Dims *shape = context.inputSizes(2)) {
    if (shape->size() != 2)
      return context.error("Tensor 'a_shape' must have 2 elements");
    dims[0] = (*shape)[adjointA ? 1 : 0];
    for (Dim dim : *shape)
      KILN_RETURN_IF_ERROR(space.require(
          Guard::Kind::NonNegative, dim, Dim::known(0),
          {.prefix = "Expected shape dimensions to be non-negative"}));
    if (b.rankKnown) {
      const Dims own = {(*shape)[adjointA ? 0 : 1]},
                 other = {b.dims[adjointB ? 1 : 0]};
      std::string left = space.format(*shape);
      left.replace(left.find(','), 1, ", ").back() = ')';
      const std::string suffix =
          strCat(".  Did you forget a transpose?  Dimensions of A: ", left,
                 ".  Dimensions of B: ", space.format(b.dims));
      KILN_RETURN_IF_ERROR(
          space
              .unify(own[0], other[0],
                     {.prefix = "Cannot multiply A and B because inner "
                                "dimension does not match: ",
                      .joiner = " vs. ",
                      .suffix = suffix,
                      .lhs = &own,
                      .rhs = &other,
                      .asNumbers = true})
              .status());
    }
  }
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

} // namespace kiln::shapes
