// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, results and temporaries. What flows through branches and loops has
// been joined before (Coalescing.cpp).
#include "passes/bufferize/BufferAssignment.h"

#include "dialect/Types.h"
#include "passes/schedule/InPlace.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Slots on the stack; what has none lies in the arena.
static constexpr int64_t maxSlots = 512;

/// What a branch or a loop needs is there from the beginning of a run where it
/// is small, or not much larger than something that every run needs.
static constexpr uint64_t smallBytes = 1u << 20, muchLarger = 16;

namespace {
/// The bytes of a value: a number, which saturates, times symbols, in order.
struct Bytes {
  uint64_t factor;
  SmallVector<int64_t, 4> symbols;
};
} // namespace

static Bytes bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Bytes bytes = {static_cast<uint64_t>(storageBytes(type.getElementType())),
                 {}};
  for (Extent extent : extentsOf(type))
    if (extent.isKnown())
      bytes.factor = llvm::SaturatingMultiply(
          bytes.factor, static_cast<uint64_t>(extent.value));
    else
      bytes.symbols.push_back(extent.symbol);
  llvm::sort(bytes.symbols);
  return bytes;
}

BufferAssignment::BufferAssignment(ModuleOp module, func::FuncOp function)
    : function(function), runSymbols(findRunSymbols(function)),
      numbers(function) {
  for (auto variable : module.getOps<VariableOp>()) {
    auto index = static_cast<int64_t>(variable.getIndex());
    variables[variable.getSymName()] = index;
    if (variable.getResized())
      setMemory({Place::Home::table, BufferKind::variable, index},
                Memory::late);
  }
  function.walk([&](VarReadOp read) {
    reads[variable(read.getVariable())].push_back(read);
  });
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (endsRuns(op))
      ends.push_back(numbers.begin(op));
    return isa<FusionOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  auto addSure = [&](Value value) {
    auto [factor, symbols] = bytesOf(value);
    uint64_t &largest = sureFactors[symbols];
    largest = std::max(largest, factor);
  };
  llvm::for_each(function.getArguments(), addSure);
  for (Operation &op : function.front())
    llvm::for_each(op.getResults(), addSure);
  placeUpdates();
  placeValues();
}

const Lifetime &BufferAssignment::lifetimeOf(Value root) {
  std::unique_ptr<Lifetime> &found = lifetimes[root];
  if (!found)
    found = std::make_unique<Lifetime>(numbers.of(root, inPlace));
  return *found;
}

//===--- Variables --------------------------------------------------------===//

/// Decides for each var_write whether the fusion that computes the value writes
/// the variable itself.
void BufferAssignment::placeUpdates() {
  function.walk([&](VarWriteOp write) {
    int64_t index = variable(write.getVariable());
    int64_t at = numbers.begin(write);
    Value value = rootOf(write.getValue());
    if (auto fusion = value.getDefiningOp<FusionOp>();
        fusion && canUpdateInPlace(fusion, value, write, index)) {
      storage[value].destinations.push_back(
          {Place::Home::table, BufferKind::variable, index});
      at = numbers.begin(fusion);
      inPlace.insert(write);
      lifetimes.erase(value);
    }
    writes[index].push_back(at);
  });
}

bool BufferAssignment::canUpdateInPlace(FusionOp fusion, Value value,
                                        VarWriteOp write, int64_t variable) {
  int64_t from = numbers.begin(fusion), to = numbers.begin(write);
  // A run that ends early must not leave half an update behind, nor one that
  // should come later, and what writes a variable cannot be cancelled. In
  // another block one may run without the other.
  // Whether what the run finds out fits is checked after it is computed, and
  // what gives a variable another shape gives it other memory.
  if (fusion->getBlock() != write->getBlock() || fusion.mayFail() ||
      takesLong(fusion) || isLate(value) ||
      memory({Place::Home::table, BufferKind::variable, variable}) !=
          Memory::given)
    return false;
  auto end = llvm::upper_bound(ends, from);
  if (end != ends.end() && *end < to)
    return false;
  for (int64_t earlier : writes.lookup(variable))
    if (earlier >= from && earlier < to)
      return false;
  for (VarReadOp read : reads.lookup(variable)) {
    int64_t at = numbers.begin(read);
    if ((at > from && at < to) || lifetimeOf(read).isCutAt(writeTick(from)))
      return false;
  }
  unsigned result = cast<OpResult>(value).getResultNumber();
  for (auto [index, operand] : llvm::enumerate(fusion.getIns()))
    if (auto read = rootOf(operand).getDefiningOp<VarReadOp>())
      if (this->variable(read.getVariable()) == variable &&
          !canWriteInPlace(fusion, result, fusion.getBody().getArgument(index)))
        return false;
  return true;
}

/// Whether the variable changes while the value is needed. That an op reads a
/// variable that it writes itself has been checked for what was read by a
/// var_read, not for what an update put there.
bool BufferAssignment::isOverwritten(int64_t variable, Value value) {
  bool isRead = isa_and_present<VarReadOp>(value.getDefiningOp());
  auto it = writes.find(variable);
  return it != writes.end() && llvm::any_of(it->second, [&](int64_t at) {
           return lifetimeOf(value).isCutAt(isRead ? writeTick(at)
                                                   : readTick(at));
         });
}

//===--- Values -----------------------------------------------------------===//

void BufferAssignment::placeValues() {
  Block &top = function.front();
  for (BlockArgument feed : top.getArguments())
    storage[feed].home = {Place::Home::table, BufferKind::feed,
                          feed.getArgNumber()};
  for (auto [index, operand] :
       llvm::enumerate(top.getTerminator()->getOperands())) {
    Place result = {Place::Home::table, BufferKind::result,
                    static_cast<int64_t>(index)};
    storage[rootOf(operand)].destinations.push_back(result);
    // The run makes what the caller cannot know the size of.
    if (isLate(operand))
      setMemory(result, Memory::late);
  }
  joinFlows();
  for (const auto &entry : classes)
    if (entry->isLeader())
      placeClass(entry->getData());
  placeParts();
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto constant = dyn_cast<ConstantRefOp>(op)) {
      auto index = static_cast<int64_t>(constant.getIndex());
      storage[constant].home = {Place::Home::table, BufferKind::constant,
                                index};
      constants = std::max(constants, index + 1);
    } else if (auto read = dyn_cast<VarReadOp>(op)) {
      placeRead(read);
    } else if (!isa<ReshapeOp, BindOp>(op)) {
      for (Value result : op->getResults())
        placeResult(op, result);
    }
    return isa<FusionOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

/// A read value stays in its variable unless that is overwritten while the
/// value is needed.
void BufferAssignment::placeRead(VarReadOp read) {
  int64_t index = variable(read.getVariable());
  storage[read].home =
      isOverwritten(index, read)
          ? addTemporary(read, numbers.begin(read), lifetimeOf(read).last() / 2,
                         isInLoop(read))
          : Place{Place::Home::table, BufferKind::variable, index};
}

void BufferAssignment::placeResult(Operation *op, Value result) {
  Storage &own = storage[result];
  if (own.home.isValid())
    return; // of a class
  // Later readers take a destination that keeps the value as long as they need
  // it.
  for (const Place &place : own.destinations)
    if (!place.isVariable() || !isOverwritten(place.index, result))
      own.home = place;
  bool storesMany = isa<FusionOp>(op);
  if (!storesMany && own.destinations.size() == 1)
    return;
  int64_t from = numbers.begin(op), to = lifetimeOf(result).last() / 2;
  if (!own.home.isValid() || !storesMany)
    own.home =
        addTemporary(result, from, storesMany ? to : std::max(to, from + 1),
                     isInLoop(result));
}

void BufferAssignment::setMemory(Place place, Memory memory) {
  memories[place] = memory;
}

bool BufferAssignment::isNumber(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

/// Whether the value is one of a loop, computed many times.
bool BufferAssignment::isInLoop(Value value) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return isa_and_present<WhileOp>(value.getDefiningOp()) ||
         isa<WhileOp>(parent) || parent->getParentOfType<WhileOp>();
}

/// Whether a run that does not come to the value might need much less memory
/// without it.
bool BufferAssignment::isOptional(Value value) {
  auto [factor, symbols] = bytesOf(value);
  auto sure = sureFactors.find(symbols);
  uint64_t enough = sure == sureFactors.end() ? 0 : sure->second;
  return value.getParentBlock() != &function.front() && !isLate(value) &&
         factor > llvm::SaturatingMultiply(enough, muchLarger) &&
         (!symbols.empty() || factor > smallBytes);
}

/// A slot for a number of a loop, else a part of the arena.
Place BufferAssignment::addTemporary(Value value, int64_t first, int64_t last,
                                     bool inLoop) {
  if (inLoop && isNumber(value) && slots < maxSlots)
    return {Place::Home::stack, BufferKind::temporary, slots++};
  Operation *def = value.getDefiningOp();
  Location loc =
      def ? def->getLoc() : value.getParentBlock()->getParentOp()->getLoc();
  auto node = loc->findInstanceOf<NameLoc>();
  tenants.push_back({cast<RankedTensorType>(value.getType()), first, last,
                     node ? node.getName() : StringAttr(), isOptional(value)});
  Place place = {Place::Home::table, BufferKind::temporary,
                 static_cast<int64_t>(tenants.size()) - 1};
  if (isLate(value))
    setMemory(place, Memory::late);
  else if (tenants.back().isOptional)
    setMemory(place, Memory::optional);
  return place;
}

Place BufferAssignment::addScratch(Operation *op, Value value) {
  return addTemporary(value, numbers.begin(op), numbers.begin(op),
                      isInLoop(value));
}

} // namespace kiln::passes
