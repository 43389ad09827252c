// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a whole function: checks its feeds, interprets its block, gives away its
// results.
#include "lib/Eval/Evaluator.h"

#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/FloatEnv.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kiln {

static Status bindFeeds(Block &block, std::span<const Tensor> feeds,
                        eval::Interpreter &interpreter) {
  if (block.getNumArguments() != feeds.size())
    return internalError(strCat("expected ", block.getNumArguments(),
                                " feeds, got ", feeds.size()));
  for (BlockArgument argument : block.getArguments()) {
    const Tensor &feed = feeds[argument.getArgNumber()];
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(argument.getType()));
    if (!feed.isValid() ||
        storedAs(feed.dtype()) != ir::dtypeOf(argument.getType()) ||
        !(feed.shape() == shape))
      return internalError(strCat("expected feed ", argument.getArgNumber(),
                                  " of shape ", shape.toString(), ", got ",
                                  feed.shape().toString(), " of type ",
                                  dtypeTfName(feed.dtype())));
    KILN_ASSIGN_OR_RETURN(Tensor movable, eval::movableForm(feed));
    interpreter.bind(argument, eval::EvalValue{std::move(movable)});
  }
  return okStatus();
}

StatusOr<std::vector<Tensor>> evaluate(func::FuncOp function,
                                       const EvalEnvironment &environment) {
  if (!function.getBody().hasOneBlock())
    return internalError("expected a function of one block");
  FloatEnv floatEnv;
  eval::Interpreter interpreter(environment);
  Block &block = function.getBody().front();
  KILN_RETURN_IF_ERROR(bindFeeds(block, environment.feeds, interpreter));
  KILN_RETURN_IF_ERROR(interpreter.runBlock(block));

  std::vector<Tensor> results;
  llvm::SmallPtrSet<const Buffer *, 8> given;
  for (Value value : block.getTerminator()->getOperands()) {
    std::string node = value.getDefiningOp()
                           ? eval::nodeOf(value.getDefiningOp())
                           : std::string();
    auto result = interpreter.dense(value);
    bool isString = ir::dtypeOf(value.getType()) == DType::String;
    if (result.ok() && isString)
      result = eval::stringsOf(*result);
    else if (result.ok() && (!interpreter.contents(value).isOwned ||
                             !given.insert(result->bufferRef().get()).second))
      result = result->clone();
    if (!result.ok())
      return result.status().withNode(node);
    results.push_back(*std::move(result));
  }
  return results;
}

} // namespace kiln
