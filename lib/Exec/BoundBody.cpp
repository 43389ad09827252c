// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes nodes for bodies, and calls them.
#include "lib/Exec/BoundBody.h"

#include "kiln/Ops.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/TensorKernel.h"
#include "lib/OpDefs/HostOps.h"
#include "lib/Plan/ir/SynthesizedNodes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelRegistry.h"

#include <cassert>

namespace kiln {

StatusOr<std::unique_ptr<BoundBody>>
BoundBody::make(const ImportedBody &body, ResourceUser &resources,
                const FileAccess &files,
                std::shared_ptr<Communicator> communicator) {
  const HostKernel *kernel = HostKernels::process().find(body.op);
  if (!kernel || !kernel->isCalledByCode())
    return unimplementedError(
               strCat("op ", quote(body.op), " is not implemented"))
        .withNode(body.node);
  std::unique_ptr<BoundBody> bound(new BoundBody(files));
  bound->graph = std::make_unique<Graph>(makeNodeChecker(), noLimits());
  NodeSpec spec{.name = body.node, .op = body.op, .attrs = body.attrs};
  std::vector<Output> handles;
  for (const ImportedResource &resource : body.resources) {
    KILN_ASSIGN_OR_RETURN(const Node *declared,
                          bound->graph->addNode({.name = resource.node,
                                                 .op = resource.op,
                                                 .attrs = resource.attrs}));
    handles.push_back({declared, 0});
    spec.inputs.push_back(strCat(resource.node, ":0"));
  }
  KILN_ASSIGN_OR_RETURN(bound->node,
                        addApart(*bound->graph, std::move(spec), body.inputs));
  KILN_ASSIGN_OR_RETURN(
      bound->run, kernel->bindForCode(
                      *bound->node, {.handles = handles,
                                     .resources = resources,
                                     .files = files,
                                     .communicator = std::move(communicator)}));
  return bound;
}

StatusOr<std::vector<Tensor>>
BoundBody::compute(std::span<const Tensor> inputs,
                   const KilnRunState *state) const {
  std::vector<Tensor> outputs(static_cast<size_t>(node->numOutputs()));
  KILN_RETURN_IF_ERROR(run({*node, inputs, outputs, files, state}));
  return outputs;
}

static int32_t runBody(const KilnKernelCall *raw) noexcept {
  const KernelCall call(raw);
  const BoundBody &body =
      *call.context().bodies[static_cast<size_t>(call.number(0))];
  return computeOnTensors(
      call, /*ownsInputs=*/false,
      [&](const std::vector<Tensor> &inputs, std::span<const DType>) {
        return body.compute(inputs, call.state());
      });
}

void registerHostBodyKernel() {
  static const bool isDone = [] {
    bool isAdded = true;
    for (bool hasEffects : {false, true})
      isAdded &= KernelRegistry::process()
                     .add({.name = std::string(hasEffects ? hostEffectKernel
                                                          : hostBodyKernel),
                           .run = runBody,
                           .hasEffects = hasEffects})
                     .ok();
    assert(isAdded && "no other kernel has these names");
    return isAdded;
  }();
  (void)isDone;
}

} // namespace kiln
