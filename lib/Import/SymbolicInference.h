// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first phase of import: shapes and known contents of every tensor of a
// tree of blocks, over symbolic dimensions.
#ifndef KILN_LIB_IMPORT_SYMBOLICINFERENCE_H
#define KILN_LIB_IMPORT_SYMBOLICINFERENCE_H

#include "lib/Import/DynamicVariables.h"
#include "lib/Import/Import.h"
#include "lib/Import/Scope.h"
#include "lib/OpDefs/SlotSpace.h"
#include "lib/Plan/ir/ListUses.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace kiln {

/// Whether an error is one that a node of the graph has when it runs, and not
/// Kiln's.
bool isErrorOfRun(const Status &status);

/// Runs the shape functions in order, block by block, and answers what they
/// demand of tensors: with what is fed, or with symbols that the run binds.
///
/// A loop's body is inferred again until the shapes of what it carries stay.
/// Ownership: borrows graph and feeds. Thread safety: none.
class SymbolicInference {
public:
  SymbolicInference(const Block &root, std::span<const FeedSpec> feeds,
                    VariableShapes *shapes)
      : root(root), specs(feeds), lists(findListUses(root)),
        isRevealed(feeds.size(), false), dynamic(shapes) {}

  /// **Errors**: INVALID_ARGUMENT for feeds that do not fit and from shape
  /// functions.
  Status run();

  /// The scope that the questions below are asked in; the root's after run().
  Scope &scope() { return *current; }
  const Scope &scope() const { return *current; }
  void enter(Scope &scope) { current = &scope; }
  Scope &scopeOf(const Block &block) { return *scopes.at(&block); }
  /// The branch of an If that is taken in every run: 0 or 1; -1 where that was
  /// open when the If was inferred, whatever later nodes say of its condition:
  /// its results have the sizes of that time.
  int takenBranch(const Item &item) const { return takenBranches.at(&item); }

  /// Whether a scope may end by a failure. Not where every run of a loop comes
  /// to it: an iteration that is written must have an end.
  bool mayFail(const Scope &scope) const {
    return scope.mayNotRun || scope.region == scopes.at(&root)->region;
  }
  /// Notes that what comes to an item of the scope, which may fail, fails.
  void noteFailure(Scope &scope, const Item &item, Status error);
  /// Notes the failure of a scope behind an item whose blocks end every run
  /// that comes to it. False where they do not, or where it may not fail.
  bool noteFailureBehind(Scope &scope, const Item &item);
  /// The error of an item of the present scope whose blocks end every run that
  /// comes to it: the one, or the first; null where they do not.
  const Status *errorInside(const Item &item) const;

  /// The index of the feed that stands for this tensor; -1 when it is not fed.
  int feedOf(const Output &output) const;
  /// What is known of a tensor, dimensions resolved.
  const ValueInfo &info(const Output &output) const;
  /// What the node itself gives as output i, also where a feed takes its place.
  const ValueInfo &computed(const Node &node, int i) const;
  /// The elements of a tensor where each is a number or a symbol; null
  /// otherwise.
  const Dims *contents(const Output &output) const;
  /// As contents(), or the symbols that stand for what the run computes.
  const Dims *sizes(const Output &output) const;
  /// The sizes that the run finds out for an item of the scope; null where it
  /// finds out nothing before it.
  const RunSizes *runSizes(const Item &item) const;
  /// True when an earlier part of the run has done it (Block::done).
  bool isDone(const Node &node) const;
  /// The input of which the node's shapes depend on what is not known; null for
  /// none.
  const MissingInput *missingInput(const Node &node) const;

  /// A node of the scope before this one that finds out the same sizes of the
  /// same values: what that gives stands for what this one does. Null for none.
  const Node *leaderOf(const Node &node) const;

  /// The tensor that gives a tensor of the scope its value: behind arguments of
  /// calls and branches and results of calls. None for what is fed.
  std::optional<Output> giverOf(const Output &tensor) const {
    auto found = giverOf(current, tensor);
    return found ? std::optional(found->second) : std::nullopt;
  }
  /// Such a tensor, on whose unknown elements or extents a shape depends that
  /// is not known for that; or one that branches or iterations give with other
  /// ranks.
  std::optional<AskedTensor> missingTensor() const;

  /// Whether TensorFlow runs the node, even if its outputs are unused: those
  /// that findLive() has found.
  bool isRun(const Node &node) const { return nodesThatRun.contains(&node); }
  void setRun(std::unordered_set<const Node *> nodes) {
    nodesThatRun = std::move(nodes);
  }

  /// The shape that a variable without a static one has as input i of a node
  /// of the scope; null for other inputs.
  const SymShape *dynamicInput(const Node &node, int i) const;
  /// The shape that it has on entry, of unknown rank without a value.
  SymShape entryShape(int dynamicVariable) {
    return dynamic.entryShape(dynamicVariable, static_cast<int>(specs.size()),
                              space);
  }
  DynamicVariables &dynamicVariables() { return dynamic; }

  DimSpace &dims() { return space; }
  SlotSpace &slots() { return slotSpace; }
  const SlotSpace &slots() const { return slotSpace; }
  /// The TensorArray, stack or list that a handle means; -1 where that is not
  /// known.
  int slotOf(const ValueInfo &handle) const {
    return handle.handle ? handle.handle->slot : -1;
  }
  std::vector<FedValue> takeFedValues();

private:
  /// With the number of blocks around the one that it is of.
  std::optional<std::pair<int, Output>> giverOf(Scope *scope,
                                                Output tensor) const;
  /// As giverOf(), for what branches or iterations of a loop give with several
  /// ranks.
  std::optional<std::pair<int, Output>> openRank() const;
  Status inferAll();
  Status addFeed(int index);
  Scope &newScope(const Block &block, Scope *parent, bool isInlined);
  Status inferBlock(Scope &scope);
  Status inferOne(const Item &item);
  Status inferCall(const Item &item, const Block &block);
  Status inferIf(const Item &item);
  /// takenBranch() by what is known now.
  int decidedBranch(const Item &item) const;
  Status inferWhile(const Item &item);
  Status bindArgs(const Item &item, Scope &inner);
  /// What is known of a loop: each time that its blocks are inferred, at least
  /// one dimension or rank less, of what it carries or what lies in slots.
  struct Loop {
    std::vector<bool> isInvariant;
    std::vector<ValueInfo> carried = {};
    DynamicVariables::Places atEntry = {};
    bool isStable = false;
  };
  Status inferLoop(const Item &item, Loop &loop);
  /// The first block, and what it forwards.
  Status inferTest(const Item &item, const Loop &loop,
                   std::vector<ValueInfo> &forwarded);
  Status inferBody(const Item &item, const Loop &loop,
                   std::vector<ValueInfo> forwarded);
  /// Joins carried value i with what the body makes of it.
  Status joinNext(const Item &item, size_t i, Loop &loop);
  /// What is known of a value that is one or the other: dimensions that differ
  /// are the item's own, of its value i. Changes `a`; false where nothing was
  /// lost.
  bool joinInto(ValueInfo &a, const ValueInfo &b, const Item &item, size_t i);
  /// The dimension of an item's value that its paths bind, each to their own.
  Dim ownDim(const Item &item, size_t i, size_t d);
  /// Notes which of an item's values have such dimensions.
  void bindOwnDims(const Item &item, const std::vector<ValueInfo> &values);
  /// Whether the dimension has a value in the present scope.
  bool isVisible(Dim dim) const;
  /// Answers a shape function's demand for the elements of a tensor. Where they
  /// depend on feeds whose values nothing has looked at yet, inference begins
  /// again with those known. Null where they depend on the run, unless they are
  /// sizes.
  const Dims *demand(const Output &output, const Item &item, Demand what);
  /// The shape of a tensor, whose extents the run has found out where they are
  /// not known numbers: those that the graph declares, which the run checks.
  Dims declaredExtents(const Output &output, const Dims &extents);
  /// Makes symbols of the unknown elements of a small integer tensor; null
  /// where it is none.
  const Dims *bindNumbers(const Output &output, const Item &item, Demand what);
  /// The same of scalar k where the tensor is packed of scalars: two tensors
  /// that have one of them share its symbol.
  const Dims *packedNumber(const Output &output, size_t k, const Item &item,
                           Demand what);
  /// The truth of a comparison of two constants of floats, which have no
  /// contents: the branch that it takes may be the only one whose shapes fit.
  std::optional<bool> comparedConstants(const Output &output) const;
  /// The number of a tensor of a scope that the graph fixes: a constant, or one
  /// that is cast.
  std::optional<double> constantNumber(Scope *scope,
                                       const Output &output) const;
  /// Where a tensor of a scope comes from: behind Identity, arguments of calls
  /// and branches, and results of calls. No node for what is fed.
  std::pair<Scope *, Output> originOf(Scope *scope, Output tensor) const;
  /// \p firstGuard: how many guards there were before the item.
  void noteRunSizes(const Item &item, size_t firstGuard);
  /// Notes how far the table goes that an item of the present scope looks at.
  RunSizes &countSizes(const Item &item);
  /// As info(), of a tensor as a scope sees it.
  const ValueInfo &infoIn(const Scope *scope, const Output &output) const;
  /// Whether two tensors, or what two nodes give, have the same elements in
  /// every run. False where that takes many comparisons.
  bool isSame(Scope *scope, const Output &a, const Output &b,
              int &budget) const;
  bool isSame(Scope *scope, const Node &a, const Node &b, int &budget) const;
  /// Notes that a node finds out sizes, if it does; true where an earlier one
  /// (leaderOf()) does already.
  bool numberSizes(const Node &node, const std::vector<ValueInfo> &outputs);
  /// True for an assignment that checks no shape and may bring another than the
  /// static one of its variable, which has none from now on: inference begins
  /// again. That is one whose extents only the run knows, too.
  bool makesDynamic(const Node &node, const OpDef &def);
  /// Those of a node's inputs that are variables without a static shape, with
  /// the shapes that they have at its place.
  std::vector<ValueInfo> dynamicInputs(const Node &node, const OpDef &def,
                                       std::vector<const ValueInfo *> &inputs);
  /// What a node says of such variables: declares, passes on, gives a shape.
  Status noteDynamic(const Node &node, std::vector<ValueInfo> &outputs);
  void setPlace(const Node &node);
  /// What a dimension is known to be everywhere.
  Dim settled(Dim dim) const;
  /// Gives a list that comes out of a block a slot beside the one where it is,
  /// if there is another.
  int listSlot(const Item &item, const std::string &name, int from);
  /// The slot of an item's own for a handle that means either array.
  int pickedSlot(const Item &item, const std::string &name, int first,
                 int second);
  /// The feeds that a small integer tensor is computed from; false where
  /// something else takes part.
  bool collectFeeds(const Output &output, std::vector<int> &feeds) const;

  const Block &root;
  std::span<const FeedSpec> specs;
  ListUses lists;
  DimSpace space;
  SlotSpace slotSpace;
  std::map<Scope::Key, int> feedOfOutput;
  std::vector<bool> isRevealed;
  DynamicVariables dynamic;
  bool beginsAgain = false;
  std::unordered_set<const Node *> nodesThatRun;
  bool findsSizes = false; ///< whether the run does, so far
  std::unordered_map<const Block *, int> blockNumbers;
  std::unordered_map<const Block *, std::unique_ptr<Scope>> scopes;
  std::unordered_map<const Item *, int> takenBranches;
  Scope *current = nullptr;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_SYMBOLICINFERENCE_H
