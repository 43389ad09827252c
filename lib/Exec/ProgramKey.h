// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key under which a session finds the code of a request, or of a part of a
// run that is cut.
#ifndef KILN_LIB_EXEC_PROGRAMKEY_H
#define KILN_LIB_EXEC_PROGRAMKEY_H

#include "lib/Plan/Request.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// A feed as far as a key cares.
struct FeedView {
  DType dtype = DType::Invalid;
  std::span<const int64_t> dims;
  /// Null where prepare() was given none.
  const Tensor *value = nullptr;

  FeedView() = default;
  explicit FeedView(const Tensor &tensor)
      : dtype(tensor.dtype()), dims(tensor.shape().dims()), value(&tensor) {}
};

/// Stands for an extent that is not known where a program is made before its
/// run: where two must agree they are taken for equal, elsewhere for any but 1.
inline constexpr int64_t anyExtentButOne = 2;

/// What a program is made of.
enum class ProgramSource : uint8_t {
  Request,        ///< a request of the session's graph
  SteppedRequest, ///< the same, whose feeds come one after the other
  CutPart,        ///< a part of a run that is cut
  Function,       ///< a function that a pipeline runs for its elements
};

/// Programs with equal keys have one source, and feeds of one list of dtypes
/// and ranks.
struct ProgramKey {
  ProgramSource source = ProgramSource::Request;
  /// Whether it is native code that tells its regions, whatever the session's
  /// options say.
  bool regions = false;
  std::vector<uint64_t> words; ///< as the source has them

  /// Makes it the key of a request: fetches, targets, feeds with dtypes and
  /// ranks. The words' memory is used again.
  void setRequest(const RunRequest &request, std::span<const FeedView> feeds);
  /// Makes it the key of a unit of a cut run's plan, which has a number of its
  /// own in the session.
  void setPart(uint64_t plan, size_t unit, std::span<const FeedView> feeds);
  /// Makes it the key of a function, which has a number as plans have.
  void setFunction(uint64_t number, std::span<const FeedView> feeds) {
    setPart(number, 0, feeds);
  }
  bool operator==(const ProgramKey &) const = default;
};

struct ProgramKeyHash {
  size_t operator()(const ProgramKey &key) const noexcept;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PROGRAMKEY_H
