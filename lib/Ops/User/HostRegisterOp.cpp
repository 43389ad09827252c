// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds a user's op to the table of ops and its kernel to the registry.
#include "kiln/RegisterOp.h"

#include "lib/OpDefs/OpParser.h"
#include "lib/OpDefs/UserOps.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelRegistry.h"

#include <algorithm>
#include <cctype>

namespace kiln {
namespace {

bool isOpName(std::string_view name) {
  auto isPart = [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '>';
  };
  return !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isPart);
}

bool isTensorType(DType dtype) {
  return isSupported(dtype) && dtype != DType::String;
}

Status checkArg(const OpDef &def, const ArgDef &arg) {
  auto refuse = [&](std::string_view what) {
    return unimplementedError(strCat("op ", def.name, ", argument ", arg.name,
                                     ": expected tensors of numbers or bool, "
                                     "got ",
                                     what));
  };
  if (arg.isRef)
    return refuse("a reference");
  if (!arg.typeListAttr.empty())
    return refuse("a list of types");
  if (arg.typeAttr.empty())
    return isTensorType(arg.dtype) ? okStatus() : refuse(dtypeName(arg.dtype));
  const AttrDef *attr = def.findAttr(arg.typeAttr);
  if (attr->allowedTypes.empty())
    return refuse("any type");
  for (DType dtype : attr->allowedTypes)
    if (!isTensorType(dtype))
      return refuse(dtypeName(dtype));
  return okStatus();
}

Status checkAttr(const OpDef &def, const AttrDef &attr) {
  switch (attr.isList ? AttrKind::Tensor : attr.kind) {
  case AttrKind::Int:
  case AttrKind::Float:
  case AttrKind::Bool:
  case AttrKind::Type:
    return okStatus();
  default:
    return unimplementedError(
        strCat("op ", def.name, ", attribute ", attr.name,
               ": expected an int, a float, a bool or a type"));
  }
}

} // namespace

Status registerOp(const OpRegistration &op) {
  if (!isOpName(op.name))
    return invalidArgumentError(
        strCat("expected the name of an op, as MyOp, got '", op.name, "'"));
  if (!op.kernel)
    return invalidArgumentError(
        strCat("op ", op.name, ": expected a kernel, got none"));
  OpRecord record{.name = op.name,
                  .inputs = op.inputs,
                  .outputs = op.outputs,
                  .attrs = op.attrs,
                  .doc = op.doc,
                  .infer = inferUserOp,
                  .flags = op.isStateful ? stateful | acts : uint32_t{noFlags}};
  auto def = parseOpRecord(record, "User");
  if (!def.ok())
    return invalidArgumentError(std::string(def.status().message()));
  if (def->outputs.empty())
    return unimplementedError(
        strCat("op ", op.name, ": expected an output, got none"));
  for (const auto *args : {&def->inputs, &def->outputs})
    for (const ArgDef &arg : *args)
      KILN_RETURN_IF_ERROR(checkArg(*def, arg));
  for (const AttrDef &attr : def->attrs)
    KILN_RETURN_IF_ERROR(checkAttr(*def, attr));
  def->userShape = op.shape;
  def->kernel = strCat(userKernelPrefix, op.name);
  if (lookupOp(op.name))
    return alreadyExistsError(strCat("op ", op.name, " exists"));
  KILN_RETURN_IF_ERROR(KernelRegistry::process().add(
      {.name = def->kernel, .run = op.kernel, .hasEffects = op.isStateful}));
  return addUserOp(*std::move(def));
}

} // namespace kiln
