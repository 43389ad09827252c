// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison goes from the first difference that Horovod would name to the
// last. Its texts say "one rank" and "another rank"; which ones, and at which
// ops they are, stands behind them.
#include "lib/Collectives/CallHeader.h"

#include "lib/Support/Hash.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace kiln {
namespace {

using Kind = CallHeader::Kind;

std::string_view nameOf(Kind kind) {
  static constexpr std::string_view names[] = {
      "ALLREDUCE", "ALLGATHER", "BROADCAST", "REDUCESCATTER",
      "ALLTOALL",  "BARRIER",   "JOIN",      "SHUTDOWN"};
  return names[static_cast<size_t>(kind)];
}

/// With the same name for a reduction that Horovod takes for one of its own.
std::string_view nameOf(const CallHeader &call) {
  return call.kind == Kind::Allreduce && call.reduceOp == ReduceOp::Adasum
             ? "ADASUM"
             : nameOf(call.kind);
}

std::string shapeOf(const CallHeader &call) {
  return strCat("[", strJoin(std::span(call.dims, size_t(call.rank)), ", "),
                "]");
}

std::string placeOf(size_t rank, const CallHeader &call) {
  return strCat("rank ", rank, " at ", call.op, " ", quote(call.name));
}

bool mayDifferInFirst(Kind kind) {
  return kind == Kind::Allgather || kind == Kind::Alltoall;
}

/// What differs between two calls; empty: nothing.
std::string differenceInShapes(const CallHeader &a, const CallHeader &b) {
  const std::string begin = strCat("Mismatched ", nameOf(a),
                                   " tensor shapes: One rank sent a tensor "
                                   "of ");
  if (!mayDifferInFirst(a.kind)) {
    if (a.rank != b.rank || !std::ranges::equal(a.dims, b.dims))
      return strCat(begin, "shape ", shapeOf(a),
                    ", but another rank sent a tensor of shape ", shapeOf(b),
                    ".");
  } else if (a.rank != b.rank) {
    return strCat(begin, "rank ", a.rank,
                  ", but another rank sent a tensor of rank ", b.rank, ".");
  }
  for (int dim = 1; dim < a.rank; ++dim)
    if (a.dims[dim] != b.dims[dim])
      return strCat("Mismatched ", nameOf(a),
                    " tensor shapes: One rank sent a tensor with dimension ",
                    dim, " equal to ", a.dims[dim],
                    ", but another rank sent a tensor with dimension ", dim,
                    " equal to ", b.dims[dim], ".");
  if (a.numTensors != b.numTensors)
    return strCat("Mismatched ", nameOf(a), " groups: One rank sent ",
                  a.numTensors, " tensors, but another rank sent ",
                  b.numTensors, ".");
  return a.shapesDigest == b.shapesDigest
             ? ""
             : strCat("Mismatched ", nameOf(a),
                      " tensor shapes behind the first tensor.");
}

std::string difference(const CallHeader &a, const CallHeader &b) {
  if (a.kind == b.kind && a.dtype != b.dtype)
    return strCat("Mismatched data types: One rank had type ",
                  dtypeName(static_cast<DType>(a.dtype)),
                  ", but another rank had type ",
                  dtypeName(static_cast<DType>(b.dtype)), ".");
  if (nameOf(a) != nameOf(b))
    return strCat("Mismatched operations: One rank did an ", nameOf(a),
                  ", but another rank did an ", nameOf(b), ".");
  if (std::string text = differenceInShapes(a, b); !text.empty())
    return text;
  if (a.prescale != b.prescale || a.postscale != b.postscale)
    return strCat("Mismatched prescale and/or postscale factors: One rank sent "
                  "factors (",
                  a.prescale, ", ", a.postscale,
                  "), but another rank sent factors (", b.prescale, ", ",
                  b.postscale, ").");
  if (a.reduceOp != b.reduceOp)
    return strCat("Mismatched reduction operation: One rank sent reduction op ",
                  static_cast<int>(a.reduceOp),
                  ", but another rank sent reduction op ",
                  static_cast<int>(b.reduceOp), ".");
  if (a.root != b.root)
    return strCat("Mismatched ", nameOf(a),
                  " root ranks: One rank specified root rank ", a.root,
                  ", but another rank specified root rank ", b.root, ".");
  return a.nameDigest == b.nameDigest
             ? ""
             : "Mismatched names of collectives: the ranks run different "
               "graphs, or the same one in another order.";
}

/// What a call may not be, whatever the others are; empty: it may.
std::string complaint(const CallHeader &call, bool haveJoined) {
  const bool takesParts =
      mayDifferInFirst(call.kind) || call.kind == Kind::ReduceScatter;
  if (haveJoined && call.kind == Kind::Allgather)
    return "Allgather is not supported with Join at this time. Specify "
           "sparse_to_dense=True if using DistributedOptimizer";
  if (haveJoined && call.kind == Kind::Broadcast)
    return "Broadcast is not supported with Join at this time.";
  if (haveJoined && call.kind == Kind::Alltoall)
    return "Alltoall is not supported with Join at this time.";
  if (haveJoined && call.kind == Kind::ReduceScatter)
    return "Reducescatter is not supported with Join at this time.";
  if (takesParts && call.rank == 0)
    return strCat("Process-set rank zero tried to ", nameOf(call),
                  " a rank-zero tensor.");
  return "";
}

} // namespace

void CallHeader::setName(std::string_view opType, std::string_view node) {
  nameDigest = hashString(node);
  auto copyEnd = [](std::string_view text, std::span<char> to) {
    text.remove_prefix(text.size() - std::min(text.size(), to.size() - 1));
    std::ranges::copy(text, to.begin());
  };
  copyEnd(opType, op);
  copyEnd(node, name);
}

void CallHeader::setTensors(std::span<const Tensor> tensors) {
  numTensors = static_cast<int32_t>(tensors.size());
  if (tensors.empty())
    return;
  dtype = static_cast<int32_t>(tensors[0].dtype());
  rank = std::min(tensors[0].rank(), maxDims);
  for (int i = 0; i < rank; ++i)
    dims[i] = tensors[0].dim(i);
  for (const Tensor &tensor : tensors) {
    numElements += tensor.numElements();
    shapesDigest = hashMix(shapesDigest ^ uint64_t(tensor.rank() + 1));
    for (int i = mayDifferInFirst(kind) ? 1 : 0; i < tensor.rank(); ++i)
      shapesDigest = hashMix(shapesDigest ^ uint64_t(tensor.dim(i)));
  }
}

Status compareCalls(std::span<const CallHeader> calls) {
  size_t first = 0;
  while (first < calls.size() && calls[first].kind == Kind::Join)
    ++first;
  if (first == calls.size())
    return okStatus(); // all have joined
  const bool haveJoined = std::ranges::any_of(
      calls, [](const CallHeader &call) { return call.kind == Kind::Join; });
  const CallHeader &one = calls[first];
  for (size_t i = first + 1; i < calls.size(); ++i) {
    if (calls[i].kind == Kind::Join)
      continue;
    const size_t ended = one.kind == Kind::Shutdown ? first : i;
    if (calls[ended].kind == Kind::Shutdown && calls[i].kind != one.kind)
      return unknownError(strCat(
          "Horovod has been shut down. This was caused by an exception on one "
          "of the ranks or an attempt to allreduce, allgather or broadcast a "
          "tensor after one of the ranks finished execution. If the shutdown "
          "was caused by an exception, you should see the exception in the log "
          "before the first shutdown message. (rank ",
          ended, " has ended, ",
          ended == i ? placeOf(first, one) : placeOf(i, calls[i]), ")"));
    if (std::string text = difference(one, calls[i]); !text.empty())
      return failedPreconditionError(strCat(text, " (", placeOf(first, one),
                                            ", ", placeOf(i, calls[i]), ")"));
  }
  std::string text = complaint(one, haveJoined);
  return text.empty() ? okStatus()
                      : failedPreconditionError(
                            strCat(text, " (", placeOf(first, one), ")"));
}

} // namespace kiln
