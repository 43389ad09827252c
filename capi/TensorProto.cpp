// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_TensorFromProto: a tensor out of a message.
#include "capi/Handles.h"
#include "kiln/Messages.h"

using namespace kiln;
using namespace kiln::capi;

void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to,
                        TF_Status *status) {
  clearStatus(status);
  StatusOr<Tensor> value = decodeTensorProto(bytesOf(from));
  if (!value.ok())
    return setStatus(status,
                     value.status().code() == StatusCode::InvalidArgument
                         ? invalidArgumentError("Unparseable proto")
                         : value.status());
  std::unique_ptr<TF_Tensor> made(tensorOf(*std::move(value)));
  std::lock_guard lock(to->converting);
  to->type = made->type;
  to->shape = std::move(made->shape);
  to->memory = std::move(made->memory);
  to->value = std::move(made->value);
}
