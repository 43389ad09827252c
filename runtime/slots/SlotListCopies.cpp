// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole TensorLists: copies, sums, and lists as elements of lists.
#include "runtime/kernels/AddElements.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/slots/SlotList.h"

#include "lib/Support/DTypeDispatch.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

bool copy(const SlotCall &call, Slot &to, const Slot &from);

/// Gives element i of a list the value of another's, if that has one.
bool copyElement(const SlotCall &call, Slot &to, int64_t i, const Slot &from,
                 int64_t j) {
  to.states[i] = from.states[j];
  if (!from.isWritten(j))
    return true;
  if (to.type == DType::Variant)
    return call.slots().shapeList(to, i, call.state(), call.node()) &&
           copy(call, *to.inner(i), *from.inner(j));
  SlotElement element = from.element(j);
  return call.store(to, i, element.shape(), element.data);
}

/// Makes `to` hold what `from` holds. Depth is that of nested lists' types.
bool copy(const SlotCall &call, Slot &to, const Slot &from) {
  int64_t maxSize = from.maxSize;
  if (&to == &from)
    return true;
  if (!makeList(call, to, from.type, from.shape, from.size))
    return false;
  to.maxSize = maxSize;
  PieceCopy pieces;
  bool isRow = false;
  for (int64_t i = 0; i < from.size; ++i) {
    if (isRow) {
      to.states[i] = from.states[i];
      SlotElement element = from.element(i);
      if (from.isWritten(i))
        pieces.add(to.element(i).data, element.data, element.bytes);
      continue;
    }
    if (!copyElement(call, to, i, from, i))
      return false;
    isRow = from.isWritten(i) && from.isRowOf(from.element(i).shape()) &&
            to.isRowOf(from.element(i).shape());
  }
  return true;
}

/// numbers: to, from
int32_t copyList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *to = call.slot(), *from = call.slot(1);
  return !to || !from || !copy(call, *to, *from);
}

/// Zeros in the shape of each element. numbers: to, from
int32_t zerosLike(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *to = call.slot(), *from = call.slot(1);
  if (!to || !from || !copy(call, *to, *from))
    return 1;
  auto clear = [](auto &&self, Slot &list) -> void {
    for (int64_t i = 0; i < list.size; ++i) {
      if (!list.isWritten(i))
        continue;
      if (list.type == DType::Variant)
        self(self, *list.inner(i));
      else if (SlotElement element = list.element(i); element.bytes != 0)
        std::memset(element.data, 0, static_cast<size_t>(element.bytes));
    }
  };
  clear(clear, *to);
  return mustStop(call.state());
}

bool add(const SlotCall &call, Slot &to, const Slot &from) {
  if (to.type != from.type)
    return call.failText("Trying to add two lists of tensors of different "
                         "dtypes. One is ",
                         dtypeTfName(to.type), " and the other is ",
                         dtypeTfName(from.type));
  if (to.size != from.size)
    return call.failText("Trying to add two lists of tensors with different "
                         "lengths. One is ",
                         to.size, " and the other is ", from.size);
  bool isSame = !to.shape.hasRank || !from.shape.hasRank ||
                to.shape.dims.size() == from.shape.dims.size();
  for (size_t d = 0; isSame && to.shape.hasRank && from.shape.hasRank &&
                     d < to.shape.dims.size();
       ++d)
    isSame = to.shape.dims[d] < 0 || from.shape.dims[d] < 0 ||
             to.shape.dims[d] == from.shape.dims[d];
  if (!isSame)
    return call.failText("Trying to add two lists of tensors with incompatible "
                         "element shapes. One is ",
                         shapeText(to.shape), " and the other is ",
                         shapeText(from.shape));
  for (int64_t i = 0; i < to.size; ++i) {
    if (!from.isWritten(i))
      continue; // zeros
    if (!to.isWritten(i)) {
      if (!copyElement(call, to, i, from, i))
        return false;
      continue;
    }
    if (to.type == DType::Variant) {
      if (!add(call, *to.inner(i), *from.inner(i)))
        return false;
      continue;
    }
    SlotElement sum = to.element(i), more = from.element(i);
    if (!std::ranges::equal(sum.shape(), more.shape()))
      return call.failText("Trying to add two tensors with incompatible "
                           "element shapes. One is ",
                           shapeText(sum.shape()), " and the other is ",
                           shapeText(more.shape()));
    if (!isSupported(addedAs(to.type)))
      return call.failText("expected elements of a dtype that is added, got ",
                           dtypeTfName(to.type));
    dispatchElement(addedAs(to.type), [&]<class T>(T) {
      addElements(reinterpret_cast<T *>(sum.data),
                  reinterpret_cast<const T *>(more.data),
                  sum.bytes / static_cast<int64_t>(sizeof(T)));
    });
  }
  return true;
}

/// numbers: the list that grows by, the list that is added
int32_t addList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *to = call.slot(), *from = call.slot(1);
  return !to || !from || !add(call, *to, *from);
}

/// Puts the elements of a list behind another's; `index` is that of the lists
/// among others.
bool append(const SlotCall &call, Slot &to, const Slot &from, int64_t index) {
  if (to.shape.hasRank != from.shape.hasRank ||
      to.shape.dims != from.shape.dims)
    return call.failText("input_a and input_b TensorList element shapes are "
                         "not identical at index ",
                         index, ".  Saw ", shapeText(to.shape), " vs. ",
                         shapeText(from.shape));
  if (to.type != from.type)
    return call.failText("input_a and input_b TensorList dtypes are not "
                         "identical: ",
                         dtypeTfName(to.type), " vs. ", dtypeTfName(from.type));
  int64_t before = to.size, more = from.size;
  if (!call.slots().resize(to, before + more, call.state(), call.node()))
    return false;
  for (int64_t i = 0; i < more; ++i)
    if (!copyElement(call, to, before + i, from, i))
      return false;
  return true;
}

/// numbers: to, from
int32_t appendList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *to = call.slot(), *from = call.slot(1);
  return !to || !from || !append(call, *to, *from, 0) || mustStop(call.state());
}

//===--- Lists of lists ---------------------------------------------------===//

bool putList(const SlotCall &call, Slot &list, int64_t index,
             const Slot &value) {
  if (!call.slots().shapeList(list, index, call.state(), call.node()))
    return false;
  list.states[index] = kilnSlotWritten;
  return copy(call, *list.inner(index), value);
}

/// numbers: the outer list, the inner one
int32_t pushList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot(), *value = call.slot(1);
  return !list || !value || !growList(call, *list) ||
         !putList(call, *list, list->size - 1, *value);
}

/// index -> ; numbers: the outer list, the inner one
int32_t setList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot(), *value = call.slot(1);
  if (!list || !value)
    return 1;
  if (!isIn(call.index(0), *list))
    return !call.failText("Trying to modify element ", call.index(0),
                          " in a list with ", list->size, " elements.");
  return !putList(call, *list, call.index(0), *value);
}

bool takeList(const SlotCall &call, Slot &to, const Slot &list, int64_t index) {
  // An element without a value is a list without elements.
  return list.isWritten(index)
             ? copy(call, to, *list.inner(index))
             : makeList(call, to, DType::Invalid, SlotShape(), 0);
}

/// numbers: the outer list, where its last element goes
int32_t popList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot(), *to = call.slot(1);
  if (!list || !to)
    return 1;
  if (list->size == 0)
    return !call.failText("Trying to pop from an empty list.");
  bool taken = takeList(call, *to, *list, list->size - 1);
  list->size -= 1;
  return !taken;
}

/// index -> ; numbers: the outer list, where its element goes
int32_t getList(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *list = call.slot(), *to = call.slot(1);
  if (!list || !to)
    return 1;
  if (!isIn(call.index(0), *list))
    return !call.failText("Trying to access element ", call.index(0),
                          " in a list with ", list->size, " elements.");
  return !takeList(call, *to, *list, call.index(0));
}

//===--- Vectors of lists -------------------------------------------------===//

/// List i of a vector; null, with the error, where a list of lists that has no
/// such list came instead.
Slot *listAt(const SlotCall &call, Slot &lists, int64_t i) {
  if (i < lists.size && lists.isWritten(i))
    return lists.inner(i);
  call.failText("expected a vector with a list at index ", i, ", got none");
  return nullptr;
}

/// value: a row for each list -> ; numbers: the lists
int32_t pushBatch(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *lists = call.slot();
  std::span<const int64_t> all = call.inputDims(0);
  if (!lists)
    return 1;
  if (all.empty())
    return !call.failText(
        "Expected tensor to be at least a vector, but saw shape: []");
  if (all[0] != lists->size)
    return !call.failText("Expected tensor.shape[0] == input_handles.size, but "
                          "saw ",
                          all[0], " vs. ", lists->size);
  std::span<const int64_t> row = all.subspan(1);
  const char *from = call.input<char>(0);
  for (int64_t i = 0; i < lists->size; ++i) {
    Slot *inner = listAt(call, *lists, i);
    if (!inner)
      return 1;
    Slot &list = *inner;
    if (!checkType(call, list, call.inputDType(0)))
      return 1;
    if (!list.shape.fits(row))
      return !call.failText("Tried to append a tensor with incompatible shape "
                            "to a list at index ",
                            i, ". Op element shape: ", shapeText(row),
                            " list shape: ", shapeText(list.shape));
    if (!growList(call, list) ||
        !putElement(call, list, list.size - 1, row, from))
      return 1;
    from += SlotCall::bytesOf(row, list.type);
  }
  return mustStop(call.state());
}

/// numbers: the lists that grow, those that are put behind them
int32_t appendEach(const KilnKernelCall *raw) noexcept {
  SlotCall call(raw);
  Slot *to = call.slot(), *from = call.slot(1);
  if (!to || !from)
    return 1;
  for (int64_t i = 0; i < std::max(to->size, from->size); ++i) {
    Slot *list = listAt(call, *to, i);
    const Slot *more = list ? listAt(call, *from, i) : nullptr;
    if (!more || !append(call, *list, *more, i))
      return 1;
  }
  return mustStop(call.state());
}

/// Ends a run that was to give a list away.
int32_t fetched(const KilnKernelCall *raw) noexcept {
  return !SlotCall(raw).failStatic(
      "TensorArrays, stacks and lists cannot be fetched");
}

} // namespace

std::vector<Kernel> slotListCopyKernels() {
  return {slotKernel<copyList>("ListCopy"),
          slotKernel<zerosLike>("ListZerosLike"),
          slotKernel<addList>("ListAdd"),
          slotKernel<appendList>("ListAppend"),
          slotKernel<pushList>("ListPushList"),
          slotKernel<popList>("ListPopList"),
          slotKernel<getList>("ListGetList"),
          slotKernel<setList>("ListSetList"),
          slotKernel<pushBatch>("ListPushBatch"),
          slotKernel<appendEach>("ListAppendEach"),
          slotKernel<fetched>("ListFetched")};
}

} // namespace kiln
