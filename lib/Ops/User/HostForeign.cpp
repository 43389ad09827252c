// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the process's foreign library: as a kernel of native code and the
// evaluator, and as an op that cuts a run.
#include "kiln/ForeignOps.h"

#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/TensorKernel.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/OpParser.h"
#include "lib/OpDefs/UserOps.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/KernelRegistry.h"
#include "runtime/resources/CallerLocks.h"

#include <algorithm>
#include <cstdlib>
#include <exception>

namespace kiln {
namespace {

/// Calls the library; what it throws is an error.
StatusOr<std::vector<Tensor>> callLibrary(int64_t number,
                                          std::vector<Tensor> inputs,
                                          std::span<const DType> expected) {
  StatusOr<std::vector<Tensor>> outputs = std::vector<Tensor>();
  try {
    outputs = foreignLibrary()->compute(number, std::move(inputs));
  } catch (const std::exception &exception) {
    return internalError(exception.what());
  }
  KILN_RETURN_IF_ERROR(outputs.status());
  if (outputs->size() != expected.size())
    return internalError(strCat("expected ", expected.size(), " outputs, got ",
                                outputs->size()));
  for (size_t i = 0; i < expected.size(); ++i)
    if ((*outputs)[i].dtype() != expected[i])
      return internalError(strCat("expected output ", i, " of dtype ",
                                  dtypeName(expected[i]), ", got ",
                                  dtypeName((*outputs)[i].dtype())));
  return outputs;
}

/// Its inputs are copies, which the library may keep.
int32_t runForeign(const KilnKernelCall *call) noexcept {
  CallerLocks callers(call->state);
  return computeOnTensors(
      KernelCall(call), /*ownsInputs=*/true,
      [&](std::vector<Tensor> inputs, std::span<const DType> expected) {
        return callLibrary(call->numbers[0], std::move(inputs), expected);
      });
}

/// A node at which a run is cut: the run holds no lock meanwhile.
class ForeignCall final : public BlockingOp, public BlockingAttempt {
public:
  ForeignCall(int64_t number, std::vector<DType> outputs)
      : number(number), dtypes(std::move(outputs)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override {
    return std::make_unique<ForeignCall>(number, dtypes);
  }
  std::string_view cancelledText() const override { return "Cancelled"; }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &) override {
    KILN_ASSIGN_OR_RETURN(std::vector<Tensor> made,
                          callLibrary(number,
                                      {std::make_move_iterator(inputs.begin()),
                                       std::make_move_iterator(inputs.end())},
                                      dtypes));
    std::move(made.begin(), made.end(), outputs.begin());
    return true;
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

private:
  int64_t number;
  std::vector<DType> dtypes;
};

StatusOr<std::unique_ptr<BlockingOp>> bindForeignCall(const Node &node,
                                                      const BlockingSite &) {
  KILN_ASSIGN_OR_RETURN(int64_t number, prepareForeign(node));
  std::vector<DType> dtypes;
  for (int i = 0; i < node.numOutputs(); ++i)
    dtypes.push_back(node.outputDType(i));
  return std::unique_ptr<BlockingOp>(
      std::make_unique<ForeignCall>(number, std::move(dtypes)));
}

Status checkArgs(const OpDef &def, std::span<const ArgDef> args) {
  for (const ArgDef &arg : args)
    if (arg.isRef || arg.dtype == DType::Resource ||
        arg.dtype == DType::Variant)
      return unimplementedError(
          strCat("op ", def.name, ", argument ", arg.name,
                 ": expected a value, got a ",
                 arg.isRef ? "reference" : dtypeName(arg.dtype)));
  return okStatus();
}

Status add(OpDef def, bool callsBackToKiln) {
  KILN_RETURN_IF_ERROR(checkArgs(def, def.inputs));
  KILN_RETURN_IF_ERROR(checkArgs(def, def.outputs));
  if (lookupOp(def.name))
    return alreadyExistsError(strCat("op ", def.name, " exists"));
  const bool hasEffects = def.has(stateful) || def.outputs.empty();
  def.family = "Foreign";
  def.doc = "Computed by another library.";
  def.infer = inferForeign;
  def.flags |= movesElements; // Kiln itself looks at nothing of theirs
  if (hasEffects)
    def.flags |= stateful | acts;
  if (callsBackToKiln)
    def.flags |= callsBack;
  def.kernel = hasEffects ? foreignEffectKernel : foreignKernel;
  KILN_RETURN_IF_ERROR(HostKernels::process().add(
      def.name, {.effect = HostEffect::Waits, .bindOp = bindForeignCall}));
  return addUserOp(std::move(def));
}

} // namespace

Status setForeignLibrary(ForeignLibrary &library) {
  if (!keepForeignLibrary(library))
    return alreadyExistsError("the process has a foreign library");
  for (bool hasEffects : {false, true})
    KILN_RETURN_IF_ERROR(KernelRegistry::process().add(
        {.name = std::string(hasEffects ? foreignEffectKernel : foreignKernel),
         .run = runForeign,
         .hasEffects = hasEffects}));
  return okStatus();
}

Status registerForeignOp(const ForeignOp &op) {
  OpRecord record{.name = op.name,
                  .inputs = op.inputs,
                  .outputs = op.outputs,
                  .attrs = op.attrs,
                  .doc = {},
                  .flags = op.isStateful ? uint32_t{stateful} : noFlags};
  auto def = parseOpRecord(record, "Foreign");
  if (!def.ok())
    return invalidArgumentError(std::string(def.status().message()));
  return add(*std::move(def), op.callsBack);
}

Status registerForeignOp(const OpSchema &schema, bool callsBack) {
  KILN_ASSIGN_OR_RETURN(OpDef def, opDefOf(schema));
  return add(std::move(def), callsBack);
}

} // namespace kiln
