// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a pipeline's function as runs of its programs.
#include "lib/Exec/PipelineFunctions.h"

#include "kiln/Attributes.h"
#include "lib/Exec/FrameLease.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <numeric>
#include <vector>

namespace kiln {
namespace {

class PipelineFunction final : public ElementFunction {
public:
  PipelineFunction(std::shared_ptr<const FunctionRequest> request,
                   SessionServices &services)
      : request(std::move(request)), services(services),
        places(this->request->request.fetches.size()) {
    std::iota(places.begin(), places.end(), 0);
  }

  Status call(std::span<const Tensor> arguments, Element &results,
              const PullContext &pull) const override {
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

  bool isPure() const override {
    return !request->body->hasEffect && request->body->statefulNodes.empty();
  }

private:
  const std::shared_ptr<const FunctionRequest> request;
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
  for (size_t i = 0; i < body->args.size(); ++i)
    if (i < numValues || !captured[i - numValues])
      request->request.feeds.push_back(body->args[i]);
  request->request.fetches = body->results;
  request->request.targets = body->targets;
  request->library = library;
  request->body = std::move(body);
  request->number =
      services.numCutPlans.fetch_add(1, std::memory_order_relaxed);
  return FunctionPtr(
      std::make_shared<PipelineFunction>(std::move(request), services));
}

} // namespace kiln
