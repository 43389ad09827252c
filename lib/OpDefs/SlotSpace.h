// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What import knows of TensorArrays, stacks and lists: each is a slot of the
// run, found by the node that makes it.
#ifndef KILN_LIB_OPDEFS_SLOTSPACE_H
#define KILN_LIB_OPDEFS_SLOTSPACE_H

#include "lib/OpDefs/Inference.h"

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
  /// The input of a list that said so.
  ValueInfo shapeInput;
  /// What is known of what is written, as far as inference has come.
  std::optional<ValueInfo> element;
  /// What is known of what is written to elements whose numbers are known, and
  /// to others.
  std::map<int64_t, std::optional<ValueInfo>> numbered;
  std::optional<ValueInfo> anywhere;
  /// Unknown where it changes or where data decides.
  Dim size = Dim::unknown();
  /// Whether elements may be read that nothing has written, or changed ones.
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
  int slotOf(const CallPath &path, const void *maker,
             const std::string &name = {});
  /// What all lists that are elements of a list have in common.
  int innerOf(int slot) { return gradientOf(slot, "[]"); }
  /// The slot of an array's gradient of that source.
  int gradientOf(int slot, const std::string &source);
  /// Notes that a stack holds handles of arrays like `slot`, which then move:
  /// the slot is one array after the other. Once for all passes.
  void holdHandle(int stack, int slot);
  /// Lets `slot` stand for arrays like those whose handles the stack holds.
  void takeHandle(int stack, int slot);
  /// Lets `slot` stand for either of two arrays, which then move.
  void pick(int slot, int first, int second);
  /// What code calls the slot: its number, or, of one that moves, what is as
  /// far below -1 (SlotTable::at()).
  int numberOf(int slot) const { return isMoving(slot) ? -1 - slot : slot; }
  SlotFacts &operator[](int slot) { return entries[index(slot)].facts; }
  int count() const { return static_cast<int>(entries.size()); }

  /// Notes what a slot is made for; made again, what both have in common.
  void declare(int slot, const SlotFacts &facts, const DimSpace &space);
  /// Notes a write of element `number`, where that is known.
  void write(int slot, const ValueInfo &value, const DimSpace &space,
             std::optional<int64_t> number = {});
  /// Notes that elements may be read that nothing has written as they are.
  void noteOthers(int slot);
  /// Adds what another slot may hold, under the same numbers or others.
  void copy(int to, int from, const DimSpace &space, bool isShifted = false);
  /// What a read gives, of element `number` where that is known: the shape that
  /// was declared where nothing is written.
  ValueInfo read(int slot, std::optional<int64_t> number = {}) const;

  /// Whether something may have written that element, as far as inference has
  /// come.
  bool mayBeWritten(int slot, int64_t number) const;

  /// The rank that elements are taken to have where inference cannot say it:
  /// that of the first that was written before. Nothing where ranks are not
  /// guessed; then it is noted that they are wanted.
  std::optional<int> guessedRank(int slot);
  bool wantsRanks() const { return guesses == Guesses::Wanted; }
  bool guessesRanks() const { return guesses == Guesses::Made; }
  void guessRanks() { guesses = Guesses::Made; }
  void giveUpGuesses() { guesses = Guesses::GivenUp; }

  /// Grows with every change of a fact.
  int64_t changes() const { return numChanges; }
  /// Forgets facts, but not what was lost.
  void beginPass();
  /// Whether something was lost since beginPass() that was not lost before.
  bool mustRepeat() const { return hasLost; }

private:
  enum class Guesses : uint8_t { None, Wanted, Made, GivenUp };
  struct Entry {
    SlotFacts facts;
    /// What must stay unknown, as elements that lack it.
    std::optional<ValueInfo> lost;
    std::map<int64_t, std::optional<ValueInfo>> lostOf;
    /// The rank of the first element that was written in any pass.
    std::optional<int> rank;
    /// A slot like those whose handles a stack holds.
    int held = none;
    /// The slot whose facts count for this one, too: a handle may mean both.
    int like = none;
    /// The slot of the array that a gradient is of.
    int array = none;
    bool isHeld = false;
  };
  static constexpr int none = -1;
  /// Adds a value to what is known, less what was lost.
  void join(std::optional<ValueInfo> &known, std::optional<ValueInfo> &lost,
            ValueInfo value, const DimSpace &space);
  /// The slot whose facts are this one's.
  int factsOf(int slot) const;
  /// From now on what holds of one holds of both. Once for all passes.
  void unite(int a, int b);
  bool isMoving(int slot) const;
  size_t index(int slot) const { return static_cast<size_t>(factsOf(slot)); }
  Entry &own(int slot) { return entries[static_cast<size_t>(slot)]; }
  Entry &shared(int slot) { return entries[index(slot)]; }
  int add(const std::pair<std::string, const void *> &key);

  std::map<std::pair<std::string, const void *>, int> slots;
  std::map<std::pair<int, std::string>, int> gradients;
  std::vector<Entry> entries;
  int64_t numChanges = 0;
  bool hasLost = false;
  Guesses guesses = Guesses::None;
};

} // namespace kiln

#endif // KILN_LIB_OPDEFS_SLOTSPACE_H
