// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a whole program: checks its feeds, interprets its block, gives away its
// results.
#include "lib/Eval/Evaluator.h"

#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/arithmetic/FloatEnv.h"

#include <unordered_set>

namespace kiln {

static Status bindFeeds(std::span<const eval::ValueId> arguments,
                        std::span<const Tensor> feeds,
                        eval::Interpreter &interpreter) {
  if (arguments.size() != feeds.size())
    return internalError(
        strCat("expected ", arguments.size(), " feeds, got ", feeds.size()));
  for (size_t i = 0; i < feeds.size(); ++i) {
    const Tensor &feed = feeds[i];
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(arguments[i]));
    if (!feed.isValid() ||
        storedAs(feed.dtype()) != interpreter.program.dtypeOf(arguments[i]) ||
        !(feed.shape() == shape))
      return internalError(strCat(
          "expected feed ", i, " of shape ", shape.toString(), ", got ",
          feed.shape().toString(), " of type ", dtypeTfName(feed.dtype())));
    KILN_ASSIGN_OR_RETURN(Tensor movable, eval::movableForm(feed));
    interpreter.bind(arguments[i], eval::EvalValue{std::move(movable)});
  }
  return okStatus();
}

StatusOr<std::vector<Tensor>> evaluate(const eval::Program &program,
                                       const EvalEnvironment &environment) {
  FloatEnv floatEnv;
  eval::Interpreter interpreter(program, environment);
  const eval::Block &block = program.blocks[program.entry];
  KILN_RETURN_IF_ERROR(bindFeeds(program.idsOf(block.arguments),
                                 environment.feeds, interpreter));
  KILN_RETURN_IF_ERROR(interpreter.runBlock(block));

  std::vector<Tensor> results;
  std::unordered_set<const Buffer *> given;
  std::span<const eval::ValueId> values = program.idsOf(block.results);
  for (size_t i = 0; i < values.size(); ++i) {
    auto result = interpreter.dense(values[i]);
    if (result.ok() && program.dtypeOf(values[i]) == DType::String)
      result = eval::stringsOf(*result);
    else if (result.ok() && (!interpreter.contents(values[i]).isOwned ||
                             !given.insert(result->bufferRef().get()).second))
      result = result->clone();
    if (!result.ok())
      return result.status().withNode(program.nameOf(program.resultNodes[i]));
    results.push_back(*std::move(result));
  }
  return results;
}

} // namespace kiln
