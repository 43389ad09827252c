// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks for elements on behalf of runs.
#include "lib/Ops/Pipeline/HostPullOp.h"

#include "lib/Support/CallWithMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

/// Done where it begins.
class PullAttempt final : public BlockingAttempt {
public:
  explicit PullAttempt(const PullOp &op) : op(op) {}

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    PullContext pull{.state = waiter.state, .wait = waiter.wait};
    KILN_RETURN_IF_ERROR(
        callWithMemory([&] { return op.run(inputs, outputs, pull); }));
    return true;
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

private:
  const PullOp &op;
};

} // namespace

std::unique_ptr<BlockingAttempt> PullOp::makeAttempt() const {
  return std::make_unique<PullAttempt>(*this);
}

DeclaredElement::DeclaredElement(const Node &node)
    : types(node.attrOr<std::vector<DType>>("output_types", {})),
      shapes(node.attrOr<std::vector<Shape>>("output_shapes", {})) {}

Status DeclaredElement::check(const Element &element) const {
  if (element.size() != types.size())
    return invalidArgumentError(
        strCat("Number of components does not match: expected ", types.size(),
               " types but got ", element.size(), "."));
  for (size_t i = 0; i < types.size(); ++i) {
    if (element[i].dtype() != types[i])
      return invalidArgumentError(strCat("Data type mismatch at component ", i,
                                         ": expected ", dtypeTfName(types[i]),
                                         " but got ",
                                         dtypeTfName(element[i].dtype()), "."));
    if (i < shapes.size() && !shapes[i].isCompatibleWith(element[i].shape()))
      return invalidArgumentError(strCat("Incompatible shapes at component ", i,
                                         ": expected ", shapes[i].toString(),
                                         " but got ",
                                         element[i].shape().toString(), "."));
  }
  return okStatus();
}

Status DeclaredElement::give(Element element, std::span<Tensor> outputs) const {
  KILN_RETURN_IF_ERROR(check(element));
  std::move(element.begin(), element.end(), outputs.begin());
  return okStatus();
}

} // namespace kiln
