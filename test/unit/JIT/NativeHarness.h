// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kiln functions natively and by the evaluator, and compares everything
// that either leaves behind.
#ifndef KILN_TEST_UNIT_JIT_NATIVEHARNESS_H
#define KILN_TEST_UNIT_JIT_NATIVEHARNESS_H

#include "kiln/Tensor.h"
#include "lib/JIT/Compiler.h"

#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// A dimension of a test's types: a number, or a symbol whose value stands in
/// NativeInputs::symbols.
struct Side {
  int64_t extent;
  int symbol = -1;
  bool operator==(const Side &) const = default;
};

/// tensor<?x9xf32, #kiln.sym<0>>
std::string typeOf(const std::vector<Side> &sides, const std::string &element);

DType dtypeNamed(const std::string &element);
bool isInteger(const std::string &element);
/// f16 and bf16, which no op computes with.
bool isNarrowFloat(const std::string &element);

/// Numbers of both signs; integers of all sizes, so that products wrap.
Tensor randomTensor(const std::string &element, const std::vector<Side> &sides,
                    unsigned seed);

/// Every kind of edge in turn (NaN, infinities, zeros of both signs, denormals,
/// smallest and largest integers), in an order that \p seed gives; any bits for
/// floats of 16 bits.
Tensor edgeTensor(const std::string &element, const std::vector<Side> &sides,
                  unsigned seed);

/// func @run(%x0, %x1 ...) -> results { body return }; \p module stands before
/// it: declarations of variables.
std::string function(const std::vector<std::string> &inputs,
                     const std::string &body, const std::string &returned,
                     const std::string &types, const std::string &module = "");

/// What a program runs on. A variable without a value is given by
/// `variables[i]` as a tensor of its shape and `initialized[i]` false; all are
/// initialized where that list is empty.
struct NativeInputs {
  std::vector<Tensor> feeds = {};
  std::vector<int64_t> symbols = {};
  std::vector<Tensor> constants = {};
  std::vector<Tensor> variables = {};
  std::vector<bool> initialized = {};
  int64_t numStreams = 0;
};

/// What a native run left behind, as one number, and how threads shared it.
struct Fingerprint {
  /// A hash of results, variables, flags, streams and the error; every NaN
  /// counts as the same one.
  uint64_t hash = 0;
  int64_t sharedLoops = 0; ///< loops that parallelFor was called for
  int64_t chunks = 0;      ///< parts of them
};

/// A compiled function beside its source, which the evaluator runs as it
/// stands; from Stage::Simplify on the evaluator runs the decomposed form, and
/// the source beside its simplified form, which must have the same bits too.
///
/// The bits are the same, of all NaN as one. Only what kiln-simplify drops may
/// have flushed a denormal (mul(x, 1) -> x, as in TensorFlow's own optimizer):
/// source and simplified form are compared with denormals as zeros.
class NativeProgram {
public:
  explicit NativeProgram(std::string source,
                         passes::Stage startAt = passes::Stage::Fuse,
                         const CompileOptions &compileOptions = {});

  /// Runs both and compares results, variables, their flags, and the error with
  /// its kind, values and node. False with a failure reported.
  bool agrees(const NativeInputs &inputs);
  bool agrees(const std::vector<Tensor> &feeds,
              const std::vector<int64_t> &symbols) {
    return agrees(NativeInputs{.feeds = feeds, .symbols = symbols});
  }
  /// Runs the native code alone, at most so many threads to a loop.
  Fingerprint fingerprint(const NativeInputs &inputs, int threads);
  bool isCompiled() const { return executable != nullptr; }
  /// Whether the last agrees() ended with an error of the run.
  bool hasFailed() const { return failed; }

private:
  std::string describe(const NativeInputs &inputs) const;

  std::string source;
  std::optional<ContextLease> context;
  mlir::OwningOpRef<mlir::ModuleOp>
      module; ///< what the evaluator is the oracle for
  mlir::OwningOpRef<mlir::ModuleOp> original,
      simplified; ///< null from Stage::Fuse on
  std::unique_ptr<Executable> executable;
  bool failed = false;
};

} // namespace kiln

#endif // KILN_TEST_UNIT_JIT_NATIVEHARNESS_H
