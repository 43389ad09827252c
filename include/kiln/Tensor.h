// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense arrays of one element type, the values that go into and come out of
// runs.
#ifndef KILN_TENSOR_H
#define KILN_TENSOR_H

#include "kiln/Buffer.h"
#include "kiln/DType.h"
#include "kiln/Shape.h"
#include "kiln/Status.h"
#include "kiln/String.h"

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// A dtype, a fully defined shape and a shared buffer that holds the elements
/// in row-major order.
///
/// Invariants: (1) a valid tensor's shape is fully defined and byteSize() ==
/// numElements() * dtypeSize(dtype()) does not overflow; (2) buffers that Kiln
/// allocates are 64-byte aligned, borrowed ones are where the caller put them;
/// (3) the default tensor has dtype Invalid and no buffer; (4) the elements of
/// a string tensor are kiln::String objects, which its buffer owns.
/// Ownership: copies share the buffer (one atomic increment); the last one
/// releases it. Thread safety: distinct Tensor objects may be used from
/// distinct threads; reading shared elements is free, writing them needs the
/// caller's own order.
class KILN_EXPORT Tensor {
public:
  Tensor() noexcept = default;

  /// Allocates an uninitialized tensor; one of empty strings for String.
  /// **Types**: all but resource and variant. **Errors**: INVALID_ARGUMENT for
  /// these two, negative or unknown dimensions, a size beyond int64;
  /// RESOURCE_EXHAUSTED, with the size, when memory cannot be had. **Cost**:
  /// one allocation.
  static StatusOr<Tensor> create(DType dtype, const Shape &shape);
  /// As create(), all bytes zero.
  static StatusOr<Tensor> zeros(DType dtype, const Shape &shape);

  /// Views the caller's memory without a copy. **Ownership**: the memory must
  /// outlive every copy of the tensor; deleter, where given, is called once
  /// when the last one goes, on the thread that drops it. Memory given as const
  /// is never written. **Edges**: any alignment (see data()); null only with
  /// zero elements; memory of strings is an array of kiln::String, aligned and
  /// the caller's to destroy. **Errors**: as create(), and INVALID_ARGUMENT for
  /// null and for unaligned strings; the deleter is not called on error.
  static StatusOr<Tensor> borrow(DType dtype, const Shape &shape, void *data,
                                 std::function<void()> deleter = {});
  static StatusOr<Tensor> borrow(DType dtype, const Shape &shape,
                                 const void *data,
                                 std::function<void()> deleter = {});

  /// Stands on a buffer made elsewhere, for example by a session's pool.
  /// **Types**: as create(), and variants: objects that the buffer's maker
  /// knows, of no bytes here.
  /// **Errors**: as create(), and INVALID_ARGUMENT for a null or too small
  /// buffer, for strings on one that does not hold them, and the other way
  /// round.
  static StatusOr<Tensor> fromBuffer(DType dtype, const Shape &shape,
                                     BufferRef buffer);

  /// Makes a rank-0 tensor; the default tensor when memory cannot be had.
  template <class T>
    requires(dtypeOf<T> != DType::Invalid)
  static Tensor scalar(T value) {
    const T values[] = {std::move(value)};
    auto made = fromValues<T>(Shape(), std::span<const T>(values));
    return made.ok() ? *std::move(made) : Tensor();
  }
  static Tensor scalar(std::string_view text);
  /// Copies values into a new tensor. **Errors**: as create(), and
  /// INVALID_ARGUMENT when their number is not the shape's.
  template <class T>
  static StatusOr<Tensor> fromValues(const Shape &shape,
                                     std::span<const T> values) {
    static_assert(dtypeOf<T> != DType::Invalid, "no DType for this C++ type");
    return copyOf(dtypeOf<T>, shape, values.data(),
                  static_cast<int64_t>(values.size()));
  }
  template <class T>
  static StatusOr<Tensor> fromValues(const Shape &shape,
                                     std::initializer_list<T> values) {
    return fromValues<T>(shape,
                         std::span<const T>(values.begin(), values.size()));
  }

  /// Copies texts into a new tensor of strings. **Errors**: as fromValues(),
  /// and RESOURCE_EXHAUSTED. **Cost**: one allocation a text that is not empty.
  static StatusOr<Tensor> fromStrings(const Shape &shape,
                                      std::span<const std::string_view> texts);
  static StatusOr<Tensor> fromStrings(const Shape &shape,
                                      std::span<const std::string> texts);
  static StatusOr<Tensor>
  fromStrings(const Shape &shape,
              std::initializer_list<std::string_view> texts) {
    return fromStrings(
        shape, std::span<const std::string_view>(texts.begin(), texts.size()));
  }

  /// False for the default tensor.
  bool isValid() const noexcept { return static_cast<bool>(buffer); }
  DType dtype() const noexcept { return elementType; }
  const Shape &shape() const noexcept { return dimensions; }
  int rank() const noexcept { return dimensions.rank(); }
  int64_t dim(int i) const noexcept { return dimensions.dim(i); }
  int64_t numElements() const noexcept { return count; }
  /// Bytes of the elements in the buffer; the texts of strings lie elsewhere.
  size_t byteSize() const noexcept {
    return static_cast<size_t>(count) * dtypeSize(elementType);
  }

  const void *rawData() const noexcept {
    return buffer ? buffer->data : nullptr;
  }
  /// The bytes for writing; null for borrowed const memory and the default
  /// tensor. Strings are assigned, as kiln::String, never overwritten. Does not
  /// copy shared buffers: ask isUnique() where other holders
  /// must not see the change.
  void *mutableRawData() noexcept {
    return buffer && buffer->writable ? buffer->data : nullptr;
  }

  /// The elements; of a string tensor as kiln::String, which is a
  /// std::string_view where one is wanted. **Edges**: an empty span when T is
  /// not the dtype's C++ type, and when borrowed memory is not aligned for T
  /// (read rawData() with memcpy then).
  template <class T> std::span<const T> data() const noexcept {
    if (!holds<T>())
      return {};
    return {static_cast<const T *>(buffer->data), static_cast<size_t>(count)};
  }
  /// The elements for writing; also empty where mutableRawData() is null.
  template <class T> std::span<T> mutableData() noexcept {
    if (!holds<T>() || !buffer->writable)
      return {};
    return {static_cast<T *>(buffer->data), static_cast<size_t>(count)};
  }

  /// True when no other tensor or session holds the buffer; the answer lasts
  /// only if no other thread can copy this object meanwhile.
  bool isUnique() const noexcept { return buffer.isUnique(); }
  bool isAligned() const noexcept {
    return reinterpret_cast<uintptr_t>(rawData()) % bufferAlignment == 0;
  }
  const BufferRef &bufferRef() const noexcept { return buffer; }

  /// Returns a tensor with the same elements in a buffer of its own.
  /// **Errors**: RESOURCE_EXHAUSTED.
  StatusOr<Tensor> clone() const;
  /// Returns the same buffer under another shape. **Errors**: INVALID_ARGUMENT
  /// when the element counts differ.
  StatusOr<Tensor> reshaped(const Shape &shape) const;
  /// True when dtype, shape and all bytes are the same: NaN equals the same
  /// NaN, -0 differs from +0; strings are equal when their texts are.
  bool hasSameBits(const Tensor &other) const noexcept;

private:
  static StatusOr<Tensor> copyOf(DType dtype, const Shape &shape,
                                 const void *values, int64_t valueCount);
  void assignElements(const void *values) noexcept;
  template <class T> bool holds() const noexcept {
    return buffer && dtypeOf<T> == elementType &&
           reinterpret_cast<uintptr_t>(buffer->data) % alignof(T) == 0;
  }

  BufferRef buffer;
  Shape dimensions;
  int64_t count = 0;
  DType elementType = DType::Invalid;
};

} // namespace kiln

#endif // KILN_TENSOR_H
