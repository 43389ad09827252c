// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops do with optionals, and with lists of them, as what they do with the
// tensors in them.
#ifndef KILN_LIB_PLAN_OPTIONALOPS_H
#define KILN_LIB_PLAN_OPTIONALOPS_H

#include "lib/Plan/MadeNodes.h"
#include "lib/Plan/OptionalValue.h"

#include <span>

namespace kiln {

/// Writes one node's ops into a block. **Errors**, of all: INVALID_ARGUMENT for
/// a tensor in the place of an optional; UNIMPLEMENTED for a list in the place
/// of an optional or the other way round.
class OptionalOps {
public:
  OptionalOps(const Node &node, Block &block, MadeNodes &made)
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

  /// Ends the run.
  Status fail(std::string text);

private:
  Status failUnless(Output condition, std::string text);
  Status call(std::string op, AttrMap attrs, std::vector<Output> operands,
              std::vector<DType> types, std::vector<Output> results) {
    return made.call(node, std::move(op), std::move(attrs), std::move(operands),
                     types, std::move(results), *block);
  }
  StatusOr<Output> number(const Output &has) {
    if (has.node)
      return has;
    return made.number(node, has.index, *block);
  }
  /// What an element has where it has no value.
  StatusOr<Output> fill(const OptionalPlace &place);
  Status failUnlessSame(Output a, Output b);
  StatusOr<OptionalForm> sumOfForm(std::span<const KnownOptional> terms,
                                   int number);

  const Node &node;
  Block *block;
  MadeNodes &made;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_OPTIONALOPS_H
