// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where saved iterators stood: what each wrote, in order.
#ifndef KILN_LIB_PIPELINES_ITERATORSTATE_H
#define KILN_LIB_PIPELINES_ITERATORSTATE_H

#include "lib/Support/Variants.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class CapturedFunction;

/// A saved iterator: the values of a StateWriter.
struct SavedIterator final : VariantObject {
  explicit SavedIterator(std::vector<Tensor> values)
      : values(std::move(values)) {}
  int64_t byteSize() const override;

  const std::vector<Tensor> values;
};

/// Takes what iterators say of where they are, each between those that it is
/// made of. Thread safety: none.
class StateWriter {
public:
  /// \p allowsState: functions that keep state or draw random numbers may be
  /// part of what is saved, though theirs is not.
  explicit StateWriter(bool allowsState) : allowsState(allowsState) {}

  void number(int64_t value);
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value);
  /// An iterator begins with its name, by which a reader knows it.
  void name(std::string_view value) { text(value); }
  void element(const std::vector<Tensor> &element);
  void status(const Status &status);
  /// **Errors**: FAILED_PRECONDITION for a function with a state.
  Status allow(const CapturedFunction &function) const;

  std::vector<Tensor> take() { return std::move(values); }

private:
  const bool allowsState;
  std::vector<Tensor> values;
};

/// Gives it again. **Errors** of all functions: INVALID_ARGUMENT where
/// something else was written, as by another pipeline. Thread safety: none.
class StateReader {
public:
  explicit StateReader(const std::vector<Tensor> &values) : values(values) {}

  /// One from `least` to `most`.
  Status number(int64_t &value, int64_t least = INT64_MIN,
                int64_t most = INT64_MAX);
  Status flag(bool &value);
  Status text(std::string &value);
  Status name(std::string_view expected);
  Status element(std::vector<Tensor> &element);
  /// Sets \p kept, and gives an error of its own.
  Status status(Status &kept);
  bool isAtEnd() const { return place == values.size(); }

private:
  const std::vector<Tensor> &values;
  size_t place = 0;
};

} // namespace kiln

#endif // KILN_LIB_PIPELINES_ITERATORSTATE_H
