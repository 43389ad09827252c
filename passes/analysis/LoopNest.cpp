// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the axes that the dimensions of a set of ops share, and the loops that
// compute them all in one go.
#include "passes/analysis/LoopNest.h"

#include "passes/analysis/DimClasses.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

namespace {

/// Builds a LoopNest. It unites dimensions into axes, then gives the axes
/// levels and an order.
class Builder {
public:
  Builder(ArrayRef<Operation *> ops, std::string *why) : ops(ops), why(why) {
    for (Operation *op : ops)
      for (Value result : op->getResults())
        inside.insert(result);
  }

  FailureOr<LoopNest> build() {
    for (Operation *op : ops)
      if (!op->hasTrait<OpTrait::IsTerminator>() && failed(visit(op)))
        return failure();
    shareLoops();
    if (failed(nameAxes()) || failed(assignLevels()) || failed(orderAxes()))
      return failure();
    collapse();
    return finish();
  }

private:
  LogicalResult refuse(const Twine &reason) {
    if (why)
      *why = reason.str();
    return failure();
  }

  //===--- Dimensions -----------------------------------------------------===//

  /// The ids of the dimensions of a value: of an inside value, or of one use of
  /// an outside value.
  ArrayRef<int> dimsOf(Value value) {
    return numberDims(valueDims[value], value);
  }
  ArrayRef<int> dimsOf(OpOperand &use) {
    return inside.contains(use.get()) ? dimsOf(use.get())
                                      : numberDims(leafDims[&use], use.get());
  }

  ArrayRef<int> numberDims(SmallVector<int, 4> &ids, Value value) {
    Extents shape = extentsOf(value);
    if (ids.size() == shape.size())
      return ids;
    for (const Extent &extent : shape)
      ids.push_back(classes.add(extent));
    return ids;
  }

  LogicalResult unite(int a, int b) {
    return classes.unite(a, b) ? success()
                               : refuse("dimensions of unlike extents meet");
  }

  LogicalResult uniteAll(ArrayRef<int> as, ArrayRef<int> bs) {
    for (auto [a, b] : llvm::zip_equal(as, bs))
      if (failed(unite(a, b)))
        return failure();
    return success();
  }

  bool isLeaf(OpOperand &use) { return !inside.contains(use.get()); }

  /// Ties the dimensions of the operands to those of the result by which the
  /// op's loops walk them.
  LogicalResult visit(Operation *op) {
    auto tensorOp = dyn_cast<TensorOp>(op);
    if (!tensorOp || tensorOp.getPlacement() != Placement::Nest)
      return refuse("an op that is no part of a loop nest");
    SmallVector<int, 4> result(dimsOf(op->getResult(0)));
    for (OpOperand &use : op->getOpOperands())
      if (failed(visitOperand(use, tensorOp.getAccess(use), result)))
        return failure();
    for (auto [dimension, id] : llvm::enumerate(result))
      if (tensorOp.usesIndexOf(static_cast<int64_t>(dimension)))
        pinned.push_back(id);
    return success();
  }

  LogicalResult visitOperand(OpOperand &use, ArrayRef<DimAccess> access,
                             ArrayRef<int> result) {
    SmallVector<int, 4> from(dimsOf(use));
    for (auto [id, dim] : llvm::zip_equal(from, access)) {
      if (dim.needsMemory() && !isLeaf(use))
        return refuse("a " + use.getOwner()->getName().stripDialect() +
                      " of a computed value");
      // Loops beyond the result's are those of this dimension itself.
      bool isCombined = dim.loop >= static_cast<int>(result.size());
      int loop = dim.loop < 0 || isCombined ? -1 : result[dim.loop];
      switch (dim.kind) {
      case DimAccess::Kind::Same:
        if (loop >= 0 && failed(unite(id, loop)))
          return failure();
        break;
      case DimAccess::Kind::Repeated:
        if (failed(visitRepeated(use, id, loop)))
          return failure();
        break;
      case DimAccess::Kind::Strided:
        follow(id, loop);
        if (dim.offset != 0 || dim.stride != 1 ||
            classes.extent(id) != classes.extent(loop))
          pinned.push_back(loop);
        break;
      case DimAccess::Kind::Picked:
        gathered.push_back(id);
        llvm::append_range(pinned,
                           dimsOf(use.getOwner()->getOpOperand(dim.indices)));
        break;
      case DimAccess::Kind::None:
        gathered.push_back(id);
        break;
      }
    }
    return success();
  }

  LogicalResult visitRepeated(OpOperand &use, int id, int loop) {
    if (classes.extent(id) == classes.extent(loop) || classes.isUnit(id))
      return unite(id, loop);
    // One or equal when the code runs: only an access to memory can decide
    // that, by its stride.
    if (!isLeaf(use))
      return refuse(
          "a computed value is repeated along a dimension that may be 1");
    follow(id, loop);
    pinned.push_back(loop);
    return success();
  }

  /// Dimension `a` of a leaf is walked by the axis of `b` although their
  /// extents differ.
  void follow(int a, int b) { followers.push_back({a, b}); }

  //===--- Loops that may be shared ---------------------------------------===//

  /// Nothing but taste decides which loop walks a dimension that no op ties to
  /// another: uses of one outside value and computed values of one shape take
  /// the same loops where that is possible.
  void shareLoops() {
    for (Operation *op : ops)
      for (Value result : op->getResults())
        (void)dimsOf(result);
    if (!classes.setValues(llvm::to_vector(
            llvm::map_range(valueDims, [](const auto &entry) -> ArrayRef<int> {
              return entry.second;
            }))))
      return;
    llvm::MapVector<Value, OpOperand *> firstUse;
    for (Operation *op : ops)
      for (OpOperand &use : op->getOpOperands())
        if (isLeaf(use)) {
          auto [entry, added] = firstUse.insert({use.get(), &use});
          if (!added)
            classes.tryUnite(SmallVector<int, 4>(dimsOf(*entry->second)),
                             SmallVector<int, 4>(dimsOf(use)));
        }
    llvm::MapVector<Attribute, Value> firstOfShape;
    for (Operation *op : ops)
      for (Value result : op->getResults()) {
        auto shape = TypeAttr::get(
            withElementType(cast<RankedTensorType>(result.getType()),
                            IntegerType::get(op->getContext(), 1)));
        auto [entry, added] = firstOfShape.insert({shape, result});
        if (!added)
          classes.tryUnite(SmallVector<int, 4>(dimsOf(entry->second)),
                           SmallVector<int, 4>(dimsOf(result)));
      }
  }

  //===--- Axes -----------------------------------------------------------===//

  AxisList axesOf(ArrayRef<int> dims) const {
    AxisList list;
    for (int dim : dims)
      list.push_back(dimAxis[dim]);
    return list;
  }

  LogicalResult nameAxes() {
    dimAxis.assign(classes.size(), unwalked);
    llvm::SmallDenseSet<int> special;
    for (auto [a, b] : followers)
      special.insert(a);
    special.insert(gathered.begin(), gathered.end());
    llvm::DenseMap<int, int> axisOfClass;
    for (int id = 0, end = classes.size(); id < end; ++id) {
      if (classes.isUnit(id) || special.contains(id))
        continue;
      auto [entry, added] =
          axisOfClass.try_emplace(classes.find(id), nest.axes.size());
      if (added)
        nest.axes.push_back({{classes.extent(id)}, Level::Parallel});
      dimAxis[id] = entry->second;
    }
    for (auto [a, b] : followers)
      dimAxis[a] = classes.isUnit(a) ? unwalked : dimAxis[b];
    for (const auto &[value, dims] : valueDims)
      if (hasTwice(axesOf(dims)))
        return refuse("a value walked by one loop along two dimensions");
    return checkConnected();
  }

  /// Loops without an op that needs them all would compute everything many
  /// times over.
  LogicalResult checkConnected() {
    for (Operation *op : ops) {
      llvm::SmallDenseSet<int> own;
      for (OpOperand &use : op->getOpOperands())
        own.insert_range(axesOf(SmallVector<int, 4>(dimsOf(use))));
      for (Value result : op->getResults())
        own.insert_range(axesOf(dimsOf(result)));
      own.erase(unwalked);
      if (own.size() == nest.axes.size())
        return success();
    }
    return refuse("no op walks all loops");
  }

  static bool hasTwice(AxisList list) {
    llvm::erase(list, unwalked);
    llvm::sort(list);
    return std::adjacent_find(list.begin(), list.end()) != list.end();
  }

  /// Reduced and inner axes follow from the reductions.
  LogicalResult assignLevels() {
    llvm::SmallSetVector<int, 4> innerAxes, reducedAxes, columns;
    bool anyInner = false, anyOuter = false;
    for (Operation *op : ops) {
      auto reduce = dyn_cast<ReduceOp>(op);
      if (!reduce)
        continue;
      AxisList from =
          axesOf(SmallVector<int, 4>(dimsOf(reduce.getOperandMutable())));
      bool isInner = isInnerReduction(reduce);
      llvm::SmallSetVector<int, 4> own;
      for (int64_t axis : reduce.getAxes())
        if (from[axis] >= 0)
          own.insert(from[axis]);
      auto &shared = isInner ? innerAxes : reducedAxes;
      bool &seen = isInner ? anyInner : anyOuter;
      if (seen && shared.getArrayRef() != own.getArrayRef())
        return refuse("reductions over different axes");
      shared = own;
      seen = true;
      if (!isInner)
        for (size_t i = reduce.getAxes().back() + 1; i < from.size(); ++i)
          if (from[i] >= 0)
            columns.insert(from[i]);
    }
    for (int axis : columns) {
      if (anyInner && !innerAxes.contains(axis))
        return refuse(
            "an outer reduction keeps columns that no inner reduction has");
      innerAxes.insert(axis);
    }
    for (int axis : innerAxes)
      if (reducedAxes.contains(axis))
        return refuse("one axis is reduced in both orders");
    for (int axis : innerAxes)
      nest.axes[axis].level = Level::Inner;
    for (int axis : reducedAxes)
      nest.axes[axis].level = Level::Reduced;
    hasInnerReduction = anyInner;
    hasOuterReduction = anyOuter;
    return success();
  }

  /// Loops in the order of the dimensions of the value with the most of them.
  LogicalResult orderAxes() {
    llvm::SmallSetVector<int, 4> order;
    SmallVector<AxisList> lists;
    for (Operation *op : ops)
      for (Value result : op->getResults())
        lists.push_back(axesOf(dimsOf(result)));
    for (Operation *op : ops)
      for (OpOperand &use : op->getOpOperands())
        lists.push_back(axesOf(SmallVector<int, 4>(dimsOf(use))));
    auto width = [](const AxisList &list) {
      return llvm::count_if(list, [](int axis) { return axis >= 0; });
    };
    // The first of the widest lists leads.
    if (auto widest = llvm::max_element(
            lists,
            [&](const auto &a, const auto &b) { return width(a) < width(b); });
        widest != lists.end())
      std::rotate(lists.begin(), widest, std::next(widest));
    for (const AxisList &list : lists)
      for (int axis : list)
        if (axis >= 0)
          order.insert(axis);
    // Without reductions the last dimension is the vectorized one.
    if (!hasInnerReduction && !hasOuterReduction && !order.empty())
      nest.axes[order.back()].level = Level::Inner;
    for (Level level : {Level::Parallel, Level::Reduced, Level::Inner})
      for (int axis : order)
        if (nest.axes[axis].level == level)
          loopOrder.push_back(axis);
    return success();
  }

  //===--- Collapsing -----------------------------------------------------===//

  /// Two loops that every value walks one right inside the other, contiguously,
  /// are one loop.
  void collapse() {
    llvm::SmallDenseSet<int> fixed;
    for (int dim : pinned)
      if (dimAxis[dim] >= 0)
        fixed.insert(dimAxis[dim]);
    for (size_t i = 0; i + 1 < loopOrder.size();) {
      int outer = loopOrder[i], inner = loopOrder[i + 1];
      bool sameLevel = nest.axes[outer].level == nest.axes[inner].level ||
                       (!hasInnerReduction && !hasOuterReduction);
      if (!sameLevel || fixed.contains(outer) || fixed.contains(inner) ||
          !alwaysAdjacent(outer, inner)) {
        ++i;
        continue;
      }
      nest.axes[inner].factors.insert(nest.axes[inner].factors.begin(),
                                      nest.axes[outer].factors.begin(),
                                      nest.axes[outer].factors.end());
      llvm::replace(dimAxis, outer, collapsed);
      loopOrder.erase(loopOrder.begin() + i);
      i = 0;
    }
  }

  bool alwaysAdjacent(int outer, int inner) {
    auto adjacent = [&](ArrayRef<int> dims) {
      int last = -1; // the axis of the previous dimension that is not 1
      bool ok = true, pending = false;
      for (int dim : dims) {
        int axis = dimAxis[dim];
        if (axis == unwalked && !classes.isUnit(dim)) {
          ok &= !pending; // a slice of one or a gather skips elements here
          last = unwalked;
        }
        if (axis == unwalked || axis == collapsed)
          continue;
        if (pending && axis != inner)
          ok = false;
        pending = axis == outer;
        if (axis == inner && last != outer)
          ok = false;
        last = axis;
      }
      return ok && !pending;
    };
    for (const auto &[value, dims] : valueDims)
      if (!adjacent(dims))
        return false;
    for (const auto &[use, dims] : leafDims)
      if (!adjacent(dims))
        return false;
    return true;
  }

  //===--- Result ---------------------------------------------------------===//

  FailureOr<LoopNest> finish() {
    // Number the remaining axes in loop order.
    llvm::SmallDenseMap<int, int> position;
    SmallVector<Axis, 4> axes;
    for (int axis : loopOrder) {
      position[axis] = axes.size();
      axes.push_back(nest.axes[axis]);
    }
    auto renumber = [&](ArrayRef<int> dims) {
      AxisList list;
      for (int dim : dims)
        list.push_back(dimAxis[dim] < 0 ? dimAxis[dim]
                                        : position.lookup(dimAxis[dim]));
      return list;
    };
    nest.axes = axes;
    for (auto [index, axis] : llvm::enumerate(nest.axes)) {
      int &slot = axis.level == Level::Inner ? nest.inner : nest.reduced;
      if (axis.level == Level::Parallel)
        continue;
      if (slot >= 0)
        return refuse(
            "an inner or reduced axis that does not collapse to one loop");
      slot = index;
    }
    for (const auto &[value, dims] : valueDims)
      nest.values[value] = renumber(dims);
    for (const auto &[use, dims] : leafDims)
      nest.leaves[use] = renumber(dims);
    nest.hasInnerReduction = hasInnerReduction;
    nest.hasOuterReduction = hasOuterReduction;
    if (failed(checkPhases()) || failed(checkStores()))
      return failure();
    return std::move(nest);
  }

  /// What follows an outer reduction cannot walk the reduced axis again.
  LogicalResult checkPhases() {
    llvm::SmallDenseSet<Value> epilogue;
    for (Operation *op : ops) {
      if (op->hasTrait<OpTrait::IsTerminator>())
        continue;
      bool after = llvm::any_of(op->getOperands(), [&](Value value) {
        return epilogue.contains(value);
      });
      if (after) {
        if (nest.has(nest.values[op->getResult(0)], nest.reduced))
          return refuse("rows are walked again after their reduction");
        if (auto reduce = dyn_cast<ReduceOp>(op);
            reduce && !isInnerReduction(reduce))
          return refuse("an outer reduction after an outer reduction");
      }
      auto reduce = dyn_cast<ReduceOp>(op);
      if (after || (reduce && !isInnerReduction(reduce)))
        epilogue.insert(op->getResult(0));
    }
    return success();
  }

  /// A value without one of the parallel loops would be stored in every
  /// iteration of it, or, where the loop has none, not at all.
  LogicalResult checkStores() {
    llvm::SmallDenseSet<Operation *> members(ops.begin(), ops.end());
    for (Operation *op : ops) {
      auto leaves = [&](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>() ||
               !members.contains(user);
      };
      if (llvm::none_of(op->getUsers(), leaves))
        continue;
      Value result = op->getResult(0);
      AxisList own = nest.values[result];
      for (int axis = 0, end = nest.axes.size(); axis < end; ++axis)
        if (nest.axes[axis].level == Level::Parallel && !nest.has(own, axis))
          return refuse("a result stored inside a loop that it does not have");
      nest.stored.push_back(result);
    }
    return success();
  }

  ArrayRef<Operation *> ops;
  std::string *why;
  llvm::DenseSet<Value> inside;

  DimClasses classes; ///< of dimensions, by id
  llvm::MapVector<Value, SmallVector<int, 4>> valueDims;
  llvm::MapVector<OpOperand *, SmallVector<int, 4>> leafDims;
  SmallVector<std::pair<int, int>> followers;
  SmallVector<int> pinned;   ///< dimensions whose axis must not be collapsed
  SmallVector<int> gathered; ///< dimensions that no loop walks: picked from by
                             ///< an index, or words of a random state
  SmallVector<int> dimAxis;
  SmallVector<int> loopOrder;
  bool hasInnerReduction = false, hasOuterReduction = false;
  LoopNest nest;
};

} // namespace

FailureOr<LoopNest> analyzeLoopNest(ArrayRef<Operation *> ops,
                                    std::string *why) {
  return Builder(ops, why).build();
}

} // namespace kiln::passes
