// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds slots and streams, and takes over what a program owns.
#include "lib/Exec/BindProgram.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"

namespace kiln {

ResourceKey keyOf(const ImportedVariable &variable) {
  return {variable.isResource ? ResourceKey::Kind::ResourceVariable
                              : ResourceKey::Kind::Variable,
          variable.container, variable.name};
}

namespace {

Status bindVariables(const FunctionInterface &interface, Program &program) {
  std::vector<VariableSlot *> reads, writes;
  for (const ImportedVariable &variable : interface.variables) {
    auto found = program.services.resources.findOrCreateVariable(
        keyOf(variable), variable.dtype, variable.shape);
    if (!found.ok())
      return Status(found.status().code(),
                    std::string(found.status().message()), variable.node);
    VariableSlot *slot = found->get();
    program.variables.push_back({*std::move(found), variable.name,
                                 variable.reader, variable.readerOp,
                                 variable.isResource, variable.needsValue});
    program.variableNames.push_back(variable.name);
    program.slots.push_back(slot);
    if (variable.shape.isFullyDefined()) {
      program.fixedSlots.push_back(slot);
    } else {
      slot->open();
      program.openVariables.push_back(program.slots.size() - 1);
    }
    if (variable.needsValue)
      program.mustHaveValue.push_back(slot);
    reads.push_back(slot);
    if (variable.isWritten)
      writes.push_back(slot);
    if (variable.isWritten && variable.dtype == DType::String)
      program.writtenStrings.push_back(slot);
  }
  for (const OpenShape &open : interface.openShapes) {
    Program::OpenShape &own = program.openShapes.emplace_back();
    if (!open.isUsed)
      continue;
    KILN_ASSIGN_OR_RETURN(
        own.slot,
        program.services.resources.findOrCreateVariable(
            keyOf(open.variable), open.variable.dtype, open.variable.shape));
    own.rank = open.rank;
    reads.push_back(own.slot.get());
  }
  program.locks = LockPlan::make(reads, writes);
  return okStatus();
}

Status bindStreams(const FunctionInterface &interface, Program &program) {
  for (const ImportedStream &stream : interface.streams) {
    auto found = program.services.streams.findOrCreate(
        stream.place, stream.seed, stream.seed2);
    if (!found.ok())
      return found.status().withNode(stream.node);
    program.streams.push_back(*found);
  }
  return okStatus();
}

Status bindBodies(const FunctionInterface &interface, Program &program) {
  for (const ImportedBody &body : interface.bodies) {
    KILN_ASSIGN_OR_RETURN(auto bound,
                          BoundBody::make(body, program.services.files));
    program.bodyPlaces.push_back(bound.get());
    program.bodies.push_back(std::move(bound));
  }
  return okStatus();
}

} // namespace

Status bindProgram(FunctionInterface interface, std::vector<Tensor> constants,
                   const std::function<std::string(uint64_t)> &constantNode,
                   Program &program) {
  KILN_RETURN_IF_ERROR(bindVariables(interface, program));
  KILN_RETURN_IF_ERROR(bindStreams(interface, program));
  KILN_RETURN_IF_ERROR(bindBodies(interface, program));
  program.feeds = std::move(interface.feeds);
  program.results = std::move(interface.fetches);
  for (FedValue &fed : interface.fedValues) {
    // The caller may write its own again.
    auto copy = fed.value.clone();
    if (!copy.ok())
      return copy.status().withNode(
          program.feeds[static_cast<size_t>(fed.feed)].node);
    program.fedValues.push_back({fed.feed, *std::move(copy)});
  }
  for (Tensor &constant : constants) {
    if (!constant.isAligned()) {
      auto copy = constant.clone();
      if (!copy.ok())
        return copy.status().withNode(constantNode(program.constants.size()));
      constant = *std::move(copy);
    }
    program.constants.push_back(std::move(constant));
  }
  program.symbols = std::move(interface.symbols);
  return okStatus();
}

} // namespace kiln
