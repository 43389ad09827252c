// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs elementwise ops in blocks; an operand that repeats one element is one
// block for all.
#include "lib/Eval/ElementwiseRun.h"

#include "dialect/IntegerOps.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RunState.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln::eval {
Kernel elementwiseKernel(Operation *op) {
  if (!isa<ir::KilnDialect>(op->getDialect()) ||
      !op->hasTrait<OpTrait::Elementwise>())
    return nullptr;
  DType operand = ir::dtypeOf(op->getOperand(0).getType());
  DType result = ir::dtypeOf(op->getResult(0).getType());
  if (isa<ir::CastOp>(op))
    return castKernel(operand, result);
  if (isa<ir::CompareOp>(op))
    return compareKernel(op, operand);
  if (isa<ir::SelectOp>(op))
    return selectKernel(result == DType::String ? DType::Int64 : result);
  if (auto function = ir::integerFunctionOf(op);
      function && result != DType::Float32 && result != DType::Float64)
    return integerKernel(*function, result);
  return op->getNumOperands() == 1 ? unaryKernel(op, result)
                                   : binaryKernel(op, result);
}

const char *ElementwiseRun::splatOf(const Tensor &element) {
  if (usedSplats == splats.size())
    splats.emplace_back();
  SplatBlock &block = splats[usedSplats++];
  size_t size = element.byteSize();
  uint64_t bits = 0;
  std::memcpy(&bits, element.rawData(), size);
  if (block.size != size || block.element != bits) {
    copyStrided(block.bytes.data(), &bits, {{blockElements, 1, 0}}, size);
    block.size = size;
    block.element = bits;
  }
  return block.bytes.data();
}

Status ElementwiseRun::add(Operation *op, Kernel kernel) {
  bool isSplat = llvm::all_of(op->getOperands(), [&](Value v) {
    return interpreter.contents(v).isSplat;
  });
  Value resultValue = op->getResult(0);
  DType type = ir::dtypeOf(resultValue.getType());
  Tensor result;
  if (isSplat) {
    KILN_ASSIGN_OR_RETURN(result, interpreter.allocate(type, Shape()));
  } else {
    KILN_ASSIGN_OR_RETURN(result, interpreter.allocateFor(resultValue));
  }
  if (isSplat || result.numElements() != count)
    KILN_RETURN_IF_ERROR(run());
  count = result.numElements();

  Call call{op,
            kernel,
            {},
            static_cast<char *>(result.mutableRawData()),
            static_cast<int64_t>(dtypeSize(type))};
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const EvalValue &value = interpreter.contents(operand);
    call.inputs[i] =
        isSplat || !value.isSplat
            ? BlockInput{static_cast<const char *>(value.tensor.rawData()),
                         static_cast<int64_t>(dtypeSize(value.tensor.dtype()))}
            : BlockInput{splatOf(value.tensor), 0};
  }
  calls.push_back(call);
  interpreter.bindOwned(resultValue, std::move(result), isSplat);
  // Others may ask for its element at once.
  return isSplat ? run() : okStatus();
}

Status ElementwiseRun::run() {
  int64_t block = 0;
  for (int64_t begin = 0; begin < count; begin += blockElements) {
    int64_t length = std::min(blockElements, count - begin);
    for (const Call &call : calls) {
      std::array<const void *, 3> pointers = {};
      for (size_t i = 0; i < pointers.size(); ++i)
        pointers[i] = call.inputs[i].data + begin * call.inputs[i].step;
      ErrorKind error =
          call.kernel(pointers.data(), call.out + begin * call.outStep, length);
      if (error == ErrorKind::None)
        continue;
      KILN_ASSIGN_OR_RETURN(
          Shape shape, interpreter.shapeOf(call.op->getResult(0).getType()));
      KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
      if (elements != 0) // not a splat that is nowhere
        return errorStatus(error, nodeOf(call.op));
    }
    if (++block % blocksBetweenPolls == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
  }
  calls.clear();
  count = 0;
  usedSplats = 0;
  return okStatus();
}

Status evaluateElementwise(Operation *op, Interpreter &interpreter) {
  Kernel kernel = elementwiseKernel(op);
  if (!kernel)
    return internalError(strCat("expected an elementwise op, got ",
                                op->getName().getStringRef().str()));
  ElementwiseRun single(interpreter);
  KILN_RETURN_IF_ERROR(single.add(op, kernel));
  return single.run();
}

} // namespace kiln::eval
