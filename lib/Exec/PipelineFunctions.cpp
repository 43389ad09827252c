// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a pipeline's function as runs of its programs.
#include "lib/Exec/PipelineFunctions.h"

#include "kiln/Attributes.h"
#include "lib/Exec/FrameLease.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
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

class PipelineFunction final : public ElementFunction {
public:
  /// \p taken: which arguments are fed; all of them where it is empty.
  PipelineFunction(std::shared_ptr<const FunctionRequest> request,
                   std::vector<bool> taken, SessionServices &services)
      : request(std::move(request)), taken(std::move(taken)),
        services(services), places(this->request->request.fetches.size()) {
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
    results.assign(places.size(), Tensor());
    RunControl control;
    control.streams = pull.streams;
    FrameLease lease;
    return findAndRun(
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
        });
  }

  const std::shared_ptr<const FunctionRequest> request;
  const std::vector<bool> taken;
  SessionServices &services;
  std::vector<int> places;
};

} // namespace

StatusOr<FunctionPtr>
PipelineFunctions::bind(const Node &node, std::string_view attr,
                        std::span<const Node *const> captured) const {
  KILN_ASSIGN_OR_RETURN(const NameAttrList *callee,
                        node.attrRef<NameAttrList>(attr));
  KILN_ASSIGN_OR_RETURN(auto body,
                        findFunction(library.get(), *callee, captured));
  auto request = std::make_shared<FunctionRequest>();
  const size_t numValues = body->args.size() - captured.size();
  // Code that takes variants is cut from the rest; what takes none knows none.
  const std::set<const Node *> needed = neededNodes(*body);
  std::vector<bool> taken;
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
  request->library = library;
  request->body = std::move(body);
  request->number =
      services.numCutPlans.fetch_add(1, std::memory_order_relaxed);
  return FunctionPtr(std::make_shared<PipelineFunction>(
      std::move(request), std::move(taken), services));
}

} // namespace kiln
