// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that run cells over sequences share.
#include "lib/Train/RnnRun.h"

#include "kiln/BuildOps.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {

std::unique_ptr<VariableScope> openScope(const RnnScope &scope) {
  if (const auto *again = std::get_if<VariableScopeHandle>(&scope))
    return std::make_unique<VariableScope>(*again);
  return std::make_unique<VariableScope>(std::get<std::string>(scope));
}

std::unique_ptr<VariableScope> openCachingScope(const RnnScope &scope) {
  auto opened = openScope(scope);
  opened->handle().cacheReads();
  return opened;
}

DType dtypeOfOutputs(DType given, const Outputs &state) {
  if (given != DType::Invalid || state.empty())
    return given;
  for (const Output &each : state)
    if (each.dtype() != state[0].dtype()) {
      GraphBuilder::current().fail(invalidArgumentError(
          "State has tensors of different inferred_dtypes. Unable to infer a "
          "single representative dtype."));
      return DType::Invalid;
    }
  return state[0].dtype();
}

Output lengthsOf(const Output &lengths) {
  if (lengths.node && lengths.shape().hasRank() &&
      lengths.shape().rank() != 1) {
    GraphBuilder::current().fail(invalidArgumentError(strCat(
        "Argument sequence_length must be a vector of length "
        "batch_size. Received sequence_length=",
        tensorText(lengths), " of shape: ", lengths.shape().toTupleString())));
    return {};
  }
  return lengths;
}

Outputs zeroOutputs(const RnnCell &cell, const Input &batch, DType dtype) {
  Outputs zeros;
  for (const Shape &shape : cell.outputShapes())
    zeros.push_back(zerosOf(batch, shape, dtype));
  return zeros;
}

bool isBroken(const RnnCell::Step &step, size_t outputs, size_t states) {
  if (!step.output.node)
    return true;
  if (step.moreOutputs.size() + 1 == outputs && step.state.size() == states)
    return false;
  GraphBuilder::of(step.output)
      .fail(invalidArgumentError(
          strCat("expected of a cell ", outputs, " outputs and a state of ",
                 states, " tensors, got ", step.moreOutputs.size() + 1, " and ",
                 step.state.size())));
  return true;
}

Outputs joined(const RnnCell::Step &step) {
  Outputs all = step.outputs();
  all.insert(all.end(), step.state.begin(), step.state.end());
  return all;
}

RnnCell::Step stepOf(const Outputs &tensors, size_t outputs) {
  auto state = tensors.begin() + static_cast<ptrdiff_t>(outputs);
  return {.output = tensors[0],
          .state = std::vector<Output>(state, tensors.end()),
          .moreOutputs = std::vector<Output>(tensors.begin() + 1, state)};
}

void setShapesLike(const Outputs &known, const Outputs &tensors) {
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i].node && tensors[i].node)
      GraphBuilder::of(tensors[i]).setShape(tensors[i], known[i].shape());
}

} // namespace kiln
