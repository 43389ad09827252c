// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-fuse: groups the ops of a function into fusions that one loop nest (or
// one special kernel) computes.
//
// Greedy, in program order: an op joins the groups of its producers as long as
// the union has a loop nest and no value would have to leave the group and come
// back. Then groups over the same input or result are joined side by side. What
// is cheap (constants, splats, iotas, broadcasts of outside values) is copied
// into each group that uses it.
#include "passes/Passes.h"
#include "passes/analysis/RunSymbols.h"
#include "passes/fuse/CheapOps.h"
#include "passes/fuse/FindEpilogue.h"
#include "passes/fuse/GroupOrder.h"
#include "passes/fuse/MakeFusion.h"
#include "passes/fuse/Recompute.h"
#include "passes/fuse/Sources.h"
#include "passes/schedule/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNFUSE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

struct Group {
  SmallVector<Operation *> ops; ///< every op after those that it uses
  bool nest = true;             ///< false: one special op
  bool alive = true;            ///< has not been joined to another
  /// The one shape of all operands and results, with an element type that does
  /// not matter; null where there are several or an op is not elementwise.
  /// Groups of one such shape have the same loops.
  RankedTensorType uniform;
  /// The axes of results in the group's nest, where the group has no one shape.
  llvm::DenseMap<Value, AxisList> axes;
  SmallVector<int, 4> storeAxes; ///< of the group's nest
  int64_t stores = 0; ///< values that others read, where siblings are joined
};

/// Siblings are joined as long as they store no more values than this: LLVM's
/// schedulers compare each store of a loop with each, and a processor follows
/// no more pages at once.
constexpr int64_t maxStores = 32;

/// Beyond so many ops only groups of at most maxShortOps join their siblings:
/// one more pass over the input costs little beside long loops, and where those
/// are alike, as the heads of attention are, they are compiled once if apart.
constexpr int64_t maxSiblingOps = 48;
constexpr size_t maxShortOps = 12;

/// How many ops of possible nests are looked at to group so many ops: as much
/// as small graphs ever need, and no minutes for large ones.
int64_t maxAnalysed(int64_t ops) { return 400'000 + 16 * ops; }

/// The grouping of one block.
class Fuser {
public:
  Fuser(Block &block, int64_t maxOps, const RunSymbols &runSymbols,
        bool hasChecks)
      : block(block), maxOps(maxOps), runSymbols(runSymbols),
        hasChecks(hasChecks) {}

  void run() {
    eraseDeadOps(block);
    cloneCheapOps(block, runSymbols, hasChecks);
    for (Operation &op : block.without_terminator())
      order[&op] = groupOrder.add();
    sources.emplace(block);
    for (auto [op, number] : order)
      sources->forEach(op, [&, to = number](Operation *def) {
        groupOrder.addEdge(order.lookup(def), to);
      });
    analysisBudget = maxAnalysed(order.size());
    for (Operation &op : block.without_terminator())
      place(&op);
    sortGroups();
    joinSiblings();
    sortGroups();
    recompute();
    rewrite();
  }

private:
  //===--- Grouping -------------------------------------------------------===//

  int groupOf(Operation *op) const {
    auto it = groupIndex.find(op);
    return it == groupIndex.end() ? -1 : it->second;
  }

  std::optional<GroupOrder::Join>
  tryOrder(const llvm::SmallDenseSet<int> &members) {
    SmallVector<int> nodes;
    for (int member : members)
      nodes.push_back(order.lookup(groups[member].ops.front()));
    return groupOrder.tryJoin(nodes);
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
    std::optional<GroupOrder::Join> ordered = tryOrder(members);
    if (!ordered)
      return false;
    if (joinUniform(members)) {
      groupOrder.commit(*ordered);
      return true;
    }
    // Some graphs ask for a look at a large nest for each of its ops.
    analysisBudget -= static_cast<int64_t>(size);
    if (analysisBudget < 0)
      return false;
    SmallVector<Operation *> ops = united(members);
    FailureOr<OrderedNest> nest = orderedNest(ops);
    if (failed(nest))
      return false;
    join(members, std::move(ops), std::move(*nest));
    groupOrder.commit(*ordered);
    return true;
  }

  /// Joins groups of one shape without looking at the whole nest again, which
  /// would be quadratic in a sum of thousands of values.
  bool joinUniform(const llvm::SmallDenseSet<int> &members) {
    int target = *members.begin();
    for (int member : members) {
      if (!groups[member].uniform ||
          groups[member].uniform != groups[target].uniform)
        return false;
      if (groups[member].ops.size() > groups[target].ops.size())
        target = member;
    }
    for (int member : members) {
      if (member == target)
        continue;
      groups[member].alive = false;
      for (Operation *op : groups[member].ops)
        groupIndex[op] = target;
      llvm::append_range(groups[target].ops, groups[member].ops);
    }
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

  void join(const llvm::SmallDenseSet<int> &members,
            SmallVector<Operation *> ops, OrderedNest nest) {
    int target = *llvm::min_element(members);
    for (int member : members) {
      groups[member].alive = member == target;
      for (Operation *op : groups[member].ops)
        groupIndex[op] = target;
    }
    groups[target].ops = std::move(ops);
    setLoops(groups[target], std::move(nest));
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
      const AxisList *known = axesOf(groups[group], operand);
      if (!known || (axes && *axes != *known))
        return false;
      axes = known;
    }
    if (!axes)
      return false;
    AxisList own = *axes;
    if (!llvm::all_of(groups[group].storeAxes,
                      [&](int axis) { return llvm::is_contained(own, axis); }))
      return false;
    int single = groupOf(op);
    std::optional<GroupOrder::Join> ordered = tryOrder({group, single});
    if (!ordered)
      return false;
    groupOrder.commit(*ordered);
    groups[single].alive = false;
    llvm::append_range(groups[group].ops, groups[single].ops);
    for (Operation *member : groups[single].ops) {
      groupIndex[member] = group;
      if (!groups[group].uniform)
        groups[group].axes[member->getResult(0)] = own;
    }
    return true;
  }

  void place(Operation *op) {
    if (groupOf(op) >= 0) // behind a contraction
      return;
    // Cheap ops have one user each by now, and come with it.
    if (staysOutside(op) ||
        (isCheap(op) && op->hasOneUse() && !staysOutside(*op->user_begin())))
      return;
    int own = groups.size();
    FailureOr<OrderedNest> nest = failure();
    SmallVector<Operation *> ops;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() == &block && isCheap(def) && groupOf(def) < 0)
        ops.push_back(def);
    ops.push_back(op);
    SmallVector<int> producers;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (int group = groupOf(def); group >= 0 && groups[group].nest &&
                                      !llvm::is_contained(producers, group))
          producers.push_back(group);
    RankedTensorType uniform = uniformShape(ops);
    bool isKnown = uniform && uniformLoops.contains(uniform);
    if (!isKnown && placementOf(op) == Placement::Nest)
      nest = orderedNest(ops);
    if (!isKnown && failed(nest) && ops.size() > 1) {
      // A special kernel reads its operands from memory.
      for (Operation *def : ArrayRef(ops).drop_back())
        if (groupOf(def) < 0)
          placeAlone(def);
      ops = {op};
      own = groups.size();
    }
    if (isKnown)
      addUniformGroup(std::move(ops), uniform);
    else
      addGroup(std::move(ops), std::move(nest));
    if (!groups[own].nest) {
      if (isContraction(op) && maxOps > 1)
        takeEpilogue(op, own);
      return;
    }
    // All producers at once, else one by one, the latest first.
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

  /// Puts the ops into the group of a contraction that compute what leaves it
  /// from its elements.
  void takeEpilogue(Operation *contraction, int group) {
    // Views of their own are in a group that no other has joined.
    auto isFree = [&](Operation *op) {
      int own = groupOf(op);
      return own < 0 || (reuseOf(op) != Reuse::Stored && op->hasOneUse() &&
                         groups[own].ops.size() == 1);
    };
    SmallVector<Operation *> members = findEpilogue(contraction, isFree);
    SmallVector<int> nodes = {order.lookup(contraction)};
    for (Operation *op : members)
      nodes.push_back(order.lookup(op));
    std::optional<GroupOrder::Join> joined;
    if (!members.empty())
      joined = groupOrder.tryJoin(nodes);
    if (!joined)
      return;
    groupOrder.commit(*joined);
    for (Operation *op : members) {
      if (int own = groupOf(op); own >= 0)
        groups[own].alive = false;
      groupIndex[op] = group;
      groups[group].ops.push_back(op);
    }
  }

  /// A cheap op whose user cannot compute it: a kernel that stores it.
  void placeAlone(Operation *op) { addGroup({op}, orderedNest({op})); }

  /// A new group; one without a nest is a special op.
  void addGroup(SmallVector<Operation *> ops, FailureOr<OrderedNest> nest) {
    Group &group = addOps(std::move(ops));
    group.nest = succeeded(nest);
    if (group.nest)
      setLoops(group, std::move(*nest));
  }

  void addUniformGroup(SmallVector<Operation *> ops, RankedTensorType shape) {
    Group &group = addOps(std::move(ops));
    group.uniform = shape;
    group.storeAxes = uniformLoops.find(shape)->second.storeAxes;
  }

  Group &addOps(SmallVector<Operation *> ops) {
    Group &group = groups.emplace_back();
    for (Operation *op : ops)
      groupIndex[op] = groups.size() - 1;
    group.ops = std::move(ops);
    if (group.ops.size() > 1) // cheap ops, which need nothing
      groupOrder.commit(*groupOrder.tryJoin(llvm::map_to_vector(
          group.ops, [&](Operation *op) { return order.lookup(op); })));
    return group;
  }

  void setLoops(Group &group, OrderedNest loops) {
    group.storeAxes = std::move(loops.order.storeAxes);
    group.uniform = uniformShape(group.ops);
    group.axes.clear();
    if (group.uniform)
      uniformLoops.try_emplace(
          group.uniform, UniformLoops{loops.nest.values.lookup(
                                          group.ops.front()->getResult(0)),
                                      group.storeAxes});
    else
      group.axes = std::move(loops.nest.values);
  }

  /// The axes of a result in the group's nest, null where they are not known.
  const AxisList *axesOf(const Group &group, Value value) const {
    if (group.uniform)
      return &uniformLoops.find(group.uniform)->second.axes;
    auto known = group.axes.find(value);
    return known == group.axes.end() ? nullptr : &known->second;
  }

  /// Joins groups that read the same value or whose loops are alike: one pass
  /// over the input, and all updates of an optimizer step together.
  void joinSiblings() {
    for (Group &group : groups)
      if (group.alive && group.nest)
        group.stores = countStores(group);
    llvm::MapVector<Value, SmallVector<Operation *>> readers;
    for (const Group &group : groups)
      if (group.alive && group.nest)
        for (Operation *op : group.ops)
          for (Value operand : op->getOperands())
            if (Operation *def = operand.getDefiningOp();
                !def || groupOf(def) != groupOf(op))
              readers[operand].push_back(op);
    for (auto &[value, users] : readers)
      if (cast<RankedTensorType>(value.getType()).getRank() != 0)
        joinToFirst(users, /*moveOn=*/false);
    llvm::MapVector<Type, SmallVector<Operation *>> ofType;
    for (const Group &group : groups)
      if (group.alive && group.nest)
        ofType[group.ops.back()->getResult(0).getType()].push_back(
            group.ops.back());
    for (auto &[type, last] : ofType)
      joinToFirst(last, /*moveOn=*/true);
  }

  int64_t countStores(const Group &group) const {
    return llvm::count_if(group.ops, [&](Operation *op) {
      return llvm::any_of(op->getUsers(), [&](Operation *user) {
        return groupOf(user) != groupOf(op);
      });
    });
  }

  /// Joins the groups of the ops to that of the first, each that can be; with
  /// `moveOn`, those behind one that cannot be to that. Several at once, as
  /// long as that goes well: a look at the whole nest for each would be
  /// quadratic.
  void joinToFirst(ArrayRef<Operation *> ops, bool moveOn) {
    int64_t batch = 1;
    for (size_t leader = 0, next = 1; next < ops.size();) {
      const Group &first = groups[groupOf(ops[leader])];
      llvm::SmallDenseSet<int> members = {groupOf(ops[leader])};
      int64_t size = first.ops.size(), stores = first.stores;
      size_t end = next;
      for (; end < ops.size() && members.size() <= size_t(batch); ++end) {
        int other = groupOf(ops[end]);
        if (members.contains(other))
          continue;
        int64_t moreOps = size + groups[other].ops.size(),
                moreStores = stores + groups[other].stores;
        bool isLong =
            moreOps > maxSiblingOps && groups[other].ops.size() > maxShortOps;
        bool isFull = isLong || moreOps > maxOps || moreStores > maxStores;
        if (isFull && (members.size() > 1 || moveOn))
          break;
        if (isFull)
          continue;
        members.insert(other);
        size = moreOps;
        stores = moreStores;
      }
      if (members.size() == 1 && end < ops.size() && moveOn) {
        leader = end;
        next = end + 1;
      } else if (members.size() == 1 || tryJoin(members)) {
        groups[groupOf(ops[leader])].stores = stores;
        next = end;
        batch = std::min(2 * batch, maxOps);
      } else if (members.size() > 2) {
        batch = members.size() / 2;
      } else {
        leader = moveOn ? end - 1 : leader;
        next = end;
        batch = 1;
      }
    }
  }

  //===--- Recomputing ----------------------------------------------------===//

  /// Lets groups compute what they would read back from another one, where that
  /// costs no more.
  void recompute() {
    for (int from = 0, end = groups.size(); from < end; ++from) {
      if (!groups[from].alive || !groups[from].nest)
        continue;
      for (Operation *op : llvm::to_vector(groups[from].ops)) {
        SmallVector<Operation *> again = opsToRecompute(
            op, [&](Operation *other) { return groupOf(other) == from; });
        llvm::SmallSetVector<int, 4> readers;
        if (!again.empty())
          for (Operation *user : op->getUsers())
            readers.insert(groupOf(user));
        readers.remove(from);
        if (llvm::all_of(readers, [&](int reader) {
              return reader >= 0 && groups[reader].nest;
            }))
          for (int reader : readers)
            recomputeIn(reader, from, again);
      }
    }
  }

  void recomputeIn(int reader, int from, ArrayRef<Operation *> again) {
    Value value = again.back()->getResult(0);
    OpBuilder builder(groups[reader].ops.front());
    IRMapping mapping;
    SmallVector<Operation *> ops;
    for (Operation *op : again)
      ops.push_back(builder.clone(*op, mapping));
    Value own = mapping.lookup(value);
    value.replaceUsesWithIf(
        own, [&](OpOperand &use) { return groupOf(use.getOwner()) == reader; });
    SmallVector<Operation *> copies = ops;
    llvm::append_range(ops, groups[reader].ops);
    analysisBudget -=
        static_cast<int64_t>(ops.size() + groups[from].ops.size());
    FailureOr<OrderedNest> nest = failure();
    if (analysisBudget >= 0 && succeeded(orderedNest(groups[from].ops)))
      nest = orderedNest(ops);
    if (failed(nest)) {
      own.replaceAllUsesWith(value);
      for (Operation *op : llvm::reverse(copies))
        op->erase();
      return;
    }
    for (Operation *op : copies)
      groupIndex[op] = reader;
    groups[reader].ops = std::move(ops);
  }

  //===--- Rewriting ------------------------------------------------------===//

  void rewrite() {
    SmallVector<FusionUnit> units;
    llvm::SmallDenseSet<int> done;
    for (Operation &op : block.without_terminator()) {
      int group = groupOf(&op);
      if (group < 0)
        units.push_back({{&op}, false});
      else if (done.insert(group).second)
        units.push_back({groups[group].ops, true});
    }
    makeFusions(block, units, *sources);
  }

  /// The loops of every group of one shape.
  struct UniformLoops {
    AxisList axes; ///< of each value
    SmallVector<int, 4> storeAxes;
  };

  Block &block;
  int64_t maxOps;
  const RunSymbols &runSymbols;
  const bool hasChecks;
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, int> groupIndex;
  llvm::MapVector<Operation *, int> order; ///< in the program, from 1
  llvm::DenseMap<Type, UniformLoops> uniformLoops;
  GroupOrder groupOrder;      ///< of the ops and their groups
  int64_t analysisBudget = 0; ///< ops that may be looked at to join groups
  std::optional<Sources> sources;
};

struct KilnFusePass : impl::KilnFuseBase<KilnFusePass> {
  using KilnFuseBase::KilnFuseBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        fuse(function.front(), findRunSymbols(function),
             /*hasChecks=*/
             function.walk([](GuardOp) { return WalkResult::interrupt(); })
                 .wasInterrupted());
  }

private:
  /// What is cheap sinks into branches and loops before their own blocks are
  /// grouped.
  void fuse(Block &block, const RunSymbols &runSymbols, bool hasChecks) {
    Fuser(block, maxOps, runSymbols, hasChecks).run();
    for (Operation &op : block)
      if (isa<IfOp, WhileOp>(op))
        for (Region &region : op.getRegions())
          fuse(region.front(), runSymbols, hasChecks);
  }
};

} // namespace
} // namespace kiln::passes
