// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_AttrBuilder: whether something computes an op of certain attributes.
#include "capi/Plugins.h"
#include "capi/Sessions.h"
#include "kiln/OpSchema.h"
#include "tensorflow/c/c_api_experimental.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::capi;

struct TF_AttrBuilder {
  std::string op;
  AttrMap attrs;
};

namespace {

/// Whether the kernel takes the dtypes. **Errors**: TensorFlow's where one that
/// it asks for was not said.
StatusOr<bool> fits(const OpKernel &kernel, const AttrMap &attrs) {
  for (const auto &[name, dtypes] : kernel.constraints) {
    const AttrValue *value = attrs.find(name);
    if (!value)
      return invalidArgumentError("OpKernel '" + kernel.op +
                                  "' has constraint on attr '" + name +
                                  "' not in NodeDef '[]'");
    std::vector<DType> given;
    if (const auto *one = value->getIf<DType>())
      given = {*one};
    else if (const auto *list = value->getIf<std::vector<DType>>())
      given = *list;
    for (DType dtype : given)
      if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end())
        return false;
  }
  return true;
}

} // namespace

TF_AttrBuilder *TF_NewAttrBuilder(const char *op_name) {
  return new TF_AttrBuilder{.op = op_name, .attrs = {}};
}

void TF_DeleteAttrBuilder(TF_AttrBuilder *builder) { delete builder; }

void TF_AttrBuilderSetType(TF_AttrBuilder *builder, const char *attr_name,
                           TF_DataType value) {
  builder->attrs.set(attr_name, static_cast<DType>(value));
}

void TF_AttrBuilderSetTypeList(TF_AttrBuilder *builder, const char *attr_name,
                               const TF_DataType *values, int num_values) {
  std::vector<DType> dtypes;
  for (TF_DataType value : listOf(values, num_values))
    dtypes.push_back(static_cast<DType>(value));
  builder->attrs.set(attr_name, std::move(dtypes));
}

// The error has the first line of TensorFlow's, which goes on with all kernels
// that there are.
void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder *builder,
                                       const char *device_type,
                                       TF_Status *status) {
  clearStatus(status);
  std::vector<OpKernel> kernels = pluginKernels();
  if (const OpSchema *op = findOpSchema(builder->op))
    if (std::optional<OpKernel> own = kernelOf(*op))
      kernels.push_back(*std::move(own));
  for (const OpKernel &kernel : kernels) {
    if (kernel.op != builder->op || kernel.device != device_type)
      continue;
    const StatusOr<bool> isFit = fits(kernel, builder->attrs);
    if (!isFit.ok())
      return setStatus(status, isFit.status());
    if (*isFit)
      return;
  }
  setStatus(status, notFoundError("No registered '" + builder->op +
                                  "' OpKernel for " + device_type +
                                  " devices compatible with node {{node " +
                                  builder->op + "}}"));
}
