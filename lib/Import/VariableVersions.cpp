// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the current value of each variable and emits reads and writes.
#include "lib/Import/VariableVersions.h"

#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"

using namespace mlir;

namespace kiln {

StatusOr<int> VariableVersions::declare(ImportedVariable variable,
                                        RankedTensorType type, Location loc,
                                        bool isOpen, bool hasShape) {
  auto index = static_cast<int>(list.size());
  auto [place, isNew] = indexOfKey.emplace(
      std::tuple(variable.isResource, variable.container, variable.name),
      index);
  if (!isNew) {
    const State &known = states[static_cast<size_t>(place->second)];
    const ImportedVariable &first = list[static_cast<size_t>(place->second)];
    if (variable.container == temporaryContainer && first.node != variable.node)
      return alreadyExistsError(
                 strCat("Resource ", variable.name, " already exists."))
          .withNode(variable.node);
    // Types that are not computed with have one of another dtype.
    if (known.type == type && first.dtype == variable.dtype)
      return place->second;
    return invalidArgumentError(
               strCat("variable ", quote(variable.name), " has dtype ",
                      dtypeTfName(variable.dtype), " and shape ",
                      variable.shape.toString(), " here, but dtype ",
                      dtypeTfName(first.dtype), " and shape ",
                      first.shape.toString(), " in node ", quote(first.node)))
        .withNode(variable.node);
  }
  // Node names are unique; two kinds of variables may share a shared_name.
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  if (!states.empty())
    builder.setInsertionPointAfter(states.back().op);
  State &state = states.emplace_back();
  state.op = ir::VariableOp::create(builder, loc, variable.node, index, type,
                                    !hasShape);
  state.symbol = FlatSymbolRefAttr::get(builder.getContext(), variable.node);
  state.type = type;
  state.isOpen = isOpen;
  state.isShapeless = !hasShape;
  if (hasShape)
    state.version.type = type;
  list.push_back(std::move(variable));
  return index;
}

Value VariableVersions::read(int variable, IrBuilder &builder,
                             std::string_view reader, bool isAlwaysViewed) {
  State &state = states[static_cast<size_t>(variable)];
  Value &current = state.version.current;
  if (current || !state.version.type)
    return current;
  demandValue(variable, builder, reader, isAlwaysViewed);
  state.isRead = true;
  current = ir::VarReadOp::create(builder.opBuilder(), builder.location(),
                                  state.version.type, state.symbol);
  return current;
}

void VariableVersions::demandValue(int variable, IrBuilder &builder,
                                   std::string_view reader,
                                   bool isAlwaysViewed) {
  auto index = static_cast<size_t>(variable);
  const Place::Version &version = states[index].version;
  if (list[index].container == temporaryContainer)
    return; // has some value from the beginning
  if (!version.current && !version.isWritten && !version.isChecked &&
      !list[index].needsValue)
    checkValue(index, builder, reader, isAlwaysViewed);
}

/// The kernel that says that a variable has no value, as TensorFlow's op does.
static llvm::StringRef failureOf(const ImportedVariable &variable,
                                 const std::string &op) {
  switch (noValueOf(variable.isResource, op)) {
  case NoValue::Uninitialized:
    return "FailUninitialized";
  case NoValue::Invalid:
    return "FailInvalidVariable";
  case NoValue::NotFound:
    return "FailNoVariable";
  case NoValue::Missing:
    break;
  }
  return "FailNoResource";
}

void VariableVersions::checkValue(size_t variable, IrBuilder &builder,
                                  std::string_view reader,
                                  bool isAlwaysViewed) {
  State &state = states[variable];
  ImportedVariable &info = list[variable];
  auto &[block, entry] = unsure;
  int known = block && variable < entry.versions.size()
                  ? entry.versions[variable].generation
                  : 0;
  bool isUnchanged = state.version.generation == known;
  if (isUnchanged && (!block || (isAlwaysViewed && !info.isResource))) {
    info.needsValue = true;
    info.reader = reader;
    info.readerOp = reading;
    return;
  }
  // As early as in a run that always gets here, before the block's effects and
  // out of the way of its loops; but behind what may give it its value.
  OpBuilder &ops = builder.opBuilder();
  OpBuilder::InsertionGuard guard(ops);
  if (isUnchanged)
    ops.setInsertionPointToStart(block);
  Location here = builder.location();
  builder.setLocation(NameLoc::get(
      ops.getStringAttr(llvm::StringRef(reader.data(), reader.size()))));
  builder.failUnless(isInitialized(static_cast<int>(variable), builder), [&] {
    builder.fail(failureOf(info, reading), static_cast<int64_t>(variable));
  });
  builder.setLocation(here);
  state.version.isChecked = true;
}

void VariableVersions::write(int variable, Value value, IrBuilder &builder) {
  State &state = states[static_cast<size_t>(variable)];
  ir::VarWriteOp::create(builder.opBuilder(), builder.location(), state.symbol,
                         value);
  auto type = cast<RankedTensorType>(value.getType());
  if (type != state.type)
    state.op.setResized(true);
  state.version = {value, type, true, true, ++state.numGenerations};
  list[static_cast<size_t>(variable)].isWritten = true;
}

Value VariableVersions::isInitialized(int variable, IrBuilder &builder) {
  Type boolean = builder.opBuilder().getI1Type();
  if (states[static_cast<size_t>(variable)].version.isWritten)
    return builder.scalarInt(boolean, 1);
  return ir::VarIsInitializedOp::create(
      builder.opBuilder(), builder.location(),
      RankedTensorType::get({}, boolean),
      states[static_cast<size_t>(variable)].symbol);
}

bool VariableVersions::usesShape(int variable) {
  auto index = static_cast<size_t>(variable);
  const State &state = states[index];
  return state.isOpen &&
         (state.isRead ||
          (list[index].isWritten && !ir::VariableOp(state.op).getResized()));
}

VariableVersions::Place VariableVersions::place() const {
  Place place;
  for (const State &state : states)
    place.versions.push_back(state.version);
  return place;
}

void VariableVersions::returnTo(const Place &place) {
  for (size_t i = 0; i < states.size(); ++i)
    states[i].version = at(place, i);
}

void VariableVersions::forget() {
  for (State &state : states)
    state.version.current = Value();
}

VariableVersions::Place::Version VariableVersions::at(const Place &place,
                                                      size_t i) const {
  if (i < place.versions.size())
    return place.versions[i];
  Place::Version version;
  // One that has not been met yet.
  if (!states[i].isShapeless)
    version.type = states[i].type;
  return version;
}

void VariableVersions::join(const Place &before,
                            std::initializer_list<Place> ends) {
  for (size_t i = 0; i < states.size(); ++i) {
    Place::Version joined = at(before, i);
    int generation = joined.generation;
    bool isWritten = true, isChecked = true;
    for (const Place &end : ends) {
      Place::Version version = at(end, i);
      isWritten &= version.isWritten;
      isChecked &= version.isChecked;
      if (version.generation != generation)
        joined = {Value(), version.type, joined.isWritten, joined.isChecked,
                  ++states[i].numGenerations};
    }
    for (const Place &end : ends)
      if (at(end, i).type != joined.type)
        joined.type = nullptr;
    joined.isWritten |= isWritten;
    joined.isChecked |= isChecked;
    states[i].version = joined;
  }
}

} // namespace kiln
