// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a pipeline's function as runs of its programs.
#include "lib/Exec/PipelineFunctions.h"

#include "kiln/Attributes.h"
#include "lib/Exec/FrameLease.h"
#include "lib/OpDefs/Callees.h"
#include "lib/OpDefs/ComposedBody.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>
#include <vector>

namespace kiln {
namespace {

/// The nodes that the function's results and effects are made of.
std::set<const Node *> neededNodes(const FunctionBody &body) {
  std::vector<const Node *> open = body.targets;
  for (const Output &result : body.results)
    open.push_back(result.node);
  std::set<const Node *> needed(open.begin(), open.end());
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    auto add = [&](const Node *before) {
      if (needed.insert(before).second)
        open.push_back(before);
    };
    for (const Output &input : node->inputs())
      add(input.node);
    for (const Node *control : node->controlInputs())
      add(control);
  }
  return needed;
}

/// A request for a body, and which of its arguments it feeds, all where `taken`
/// is empty: none that a node has taken the place of, and no variant that
/// nothing needs. Code that takes variants is cut from the rest; what takes
/// none knows none.
struct BodyRequest {
  BodyRequest(std::shared_ptr<const FunctionLibrary> library,
              std::shared_ptr<const FunctionBody> body,
              std::span<const Node *const> captured, SessionServices &services);

  std::shared_ptr<FunctionRequest> request =
      std::make_shared<FunctionRequest>();
  std::vector<bool> taken;
};

BodyRequest::BodyRequest(std::shared_ptr<const FunctionLibrary> library,
                         std::shared_ptr<const FunctionBody> body,
                         std::span<const Node *const> captured,
                         SessionServices &services) {
  const size_t numValues = body->args.size() - captured.size();
  const std::set<const Node *> needed = neededNodes(*body);
  for (size_t i = 0; i < body->args.size(); ++i) {
    if (i >= numValues && captured[i - numValues])
      continue;
    const Output &argument = body->args[i];
    taken.push_back(argument.dtype() != DType::Variant ||
                    needed.contains(argument.node));
    if (taken.back())
      request->request.feeds.push_back(argument);
  }
  if (std::ranges::find(taken, false) == taken.end())
    taken.clear();
  request->request.fetches = body->results;
  request->request.targets = body->targets;
  request->library = std::move(library);
  request->body = std::move(body);
  request->number =
      services.numCutPlans.fetch_add(1, std::memory_order_relaxed);
}

class PipelineFunction final : public ElementFunction {
public:
  /// It gives the first `numGiven` of what the request fetches.
  PipelineFunction(BodyRequest made, size_t numGiven, SessionServices &services)
      : request(std::move(made.request)), taken(std::move(made.taken)),
        services(services), numGiven(numGiven),
        places(request->request.fetches.size()) {
    std::iota(places.begin(), places.end(), 0);
  }

  Status call(std::span<const Tensor> arguments, Element &results,
              const PullContext &pull) const override {
    if (taken.empty())
      return callWith(arguments, results, pull);
    if (arguments.size() != taken.size())
      return invalidArgumentError(
          strCat("expected an element of ", taken.size(),
                 " components for a function, got ", arguments.size()));
    Element used;
    for (size_t i = 0; i < taken.size(); ++i)
      if (taken[i])
        used.push_back(arguments[i]);
    return callWith(used, results, pull);
  }

  bool isPure() const override {
    return !request->body->hasEffect && request->body->statefulNodes.empty();
  }

  FunctionPtr then(const FunctionPtr &next) const override {
    const auto *other = dynamic_cast<const PipelineFunction *>(next.get());
    if (!other || &other->services != &services)
      return nullptr;
    std::lock_guard guard(mutex);
    // Datasets are made anew by each run that begins an iterator.
    std::erase_if(compositions, [](const Composition &known) {
      return known.next.expired();
    });
    for (const Composition &known : compositions)
      if (known.next.lock() == next)
        return known.both;
    compositions.push_back({next, composedWith(*other)});
    return compositions.back().both;
  }

private:
  Status callWith(std::span<const Tensor> arguments, Element &results,
                  const PullContext &pull) const {
    const std::vector<Output> &feeds = request->request.feeds;
    if (arguments.size() != feeds.size())
      return invalidArgumentError(
          strCat("expected an element of ", feeds.size(),
                 " components for a function, got ", arguments.size()));
    std::vector<FeedView> views;
    for (size_t i = 0; i < feeds.size(); ++i) {
      KILN_RETURN_IF_ERROR(checkFeed(feeds[i], arguments[i]));
      views.emplace_back(arguments[i]);
    }
    // A thread that makes elements ahead may call when all runs have ended.
    RunScope scope(services);
    if (!scope)
      return cancelledError("Session has been closed.");
    results.assign(places.size(), Tensor());
    RunControl control;
    if (pull.wait)
      static_cast<WaitControl &>(control) = *pull.wait;
    control.isPipeline = true;
    control.streams = pull.streams;
    FrameLease lease;
    KILN_RETURN_IF_ERROR(findAndRun(
        lease, {views, arguments, places, results, control},
        [&](FrameLease &taken) -> Status {
          KILN_ASSIGN_OR_RETURN(
              FoundProgram found,
              services.programs->find({.source = ProgramSource::Function,
                                       .function = &request,
                                       .feeds = views},
                                      control));
          taken = FrameLease(std::move(found.program));
          return okStatus();
        }));
    results.resize(numGiven);
    return okStatus();
  }

  /// This function and another one behind it; null where that cannot be.
  struct Composition {
    std::weak_ptr<const ElementFunction> next;
    FunctionPtr both;
  };

  /// Whether all arguments are values, and no dataset goes in or out.
  bool isOfValues() const {
    const auto isVariant = [](const Output &output) {
      return output.dtype() == DType::Variant;
    };
    return request->request.feeds.size() == request->body->args.size() &&
           std::ranges::none_of(request->body->args, isVariant) &&
           std::ranges::none_of(request->body->results, isVariant);
  }

  FunctionPtr composedWith(const PipelineFunction &next) const {
    if (!isOfValues() || !next.isOfValues())
      return nullptr;
    auto body = composeBodies(*request->body, numGiven, *next.request->body,
                              request->library->limits());
    if (!body.ok())
      return nullptr;
    return std::make_shared<PipelineFunction>(
        BodyRequest(request->library, *std::move(body), {}, services),
        next.numGiven, services);
  }

  const std::shared_ptr<const FunctionRequest> request;
  const std::vector<bool> taken;
  SessionServices &services;
  const size_t numGiven;
  std::vector<int> places; ///< of all that the request fetches
  mutable std::mutex mutex;
  mutable std::vector<Composition> compositions; ///< guarded
};

} // namespace

StatusOr<FunctionPtr>
PipelineFunctions::bind(const Node &node, std::string_view attr,
                        std::span<const Node *const> captured) const {
  KILN_ASSIGN_OR_RETURN(const NameAttrList *callee,
                        node.attrRef<NameAttrList>(attr));
  KILN_ASSIGN_OR_RETURN(auto body,
                        findFunction(library.get(), *callee, captured));
  BodyRequest made(library, std::move(body), captured, services);
  const size_t numResults = made.request->request.fetches.size();
  return FunctionPtr(std::make_shared<PipelineFunction>(std::move(made),
                                                        numResults, services));
}

} // namespace kiln
