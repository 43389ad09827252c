// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives tensors that all elements of a dataset decide.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Ops/Pipeline/HostPullOp.h"

#include <utility>

namespace kiln {
namespace {

/// The only element of a dataset.
class SingleElementOp final : public PullOp {
public:
  explicit SingleElementOp(const Node &node) : declared(node) {}

  Status run(std::span<Tensor> inputs, std::span<Tensor> outputs,
             PullContext &pull) const override {
    KILN_ASSIGN_OR_RETURN(const DatasetPtr dataset,
                          Inputs(inputs, anyBytes).dataset());
    IterationState state;
    KILN_ASSIGN_OR_RETURN(IteratorPtr iterator, dataset->iterate(state));
    StreamTable streams;
    pull.streams = &streams;
    Element element, another;
    KILN_ASSIGN_OR_RETURN(bool has, iterator->next(element, pull));
    if (!has)
      return invalidArgumentError("Dataset was empty.");
    KILN_ASSIGN_OR_RETURN(has, iterator->next(another, pull));
    if (has)
      return invalidArgumentError("Dataset had more than one element.");
    return declared.give(std::move(element), outputs);
  }

private:
  const DeclaredElement declared;
};

/// A state, which a function of it and of each element makes anew.
class ReductionOp final : public PullOp {
public:
  ReductionOp(BoundFunction function, size_t numStates)
      : function(std::move(function)), numStates(numStates) {}

  Status run(std::span<Tensor> tensors, std::span<Tensor> outputs,
             PullContext &pull) const override {
    Inputs inputs(tensors, anyBytes);
    KILN_ASSIGN_OR_RETURN(const DatasetPtr dataset, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(Element state, inputs.tensors(numStates));
    KILN_ASSIGN_OR_RETURN(const CapturedFunction captured,
                          function.with(inputs));
    IterationState place;
    KILN_ASSIGN_OR_RETURN(IteratorPtr iterator, dataset->iterate(place));
    StreamTable streams;
    pull.streams = &streams;
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      Element taken, results, arguments = state;
      KILN_ASSIGN_OR_RETURN(bool has, iterator->next(taken, pull));
      if (!has)
        break;
      arguments.insert(arguments.end(), taken.begin(), taken.end());
      KILN_RETURN_IF_ERROR(captured.call(arguments, results, pull));
      if (results.size() != numStates)
        return invalidArgumentError(strCat("expected a function that gives ",
                                           numStates, " tensors of state, got ",
                                           results.size()));
      state = std::move(results);
    }
    std::move(state.begin(), state.end(), outputs.begin());
    return okStatus();
  }

private:
  const BoundFunction function;
  const size_t numStates;
};

StatusOr<std::unique_ptr<BlockingOp>> bindSingleElement(const Node &node,
                                                        const BlockingSite &) {
  return std::unique_ptr<BlockingOp>(std::make_unique<SingleElementOp>(node));
}

StatusOr<std::unique_ptr<BlockingOp>> bindReduction(const Node &node,
                                                    const BlockingSite &site) {
  const size_t numStates = node.attrOr<std::vector<DType>>("Tstate", {}).size();
  Binding binding(node, site);
  binding.skip(1 + numStates);
  KILN_ASSIGN_OR_RETURN(BoundFunction function,
                        binding.bind("f", "Targuments"));
  return std::unique_ptr<BlockingOp>(
      std::make_unique<ReductionOp>(std::move(function), numStates));
}

} // namespace

void addReductionKernels(HostKernels &kernels) {
  kernels.addOwn("DatasetToSingleElement",
                 {.effect = HostEffect::Waits, .bindOp = bindSingleElement});
  kernels.addOwn("ReduceDataset",
                 {.effect = HostEffect::Waits, .bindOp = bindReduction});
}

} // namespace kiln
