// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings between the tensors that own them and the handles that the
// interpreter moves.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/memory/RunStrings.h"

#include <algorithm>

namespace kiln::eval {

StatusOr<Tensor> handlesOf(const Tensor &strings) {
  return Tensor::borrow(DType::Int64, strings.shape(), strings.rawData(),
                        [owner = strings] {});
}

StatusOr<Tensor> stringsOf(const Tensor &handles) {
  KILN_ASSIGN_OR_RETURN(Tensor strings,
                        Tensor::create(DType::String, handles.shape()));
  std::ranges::transform(handlesIn(handles),
                         strings.mutableData<String>().begin(), stringOf);
  return strings;
}

StatusOr<Tensor> movableForm(const Tensor &tensor) {
  if (tensor.dtype() == DType::String)
    return handlesOf(tensor);
  DType stored = storedAs(tensor.dtype());
  if (stored == tensor.dtype())
    return tensor;
  return Tensor::borrow(stored, tensor.shape(), tensor.rawData(),
                        [owner = tensor] {});
}

} // namespace kiln::eval
