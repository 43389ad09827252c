// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-fuse: groups the ops of a function into fusions that one loop nest (or
// one special kernel) computes.
//
// Greedy, in program order: an op joins the groups of its producers as long as
// the union has a loop nest and no value would have to leave the group and come
// back. Then groups over the same input or result are joined side by side. What
// is cheap (constants, splats, iotas, broadcasts of outside values) is copied
// into each group that uses it.
#include "passes/LoopNest.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace kiln::passes {
#define GEN_PASS_DEF_KILNFUSE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Ops that every user computes for itself rather than read from memory.
bool isCheap(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getValue().isSplat();
  if (auto dims = dyn_cast<DimsOp>(op))
    return cast<RankedTensorType>(dims.getType()).getRank() == 0;
  return false;
}

/// Repetitions and unit reshapes cost nothing where they are used; each group
/// has its own.
bool isView(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return isUnitReshape(reshape);
  return isa<BroadcastOp>(op);
}

/// Ops that are a kernel of their own.
bool isSpecial(Operation *op) {
  return isa<MatmulOp, ConcatOp, PadOp, ArgReduceOp, DimsOp, ConstantOp,
             SliceOp, GatherOp, TransposeOp>(op);
}

/// Ops that stay outside of fusions.
bool staysOutside(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return !isUnitReshape(reshape);
  return !isNestable(op) && !isSpecial(op);
}

struct Group {
  SmallVector<Operation *> ops; ///< every op after those that it uses
  bool nest = true;             ///< false: one special op
  bool alive = true;
  llvm::DenseMap<Value, AxisList> axes; ///< of the results in the group's nest
  /// The one shape of all operands and results, with an element type that does
  /// not matter; null where there are several or an op is not elementwise.
  /// Groups of one such shape have the same loops.
  RankedTensorType uniform;
  SmallVector<int, 4> storeAxes;     ///< of the group's nest
  size_t first = SIZE_MAX, last = 0; ///< in program order
};

/// The grouping of one block.
class Fuser {
public:
  Fuser(Block &block, int64_t maxOps) : block(block), maxOps(maxOps) {}

  void run() {
    eraseDeadOps();
    cloneCheapOps();
    for (Operation &op : block.without_terminator())
      order[&op] = order.size();
    orderEffects();
    for (Operation &op : block.without_terminator())
      place(&op);
    sortGroups();
    joinSiblings();
    sortGroups();
    rewrite();
  }

private:
  //===--- Grouping
  //----------------------------------------------------------------------------------------------===//

  /// A kernel has something to store.
  void eraseDeadOps() {
    SmallVector<Operation *> all(
        llvm::make_pointer_range(block.without_terminator()));
    for (Operation *op : llvm::reverse(all))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  /// Gives every use of a cheap op, and every use of a view, its own copy, so
  /// that it joins its user's group.
  void cloneCheapOps() {
    SmallVector<Operation *>
        copied; // the users' side first: a view of a view is cloned for each
    for (Operation &op : block.without_terminator())
      if (isCheap(&op) || isView(&op))
        copied.push_back(&op);
    for (Operation *op : llvm::reverse(copied)) {
      OpBuilder builder(op);
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        if (staysOutside(use.getOwner()) ||
            isa<func::ReturnOp>(use.getOwner()) || op->hasOneUse())
          continue;
        builder.setInsertionPoint(use.getOwner());
        use.set(builder.clone(*op)->getResult(0));
      }
      if (op->use_empty())
        op->erase();
    }
  }

  int groupOf(Operation *op) const {
    auto it = groupIndex.find(op);
    return it == groupIndex.end() ? -1 : it->second;
  }

  /// Finds what each op with effects must follow beyond its operands: reads of
  /// a variable its last write, a write also the reads before it, other effects
  /// (random streams, runtime calls) one another.
  void orderEffects() {
    struct Accesses {
      Operation *write = nullptr;
      SmallVector<Operation *> reads;
    };
    llvm::DenseMap<Attribute, Accesses> accesses;
    Operation *lastOther = nullptr;
    for (Operation &op : block.without_terminator()) {
      if (isMemoryEffectFree(&op))
        continue;
      SmallVector<Operation *> &before = effectsBefore[&op];
      if (auto write = dyn_cast<VarWriteOp>(op)) {
        Accesses &own = accesses[write.getVariableAttr()];
        before = std::move(own.reads);
        if (own.write)
          before.push_back(own.write);
        own = {&op, {}};
      } else if (isa<VarReadOp, VarIsInitializedOp>(op)) {
        Accesses &own =
            accesses[op.getAttrOfType<FlatSymbolRefAttr>("variable")];
        if (own.write)
          before.push_back(own.write);
        own.reads.push_back(&op);
      } else {
        if (lastOther)
          before.push_back(lastOther);
        lastOther = &op;
      }
    }
  }

  /// Calls \p visit with every op that must be done before \p op.
  void forEachSource(Operation *op,
                     llvm::function_ref<void(Operation *)> visit) const {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        visit(def);
    if (auto it = effectsBefore.find(op); it != effectsBefore.end())
      llvm::for_each(it->second, visit);
  }

  /// A place in program order, not behind the members, that no group lies on
  /// both sides of: nothing before it needs a member.
  size_t cutBefore(const llvm::SmallDenseSet<int> &members) {
    size_t cut = SIZE_MAX;
    for (int member : members)
      cut = std::min(cut, groups[member].first);
    // Most groups have been joined to others by now.
    llvm::erase_if(alive, [&](int group) { return !groups[group].alive; });
    for (bool moved = true; std::exchange(moved, false);)
      for (int index : alive)
        if (const Group &group = groups[index];
            group.first < cut && group.last >= cut) {
          cut = group.first;
          moved = true;
        }
    return cut;
  }

  /// Whether \p users, ops of the groups \p members, need what one of these
  /// groups makes through an op outside of them: as one group they would wait
  /// for themselves.
  bool reachesAround(const llvm::SmallDenseSet<int> &members,
                     ArrayRef<Operation *> users) {
    SmallVector<Operation *> stack;
    llvm::SmallDenseSet<Operation *> seen;
    auto isMember = [&](Operation *op) {
      return members.contains(groupOf(op));
    };
    for (Operation *op : users)
      forEachSource(op, [&](Operation *def) {
        if (!isMember(def) && seen.insert(def).second)
          stack.push_back(def);
      });
    if (stack.empty())
      return false;
    size_t cut = cutBefore(members);
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val();
      if (order.lookup(op) < cut)
        continue;
      SmallVector<Operation *> sources = {op};
      if (int group = groupOf(op); group >= 0)
        sources = groups[group].ops; // a group is computed as a whole
      bool found = false;
      for (Operation *source : sources)
        forEachSource(source, [&](Operation *def) {
          found |= isMember(def);
          if (seen.insert(def).second)
            stack.push_back(def);
        });
      if (found)
        return true;
    }
    return false;
  }

  SmallVector<Operation *> united(const llvm::SmallDenseSet<int> &members) {
    SmallVector<Operation *> ops;
    for (int member : members)
      llvm::append_range(ops, groups[member].ops);
    llvm::sort(ops, [&](Operation *a, Operation *b) {
      return order.lookup(a) < order.lookup(b);
    });
    return ops;
  }

  /// Joins the groups into the first of them if one loop nest computes them
  /// all.
  bool tryJoin(const llvm::SmallDenseSet<int> &members) {
    if (members.size() < 2)
      return false;
    size_t size = 0;
    for (int member : members) {
      size += groups[member].ops.size();
      if (!groups[member].nest || size > static_cast<size_t>(maxOps))
        return false;
    }
    if (std::optional<bool> joined = tryJoinUniform(members))
      return *joined;
    SmallVector<Operation *> ops = united(members);
    FailureOr<LoopNest> nest = analyzeLoopNest(ops);
    if (failed(nest) || reachesAround(members, ops))
      return false;
    return join(members, std::move(ops), std::move(*nest));
  }

  /// Joins groups of one shape without looking at the whole nest again, which
  /// would be quadratic in a sum of thousands of values. Nothing where another
  /// way must be tried.
  std::optional<bool> tryJoinUniform(const llvm::SmallDenseSet<int> &members) {
    int target = *members.begin();
    for (int member : members) {
      if (!groups[member].uniform ||
          groups[member].uniform != groups[target].uniform)
        return std::nullopt;
      if (groups[member].ops.size() > groups[target].ops.size())
        target = member;
    }
    SmallVector<Operation *> smaller;
    for (int member : members)
      if (member != target)
        llvm::append_range(smaller, groups[member].ops);
    // From the others to the target through an op outside: not if that comes
    // after the target.
    for (Operation *op : smaller)
      for (Operation *user : op->getUsers())
        if (!members.contains(groupOf(user)) &&
            !user->hasTrait<OpTrait::IsTerminator>() &&
            order.lookup(user) < groups[target].last)
          return std::nullopt;
    if (reachesAround(members, smaller))
      return false;
    for (int member : members) {
      if (member == target)
        continue;
      groups[member].alive = false;
      spread(groups[target], groups[member]);
      for (Operation *op : groups[member].ops)
        groupIndex[op] = target;
      for (auto &[value, axes] : groups[member].axes)
        groups[target].axes[value] = axes;
    }
    llvm::append_range(groups[target].ops, smaller);
    return true;
  }

  /// Ops that were appended come before what was there where they stand before
  /// it in the program.
  void sortGroups() {
    for (Group &group : groups)
      if (group.alive)
        llvm::sort(group.ops, [&](Operation *a, Operation *b) {
          return order.lookup(a) < order.lookup(b);
        });
  }

  bool join(const llvm::SmallDenseSet<int> &members,
            SmallVector<Operation *> ops, LoopNest nest) {
    int target = *llvm::min_element(members);
    for (int member : members) {
      groups[member].alive = member == target;
      spread(groups[target], groups[member]);
      for (Operation *op : groups[member].ops)
        groupIndex[op] = target;
    }
    groups[target].ops = std::move(ops);
    groups[target].uniform = uniformShape(groups[target].ops);
    groups[target].storeAxes = nest.storeAxes();
    groups[target].axes = std::move(nest.values);
    return true;
  }

  /// Joins an elementwise op to the group of its operands without looking at
  /// the whole nest again: an op that walks what its operands walk adds no
  /// loop. Keeps long chains linear.
  /// With `others`, operands may come from other groups.
  bool tryAppend(Operation *op, int group, bool others = false) {
    if (!op->hasTrait<OpTrait::Elementwise>() ||
        groups[group].ops.size() + 1 > static_cast<size_t>(maxOps))
      return false;
    const AxisList *axes = nullptr;
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      int from = def ? groupOf(def) : -1;
      if (from < 0 || from == groupOf(op))
        continue; // an outside value, or a cheap op that comes along
      if (from != group) {
        if (!others)
          return false;
        continue; // read from memory, under the same shape
      }
      auto known = groups[group].axes.find(operand);
      if (known == groups[group].axes.end() || (axes && *axes != known->second))
        return false;
      axes = &known->second;
    }
    if (!axes)
      return false;
    AxisList own = *axes;
    if (!llvm::all_of(groups[group].storeAxes,
                      [&](int axis) { return llvm::is_contained(own, axis); }))
      return false;
    int single = groupOf(op);
    if (reachesAround({group, single}, groups[single].ops))
      return false;
    groups[single].alive = false;
    spread(groups[group], groups[single]);
    llvm::append_range(groups[group].ops, groups[single].ops);
    for (Operation *member : groups[single].ops) {
      groupIndex[member] = group;
      groups[group].axes[member->getResult(0)] = own;
    }
    return true;
  }

  void place(Operation *op) {
    // Cheap ops have one user each by now, and come with it.
    if (staysOutside(op) ||
        (isCheap(op) && op->hasOneUse() && !staysOutside(*op->user_begin()) &&
         !isa<func::ReturnOp>(*op->user_begin())))
      return;
    int own = groups.size();
    FailureOr<LoopNest> nest = failure();
    SmallVector<Operation *> ops;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && isCheap(def) && groupOf(def) < 0)
        ops.push_back(def);
    ops.push_back(op);
    if (isNestable(op))
      nest = analyzeLoopNest(ops);
    if (failed(nest) && ops.size() > 1) {
      // A special kernel reads its operands from memory.
      for (Operation *def : ArrayRef(ops).drop_back())
        if (groupOf(def) < 0)
          placeAlone(def);
      ops = {op};
      own = groups.size();
    }
    addGroup(std::move(ops), std::move(nest));
    if (!groups[own].nest)
      return;
    // All producers at once, else one by one, the latest first.
    SmallVector<int> producers;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (int group = groupOf(def); group >= 0 && groups[group].nest &&
                                      !llvm::is_contained(producers, group))
          producers.push_back(group);
    llvm::erase(producers, own);
    if (producers.size() == 1 && tryAppend(op, producers.front()))
      return;
    llvm::sort(producers, std::greater<>());
    llvm::SmallDenseSet<int> all(producers.begin(), producers.end());
    all.insert(own);
    if (tryJoin(all))
      return;
    for (int producer : producers) {
      int from = groupOf(groups[producer].ops.front());
      if (groupOf(op) != own || !tryAppend(op, from, /*others=*/true))
        tryJoin({groupOf(op), from});
    }
  }

  /// A cheap op whose user cannot compute it: a kernel that stores it.
  void placeAlone(Operation *op) { addGroup({op}, analyzeLoopNest({op})); }

  /// A new group; one without a nest is a special op.
  void addGroup(SmallVector<Operation *> ops, FailureOr<LoopNest> nest) {
    Group &group = groups.emplace_back();
    for (Operation *op : ops) {
      groupIndex[op] = groups.size() - 1;
      group.first = std::min(group.first, order.lookup(op));
      group.last = std::max(group.last, order.lookup(op));
    }
    group.ops = std::move(ops);
    group.nest = succeeded(nest);
    alive.push_back(groups.size() - 1);
    if (group.nest) {
      group.uniform = uniformShape(group.ops);
      group.storeAxes = nest->storeAxes();
      group.axes = std::move(nest->values);
    }
  }

  static void spread(Group &group, const Group &other) {
    group.first = std::min(group.first, other.first);
    group.last = std::max(group.last, other.last);
  }

  /// Joins groups that read the same value or whose loops are alike: one pass
  /// over the input, and all updates of an optimizer step together.
  void joinSiblings() {
    llvm::MapVector<Value, SmallVector<Operation *>> readers;
    for (const Group &group : groups)
      if (group.alive && group.nest)
        for (Operation *op : group.ops)
          for (Value operand : op->getOperands())
            if (Operation *def = operand.getDefiningOp();
                !def || groupOf(def) != groupOf(op))
              readers[operand].push_back(op);
    for (auto &[value, users] : readers) {
      if (cast<RankedTensorType>(value.getType()).getRank() == 0)
        continue;
      for (size_t i = 1; i < users.size(); ++i)
        if (groupOf(users[0]) != groupOf(users[i]))
          tryJoin({groupOf(users[0]), groupOf(users[i])});
    }
    llvm::MapVector<Type, int> leaders;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (!groups[i].alive || !groups[i].nest)
        continue;
      Type type = groups[i].ops.back()->getResult(0).getType();
      auto [entry, added] = leaders.insert({type, i});
      if (!added && !tryJoin({entry->second, static_cast<int>(i)}))
        entry->second = i;
    }
  }

  //===--- Rewriting
  //---------------------------------------------------------------------------------------------===//

  /// What is emitted as one: a group, or an op outside of all groups.
  struct Unit {
    SmallVector<Operation *> ops;
    bool fused = false;
  };

  void rewrite() {
    SmallVector<Unit> units;
    llvm::DenseMap<Operation *, int> unitOf;
    llvm::SmallDenseSet<int> done;
    for (Operation &op : block.without_terminator()) {
      int group = groupOf(&op);
      if (group >= 0 && !done.insert(group).second)
        continue;
      Unit unit;
      unit.fused = group >= 0;
      unit.ops = group >= 0 ? groups[group].ops : SmallVector<Operation *>{&op};
      for (Operation *member : unit.ops)
        unitOf[member] = units.size();
      units.push_back(std::move(unit));
    }
    for (int index : schedule(units, unitOf)) {
      if (units[index].fused)
        makeFusion(units[index].ops);
      else
        units[index].ops.front()->moveBefore(block.getTerminator());
    }
  }

  /// A topological order of the units that keeps program order where it can and
  /// the order of effects where it matters.
  SmallVector<int> schedule(ArrayRef<Unit> units,
                            const llvm::DenseMap<Operation *, int> &unitOf) {
    SmallVector<llvm::SmallSetVector<int, 4>> users(units.size());
    SmallVector<int> waiting(units.size(), 0);
    auto addEdge = [&](int from, int to) {
      if (from != to && users[from].insert(to))
        ++waiting[to];
    };
    for (auto [index, unit] : llvm::enumerate(units))
      for (Operation *op : unit.ops)
        forEachSource(op, [&, to = index](Operation *def) {
          addEdge(unitOf.lookup(def), to);
        });
    std::set<int> ready;
    for (int i = 0, end = units.size(); i < end; ++i)
      if (waiting[i] == 0)
        ready.insert(i);
    SmallVector<int> sorted;
    while (!ready.empty()) {
      int next = *ready.begin();
      ready.erase(ready.begin());
      sorted.push_back(next);
      for (int user : users[next])
        if (--waiting[user] == 0)
          ready.insert(user);
    }
    return sorted;
  }

  /// Moves the ops into a new fusion before the terminator of the block.
  void makeFusion(ArrayRef<Operation *> ops) {
    llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
    llvm::SmallSetVector<Value, 8> inputs, outputs;
    SmallVector<Location> locations;
    for (Operation *op : ops) {
      locations.push_back(op->getLoc());
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp();
            !def || !members.contains(def))
          inputs.insert(operand);
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !members.contains(user);
            }))
          outputs.insert(result);
    }
    OpBuilder builder(block.getTerminator());
    Location loc = FusedLoc::get(builder.getContext(), locations);
    auto fusion = FusionOp::create(
        builder, loc, TypeRange(ValueRange(outputs.getArrayRef())),
        ValueRange(inputs.getArrayRef()), ValueRange());
    Block *body = builder.createBlock(&fusion.getBody());
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
    for (Operation *op : ops)
      op->moveBefore(body, body->end());
    for (Operation *op : ops)
      for (OpOperand &use : op->getOpOperands())
        if (Value argument = mapping.lookupOrNull(use.get()))
          use.set(argument);
    builder.setInsertionPointToEnd(body);
    YieldOp::create(builder, loc, ValueRange(outputs.getArrayRef()));
    for (auto [index, result] : llvm::enumerate(fusion.getResults())) {
      Value output = outputs[index];
      output.replaceUsesWithIf(result, [&](OpOperand &use) {
        return use.getOwner()->getBlock() != body;
      });
    }
  }

  Block &block;
  int64_t maxOps;
  SmallVector<Group> groups;
  SmallVector<int> alive; ///< groups that have not been joined to others
  llvm::DenseMap<Operation *, int> groupIndex;
  llvm::DenseMap<Operation *, size_t> order;
  llvm::DenseMap<Operation *, SmallVector<Operation *>>
      effectsBefore; ///< what an op must follow beyond its operands
};

struct KilnFusePass : impl::KilnFuseBase<KilnFusePass> {
  using KilnFuseBase::KilnFuseBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        Fuser(function.front(), maxOps).run();
  }
};

} // namespace
} // namespace kiln::passes
