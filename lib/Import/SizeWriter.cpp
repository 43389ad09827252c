// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the symbol table node by node.
#include "lib/Import/SizeWriter.h"

#include "dialect/NamedSymbols.h"

using namespace mlir;

namespace kiln {
namespace {

/// Two dimensions as the lists that kiln.define and kiln.guard have.
struct DimPair {
  DimPair(Dim a, Dim b) {
    for (Dim dim : {a, b}) {
      symbols.push_back(dim.isSymbol() ? dim.symbol : -1);
      values.push_back(dim.isSymbol() ? 0 : dim.value);
    }
  }
  llvm::SmallVector<int64_t, 2> symbols, values;
};

// The dialect's kinds are the table's.
template <class To, class From> To kindOf(From kind) {
  return static_cast<To>(static_cast<uint32_t>(kind));
}
static_assert(uint32_t(SymbolDef::Kind::Add) == uint32_t(ir::DefineKind::add));
static_assert(uint32_t(SymbolDef::Kind::Broadcast) ==
              uint32_t(ir::DefineKind::broadcast));
static_assert(uint32_t(Guard::Kind::Equal) == uint32_t(ir::GuardKind::equal));
static_assert(uint32_t(Guard::Kind::Divides) ==
              uint32_t(ir::GuardKind::divides));

} // namespace

Location SizeWriter::locationOf(const std::string &node) {
  return NameLoc::get(state.builder.opBuilder().getStringAttr(node));
}

void SizeWriter::define(int32_t id) {
  const SymbolDef &def = table().defs[static_cast<size_t>(id)];
  DimPair operands(def.a, def.b);
  ir::DefineOp::create(state.builder.opBuilder(), locationOf(def.node), id,
                       kindOf<ir::DefineKind>(def.kind), operands.symbols,
                       operands.values);
  bound.insert(id);
}

void SizeWriter::check(size_t number) {
  const Guard &guard = table().guards[number];
  checks = true;
  DimPair operands(guard.a, guard.b);
  ir::GuardOp::create(state.builder.opBuilder(), locationOf(guard.node),
                      static_cast<int64_t>(number),
                      kindOf<ir::GuardKind>(guard.kind), operands.symbols,
                      operands.values);
}

void SizeWriter::take(Progress &progress, Progress end) {
  for (size_t &id = progress.symbols; id < end.symbols; ++id) {
    const SymbolDef &def = table().defs[id];
    if (def.inRun && def.kind != SymbolDef::Kind::Run &&
        !bound.contains(static_cast<int32_t>(id)))
      pendingSymbols.insert(static_cast<int32_t>(id));
  }
  for (size_t &number = progress.guards; number < end.guards; ++number)
    if (table().guards[number].inRun)
      pendingGuards.insert(number);
}

void SizeWriter::takeEarly(int32_t id) {
  llvm::SmallVector<int32_t> early = {id};
  llvm::SmallDenseSet<int32_t> seen;
  while (!early.empty()) {
    int32_t next = early.pop_back_val();
    const SymbolDef &def = table().defs[static_cast<size_t>(next)];
    if (!seen.insert(next).second || !def.inRun ||
        def.kind == SymbolDef::Kind::Run || bound.contains(next))
      continue;
    pendingSymbols.insert(next);
    for (Dim dim : {def.a, def.b})
      if (dim.isSymbol())
        early.push_back(dim.symbol);
  }
}

void SizeWriter::flush() {
  // In order of their numbers: what one is computed from comes first.
  std::erase_if(pendingSymbols, [&](int32_t id) {
    const SymbolDef &def = table().defs[static_cast<size_t>(id)];
    bool canStand = isAvailable(def.a) && isAvailable(def.b);
    if (canStand)
      define(id);
    return canStand;
  });
  std::erase_if(pendingGuards, [&](size_t number) {
    const Guard &guard = table().guards[number];
    bool canStand =
        state.inference.dims().regionOf(number) == state.scope().region &&
        isAvailable(guard.a) && isAvailable(guard.b);
    if (canStand) {
      check(number);
      endsRuns |=
          state.inference.dims().isRefuted(guard.kind, guard.a, guard.b);
    }
    return canStand;
  });
}

Status SizeWriter::before(const Item &item) {
  state.runSizes = state.inference.runSizes(item);
  Status status;
  checks = endsRuns = false;
  if (state.runSizes) {
    // What is in blocks comes to its symbols itself.
    if (item.kind == Item::Kind::Node &&
        !state.inference.dims().learnUpTo(state.scope().region,
                                          state.runSizes->numEqualities,
                                          state.runSizes->numSymbols))
      // The guard of the equality says it better, and comes first.
      status = invalidArgumentError("expected sizes that can be equal")
                   .withNode(item.node->name());
    // First what says that the tensors have as many numbers as are read. What
    // is in blocks is checked there, behind what stands before it.
    take(inferred, {state.runSizes->numSymbols, item.kind == Item::Kind::Node
                                                    ? state.runSizes->numGuards
                                                    : inferred.guards});
    flush();
    IrBuilder &ir = state.builder;
    for (const NumbersRead &read : state.runSizes->reads) {
      std::string reader = state.pathOf(*item.node);
      ir.setLocation(locationOf(reader));
      Value tensor = readLowered(state, read.tensor, reader);
      ir.kernelCall("ReadNumbers", tensor, TypeRange(), read.elements,
                    read.symbols);
      bind(read.symbols);
    }
    flush();
    // A later node has made a number of what the guard looks at.
    if (status.ok() && endsRuns && item.kind == Item::Kind::Node &&
        state.inference.mayFail(state.scope()))
      status = invalidArgumentError("expected what its guards demand")
                   .withNode(item.node->name());
  }
  begin();
  return status;
}

void SizeWriter::begin() {
  mlir::Block *block = state.builder.opBuilder().getInsertionBlock();
  last = block->empty() ? nullptr : &block->back();
}

void SizeWriter::end() {
  OpBuilder &builder = state.builder.opBuilder();
  mlir::Block *block = builder.getInsertionBlock();
  // What was computed with stands before what was written.
  take(written, {table().defs.size(), table().guards.size()});
  auto begin = last ? std::next(last->getIterator()) : block->begin();
  for (Operation &op : llvm::make_range(begin, block->end()))
    op.walk([&](Operation *inner) {
      ir::forEachSymbol(
          inner, [&](int64_t id) { takeEarly(static_cast<int32_t>(id)); });
    });
  // A guard of the lowering's, too, may look at what a later node has defined.
  for (size_t number : pendingGuards)
    if (state.inference.dims().regionOf(number) == state.scope().region)
      for (Dim dim : {table().guards[number].a, table().guards[number].b})
        if (dim.isSymbol())
          takeEarly(dim.symbol);
  if (pendingSymbols.empty() && pendingGuards.empty())
    return;
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(block);
  flush();
  builder.setInsertionPointToEnd(block);
}

void SizeWriter::after() {
  end();
  if (state.runSizes && !state.runSizes->binds.empty()) {
    bind(state.runSizes->binds);
    flush();
  }
}

void SizeWriter::behind(const Item &item) {
  if (const RunSizes *sizes = state.inference.runSizes(item)) {
    take(inferred, {sizes->numSymbols, sizes->numGuards});
    flush();
  }
}

void SizeWriter::fail(size_t guard) {
  // What a lowering has demanded before it failed says it better.
  take(written, {table().defs.size(), table().guards.size()});
  pendingGuards.insert(guard);
  flush();
}

SizeWriter::Region::~Region() {
  // What the region has defined for itself is wanted again.
  for (int32_t id : writer.bound)
    if (!bound.contains(id) &&
        writer.table().defs[static_cast<size_t>(id)].kind !=
            SymbolDef::Kind::Run)
      pendingSymbols.insert(id);
  for (int32_t id : writer.pendingSymbols)
    pendingSymbols.insert(id);
  writer.bound = std::move(bound);
  writer.pendingSymbols = std::move(pendingSymbols);
}

} // namespace kiln
