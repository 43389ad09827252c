// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the process's foreign library: as a kernel of native code and the
// evaluator, and as an op that cuts a run.
#include "kiln/ForeignOps.h"

#include "lib/Ops/OpParser.h"
#include "lib/Ops/User/Foreign.h"
#include "lib/Session/HostKernels.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/CallerLocks.h"
#include "runtime/KernelCall.h"
#include "runtime/KernelRegistry.h"
#include "runtime/RunStrings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
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

/// A copy of a tensor of the run, which the library may keep.
StatusOr<Tensor> copyOf(const KernelCall &call, int i, DType dtype) {
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::create(dtype, Shape(call.inputDims(i))));
  if (dtype == DType::String)
    std::transform(call.input<StringHandle>(i),
                   call.input<StringHandle>(i) + call.inputElements(i),
                   tensor.mutableData<String>().begin(), stringOf);
  else if (tensor.byteSize() != 0)
    std::memcpy(tensor.mutableRawData(), call.input<char>(i),
                tensor.byteSize());
  return tensor;
}

/// Checks a shape against what was known of it, and binds what was not.
Status bindShape(const KernelCall &call, int i, const Shape &shape,
                 std::vector<bool> &isBound) {
  std::span<const int64_t> known = call.outputDims(i);
  bool fits = static_cast<size_t>(shape.rank()) == known.size();
  for (int d = 0; fits && d < shape.rank(); ++d) {
    int64_t extent = known[static_cast<size_t>(d)];
    if (extent >= 0) {
      fits = extent == shape.dim(d);
      continue;
    }
    auto place = static_cast<size_t>(-1 - extent);
    if (place >= isBound.size())
      isBound.resize(place + 1);
    if (isBound[place])
      fits = call.bound(static_cast<int>(place)) == shape.dim(d);
    isBound[place] = true;
    call.bind(static_cast<int>(place), shape.dim(d));
  }
  if (fits)
    return okStatus();
  std::string text;
  for (int64_t extent : known)
    text += strCat(text.empty() ? "" : ",",
                   extent < 0 ? "?" : std::to_string(extent));
  return internalError(strCat("expected output ", i, " of shape [", text,
                              "], got ", shape.toString()));
}

/// The same of an output that nobody reads, which need not be what is known of
/// it: TensorFlow's kernels make other shapes of some than its shape functions
/// say, where only another device's kernel looks at them.
void bindUnread(const KernelCall &call, int i, const Shape &shape,
                std::vector<bool> &isBound) {
  std::span<const int64_t> known = call.outputDims(i);
  bool fits = static_cast<size_t>(shape.rank()) == known.size();
  for (int d = 0; d < static_cast<int>(known.size()); ++d) {
    int64_t extent = known[static_cast<size_t>(d)];
    auto place = static_cast<size_t>(-1 - extent);
    if (extent >= 0 || (place < isBound.size() && isBound[place]))
      continue;
    isBound.resize(std::max(isBound.size(), place + 1));
    isBound[place] = true;
    call.bind(static_cast<int>(place), fits ? shape.dim(d) : 0);
  }
}

Status giveStrings(const KernelCall &call, StringHandle *handles,
                   const Tensor &tensor) {
  RunStrings *strings = call.context().strings;
  if (!strings)
    return internalError("expected a run that makes strings");
  for (const String &text : tensor.data<String>()) {
    KILN_ASSIGN_OR_RETURN(*handles++, strings->make(text.view()));
  }
  return okStatus();
}

/// numbers: the library's number, then the dtypes of inputs and outputs, which
/// the code knows by their sizes alone; negative of an output that nobody
/// reads.
Status compute(const KernelCall &call) {
  auto dtypeAt = [&](int i) {
    return static_cast<DType>(std::abs(call.number(1 + i)));
  };
  auto isRead = [&](int i) {
    return call.number(1 + call.numInputs() + i) > 0;
  };
  std::vector<Tensor> inputs;
  for (int i = 0; i < call.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(inputs.emplace_back(), copyOf(call, i, dtypeAt(i)));
  }
  std::vector<DType> expected;
  for (int i = 0; i < call.numOutputs(); ++i)
    expected.push_back(dtypeAt(call.numInputs() + i));
  KILN_ASSIGN_OR_RETURN(
      std::vector<Tensor> outputs,
      callLibrary(call.number(0), std::move(inputs), expected));
  std::vector<bool> isBound, isFound;
  for (int i = 0; i < call.numOutputs(); ++i) {
    std::span<const int64_t> dims = call.outputDims(i);
    isFound.push_back(std::any_of(dims.begin(), dims.end(),
                                  [](int64_t dim) { return dim < 0; }));
    if (isRead(i))
      KILN_RETURN_IF_ERROR(
          bindShape(call, i, outputs[static_cast<size_t>(i)].shape(), isBound));
  }
  for (int i = 0; i < call.numOutputs(); ++i)
    if (!isRead(i))
      bindUnread(call, i, outputs[static_cast<size_t>(i)].shape(), isBound);
  for (int i = 0; i < call.numOutputs(); ++i) {
    const Tensor &output = outputs[static_cast<size_t>(i)];
    void *data = isFound[static_cast<size_t>(i)] ? call.allocate(i)
                                                 : call.output<void>(i);
    if (output.numElements() == 0 || !isRead(i))
      continue;
    if (!data)
      return okStatus(); // the error is recorded
    if (output.dtype() == DType::String)
      KILN_RETURN_IF_ERROR(
          giveStrings(call, static_cast<StringHandle *>(data), output));
    else
      std::memcpy(data, output.rawData(), output.byteSize());
  }
  return okStatus();
}

int32_t runForeign(const KilnKernelCall *call) noexcept {
  CallerLocks callers(call->state);
  Status status = compute(KernelCall(call));
  if (!status.ok())
    recordError(call->state, call->node, std::move(status));
  return mustStop(call->state);
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
  // Kiln itself looks at nothing of theirs.
  uint32_t flags = movesElements;
  if (op.isStateful)
    flags |= stateful | acts;
  if (op.callsBack)
    flags |= callsBack;
  OpRecord record{.name = op.name,
                  .inputs = op.inputs,
                  .outputs = op.outputs,
                  .attrs = op.attrs,
                  .doc = "Computed by another library.",
                  .infer = inferForeign,
                  .flags = flags};
  auto def = parseOpRecord(record, "Foreign");
  if (!def.ok())
    return invalidArgumentError(std::string(def.status().message()));
  KILN_RETURN_IF_ERROR(checkArgs(*def, def->inputs));
  KILN_RETURN_IF_ERROR(checkArgs(*def, def->outputs));
  if (lookupOp(op.name))
    return alreadyExistsError(strCat("op ", op.name, " exists"));
  def->kernel = op.isStateful ? foreignEffectKernel : foreignKernel;
  KILN_RETURN_IF_ERROR(HostKernels::process().add(
      op.name, {bindForeignCall, HostEffect::Waits}));
  return addUserOp(*std::move(def));
}

} // namespace kiln
