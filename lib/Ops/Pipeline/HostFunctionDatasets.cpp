// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes datasets of several functions, or of functions with a state.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Pipelines/Datasets.h"

#include <initializer_list>
#include <utility>

namespace kiln {
namespace {

StatusOr<BoundHostOp> bindScan(const Node &node, const BlockingSite &site) {
  const size_t numStates = node.attrOr<std::vector<DType>>("Tstate", {}).size();
  Binding binding(node, site);
  binding.skip(1 + numStates);
  KILN_ASSIGN_OR_RETURN(BoundFunction function,
                        binding.bind("f", "Targuments"));
  return BoundHostOp([most = maxBytesOf(site), numStates,
                      function = std::move(function)](const HostCall &call) {
    Inputs inputs(call, most);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(Element state, inputs.tensors(numStates));
    KILN_ASSIGN_OR_RETURN(CapturedFunction captured, function.with(inputs));
    const int64_t count = call.node.attrOr<bool>("preserve_cardinality", false)
                              ? input->cardinality()
                              : Dataset::unknown;
    return giveDataset(call,
                       ofLength(scanned(std::move(input), std::move(state),
                                        std::move(captured)),
                                count));
  });
}

StatusOr<BoundHostOp> bindGenerator(const Node &node,
                                    const BlockingSite &site) {
  Binding binding(node, site);
  std::vector<BoundFunction> functions;
  for (std::string_view name : {"init", "next", "finalize"}) {
    KILN_ASSIGN_OR_RETURN(
        functions.emplace_back(),
        binding.bind(strCat(name, "_func"), strCat("T", name, "_func_args")));
  }
  return BoundHostOp([most = maxBytesOf(site),
                      functions = std::move(functions)](const HostCall &call) {
    Inputs inputs(call, most);
    std::vector<CapturedFunction> captured;
    for (const BoundFunction &function : functions) {
      KILN_ASSIGN_OR_RETURN(CapturedFunction with, function.with(inputs));
      captured.push_back(std::move(with));
    }
    return giveDataset(call, generated(captured[0], captured[1], captured[2]));
  });
}

/// Binds functions, each with the list of types of what it captures.
StatusOr<std::vector<BoundFunction>>
bindAll(const Node &node, const BlockingSite &site,
        std::initializer_list<std::string_view> names) {
  Binding binding(node, site);
  binding.skip(1);
  std::vector<BoundFunction> functions;
  for (std::string_view name : names) {
    KILN_ASSIGN_OR_RETURN(
        functions.emplace_back(),
        binding.bind(name, strCat("T", name, "_other_arguments")));
  }
  return functions;
}

StatusOr<std::vector<CapturedFunction>>
withInputs(const std::vector<BoundFunction> &functions, Inputs &inputs) {
  std::vector<CapturedFunction> captured;
  for (const BoundFunction &function : functions) {
    KILN_ASSIGN_OR_RETURN(CapturedFunction with, function.with(inputs));
    captured.push_back(std::move(with));
  }
  return captured;
}

StatusOr<BoundHostOp> bindGroups(const Node &node, const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(
      std::vector<BoundFunction> functions,
      bindAll(node, site, {"key_func", "reduce_func", "window_size_func"}));
  return BoundHostOp([most = maxBytesOf(site),
                      functions = std::move(functions)](const HostCall &call) {
    Inputs inputs(call, most);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(const auto captured, withInputs(functions, inputs));
    return giveDataset(call,
                       grouped(std::move(input),
                               {captured[0], captured[1], captured[2], most}));
  });
}

StatusOr<BoundHostOp> bindReducers(const Node &node, const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(
      std::vector<BoundFunction> functions,
      bindAll(node, site,
              {"key_func", "init_func", "reduce_func", "finalize_func"}));
  return BoundHostOp([most = maxBytesOf(site),
                      functions = std::move(functions)](const HostCall &call) {
    Inputs inputs(call, most);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(const auto captured, withInputs(functions, inputs));
    return giveDataset(
        call, reducedByKey(std::move(input), {captured[0], captured[1],
                                              captured[2], captured[3], most}));
  });
}

} // namespace

void addFunctionDatasetKernels(HostKernels &kernels) {
  const HostKernels::Names both = {"", "Experimental"};
  kernels.addOwn("GeneratorDataset", {.bindBody = bindGenerator});
  kernels.addOwn("GroupByReducerDataset", {.bindBody = bindReducers}, both);
  kernels.addOwn("GroupByWindowDataset", {.bindBody = bindGroups}, both);
  kernels.addOwn("ScanDataset", {.bindBody = bindScan}, both);
}

} // namespace kiln
