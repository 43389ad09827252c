// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Name lookup, the checks of feeds, and signature keys. No MLIR header: it is
// optimized in every build.
#include "lib/Session/Request.h"

#include "lib/Support/Hash.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>

namespace kiln {
namespace {

uint64_t wordOf(const Output &output) {
  return static_cast<uint64_t>(output.node->id()) << 32 |
         static_cast<uint32_t>(output.index);
}

/// prune() checks handles too, but after other things; a foreign node has no
/// place in a key.
bool belongsTo(const Graph &graph, const Node *node) {
  return node && graph.node(node->id()) == node;
}

Status foreignError(std::string_view role) {
  return invalidArgumentError(
      strCat("the ", role, " is not an element of this graph"));
}

Status checkHandle(const Graph &graph, const Output &output,
                   std::string_view role) {
  if (!belongsTo(graph, output.node))
    return foreignError(role);
  int outputs = output.node->numOutputs();
  if (output.index < 0 || (outputs >= 0 && output.index >= outputs))
    return notFoundError(strCat("the ", role, " ", quote(output.name()),
                                " does not exist: operation ",
                                quote(output.node->name()), " has ", outputs,
                                " outputs"))
        .withNode(output.node->name());
  return okStatus();
}

/// Graph::findTensor() without a word of an error to write: every run comes
/// here. False where only findTensor() knows what to say.
bool findQuickly(const Graph &graph, std::string_view name, Output &found) {
  size_t colon = name.rfind(':');
  if (colon == std::string_view::npos)
    return false;
  const char *end = name.data() + name.size();
  auto [rest, error] =
      std::from_chars(name.data() + colon + 1, end, found.index);
  if (error != std::errc() || rest != end || found.index < 0)
    return false;
  found.node = graph.lookup(name.substr(0, colon));
  return found.node && (found.node->numOutputs() < 0 ||
                        found.index < found.node->numOutputs());
}

/// prune() has the texts of names that cannot be found.
Status nameError(const Graph &graph, const std::string &name, bool isFeed,
                 bool isTensor, Status otherwise) {
  std::span<const std::string> one(&name, 1), none;
  auto resolved = isFeed     ? resolveNames(graph, one, none, none)
                  : isTensor ? resolveNames(graph, none, one, none)
                             : resolveNames(graph, none, none, one);
  return resolved.ok() ? otherwise : resolved.status();
}

} // namespace

Status closedSessionError() {
  return failedPreconditionError("Attempted to use a closed Session.");
}

Status checkGraphNotEmpty(const Graph &graph) {
  if (graph.numNodes() != 0)
    return okStatus();
  return failedPreconditionError("The Session graph is empty. Add operations "
                                 "to the graph before calling run().");
}

StatusOr<Output> resolveFeed(const Graph &graph, const TensorId &id) {
  if (const auto *handle = std::get_if<Output>(&id)) {
    KILN_RETURN_IF_ERROR(checkHandle(graph, *handle, "feed"));
    return *handle;
  }
  const auto &name = std::get<std::string>(id);
  if (Output output; findQuickly(graph, name, output))
    return output;
  auto found = graph.findTensor(name);
  if (!found.ok())
    return nameError(graph, name, true, true, found.status());
  return found;
}

Status checkDistinct(std::span<const Output> feeds) {
  auto same = [](const Output &output) {
    return invalidArgumentError(strCat("Tensor ", quote(output.name()),
                                       " is fed more than once"))
        .withNode(output.node->name());
  };
  if (feeds.size() <= 16) {
    for (size_t i = 1; i < feeds.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (feeds[i] == feeds[j])
          return same(feeds[i]);
    return okStatus();
  }
  std::vector<uint64_t> words;
  for (const Output &feed : feeds)
    words.push_back(wordOf(feed));
  std::sort(words.begin(), words.end());
  auto twice = std::adjacent_find(words.begin(), words.end());
  if (twice == words.end())
    return okStatus();
  return same(
      *std::find_if(feeds.begin(), feeds.end(), [&](const Output &feed) {
        return wordOf(feed) == *twice;
      }));
}

Shape staticShape(const Output &output) {
  if (output.node->numOutputs() >= 0)
    return output.shape();
  return output.node->attrOr<Shape>("shape", Shape::unknownRank());
}

Status checkFeed(const Output &feed, const Tensor &value) {
  const std::string &node = feed.node->name();
  if (!value.isValid())
    return invalidArgumentError(strCat("expected a value for Tensor ",
                                       feed.name(), ", got none"))
        .withNode(node);
  DType dtype = feed.dtype();
  if (dtype != DType::Invalid && dtype != value.dtype())
    return invalidArgumentError(strCat("Cannot feed value of dtype ",
                                       dtypeName(value.dtype()), " for Tensor ",
                                       feed.name(), ", which has dtype ",
                                       dtypeName(dtype)))
        .withNode(node);
  if (feed.node->numOutputs() >= 0 &&
      feed.shape().isCompatibleWith(value.shape()))
    return okStatus();
  if (Shape shape = staticShape(feed); !shape.isCompatibleWith(value.shape()))
    return invalidArgumentError(
               strCat("Cannot feed value of shape ",
                      value.shape().toTupleString(), " for Tensor ",
                      feed.name(), ", which has shape ", shape.toTupleString()))
        .withNode(node);
  return okStatus();
}

Status resolveFetches(const Graph &graph, const std::vector<Fetch> &fetches,
                      const std::vector<OperationId> &targets,
                      ResolvedRequest &resolved) {
  RunRequest &request = resolved.request;
  auto addTensor = [&](const Output &output) {
    resolved.places.push_back(static_cast<int>(request.fetches.size()));
    request.fetches.push_back(output);
  };
  auto addOperation = [&](const Node *node) {
    request.targets.push_back(node);
  };
  auto findOperation = [&](const std::string &name) -> StatusOr<const Node *> {
    if (const Node *node = graph.lookup(name))
      return node;
    auto found = graph.findNode(name);
    if (!found.ok())
      return nameError(graph, name, false, false, found.status());
    return found;
  };
  for (const Fetch &fetch : fetches) {
    if (const auto *name = std::get_if<std::string>(&fetch)) {
      if (name->find(':') == std::string::npos) {
        KILN_ASSIGN_OR_RETURN(const Node *node, findOperation(*name));
        resolved.places.push_back(-1);
        addOperation(node);
        continue;
      }
      if (Output output; findQuickly(graph, *name, output)) {
        addTensor(output);
        continue;
      }
      auto found = graph.findTensor(*name);
      if (!found.ok())
        return nameError(graph, *name, false, true, found.status());
      addTensor(*found);
    } else if (const auto *output = std::get_if<Output>(&fetch)) {
      KILN_RETURN_IF_ERROR(checkHandle(graph, *output, "fetch"));
      addTensor(*output);
    } else {
      const Node *node = std::get<const Node *>(fetch);
      if (!belongsTo(graph, node))
        return foreignError("fetch");
      resolved.places.push_back(-1);
      addOperation(node);
    }
  }
  for (const OperationId &target : targets) {
    if (const auto *name = std::get_if<std::string>(&target)) {
      KILN_ASSIGN_OR_RETURN(const Node *node, findOperation(*name));
      addOperation(node);
    } else {
      const Node *node = std::get<const Node *>(target);
      if (!belongsTo(graph, node))
        return foreignError("target");
      addOperation(node);
    }
  }
  // The set of targets counts, not how it was written.
  std::sort(request.targets.begin(), request.targets.end(),
            [](const Node *a, const Node *b) { return a->id() < b->id(); });
  request.targets.erase(
      std::unique(request.targets.begin(), request.targets.end()),
      request.targets.end());
  return okStatus();
}

void makeSignatureKey(const RunRequest &request,
                      std::span<const FeedView> feeds, SignatureKey &key) {
  key.clear();
  key.reserve(1 + 2 * feeds.size() + request.fetches.size() +
              request.targets.size());
  key.push_back(static_cast<uint64_t>(feeds.size()) << 32 |
                request.fetches.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    key.push_back(wordOf(request.feeds[i]));
    key.push_back(static_cast<uint64_t>(feeds[i].dtype) << 32 |
                  feeds[i].dims.size());
  }
  for (const Output &fetch : request.fetches)
    key.push_back(wordOf(fetch));
  for (const Node *target : request.targets)
    key.push_back(static_cast<uint64_t>(target->id()));
}

size_t SignatureKeyHash::operator()(const SignatureKey &key) const noexcept {
  return hashBytes(key.data(), key.size() * sizeof(uint64_t));
}

} // namespace kiln
