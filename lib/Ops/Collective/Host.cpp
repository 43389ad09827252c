// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the collectives of the session's communicator, or of the process's, for
// ops of Horovod's names. They wait for other processes while their run holds
// its locks: nothing in this process can be what they wait for, and a run
// begins to write only behind them, so that readers go on.
#include "kiln/Communicator.h"
#include "lib/Collectives/RankGroups.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// One call of a collective.
struct Call {
  const HostCall &host;
  RankGroup &group;
  CollectiveSite site;

  int64_t intAttr(std::string_view name) const {
    return host.node.attrOr<int64_t>(name, 0);
  }
  float floatAttr(std::string_view name) const {
    return host.node.attrOr<float>(name, 1);
  }
  ReduceOp reduceOp() const {
    return static_cast<ReduceOp>(intAttr("reduce_op"));
  }
  Status give(RankGroup::Tensors tensors) const {
    KILN_RETURN_IF_ERROR(tensors.status());
    std::move(tensors->begin(), tensors->end(), host.outputs.begin());
    return okStatus();
  }
};

Status allreduce(const Call &call) {
  if (call.reduceOp() < ReduceOp::Average ||
      call.reduceOp() > ReduceOp::Product)
    return invalidArgumentError(strCat("expected a reduce_op in [0, 5], got ",
                                       static_cast<int>(call.reduceOp())));
  return call.give(call.group.allreduce(
      call.site, call.host.inputs, call.reduceOp(),
      call.floatAttr("prescale_factor"), call.floatAttr("postscale_factor")));
}

Status allgather(const Call &call) {
  return call.give(call.group.allgather(call.site, call.host.inputs));
}

Status broadcast(const Call &call) {
  const std::vector<int> &ranks = call.group.ranks();
  const auto root = std::ranges::find(ranks, call.intAttr("root_rank"));
  if (root == ranks.end())
    return invalidArgumentError(strCat("Broadcast: expected a root rank of the "
                                       "process set, got ",
                                       call.intAttr("root_rank")));
  KILN_ASSIGN_OR_RETURN(
      call.host.outputs[0],
      call.group.broadcast(call.site, call.host.inputs[0],
                           static_cast<int>(root - ranks.begin())));
  return okStatus();
}

Status reduceScatter(const Call &call) {
  if (call.reduceOp() != ReduceOp::Average && call.reduceOp() != ReduceOp::Sum)
    return abortedError(
        "Reducescatter currently only supports AVERAGE and SUM.");
  return call.give(call.group.reduceScatter(
      call.site, call.host.inputs, call.reduceOp(),
      call.floatAttr("prescale_factor"), call.floatAttr("postscale_factor")));
}

Status alltoall(const Call &call) {
  const Tensor &tensor = call.host.inputs[0], &splits = call.host.inputs[1];
  const int size = call.group.size();
  if (splits.rank() > 1)
    return invalidArgumentError("alltoall expects a 1D splits tensor");
  // Of a scalar tensor the ranks' comparison says more.
  const int64_t rows = tensor.rank() == 0 ? 0 : tensor.dim(0);
  std::span<const int32_t> given = splits.data<int32_t>();
  std::vector<int32_t> parts(given.begin(), given.end());
  int64_t sum = 0;
  for (int32_t part : parts) {
    if (part < 0)
      return invalidArgumentError("expected splits of at least 0");
    sum += part;
  }
  if (parts.empty()) {
    if (rows % size != 0)
      return invalidArgumentError(
          "splits not provided, but first dimension of tensor is not an even "
          "multiple of the number of workers.");
    if (rows / size > INT32_MAX)
      return invalidArgumentError("expected at most 2^31 - 1 rows for a rank");
    parts.assign(static_cast<size_t>(size), static_cast<int32_t>(rows / size));
  } else if (static_cast<int>(parts.size()) != size) {
    return invalidArgumentError(
        "Number of entries in splits does not equal number of workers.");
  } else if (sum > rows) {
    return invalidArgumentError("Sum of splits entries is greater than the "
                                "first dimension of tensor.");
  }
  return call.give(call.group.alltoall(call.site, tensor, parts));
}

Status join(const Call &call) {
  KILN_ASSIGN_OR_RETURN(int last, call.group.join(call.site));
  call.host.outputs[0] = Tensor::scalar<int32_t>(last);
  return okStatus();
}

/// What a collective is, and Horovod's word for it in its texts.
struct Row {
  std::string_view name, word;
  Status (*run)(const Call &);
};
constexpr Row rows[] = {
    {"HorovodAllgather", "Allgather", allgather},
    {"HorovodAllreduce", "Allreduce", allreduce},
    {"HorovodAlltoall", "Alltoall", alltoall},
    {"HorovodBroadcast", "Broadcast", broadcast},
    {"HorovodGroupedAllgather", "Allgather", allgather},
    {"HorovodGroupedAllreduce", "Allreduce", allreduce},
    {"HorovodGroupedReducescatter", "Reducescatter", reduceScatter},
    {"HorovodJoin", "Join", join},
    {"HorovodReducescatter", "Reducescatter", reduceScatter}};

/// What the ranks compare: the node's name, without the scopes where these may
/// differ.
std::string_view nameOf(const Node &node) {
  std::string_view name = node.name();
  return node.attrOr<bool>("ignore_name_scope", false)
             ? name.substr(name.rfind('/') + 1)
             : name;
}

Status runCollective(const Row &row, Communicator &communicator,
                     const HostCall &host) {
  auto found = RankGroups::of(communicator)
                   .find(static_cast<int>(
                       host.node.attrOr<int64_t>("process_set_id", 0)));
  if (!found.ok())
    return invalidArgumentError(
        strCat(row.word, ": Process set provided does not exist, or has not "
                         "been registered."));
  if (!found->group)
    return invalidArgumentError(
        strCat(row.word, ": Rank ", communicator.rank(),
               " is not a member of the provided process set."));
  return row.run({host, *found->group, {row.name, nameOf(host.node), [&] {
                                          return static_cast<StatusCode>(
                                              cancelCode(host.run));
                                        }}});
}

/// The values of ops that ask, and -3 for a set that is not there.
int32_t factOf(const Communicator &communicator, const Node &node) {
  const std::string_view op = node.op();
  if (op == "HorovodRank")
    return communicator.rank();
  if (op == "HorovodLocalRank")
    return communicator.localRank();
  if (op == "HorovodLocalSize")
    return communicator.localSize();
  auto ranks = communicator.ranksOf(
      static_cast<int>(node.attrOr<int64_t>("process_set_id", 0)));
  if (!ranks.ok())
    return -3;
  return op == "HorovodSize"
             ? static_cast<int32_t>(ranks->size())
             : std::ranges::binary_search(*ranks, communicator.rank());
}

/// The session's, or what is the process's when the op runs.
std::shared_ptr<Communicator>
communicatorOf(const std::shared_ptr<Communicator> &own) {
  return own ? own : Communicator::ofProcess();
}

StatusOr<BoundHostOp> bindCollective(const Node &node,
                                     const BlockingSite &site) {
  const Row *row = std::ranges::find(rows, node.op(), &Row::name);
  return BoundHostOp([row, own = site.communicator](const HostCall &call) {
    return runCollective(*row, *communicatorOf(own), call);
  });
}

StatusOr<BoundHostOp> bindFact(const Node &, const BlockingSite &site) {
  return BoundHostOp([own = site.communicator](const HostCall &call) {
    call.outputs[0] =
        Tensor::scalar<int32_t>(factOf(*communicatorOf(own), call.node));
    return okStatus();
  });
}

} // namespace

void addCollectiveKernels(HostKernels &kernels) {
  for (const Row &row : rows)
    kernels.addOwn(
        row.name, {.effect = HostEffect::Resource, .bindBody = bindCollective});
  for (std::string_view name :
       {"HorovodLocalRank", "HorovodLocalSize", "HorovodProcessSetIncluded",
        "HorovodRank", "HorovodSize"})
    kernels.addOwn(name, {.effect = HostEffect::None, .bindBody = bindFact});
}

} // namespace kiln
