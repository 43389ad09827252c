// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What moves data in a group, once the ranks have met.
#include "lib/Collectives/RankGroup.h"

#include "lib/Collectives/Scale.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace kiln {
namespace {

using Kind = CallHeader::Kind;

KilnReduction reductionOf(ReduceOp op) {
  switch (op) {
  case ReduceOp::Min:
    return kilnReductionMin;
  case ReduceOp::Max:
    return kilnReductionMax;
  case ReduceOp::Product:
    return kilnReductionProduct;
  default:
    return kilnReductionSum;
  }
}

int64_t bytesOf(const Tensor &tensor) {
  return static_cast<int64_t>(tensor.byteSize());
}

/// A tensor with `rows` rows in the place of its own. **Errors**:
/// INVALID_ARGUMENT for too many; RESOURCE_EXHAUSTED.
StatusOr<Tensor> withRows(const Tensor &like, CheckedInt64 rows) {
  if (!rows.value())
    return invalidArgumentError("more rows than a tensor can have");
  Shape shape = like.shape();
  shape.setDim(0, *rows.value());
  return Tensor::create(like.dtype(), shape);
}

/// The bytes of a row; 0 for more than a tensor that has rows could have.
int64_t bytesOfRow(const Tensor &tensor) {
  CheckedInt64 bytes = static_cast<int64_t>(dtypeSize(tensor.dtype()));
  for (int i = 1; i < tensor.rank(); ++i)
    bytes *= tensor.dim(i);
  return bytes.value().value_or(0);
}

/// Tensors of one dtype, one behind the other.
StatusOr<Tensor> joined(std::span<const Tensor> tensors) {
  int64_t count = 0;
  for (const Tensor &tensor : tensors)
    count += tensor.numElements();
  KILN_ASSIGN_OR_RETURN(Tensor row,
                        Tensor::create(tensors[0].dtype(), Shape({count})));
  char *to = static_cast<char *>(row.mutableRawData());
  for (const Tensor &tensor : tensors) {
    if (tensor.byteSize() > 0)
      std::memcpy(to, tensor.rawData(), tensor.byteSize());
    to += tensor.byteSize();
  }
  return row;
}

StatusOr<std::vector<Tensor>> parted(const Tensor &row,
                                     std::span<const Tensor> like) {
  std::vector<Tensor> parts;
  const char *from = static_cast<const char *>(row.rawData());
  for (const Tensor &tensor : like) {
    KILN_ASSIGN_OR_RETURN(Tensor part,
                          Tensor::create(tensor.dtype(), tensor.shape()));
    if (part.byteSize() > 0)
      std::memcpy(part.mutableRawData(), from, part.byteSize());
    from += part.byteSize();
    parts.push_back(std::move(part));
  }
  return parts;
}

CallHeader headerOf(Kind kind, std::span<const Tensor> tensors) {
  CallHeader header{.kind = kind};
  header.setTensors(tensors);
  return header;
}

} // namespace

RankGroup::Tensors RankGroup::allreduce(const CollectiveSite &site,
                                        std::span<const Tensor> tensors,
                                        ReduceOp op, double prescale,
                                        double postscale) {
  const bool isAdasum = op == ReduceOp::Adasum;
  if (isAdasum && (!isFloating(tensors[0].dtype()) ||
                   !std::has_single_bit(static_cast<unsigned>(size()))))
    return invalidArgumentError("Adasum: expected floats, on a number of ranks "
                                "that is a power of two");
  CallHeader header = headerOf(Kind::Allreduce, tensors);
  header.reduceOp = op;
  header.prescale = prescale;
  header.postscale = postscale;
  KILN_ASSIGN_OR_RETURN(Tensor row, joined(tensors));
  scale(row, prescale);
  {
    KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
    KILN_RETURN_IF_ERROR(meet(site, header).status());
    if (isAdasum) {
      KILN_ASSIGN_OR_RETURN(std::vector<Tensor> parts, parted(row, tensors));
      KILN_ASSIGN_OR_RETURN(parts, addAdaptively(site, std::move(parts)));
      KILN_ASSIGN_OR_RETURN(row, joined(parts));
    } else {
      KILN_RETURN_IF_ERROR(
          transfer(site, bytesOf(row), [&](KilnTransportWait waiter) {
            return transport->allreduce(transport->self, row.mutableRawData(),
                                        row.numElements(), header.dtype,
                                        reductionOf(op), waiter);
          }));
    }
  }
  scale(row, op == ReduceOp::Average ? postscale / size() : postscale);
  if (tensors.size() > 1)
    return parted(row, tensors);
  KILN_ASSIGN_OR_RETURN(Tensor only, row.reshaped(tensors[0].shape()));
  std::vector<Tensor> result;
  result.push_back(std::move(only));
  return result;
}

Status RankGroup::addZeros(const CollectiveSite &site, const CallHeader &call) {
  const auto dtype = static_cast<DType>(call.dtype);
  KILN_ASSIGN_OR_RETURN(Tensor row,
                        Tensor::zeros(dtype, Shape({call.numElements})));
  if (call.reduceOp == ReduceOp::Adasum) {
    std::vector<Tensor> parts;
    parts.push_back(std::move(row));
    return addAdaptively(site, std::move(parts)).status();
  }
  return transfer(site, bytesOf(row), [&](KilnTransportWait waiter) {
    return transport->allreduce(transport->self, row.mutableRawData(),
                                row.numElements(), call.dtype,
                                reductionOf(call.reduceOp), waiter);
  });
}

RankGroup::Tensors RankGroup::addAdaptively(const CollectiveSite &site,
                                            std::vector<Tensor> tensors) {
  // What is sent is one row, so that a rank that has joined need not know the
  // tensors in it.
  KILN_ASSIGN_OR_RETURN(Tensor row, joined(tensors));
  KILN_ASSIGN_OR_RETURN(
      Tensor all,
      Tensor::create(row.dtype(), Shape({size(), row.numElements()})));
  KILN_RETURN_IF_ERROR(
      transfer(site, bytesOf(all), [&](KilnTransportWait waiter) {
        return transport->allgather(transport->self, row.rawData(),
                                    all.mutableRawData(), bytesOf(row), waiter);
      }));
  int64_t place = 0;
  for (Tensor &tensor : tensors) {
    adasum(all, place, tensor);
    place += tensor.numElements();
  }
  return tensors;
}

/// `mine` of each rank, rank by rank.
StatusOr<std::vector<int64_t>>
RankGroup::rowsOfAll(const CollectiveSite &site,
                     std::span<const int64_t> mine) {
  std::vector<int64_t> rows(mine.size() * static_cast<size_t>(size()));
  KILN_RETURN_IF_ERROR(transfer(site, 0, [&](KilnTransportWait waiter) {
    return transport->allgather(transport->self, mine.data(), rows.data(),
                                static_cast<int64_t>(mine.size_bytes()),
                                waiter);
  }));
  return rows;
}

RankGroup::Tensors RankGroup::allgather(const CollectiveSite &site,
                                        std::span<const Tensor> tensors) {
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  KILN_RETURN_IF_ERROR(meet(site, headerOf(Kind::Allgather, tensors)).status());
  std::vector<int64_t> mine;
  for (const Tensor &tensor : tensors)
    mine.push_back(tensor.dim(0));
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> rows, rowsOfAll(site, mine));
  std::vector<Tensor> gathered;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const int64_t rowBytes = bytesOfRow(tensors[i]);
    CheckedInt64 total = 0;
    for (size_t r = i; r < rows.size(); r += tensors.size())
      total += rows[r];
    KILN_ASSIGN_OR_RETURN(Tensor all, withRows(tensors[i], total));
    std::vector<int64_t> bytes;
    for (size_t r = i; r < rows.size(); r += tensors.size())
      bytes.push_back(rows[r] * rowBytes);
    KILN_RETURN_IF_ERROR(
        transfer(site, bytesOf(all), [&](KilnTransportWait waiter) {
          return transport->allgatherv(transport->self, tensors[i].rawData(),
                                       all.mutableRawData(), bytes.data(),
                                       waiter);
        }));
    gathered.push_back(std::move(all));
  }
  return gathered;
}

StatusOr<Tensor> RankGroup::broadcast(const CollectiveSite &site,
                                      const Tensor &tensor, int root) {
  if (root < 0 || root >= size())
    return invalidArgumentError(strCat(
        "Broadcast: expected a root rank in [0, ", size(), "), got ", root));
  CallHeader header = headerOf(Kind::Broadcast, std::span(&tensor, 1));
  header.root = root;
  KILN_ASSIGN_OR_RETURN(Tensor copy, tensor.clone());
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  KILN_RETURN_IF_ERROR(meet(site, header).status());
  KILN_RETURN_IF_ERROR(
      transfer(site, bytesOf(copy), [&](KilnTransportWait waiter) {
        return transport->broadcast(transport->self, copy.mutableRawData(),
                                    bytesOf(copy), root, waiter);
      }));
  return copy;
}

RankGroup::Tensors RankGroup::reduceScatter(const CollectiveSite &site,
                                            std::span<const Tensor> tensors,
                                            ReduceOp op, double prescale,
                                            double postscale) {
  CallHeader header = headerOf(Kind::ReduceScatter, tensors);
  header.reduceOp = op;
  header.prescale = prescale;
  header.postscale = postscale;
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  KILN_RETURN_IF_ERROR(meet(site, header).status());
  std::vector<Tensor> parts;
  for (const Tensor &tensor : tensors) {
    KILN_ASSIGN_OR_RETURN(Tensor scaled, tensor.clone());
    scale(scaled, prescale);
    const int64_t rows = tensor.dim(0);
    const int64_t elements =
        bytesOfRow(tensor) / static_cast<int64_t>(dtypeSize(tensor.dtype()));
    auto rowsOf = [&](int r) { return rows / size() + (r < rows % size()); };
    std::vector<int64_t> counts;
    for (int r = 0; r < size(); ++r)
      counts.push_back(rowsOf(r) * elements);
    KILN_ASSIGN_OR_RETURN(Tensor part, withRows(tensor, rowsOf(rank())));
    KILN_RETURN_IF_ERROR(
        transfer(site, bytesOf(scaled), [&](KilnTransportWait waiter) {
          return transport->reduceScatter(
              transport->self, scaled.rawData(), part.mutableRawData(),
              counts.data(), header.dtype, reductionOf(op), waiter);
        }));
    scale(part, op == ReduceOp::Average ? postscale / size() : postscale);
    parts.push_back(std::move(part));
  }
  return parts;
}

RankGroup::Tensors RankGroup::alltoall(const CollectiveSite &site,
                                       const Tensor &tensor,
                                       std::span<const int32_t> rows) {
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  KILN_RETURN_IF_ERROR(
      meet(site, headerOf(Kind::Alltoall, std::span(&tensor, 1))).status());
  const std::vector<int64_t> mine(rows.begin(), rows.end());
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> all, rowsOfAll(site, mine));
  const int64_t rowBytes = bytesOfRow(tensor);
  const auto ranks = static_cast<size_t>(size());
  std::vector<int64_t> sent, received;
  std::vector<int32_t> came;
  CheckedInt64 total = 0;
  for (size_t r = 0; r < ranks; ++r) {
    const int64_t of = all[r * ranks + static_cast<size_t>(rank())];
    came.push_back(static_cast<int32_t>(of));
    total += of;
  }
  KILN_ASSIGN_OR_RETURN(Tensor together, withRows(tensor, total));
  for (size_t r = 0; r < ranks; ++r) {
    sent.push_back(mine[r] * rowBytes);
    received.push_back(came[r] * rowBytes);
  }
  KILN_RETURN_IF_ERROR(
      transfer(site, bytesOf(together), [&](KilnTransportWait waiter) {
        return transport->alltoallv(transport->self, tensor.rawData(),
                                    sent.data(), together.mutableRawData(),
                                    received.data(), waiter);
      }));
  KILN_ASSIGN_OR_RETURN(Tensor counts, Tensor::fromValues<int32_t>(
                                           Shape({size()}), std::span(came)));
  std::vector<Tensor> outputs;
  outputs.push_back(std::move(together));
  outputs.push_back(std::move(counts));
  return outputs;
}

} // namespace kiln
