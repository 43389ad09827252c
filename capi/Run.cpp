// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of sessions: a callable for each signature, found without looking at
// texts.
#include "capi/Sessions.h"
#include "kiln/Summary.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

/// Beyond so many signatures, all of them are forgotten: a program that never
/// asks twice for the same keeps no memory for it.
constexpr size_t mostCalls = 1024;

CallCache::Key keyOf(const RunRequest &request) {
  CallCache::Key key;
  key.reserve(2 * (request.inputs.size() + request.outputs.size()) +
              request.targets.size() + 2);
  auto addOutputs = [&](std::span<const TF_Output> outputs) {
    for (const TF_Output &output : outputs) {
      key.push_back(reinterpret_cast<uintptr_t>(output.oper));
      key.push_back(static_cast<uintptr_t>(output.index));
    }
    key.push_back(0);
  };
  addOutputs(request.inputs);
  addOutputs(request.outputs);
  for (const TF_Operation *target : request.targets)
    key.push_back(reinterpret_cast<uintptr_t>(target));
  return key;
}

/// TensorFlow goes by names: a node of another graph means the session's one.
const Node *ownNode(const Graph &graph, const Node *node) {
  return graph.contains(node) ? node : graph.lookup(node->name());
}

/// The request with nodes of the session's graph.
struct OwnRequest {
  std::vector<TensorId> feeds;
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
};

StatusOr<OwnRequest> ownRequest(const Graph &graph, const RunRequest &request) {
  OwnRequest own;
  if (request.outputs.empty() && request.targets.empty())
    return invalidArgumentError(
        "Must specify at least one target to fetch or execute.");
  auto take = [&](const TF_Output &output, auto &list) -> Status {
    const Output found = {ownNode(graph, nodeOf(output.oper)), output.index};
    if (!found.node)
      return invalidArgumentError("Tensor " + outputOf(output).name() +
                                  ", specified in either feed_devices or "
                                  "fetch_devices was not found in the Graph");
    if (found.index < 0 || (found.node->numOutputs() >= 0 &&
                            found.index >= found.node->numOutputs()))
      return noOutputError(*found.node, found.index);
    list.emplace_back(found);
    return okStatus();
  };
  for (const TF_Output &input : request.inputs)
    if (Status status = take(input, own.feeds); !status.ok())
      return status;
  for (const TF_Output &output : request.outputs)
    if (Status status = take(output, own.fetches); !status.ok())
      return status;
  for (const TF_Output &input : request.inputs)
    for (const TF_Output &output : request.outputs)
      if (input.oper == output.oper && input.index == output.index)
        return invalidArgumentError(outputOf(output).name() +
                                    " is both fed and fetched.");
  for (const TF_Operation *target : request.targets) {
    const Node *found = ownNode(graph, nodeOf(target));
    if (!found)
      return notFoundError("Node " + nodeOf(target)->name() +
                           " not found in graph");
    own.targets.emplace_back(found);
  }
  return own;
}

StatusOr<Callable> callableFor(SessionHandle &session,
                               const RunRequest &request) {
  CallCache::Key key = keyOf(request);
  Callable call = session.calls.find(key);
  if (call.isValid())
    return call;
  StatusOr<OwnRequest> own = ownRequest(*session.session->graph(), request);
  if (!own.ok())
    return own.status();
  StatusOr<Callable> made =
      session.session->makeCallable(own->feeds, own->fetches, own->targets);
  if (made.ok())
    session.calls.add(key, *made);
  return made;
}

/// With statistics, which the callable does not give.
StatusOr<std::vector<Tensor>> runTraced(SessionHandle &session,
                                        const RunRequest &request,
                                        std::span<const Tensor> values,
                                        const RunOptions &options) {
  StatusOr<OwnRequest> own = ownRequest(*session.session->graph(), request);
  if (!own.ok())
    return own.status();
  std::vector<Feed> feeds;
  for (size_t i = 0; i < values.size(); ++i)
    feeds.push_back({own->feeds[i], values[i]});
  RunStats stats;
  RunOptions traced = options;
  traced.regions = true;
  auto results =
      session.session->run(feeds, own->fetches, own->targets, traced, &stats);
  if (!results.ok())
    return results;
  StatusOr<std::string> metadata = toRunMetadata(stats);
  if (!metadata.ok())
    return metadata.status();
  setBuffer(request.metadata, *metadata);
  return results;
}

/// The error of a run whose values have other types than what they stand for,
/// in the words of TensorFlow's sessions; other errors as they are.
Status withTypes(Status error, const RunRequest &request,
                 std::span<const Tensor> values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (const DType expected = outputOf(request.inputs[i]).dtype();
        expected != DType::Invalid && values[i].dtype() != expected)
      return invalidArgumentError(
          "Expects arg[" + std::to_string(i) + "] to be " +
          std::string(dtypeTfName(expected)) + " but " +
          std::string(dtypeTfName(values[i].dtype())) + " is provided");
  return error;
}

StatusOr<RunConfig> configOf(const SessionHandle &session,
                             const TF_Buffer *options) {
  RunConfig config;
  if (options) {
    StatusOr<RunConfig> decoded = decodeRunOptions(bytesOf(options));
    if (!decoded.ok())
      return invalidArgumentError("Unparseable RunOptions proto");
    config = *decoded;
  }
  if (config.timeout.count() == 0)
    config.timeout = session.operationTimeout;
  return config;
}

} // namespace

namespace kiln::capi {

size_t CallCache::Hash::operator()(const Key &key) const noexcept {
  uint64_t hash = key.size();
  for (uintptr_t word : key)
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u ^ hash >> 29;
  return hash;
}

Callable CallCache::find(const Key &key) const {
  std::shared_lock lock(mutex);
  auto found = calls.find(key);
  return found == calls.end() ? Callable() : found->second;
}

void CallCache::add(const Key &key, Callable call) {
  std::unique_lock lock(mutex);
  if (calls.size() >= mostCalls)
    calls.clear();
  calls.insert_or_assign(key, std::move(call));
}

void CallCache::clear() {
  std::unique_lock lock(mutex);
  calls.clear();
}

Status asSessionError(const Session &session, Status status) {
  if (session.isClosed())
    return cancelledError("Session has been closed.");
  return status;
}

Status run(SessionHandle &session, const RunRequest &request) {
  std::ranges::fill(request.outputValues, nullptr);
  if (request.metadata && request.metadata->data)
    return invalidArgumentError("Passing non-empty run_metadata is invalid.");
  std::vector<Tensor> values;
  values.reserve(request.inputValues.size());
  for (TF_Tensor *input : request.inputValues) {
    StatusOr<Tensor> value = valueOf(*input);
    if (!value.ok())
      return value.status();
    values.push_back(*std::move(value));
  }
  StatusOr<RunConfig> config = configOf(session, request.options);
  if (!config.ok())
    return config.status();
  RunOptions options;
  options.timeout = config->timeout;

  std::vector<Tensor> results(request.outputs.size());
  if (config->isTraced && request.metadata) {
    auto traced = runTraced(session, request, values, options);
    if (!traced.ok())
      return asSessionError(*session.session, traced.status());
    results = *std::move(traced);
  } else {
    StatusOr<Callable> call = callableFor(session, request);
    if (!call.ok())
      return asSessionError(*session.session, call.status());
    const Status status = options.timeout.count() == 0
                              ? (*call)(values, results)
                              : (*call)(values, results, options);
    if (!status.ok())
      return asSessionError(*session.session,
                            withTypes(status, request, values));
    if (request.metadata) // nothing was traced: an empty message
      setBuffer(request.metadata, {});
  }
  for (size_t i = 0; i < results.size(); ++i)
    request.outputValues[i] = tensorOf(std::move(results[i]));
  return okStatus();
}

} // namespace kiln::capi
