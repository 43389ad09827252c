// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the TensorFlow of this process the schemas of Horovod's ops, so that
// Horovod's Python can build graphs of them. It is done through TensorFlow's
// functions in C, which are looked up when the library is loaded: nothing of
// TensorFlow is needed to compile it, and without one in the process it does
// nothing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

// TensorFlow's types are opaque.
struct Builder;
struct Shape;
struct Inference;
struct Status;
using InferFn = void (*)(Inference *, Status *);

/// The functions, under their names without the prefix.
struct TensorFlow {
#define KILN_TENSORFLOW(X)                                                     \
  X(Status *, NewStatus, ())                                                   \
  X(void, DeleteStatus, (Status *))                                            \
  X(int, GetCode, (const Status *))                                            \
  X(const char *, Message, (const Status *))                                   \
  X(void, SetStatus, (Status *, int, const char *))                            \
  X(Builder *, NewOpDefinitionBuilder, (const char *))                         \
  X(void, OpDefinitionBuilderAddAttr, (Builder *, const char *))               \
  X(void, OpDefinitionBuilderAddInput, (Builder *, const char *))              \
  X(void, OpDefinitionBuilderAddOutput, (Builder *, const char *))             \
  X(void, OpDefinitionBuilderSetIsStateful, (Builder *, bool))                 \
  X(void, OpDefinitionBuilderSetShapeInferenceFunction, (Builder *, InferFn))  \
  X(void, RegisterOpDefinition, (Builder *, Status *))                         \
  X(Shape *, NewShapeHandle, ())                                               \
  X(void, DeleteShapeHandle, (Shape *))                                        \
  X(int64_t, ShapeInferenceContextNumInputs, (Inference *))                    \
  X(void, ShapeInferenceContextGetInput,                                       \
    (Inference *, int, Shape *, Status *))                                     \
  X(void, ShapeInferenceContextSetOutput,                                      \
    (Inference *, int, Shape *, Status *))                                     \
  X(int, ShapeInferenceContextRankKnown, (Inference *, Shape *))               \
  X(int64_t, ShapeInferenceContextRank, (Inference *, Shape *))                \
  X(Shape *, ShapeInferenceContextScalar, (Inference *))                       \
  X(Shape *, ShapeInferenceContextVectorFromSize, (Inference *, size_t))       \
  X(void, ShapeInferenceContextSubshape,                                       \
    (Inference *, Shape *, int64_t, int64_t, Shape *, Status *))               \
  X(void, ShapeInferenceContextConcatenateShapes,                              \
    (Inference *, Shape *, Shape *, Shape *, Status *))
#define KILN_DECLARE(result, name, parameters) result(*name) parameters;
  KILN_TENSORFLOW(KILN_DECLARE)

  /// False where this process has no TensorFlow, or one without them.
  bool find() {
    void *library =
        dlopen("libtensorflow_framework.so.2", RTLD_LAZY | RTLD_NOLOAD);
    library = library ? library : RTLD_DEFAULT;
#define KILN_FIND(result, name, parameters)                                    \
  name = reinterpret_cast<decltype(name)>(dlsym(library, "TF_" #name));        \
  if (!name)                                                                   \
    return false;
    KILN_TENSORFLOW(KILN_FIND)
    return true;
  }
};
TensorFlow tf;

class ShapeHolder {
public:
  ShapeHolder() : shape(tf.NewShapeHandle()) {}
  explicit ShapeHolder(Shape *made) : shape(made) {}
  ~ShapeHolder() { tf.DeleteShapeHandle(shape); }
  ShapeHolder(const ShapeHolder &) = delete;
  ShapeHolder &operator=(const ShapeHolder &) = delete;
  operator Shape *() const { return shape; }

private:
  Shape *shape;
};

bool isOk(Status *status) { return tf.GetCode(status) == 0; }

void inferReduced(Inference *inference, Status *status) {
  const auto count = tf.ShapeInferenceContextNumInputs(inference);
  for (int i = 0; i < count && isOk(status); ++i) {
    ShapeHolder shape;
    tf.ShapeInferenceContextGetInput(inference, i, shape, status);
    if (isOk(status))
      tf.ShapeInferenceContextSetOutput(inference, i, shape, status);
  }
}

/// Output i has the shape of input i with an unknown first extent.
void inferRows(Inference *inference, int i, Status *status) {
  ShapeHolder shape, rest, all;
  tf.ShapeInferenceContextGetInput(inference, i, shape, status);
  if (!isOk(status))
    return;
  if (!tf.ShapeInferenceContextRankKnown(inference, shape) ||
      tf.ShapeInferenceContextRank(inference, shape) == 0) {
    // Of a scalar the run says more.
    tf.ShapeInferenceContextSetOutput(inference, i, shape, status);
    return;
  }
  ShapeHolder rows(tf.ShapeInferenceContextVectorFromSize(
      inference, static_cast<size_t>(-1)));
  tf.ShapeInferenceContextSubshape(inference, shape, 1, INT64_MAX, rest,
                                   status);
  if (isOk(status))
    tf.ShapeInferenceContextConcatenateShapes(inference, rows, rest, all,
                                              status);
  if (isOk(status))
    tf.ShapeInferenceContextSetOutput(inference, i, all, status);
}

void inferGathered(Inference *inference, Status *status) {
  const auto count = tf.ShapeInferenceContextNumInputs(inference);
  for (int i = 0; i < count && isOk(status); ++i)
    inferRows(inference, i, status);
}

void inferScattered(Inference *inference, Status *status) {
  constexpr int invalidArgument = 3;
  inferGathered(inference, status);
  const auto count = tf.ShapeInferenceContextNumInputs(inference);
  for (int i = 0; i < count && isOk(status); ++i) {
    ShapeHolder shape;
    tf.ShapeInferenceContextGetInput(inference, i, shape, status);
    if (isOk(status) && tf.ShapeInferenceContextRankKnown(inference, shape) &&
        tf.ShapeInferenceContextRank(inference, shape) == 0)
      tf.SetStatus(status, invalidArgument,
                   "Reducescatter does not support scalar inputs.");
  }
}

void inferExchanged(Inference *inference, Status *status) {
  inferRows(inference, 0, status);
  ShapeHolder splits;
  if (isOk(status))
    tf.ShapeInferenceContextGetInput(inference, 1, splits, status);
  if (isOk(status))
    tf.ShapeInferenceContextSetOutput(inference, 1, splits, status);
}

void inferRankNumber(Inference *inference, Status *status) {
  ShapeHolder scalar(tf.ShapeInferenceContextScalar(inference));
  tf.ShapeInferenceContextSetOutput(inference, 0, scalar, status);
}

/// Calls add(builder, part) for each part of a list.
void addParts(Builder *builder, const char *list, char separator,
              void (*add)(Builder *, const char *)) {
  for (const char *begin = list; *begin;) {
    const char *end = begin;
    // A list of types has commas of its own, which none of the arguments has.
    while (*end && *end != separator)
      ++end;
    add(builder, std::string(begin, end).c_str());
    begin = *end ? end + 1 + std::strspn(end + 1, " ") : end;
  }
}

void add(const char *name, const char *inputs, const char *outputs,
         const char *attrs, InferFn infer, bool isStateful) {
  Builder *builder = tf.NewOpDefinitionBuilder(name);
  addParts(builder, attrs, ';', tf.OpDefinitionBuilderAddAttr);
  addParts(builder, inputs, ',', tf.OpDefinitionBuilderAddInput);
  addParts(builder, outputs, ',', tf.OpDefinitionBuilderAddOutput);
  tf.OpDefinitionBuilderSetShapeInferenceFunction(builder, infer);
  tf.OpDefinitionBuilderSetIsStateful(builder, isStateful);
  Status *status = tf.NewStatus();
  tf.RegisterOpDefinition(builder, status);
  if (!isOk(status))
    std::fprintf(stderr, "kiln.horovod: %s: %s\n", name, tf.Message(status));
  tf.DeleteStatus(status);
}

constexpr bool Exchange = false, Fact = true;

/// TensorFlow takes ops that a library registers while it is loaded for the
/// library's own.
[[gnu::constructor]] void addOps() {
  if (!tf.find())
    return;
#define KILN_COLLECTIVE(name, inputs, outputs, attrs, shape, kind, doc)        \
  add(#name, inputs, outputs, attrs, infer##shape, kind);
#include "lib/Ops/Collective/Collectives.def"
}

} // namespace
