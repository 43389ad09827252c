// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cutting of one block.
#ifndef KILN_LIB_PLAN_CUT_CUTTER_H
#define KILN_LIB_PLAN_CUT_CUTTER_H

#include "lib/Plan/cut/CutGraph.h"
#include "lib/Plan/cut/CutKind.h"
#include "lib/Plan/cut/CutPart.h"
#include "lib/Plan/cut/CutSets.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// What the cutters of one run share.
struct Cutting {
  const Block &root;
  /// The run is cut behind it; null: behind none.
  const AskedTensor *asked = nullptr;
  /// Feeds are waited for.
  bool isInSteps = false;
  /// Ops of another library that cut do so in branches, loops and calls, too.
  bool drivesForeign = false;
  const CrossingSlots &slots;
  /// Slots that would go from part to part and are not kept.
  std::vector<Output> crossing = {};
};

/// Says of each item which items that cut come before it, chooses its part by
/// that, and collects what each part takes and gives. The blocks of items that
/// cut are cut by cutters of their own, which ask those around them.
/// **Ownership**: borrows the blocks. **Thread safety**: none.
class Cutter {
public:
  explicit Cutter(Cutting &cutting) : Cutter(cutting, cutting.root, nullptr) {
    for (const Output &arg : block.args)
      addFeed(arg);
  }

  /// **Errors**: UNIMPLEMENTED, with the node, for a slot that crosses, which
  /// is noted, and for a handle that changes in a loop.
  StatusOr<CutGraph> run();

private:
  struct ItemInfo {
    const Item *item = nullptr;
    ItemFacts facts;
    bool hasOutputs = false;
    bool isConstant = false; ///< a value that no part makes
    /// It, or something that waits for it, does more than order others.
    bool matters = false;
    /// Something that matters waits for it.
    bool isAwaited = false;
    bool isAsked = false; ///< the run is cut behind it
    /// Items that it comes after.
    std::vector<size_t> sources;
    /// Parts that write a variable which it reads, and that it need not follow.
    std::vector<CutSets::Id> bounds;
    /// An item that cuts has a number among those that are awaited.
    int number = -1;
    CutSets::Id before = CutSets::none; ///< items that cut on the ways to it
    CutSets::Id place = CutSets::none;  ///< the set of its part
  };
  struct Part {
    CutSets::Id set = CutSets::none;
    CutUnit unit;
    CutPart items;
    /// Args, results and done nodes of what it will be.
    Block root;
    std::set<std::pair<int, OutputKey>> copies;
    std::map<OutputKey, int> feeds, fetches; ///< numbers of values
    bool hasEffect = false;
  };
  /// Where a tensor comes from: a feed or an item of a block here or around.
  struct Place {
    Cutter *cutter = nullptr;
    ItemInfo *info = nullptr; ///< null for a feed
  };

  Cutter(Cutting &cutting, const Block &block, Cutter *parent)
      : cutting(cutting), block(block), parent(parent),
        level(parent ? parent->level + 1 : 0),
        isInSteps(!parent && cutting.isInSteps) {}

  int addFeed(const Output &output);
  /// Whether an op uses a result of the block.
  bool isWanted(size_t result) const {
    return wanted.empty() || wanted[result];
  }
  bool isFed(const Output &output) const { return feedOf.contains(output); }
  bool isDone(const Item &item) const;
  /// The item of this block that a tensor comes from; null for others.
  ItemInfo *producerOf(const Output &output);
  Place placeOf(const Output &output);
  /// The variable, queue or view that a tensor is; null for a value.
  const Node *rootOf(const Output &output);
  /// True where an output of an item's node stands for what its root declares.
  static bool isView(const ItemInfo &info, int index);

  /// True for what one branch of an If that is driven does not give.
  bool mayBeNothing(const Output &output);
  void classify();
  void standFor(const Node &node, size_t place);
  void addSources(ItemInfo &info);
  void number();
  /// Calls `use` with the numbers of the feeds that are waited for.
  template <class Use> void forArrivals(const ItemInfo &info, Use use) {
    if (!isInSteps)
      return;
    for (const Output &input : info.facts.uses)
      if (auto feed = feedOf.find(input); feed != feedOf.end())
        use(feed->second);
  }
  void findBefore();
  void pullReads();
  void findPlaces();

  Part &part(CutSets::Id set);
  int newValue(const PlanValue &value);
  /// The value of a feed, a constant, an output of what cuts, or a tensor of a
  /// block around; -1 for what parts compute.
  int valueOutsideParts(const Output &output);
  /// The value of an int32 that is known.
  int constantValue(int32_t number);
  /// The value of an output as it stands when the part of `set` has ended.
  int valueAt(const Output &output, CutSets::Id set);
  /// The same; -1 for nothing, and for a handle that `name`, what stands for
  /// the value around the block, is as well.
  int fetchAt(const PlanValue &value, const Output &name, CutSets::Id set);
  /// Makes `part` have the output: by a copy, a feed, or because it is there.
  void use(const Output &output, Part &to);
  void copy(Place from, Part &to, bool isDone, std::vector<Output> &pending);
  void feed(const Output &output, Part &to);
  Status placeItem(ItemInfo &info);
  void placeOp(ItemInfo &info);
  Status placeRegion(ItemInfo &info);
  void finishUnits();
  void countUses();

  CutGraph result;
  Cutting &cutting;
  /// A TensorArray, stack or list that would go from part to part.
  std::optional<Output> crossing;
  const Block &block;
  Cutter *const parent;
  const int level; ///< the number of blocks around it that are cut
  const bool isInSteps;
  std::vector<bool> wanted; ///< for a branch or a call; else empty
  /// What stands for the results of a block of an item around it.
  std::vector<Output> names;
  std::set<OutputKey> inUse; ///< what items and results use
  std::map<OutputKey, int> feedOf;
  /// Arguments and results of items that are handles.
  std::map<OutputKey, const Node *> handles;
  std::vector<ItemInfo> infos;
  /// From here on items are checks of fetches, which come after all others: not
  /// in steps, which give what they have without waiting for others.
  size_t firstCheck = 0;
  std::unordered_map<const Node *, size_t> itemOfNode; ///< and those inside
  std::map<OutputKey, size_t> itemOfResult;
  int numAwaited = 0;
  CutSets sets;
  CutSets::Id last = CutSets::none;
  std::map<CutSets::Id, Part> parts;
  std::vector<std::pair<const ItemInfo *, CutUnit>> cuts;
  std::map<OutputKey, int> outside;
  std::map<int32_t, int> constants;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CUTTER_H
