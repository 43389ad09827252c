// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What import knows of TensorArrays, stacks and lists: each is a slot of the
// run, found by the node that makes it.
#ifndef KILN_LIB_OPS_SLOTS_H
#define KILN_LIB_OPS_SLOTS_H

#include "lib/Ops/Inference.h"

#include <map>
#include <string>
#include <vector>

namespace kiln {

/// What is known of a value that is one or the other. Changes `a`; false where
/// nothing was lost.
bool joinInto(ValueInfo &a, const ValueInfo &b, const DimSpace &space);

/// What all elements of a slot have in common.
struct SlotFacts {
  DType dtype = DType::Invalid;
  /// What the slot was made for.
  SymShape declared;
  /// Of a list, the input that said so.
  ValueInfo shapeInput;
  /// Of what is written, as far as inference has come.
  std::optional<ValueInfo> element;
  /// Unknown where it changes or where data decides.
  Dim size = Dim::unknown();
  /// Whether elements may be read that nobody has written, or changed ones.
  bool hasOthers = false;
};

/// The slots of one import.
///
/// Facts do not say when: what one write loses is lost for every read. So a
/// loop is inferred again when its writes have changed something, and all is
/// when something was lost that a read before may have seen. Thread safety:
/// none.
class SlotSpace {
public:
  /// The slot that a node or an item of a block makes below these calls, one a
  /// name.
  int slotOf(const std::string &path, const void *maker,
             const std::string &name = {});
  /// What all lists that are elements of a list have in common.
  int innerOf(int slot) { return gradientOf(slot, "[]"); }
  /// The slot of an array's gradient of that source.
  int gradientOf(int slot, const std::string &source);
  SlotFacts &operator[](int slot) { return entries[index(slot)].facts; }
  int count() const { return static_cast<int>(entries.size()); }

  /// Notes what a slot is made for; made again, what both have in common.
  void declare(int slot, const SlotFacts &facts, const DimSpace &space);
  void write(int slot, const ValueInfo &value, const DimSpace &space);
  /// Notes that elements may be read that nobody has written as they are.
  void noteOthers(int slot);
  /// Adds what another slot may hold.
  void copy(int to, int from, const DimSpace &space);
  /// What a read gives: the shape that was declared where nothing is written.
  ValueInfo read(int slot) const;

  /// Grows with every change of a fact.
  int64_t changes() const { return numChanges; }
  /// Forgets facts, but not what was lost.
  void beginPass();
  /// Whether something was lost since beginPass() that was not lost before.
  bool mustRepeat() const { return hasLost; }

private:
  struct Entry {
    SlotFacts facts;
    /// What must stay unknown, as an element that lacks it.
    std::optional<ValueInfo> lost;
  };
  static size_t index(int slot) { return static_cast<size_t>(slot); }
  int add(const std::pair<std::string, const void *> &key);

  std::map<std::pair<std::string, const void *>, int> slots;
  std::map<std::pair<int, std::string>, int> gradients;
  std::vector<Entry> entries;
  int64_t numChanges = 0;
  bool hasLost = false;
};

} // namespace kiln

#endif // KILN_LIB_OPS_SLOTS_H
