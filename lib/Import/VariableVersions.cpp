// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the current value of each variable and emits reads and writes.
#include "lib/Import/VariableVersions.h"

#include "lib/Support/Strings.h"

using namespace mlir;

namespace kiln {

StatusOr<int> VariableVersions::declare(ImportedVariable variable,
                                        RankedTensorType type, Location loc) {
  auto index = static_cast<int>(list.size());
  auto [place, isNew] = indexOfKey.emplace(
      std::tuple(variable.isResource, variable.container, variable.name),
      index);
  if (!isNew) {
    const State &known = states[static_cast<size_t>(place->second)];
    if (known.type == type)
      return place->second;
    const ImportedVariable &first = list[static_cast<size_t>(place->second)];
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
    builder.setInsertionPointAfter(
        module.lookupSymbol(states.back().symbol.getAttr()));
  ir::VariableOp::create(builder, loc, variable.node, index, type);
  states.push_back({FlatSymbolRefAttr::get(builder.getContext(), variable.node),
                    type, Value()});
  list.push_back(std::move(variable));
  return index;
}

Value VariableVersions::read(int variable, IrBuilder &builder,
                             std::string_view reader) {
  State &state = states[static_cast<size_t>(variable)];
  ImportedVariable &info = list[static_cast<size_t>(variable)];
  if (state.current)
    return state.current;
  if (!info.needsValue) {
    info.needsValue = true;
    info.reader = reader;
  }
  state.current = ir::VarReadOp::create(builder.opBuilder(), builder.location(),
                                        state.type, state.symbol);
  return state.current;
}

void VariableVersions::write(int variable, Value value, IrBuilder &builder) {
  State &state = states[static_cast<size_t>(variable)];
  ir::VarWriteOp::create(builder.opBuilder(), builder.location(), state.symbol,
                         value);
  state.current = value;
  list[static_cast<size_t>(variable)].isWritten = true;
}

Value VariableVersions::isInitialized(int variable, IrBuilder &builder) {
  Type boolean = builder.opBuilder().getI1Type();
  if (list[static_cast<size_t>(variable)].isWritten)
    return builder.scalarInt(boolean, 1);
  return ir::VarIsInitializedOp::create(
      builder.opBuilder(), builder.location(),
      RankedTensorType::get({}, boolean),
      states[static_cast<size_t>(variable)].symbol);
}

} // namespace kiln
