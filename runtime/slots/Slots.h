// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TensorArrays, stacks and lists hold while a run lasts: rows of elements
// by number.
#ifndef KILN_RUNTIME_SLOTS_SLOTS_H
#define KILN_RUNTIME_SLOTS_SLOTS_H

#include "kiln/DType.h"
#include "lib/Support/CheckedMath.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/SlotFlags.h"
#include "runtime/memory/ArenaPool.h"

#include <deque>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

struct Slot;

/// A bit of an element's state beside KilnSlotState: nothing wrote the element,
/// but its shape is known, and a read makes zeros of it.
inline constexpr uint8_t slotHasShape = 8;

/// A tensor of a slot, or, in a list of lists, a slot.
struct SlotElement {
  char *data = nullptr;
  int64_t *dims = nullptr;
  int64_t room = 0;  ///< bytes at `data`
  int64_t bytes = 0; ///< of the tensor
  int32_t rank = 0;
  Slot *inner = nullptr; ///< where the elements are lists

  std::span<const int64_t> shape() const noexcept {
    return {dims, static_cast<size_t>(rank)};
  }
};

/// A shape of which a rank or dimensions may be unknown (-1).
struct SlotShape {
  bool hasRank = false;
  std::vector<int64_t> dims;

  bool isFullyDefined() const noexcept;
  bool fits(std::span<const int64_t> shape) const noexcept;
};

/// Elements by number, of one type.
///
/// As long as all have one shape they lie side by side, in `row`; from the
/// first of another shape on each has memory of its own, in `elements`.
/// `states`, `size` and what lies at `data` native code changes, too.
struct Slot : KilnSlot {
  Slot() noexcept : KilnSlot{} { rank = -1; }
  Slot(const Slot &) = delete;
  Slot &operator=(const Slot &) = delete;

  /// What errors call it, in memory that outlives the run; of a gradient, the
  /// array's, and its source.
  std::string_view name, source;
  int64_t number = -1; ///< behind the name
  /// Without a number of its own: what SlotTable::recall() takes.
  int64_t place = -1;
  int64_t flags = 0; ///< SlotFlags
  DType type = DType::Invalid;
  SlotShape shape; ///< that all elements have
  int64_t maxSize = -1;
  /// How many elements a split has written last; -1 before one. A gradient has
  /// its array's of when it was made.
  int64_t numSplit = -1;
  /// Counts what was made of the slot; of a gradient, which of its array's it
  /// belongs to.
  uint64_t made = 0, madeOf = 0;
  /// For an array that moves: whether a stack or the next iteration of a loop
  /// holds it, which stays as it is then, and its gradients, one a source.
  bool isHeld = false;
  Slot *gradients = nullptr, *nextGradient = nullptr;

  bool is(SlotFlags flag) const noexcept { return (flags & flag) != 0; }
  bool isWritten(int64_t i) const noexcept {
    return states[i] & kilnSlotWritten;
  }
  /// Whether element i has a shape, written or not.
  bool isShaped(int64_t i) const noexcept {
    return states[i] & (kilnSlotWritten | slotHasShape);
  }
  /// Element i; what it holds counts where it has a value, its shape where it
  /// is shaped.
  SlotElement element(int64_t i) const noexcept {
    return isLoose ? elements[static_cast<size_t>(i)]
                   : SlotElement{data + i * row.bytes, row.dims, row.bytes,
                                 row.bytes, row.rank};
  }
  Slot *&inner(int64_t i) noexcept {
    return elements[static_cast<size_t>(i)].inner;
  }
  const Slot *inner(int64_t i) const noexcept {
    return elements[static_cast<size_t>(i)].inner;
  }
  /// Whether elements of that shape may be written without another look at it.
  bool isRowOf(std::span<const int64_t> dims) const noexcept;

  /// Keeps native code from the slot while a kernel works on it.
  void hide() noexcept { rank = -1; }
  /// Lets native code at what needs no kernel.
  void expose() noexcept;

private:
  friend class SlotTable;
  /// Elements of one shape; `room` of them have memory.
  struct Row {
    int64_t *dims = nullptr; ///< null before there is a shape
    int64_t room = 0;
    int64_t blockBytes = 0; ///< at `data`
    int64_t bytes = 0;      ///< of an element
    int32_t rank = 0;

    std::span<const int64_t> shape() const noexcept {
      return {dims, static_cast<size_t>(rank)};
    }
  };
  bool isShapedBeside(int64_t i) const noexcept;

  Row row;
  int64_t roomBefore = 0; ///< of the row, in the run before
  bool isLoose = false;   ///< whether `elements` count, not `row`
  std::vector<uint8_t> stateBytes;
  std::vector<SlotElement> elements; ///< empty or as many as stateBytes
  uint64_t run = 0;                  ///< in which the elements got their memory
};

/// The slots of one run.
///
/// **Ownership**: owns the slots; elements lie in arenas of the pool, which go
/// back after the run. A run as large as the one before it allocates nothing.
/// **Thread safety**: one thread at a time.
class SlotTable {
public:
  /// `maxBytes` bounds what all elements of a run take.
  SlotTable(ArenaPool &pool, int64_t maxBytes)
      : pool(pool), maxBytes(maxBytes) {}
  SlotTable(const SlotTable &) = delete;
  SlotTable &operator=(const SlotTable &) = delete;

  /// The slot of a number, without elements unless the run has made it; null
  /// without memory for it. Below 0 that of number -1 - `number` of those that
  /// move, which is one slot after the other.
  Slot *at(int64_t number) noexcept;
  /// As at(), to be made: where the slot that is there must stay as it is,
  /// another one takes its place.
  Slot *renewed(int64_t number) noexcept;
  /// Puts an unused slot in the place of one that moves; null without
  /// memory.
  Slot *addMoving(int64_t number) noexcept;
  /// Puts a slot in the place of one that moves. False without memory.
  bool move(int64_t number, Slot *slot) noexcept;
  /// Puts the slot with that Slot::place in the place of one that moves; false
  /// where there is none.
  bool recall(int64_t number, int64_t place) noexcept;
  /// Lets go of a place: what is made there next is another slot.
  void vacate(int64_t number) noexcept { move(number, nullptr); }
  /// A slot without a number, for an element that is a list, or one that moves;
  /// null without memory.
  Slot *addInner() noexcept;
  /// Empties a slot and gives it `size` elements without a value. **Returns**
  /// false, with the run's error recorded, for what cannot be had; so do the
  /// functions below.
  bool make(Slot &slot, int64_t size, KilnRunState *state, int32_t node);
  /// Changes the number of elements; new ones have no value.
  bool resize(Slot &slot, int64_t size, KilnRunState *state, int32_t node);
  /// Gives element i room for a tensor, whose elements are undefined. All other
  /// elements keep their values, but not their places.
  bool shape(Slot &slot, int64_t i, std::span<const int64_t> dims,
             int64_t bytes, KilnRunState *state, int32_t node);
  /// Gives an element that is a list its slot.
  bool shapeList(Slot &slot, int64_t i, KilnRunState *state, int32_t node);
  /// Makes an array an element of a stack.
  bool hold(Slot &stack, int64_t i, Slot &array, KilnRunState *state,
            int32_t node);
  /// Ends the run: all elements are gone.
  void clear() noexcept {
    if (bytes != 0 || !chunks.empty() || numInner != 0)
      endRun();
  }

private:
  void endRun() noexcept;
  Slot *ofThisRun(Slot &slot) noexcept;
  bool count(int64_t bytes, KilnRunState *state, int32_t node) noexcept;
  /// Whether that fits the limit, however it is counted.
  bool fits(CheckedInt64 bytes) const noexcept;
  char *take(int64_t bytes, KilnRunState *state, int32_t node);

  enum class Placed : uint8_t { Yes, No, Failed };
  /// Makes the row one of `numElements` and of that shape; not what would take
  /// more than elements that are written may need.
  Placed placeRow(Slot &slot, int64_t numElements,
                  std::span<const int64_t> dims, int64_t bytes,
                  KilnRunState *state, int32_t node);
  /// Gives each element a place of its own.
  bool loosen(Slot &slot, KilnRunState *state, int32_t node);
  bool addElements(Slot &slot, KilnRunState *state, int32_t node);
  bool shapeLoose(Slot &slot, int64_t i, std::span<const int64_t> dims,
                  int64_t bytes, KilnRunState *state, int32_t node);

  ArenaPool &pool;
  int64_t maxBytes;
  std::deque<Slot> slots, inner;
  std::vector<Slot *> moving; ///< null where nothing is yet
  size_t numInner = 0;        ///< of `inner` that are in use
  std::vector<Arena> chunks;
  size_t used = 0; ///< of the last chunk
  int64_t bytes = 0, bytesBefore = 0;
  uint64_t run = 1;
};

} // namespace kiln

#endif // KILN_RUNTIME_SLOTS_SLOTS_H
