// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Name lookup and the checks of feeds. No MLIR header: it is optimized in every
// build.
#include "lib/Plan/Request.h"

#include "lib/Graph/TensorText.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace kiln {
namespace {

/// A foreign node has no place in a walk or a key.
bool belongsTo(const Graph &graph, const Node *node) {
  return node && graph.node(node->id()) == node;
}

/// What TensorFlow makes of the error of a look-up.
Status withRole(const Status &status, std::string_view role,
                std::string_view name, bool isOperation) {
  // Python shows a KeyError's text in quotes.
  std::string_view quotes = status.code() == StatusCode::NotFound ? "\"" : "";
  std::string text = role == "feed"
                         ? strCat("Cannot interpret feed_dict key as Tensor: ",
                                  status.message())
                         : strCat("Argument `", role, "` = ", name,
                                  " cannot be interpreted as ",
                                  isOperation ? "an Operation" : "a Tensor",
                                  ". (", quotes, status.message(), quotes, ")");
  return Status(status.code(), std::move(text), std::string(status.node()));
}

Status foreignError(const Node *node, std::string_view role) {
  std::string name = node ? node->name() : "none";
  return withRole(invalidArgumentError(strCat(
                      "Operation ", name, " is not an element of this graph.")),
                  role, name, /*isOperation=*/true);
}
Status foreignError(const Output &tensor, std::string_view role) {
  std::string text = tensor.node ? tensorText(tensor) : "none";
  return withRole(invalidArgumentError(strCat(
                      "Tensor ", text, " is not an element of this graph.")),
                  role, text, /*isOperation=*/false);
}

Status checkHandle(const Graph &graph, const Output &output,
                   std::string_view role) {
  if (!belongsTo(graph, output.node))
    return foreignError(output, role);
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

StatusOr<Output> findTensor(const Graph &graph, const std::string &name,
                            std::string_view role) {
  if (Output output; findQuickly(graph, name, output))
    return output;
  auto found = graph.findTensor(name);
  return found.ok() ? found : withRole(found.status(), role, name, false);
}

StatusOr<const Node *> findOperation(const Graph &graph,
                                     const std::string &name,
                                     std::string_view role) {
  if (const Node *node = graph.lookup(name))
    return node;
  return withRole(graph.findNode(name).status(), role, name, role == "target");
}

StatusOr<Output> findFeed(const Graph &graph, const TensorId &id) {
  if (const auto *name = std::get_if<std::string>(&id))
    return findTensor(graph, *name, "feed");
  const auto &handle = std::get<Output>(id);
  KILN_RETURN_IF_ERROR(checkHandle(graph, handle, "feed"));
  return handle;
}

Status fedTwice(const Output &output) {
  return invalidArgumentError(
             strCat("Tensor ", quote(output.name()), " is fed more than once"))
      .withNode(output.node->name());
}

Status checkDistinct(const std::vector<Output> &feeds) {
  if (feeds.size() <= 16) {
    for (size_t i = 1; i < feeds.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (feeds[i] == feeds[j])
          return fedTwice(feeds[i]);
    return okStatus();
  }
  std::vector<Output> sorted = feeds;
  std::sort(sorted.begin(), sorted.end(), [](const Output &a, const Output &b) {
    return std::pair(a.node->id(), a.index) < std::pair(b.node->id(), b.index);
  });
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  return twice == sorted.end() ? okStatus() : fedTwice(*twice);
}

} // namespace

StatusOr<ResolvedRequest>
resolveFeeds(const Graph &graph, size_t count,
             const std::function<const TensorId &(size_t)> &feed) {
  if (graph.hasConstructionError())
    return graph.constructionError();
  if (graph.numNodes() == 0)
    return failedPreconditionError("The Session graph is empty. Add operations "
                                   "to the graph before calling run().");
  ResolvedRequest resolved;
  std::vector<Output> &feeds = resolved.request.feeds;
  feeds.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    KILN_ASSIGN_OR_RETURN(Output output, findFeed(graph, feed(i)));
    feeds.push_back(output);
  }
  KILN_RETURN_IF_ERROR(checkDistinct(feeds));
  return resolved;
}

Shape staticShape(const Output &output) {
  if (output.node->numOutputs() >= 0)
    return output.shape();
  return output.node->attrOr<Shape>("shape", Shape::unknownRank());
}

Status checkFeed(const Output &feed, const Tensor &value) {
  if (!value.isValid())
    return invalidArgumentError(strCat("expected a value for Tensor ",
                                       feed.name(), ", got none"))
        .withNode(feed.node->name());
  return checkFeed(feed, value.dtype(), value.shape());
}

Status checkFeed(const Output &feed, DType dtype, const Shape &shape) {
  DType declared = feed.dtype();
  if (declared != DType::Invalid && declared != dtype)
    return invalidArgumentError(strCat("Cannot feed value of dtype ",
                                       dtypeName(dtype), " for Tensor ",
                                       feed.name(), ", which has dtype ",
                                       dtypeName(declared)))
        .withNode(feed.node->name());
  if (feed.node->numOutputs() >= 0 && feed.shape().isCompatibleWith(shape))
    return okStatus();
  if (Shape known = staticShape(feed); !known.isCompatibleWith(shape))
    return invalidArgumentError(strCat("Cannot feed value of shape ",
                                       shape.toTupleString(), " for Tensor ",
                                       feed.name(), ", which has shape ",
                                       known.toTupleString()))
        .withNode(feed.node->name());
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
  for (const Fetch &fetch : fetches) {
    if (const auto *name = std::get_if<std::string>(&fetch)) {
      if (name->find(':') == std::string::npos) {
        KILN_ASSIGN_OR_RETURN(const Node *node,
                              findOperation(graph, *name, "fetch"));
        resolved.places.push_back(-1);
        addOperation(node);
        continue;
      }
      KILN_ASSIGN_OR_RETURN(Output output, findTensor(graph, *name, "fetch"));
      addTensor(output);
    } else if (const auto *output = std::get_if<Output>(&fetch)) {
      KILN_RETURN_IF_ERROR(checkHandle(graph, *output, "fetch"));
      addTensor(*output);
    } else {
      const Node *node = std::get<const Node *>(fetch);
      if (!belongsTo(graph, node))
        return foreignError(node, "fetch");
      resolved.places.push_back(-1);
      addOperation(node);
    }
  }
  for (const OperationId &target : targets) {
    if (const auto *name = std::get_if<std::string>(&target)) {
      KILN_ASSIGN_OR_RETURN(const Node *node,
                            findOperation(graph, *name, "target"));
      addOperation(node);
    } else {
      const Node *node = std::get<const Node *>(target);
      if (!belongsTo(graph, node))
        return foreignError(node, "target");
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

namespace {

/// Whether a target's value is asked for so that its errors show: other targets
/// are for their effects, or are handles, or give what a variable has.
bool hasValueAlone(const Node &target) {
  const OpDef *def = lookupOp(target.op());
  const DType dtype = target.outputDType(0);
  return def && target.numOutputs() > 0 && target.numInputs() > 0 &&
         !def->hasEffect() && !def->has(callsFunctions) && !def->givesRef() &&
         dtype != DType::Resource && dtype != DType::Variant &&
         std::ranges::none_of(target.inputs(), [](const Output &input) {
           const OpDef *source = lookupOp(input.node->op());
           return source && source->givesRef();
         });
}

/// Whether a branch that is not taken may leave it without a value.
bool mayHaveNoValue(const Node &target) {
  std::unordered_set<const Node *> isReached{&target};
  std::vector<const Node *> pending{&target};
  while (!pending.empty()) {
    const Node *node = pending.back();
    pending.pop_back();
    if (node->op() == "Switch" || node->op() == "RefSwitch")
      return true;
    for (const Output &input : node->inputs())
      if (isReached.insert(input.node).second)
        pending.push_back(input.node);
    for (const Node *control : node->controlInputs())
      if (isReached.insert(control).second)
        pending.push_back(control);
  }
  return false;
}

} // namespace

void fetchTargets(ResolvedRequest &resolved) {
  RunRequest &request = resolved.request;
  for (const Node *target : request.targets) {
    const Output value{target, 0};
    if (!hasValueAlone(*target) ||
        std::ranges::count(request.feeds, value) != 0 ||
        mayHaveNoValue(*target))
      continue;
    resolved.places.push_back(static_cast<int>(request.fetches.size()));
    request.fetches.push_back(value);
  }
}

} // namespace kiln
