// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_NewOpDefinitionBuilder ... TF_RegisterOpDefinition, and libraries of ops.
#include "capi/OpSpec.h"
#include "capi/Plugins.h"

#include <algorithm>
#include <cctype>

using namespace kiln;
using namespace kiln::capi;

/// Specs are read when the op is registered: arguments may name attributes
/// that come later.
struct TF_OpDefinitionBuilder {
  OpSchema schema;
  std::vector<std::string> attrs, inputs, outputs;
  ShapeFunction shape = nullptr;
};

namespace {

Status addArguments(const std::vector<std::string> &specs,
                    const OpSchema &schema, std::vector<OpArgument> &args) {
  for (const std::string &spec : specs) {
    StatusOr<OpArgument> arg = parseArgSpec(spec, schema);
    if (!arg.ok())
      return invalidArgumentError(std::string(arg.status().message()) +
                                  " for Op " + schema.name);
    args.push_back(*std::move(arg));
  }
  return okStatus();
}

bool isOpName(std::string_view name) {
  auto isPart = [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '>';
  };
  return !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isPart);
}

Status registerOp(TF_OpDefinitionBuilder &builder) {
  OpSchema &schema = builder.schema;
  if (!isOpName(schema.name))
    return invalidArgumentError("Invalid name: " + schema.name +
                                " (Did you use CamelCase?)");
  for (const std::string &spec : builder.attrs) {
    StatusOr<OpAttribute> attr = parseAttrSpec(spec);
    if (!attr.ok())
      return invalidArgumentError(std::string(attr.status().message()) +
                                  " for Op " + schema.name);
    schema.attrs.push_back(*std::move(attr));
  }
  for (auto [specs, args] : {std::pair{&builder.inputs, &schema.inputs},
                             std::pair{&builder.outputs, &schema.outputs}})
    if (Status status = addArguments(*specs, schema, *args); !status.ok())
      return status;
  return addPluginOp(schema, builder.shape);
}

} // namespace

TF_OpDefinitionBuilder *TF_NewOpDefinitionBuilder(const char *op_name) {
  return new TF_OpDefinitionBuilder{
      .schema = {.name = op_name}, .attrs = {}, .inputs = {}, .outputs = {}};
}

void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder *builder) {
  delete builder;
}

void TF_RegisterOpDefinition(TF_OpDefinitionBuilder *builder,
                             TF_Status *status) {
  std::unique_ptr<TF_OpDefinitionBuilder> ended(builder);
  clearStatus(status);
  if (Status error = registerOp(*builder); !error.ok())
    setStatus(status, error);
}

void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder *builder,
                                   const char *attr_spec) {
  builder->attrs.emplace_back(attr_spec);
}

void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder *builder,
                                    const char *input_spec) {
  builder->inputs.emplace_back(input_spec);
}

void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder *builder,
                                     const char *output_spec) {
  builder->outputs.emplace_back(output_spec);
}

void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder *builder,
                                            bool is_commutative) {
  builder->schema.isCommutative = is_commutative;
}

void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder *builder,
                                          bool is_aggregate) {
  builder->schema.isAggregate = is_aggregate;
}

void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder *builder,
                                         bool is_stateful) {
  builder->schema.isStateful = is_stateful;
}

void TF_OpDefinitionBuilderSetAllowsUninitializedInput(
    TF_OpDefinitionBuilder *builder, bool allows_uninitialized_input) {
  builder->schema.allowsUninitializedInput = allows_uninitialized_input;
}

void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder *, int,
                                      const char *) {
  // Kiln's graphs are as new as any: the op is not there for older ones.
}

void TF_OpDefinitionBuilderSetShapeInferenceFunction(
    TF_OpDefinitionBuilder *builder,
    void (*shape_inference_func)(TF_ShapeInferenceContext *ctx,
                                 TF_Status *status)) {
  builder->shape = shape_inference_func;
}
