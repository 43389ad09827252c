// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the transformations in the order of their table.
#include "lib/Plan/Plan.h"

#include "lib/Plan/import/BodyPlan.h"
#include "lib/Plan/ir/Verify.h"
#include "lib/Plan/transforms/RenameFedResults.h"
#include "lib/Plan/transforms/ScalarizeOptionals.h"
#include "lib/Plan/transforms/SpecializeHandles.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

struct BodyTransform {
  Status (*run)(BodyPlan &);
  std::string_view name;
};
constexpr BodyTransform bodyTransforms[] = {
#define KILN_PLAN_BODY(function, name) {function, name},
#include "lib/Plan/Transforms.def"
};

struct TreeTransform {
  Status (*run)(Block &);
  std::string_view name;
};
constexpr TreeTransform treeTransforms[] = {
#define KILN_PLAN_TREE(function, name) {function, name},
#include "lib/Plan/Transforms.def"
};

} // namespace

Status PlanState::count(const Node &node) {
  if (++numNodes <= maxNodes)
    return okStatus();
  return resourceExhaustedError(
             strCat("expected at most ", maxNodes,
                    " nodes with those of called functions, got more"))
      .withNode(node.name());
}

StatusOr<std::unique_ptr<Block>> importBody(const PrunedGraph &graph,
                                            CallPath path, PlanState &plan) {
  auto block = std::make_unique<Block>();
  block->path = std::move(path);
  block->args = graph.feeds;
  block->results.assign(graph.fetches.begin(), graph.fetches.end());
  BodyPlan body{graph, *block, plan};
  for (const BodyTransform &transform : bodyTransforms) {
    KILN_RETURN_IF_ERROR(transform.run(body));
    KILN_RETURN_IF_ERROR(verifyInDev(*block, transform.name));
  }
  return block;
}

StatusOr<std::unique_ptr<Block>> makeBlocks(const PrunedGraph &graph,
                                            int64_t maxNodes) {
  PlanState plan(maxNodes);
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Block> root,
                        importBody(graph, graph.path, plan));
  root->synthesized = plan.synthesized.take();
  root->functions = graph.functions;
  for (const TreeTransform &transform : treeTransforms) {
    KILN_RETURN_IF_ERROR(transform.run(*root));
    KILN_RETURN_IF_ERROR(verifyInDev(*root, transform.name));
  }
  return root;
}

} // namespace kiln
