// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops do with optionals, and with lists of them, as what they do with the
// tensors in them.
#ifndef KILN_LIB_PLAN_TRANSFORMS_OPTIONALOPS_H
#define KILN_LIB_PLAN_TRANSFORMS_OPTIONALOPS_H

#include "lib/Plan/ir/SynthesizedNodes.h"
#include "lib/Plan/transforms/OptionalValue.h"

#include <span>

namespace kiln {

/// Writes one node's ops into a block. **Errors**, of all: INVALID_ARGUMENT for
/// a tensor in the place of an optional; UNIMPLEMENTED for a list in the place
/// of an optional or the other way round.
class OptionalOps {
public:
  OptionalOps(const Node &node, Block &block, SynthesizedNodes &made)
      : node(node), block(&block), made(made) {}

  StatusOr<KnownOptional> zerosLike(const Optional &from);
  /// The run ends where some of them have a value and others do not.
  StatusOr<KnownOptional> sum(std::span<const KnownOptional> terms);
  /// An empty list of optionals like `element`, with the node's limit.
  StatusOr<KnownOptional> emptyList(const Optional &element);
  StatusOr<KnownOptional> pushBack(const Optional &list,
                                   const Optional &element);
  struct Popped {
    KnownOptional list, element;
  };
  StatusOr<Popped> popBack(const Optional &list);

  /// Makes the node's output.
  Status hasValue(const Optional &from);
  /// Ends the run.
  Status fail(std::string text);

private:
  Status failUnless(const PlanValue &condition, std::string text);
  Status call(std::string op, AttrMap attrs, std::vector<PlanValue> operands,
              std::vector<DType> types, std::vector<Output> results) {
    return made.call(node, std::move(op), std::move(attrs), std::move(operands),
                     types, std::move(results), *block);
  }
  /// A `has` as a tensor.
  StatusOr<PlanValue> number(const PlanValue &has) {
    if (has.isConstant())
      return made.number(node, has.number(), *block);
    return has;
  }
  /// What an element has where it has no value.
  StatusOr<PlanValue> fill(const OptionalPlace &place);
  Status failUnlessSame(PlanValue a, PlanValue b);
  StatusOr<OptionalForm> sumOfForm(std::span<const KnownOptional> terms,
                                   int number);

  const Node &node;
  Block *block;
  SynthesizedNodes &made;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_OPTIONALOPS_H
