// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What carries data between the processes that train together: a table of
// functions in C, which a module of its own (MPI's is libkiln-mpi.so) fills.
#ifndef KILN_COLLECTIVETRANSPORT_H
#define KILN_COLLECTIVETRANSPORT_H

#include <cstdint>

extern "C" {

/// How elements of all ranks are combined.
enum KilnReduction : int32_t {
  kilnReductionSum,
  kilnReductionMin,
  kilnReductionMax,
  kilnReductionProduct,
};

/// How a function of a transport ended.
enum KilnTransportResult : int32_t {
  kilnTransportOk,
  kilnTransportStopped, ///< the caller asked it to stop
  kilnTransportFailed,  ///< a rank has died, or the library refused; see text
};

/// Asked now and then while a function waits for other ranks: nonzero makes it
/// give up. Afterwards the transport can only be closed.
struct KilnTransportWait {
  int32_t (*mustStop)(void *context);
  void *context;
};

/// One rank's end of a group of ranks. Functions of one group are called by all
/// of its ranks in the same order, with the same sizes, kinds of elements and
/// roots, from any thread but never two at once. They block. None throws.
///
/// Elements: `dtype` is a kiln::DType of numbers. Memory of results may be used
/// as that of inputs only where a function takes one pointer.
struct KilnTransport {
  /// kilnTransportVersion of who made the table.
  int32_t version;
  int32_t rank, size;
  /// Among the ranks of this machine.
  int32_t localRank, localSize;
  /// The machine's number and how many there are.
  int32_t crossRank, crossSize;
  /// The transport's own.
  void *self;

  /// `out` gets `bytes` bytes of each rank, in the order of ranks.
  int32_t (*allgather)(void *self, const void *in, void *out, int64_t bytes,
                       KilnTransportWait wait);
  /// The same with bytes[i] bytes of rank i.
  int32_t (*allgatherv)(void *self, const void *in, void *out,
                        const int64_t *bytes, KilnTransportWait wait);
  /// In place: all ranks end with the same bits, whichever run it is.
  int32_t (*allreduce)(void *self, void *data, int64_t count, int32_t dtype,
                       int32_t reduction, KilnTransportWait wait);
  int32_t (*broadcast)(void *self, void *data, int64_t bytes, int32_t root,
                       KilnTransportWait wait);
  /// `out` gets this rank's counts[rank] elements of the reduced `in`.
  int32_t (*reduceScatter)(void *self, const void *in, void *out,
                           const int64_t *counts, int32_t dtype,
                           int32_t reduction, KilnTransportWait wait);
  /// Rank i gets sent[i] bytes, in order; this rank gets received[i] of it.
  int32_t (*alltoallv)(void *self, const void *in, const int64_t *sent,
                       void *out, const int64_t *received,
                       KilnTransportWait wait);
  /// Sets isHere[i], of each rank, to whether it was heard of since the call
  /// began that has given up.
  void (*whoIsHere)(void *self, uint8_t *isHere);
  /// Called by all ranks of the group: a group of some of them, in ascending
  /// order. Null in `made` for a rank that is none of them.
  int32_t (*makeGroup)(void *self, const int32_t *ranks, int32_t count,
                       KilnTransport **made, KilnTransportWait wait);
  /// What went wrong last; lives until the next call.
  const char *(*text)(void *self);
  /// Ends the use, of all ranks where none has failed; frees the table.
  void (*close)(KilnTransport *transport, int32_t hasFailed);
};

/// The one function that a module exports, `kilnOpenTransport`: the group of
/// all ranks; null with a text, which lives as long as the module, where there
/// is none. Called once.
using KilnOpenTransport = KilnTransport *(int32_t version, const char **text);

} // extern "C"

namespace kiln {
/// Of the table's layout and meaning.
inline constexpr int32_t kilnTransportVersion = 1;
} // namespace kiln

#endif // KILN_COLLECTIVETRANSPORT_H
