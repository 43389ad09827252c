// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank says of the collective that it has come to, and what is wrong
// where ranks say different things.
#ifndef KILN_LIB_COLLECTIVES_CALLHEADER_H
#define KILN_LIB_COLLECTIVES_CALLHEADER_H

#include "kiln/Tensor.h"

#include <span>
#include <string>

namespace kiln {

/// How a reduction is asked for: Horovod's numbers (attribute reduce_op).
enum class ReduceOp : int32_t { Average, Sum, Adasum, Min, Max, Product };

/// Plain data: it is sent as its bytes, before each collective, to all ranks.
struct CallHeader {
  enum class Kind : int32_t {
    Allreduce,
    Allgather,
    Broadcast,
    ReduceScatter,
    Alltoall,
    Barrier,  ///< groups are made, or one is removed
    Join,     ///< takes part with zeros in what the others do
    Shutdown, ///< ends
  };
  static constexpr int maxDims = 8;

  Kind kind = Kind::Barrier;
  int32_t dtype = 0;
  ReduceOp reduceOp = ReduceOp::Sum;
  int32_t root = 0; ///< a rank of the group
  int32_t numTensors = 0;
  int32_t rank = 0; ///< of the first tensor
  /// Of the first tensor.
  int64_t dims[maxDims] = {};
  /// Of all tensors.
  int64_t numElements = 0;
  /// Of all shapes, without the first extents where these may differ.
  uint64_t shapesDigest = 0;
  uint64_t nameDigest = 0;
  double prescale = 1, postscale = 1;
  /// In how many collectives of the others this rank took part since it joined.
  int64_t joinedCalls = 0;
  /// The end of the node's name, with a zero behind it.
  char name[88] = {};
  char op[40] = {};

  void setName(std::string_view op, std::string_view name);
  /// Fits where Tensors have at most maxDims dimensions.
  void setTensors(std::span<const Tensor> tensors);
};
static_assert(sizeof(CallHeader) == 264);

/// Compares what all ranks of a group have come to; a rank that has joined says
/// nothing of its own.
/// **Errors**: FAILED_PRECONDITION, with Horovod's texts, the ops and the
/// ranks; the same on all of them.
Status compareCalls(std::span<const CallHeader> calls);

} // namespace kiln

#endif // KILN_LIB_COLLECTIVES_CALLHEADER_H
