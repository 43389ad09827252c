// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes, in pipeline order: each record is the pass's contract.
//
// No pass has statistics: LLVM's release library leaves the counters of code that is built with asserts uninitialized.

#ifndef KILN_PASSES
#define KILN_PASSES

include "mlir/Pass/PassBase.td"

def KilnSimplify : Pass<"kiln-simplify", "mlir::ModuleOp"> {
  let summary = "Folds constants, merges duplicates and does algebra.";
  let description = [{
    In: verified kiln IR. Out: the same values with constants folded (integers
    and shape values here; floats by the evaluator through a callback of the
    pipeline, within a size limit), views of splats gone, transposes inside
    matmuls, duplicates merged, dead ops removed. Known branches are gone, loops
    carry only what changes and is needed, and what does not depend on them and
    cannot fail stands before them. Keeps bits.
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
  let options = [
    Option<"maxFoldedElements", "max-folded-elements", "int64_t", "1000",
           "The largest constant that folding may make">];
}

def KilnFoldScales : Pass<"kiln-fold-scales", "mlir::ModuleOp"> {
  let summary = "Multiplies factors behind a product into its constant weights.";
  let description = [{
    In and out: simplified IR. What a normalization does to the channels of a
    convolution, a depthwise one or a matmul, by constants, is done to the
    weights and to one constant that is added. **Changes bits**;
    `CodeOptions::foldScales` switches it off.

    ```
    %y = kiln.convolve %x, %w ...
    %z = kiln.mul %y, %s        // %s, %b: broadcasts of constants along the channels
    %r = kiln.add %z, %b
    // becomes
    %v = kiln.mul %w, %s
    %y = kiln.convolve %x, %v ...
    %r = kiln.add %y, %b
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
}

def KilnSinkPools : Pass<"kiln-sink-pools", "mlir::ModuleOp"> {
  let summary = "Moves averages of places behind the pointwise convolutions that read them.";
  let description = [{
    In and out: simplified IR. A convolution of constant weights, one element a
    window, that alone reads an average of as many places as the image has,
    reads the image: fewer channels are averaged. **Changes bits**;
    `CodeOptions::foldScales` switches it off.

    ```
    %a = kiln.window %x, %zero starts [0, -1, 0] ...
    %b = kiln.window %x, %zero starts [0, 0, 0] ...
    %s = kiln.add %a, %b
    %p = kiln.div %s, %n        // %n: the same for all channels
    %y = kiln.convolve %p, %w   // of fewer channels than %x
    // becomes
    %v = kiln.convolve %x, %w
    %a = kiln.window %v, %zero starts [0, -1, 0] ...
    %b = kiln.window %v, %zero starts [0, 0, 0] ...
    %s = kiln.add %a, %b
    %y = kiln.div %s, %n
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
}

def KilnDecompose : Pass<"kiln-decompose", "mlir::ModuleOp"> {
  let summary = "Rewrites what is not primitive.";
  let description = [{
    In: simplified IR. Out: only primitive kiln ops and runtime calls: products
    with a vector are `mul` and `reduce`, reductions have their axes at the
    end or in one run, concatenations and pads stand alone. From here on every
    pass keeps the bits of every value.
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
}

def KilnFoldTables : Pass<"kiln-fold-tables", "mlir::ModuleOp"> {
  let summary = "Computes what depends on constants of the table alone, and puts it there.";
  let description = [{
    In and out: decomposed IR. What the function would compute anew in every run
    is computed by the evaluator, op by op, and is a `kiln.constant_ref` to a
    new entry of the table: not contractions, what may fail and does, what is
    larger than the constants that it is made of, and views, which cost nothing.
    Without a `ConstantTable` it does nothing. Keeps bits.

    ```
    %v = kiln.mul %w, %s        // of constants
    // becomes
    %v = kiln.constant_ref 7
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
}

def KilnLowerStrings : Pass<"kiln-lower-strings", "mlir::ModuleOp"> {
  let summary = "Strings become the 64-bit handles that buffers hold.";
  let description = [{
    In: decomposed IR. Out: no `!kiln.string`. Ops on strings move them or call
    the runtime, and a handle is moved like any i64; who owns what a handle
    points to is the runtime's affair (runtime/README.md).

    ```
    %t = kiln.transpose %x permutation [1, 0] : tensor<2x3x!kiln.string> -> tensor<3x2x!kiln.string>
    // becomes
    %t = kiln.transpose %x permutation [1, 0] : tensor<2x3xi64> -> tensor<3x2xi64>
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
}

def KilnFuse : Pass<"kiln-fuse", "mlir::ModuleOp"> {
  let summary = "Groups ops into fusions, each one loop nest or one contraction.";
  let description = [{
    In: decomposed IR. Out: the function holds only fusions, reads and writes of
    variables, runtime calls, reshapes (views) and constants of the table, and
    branches and loops whose blocks hold the same. Each block is grouped on its
    own; what is cheap (splats, broadcasts) sinks into the blocks that use it.
    Elementwise ops, broadcasts and reductions join as long as one loop nest
    (passes/analysis/LoopNest.h) can compute them all without reading an input twice
    from memory: `X^T (X w - y)` is one nest.
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", "2000", "The largest fusion, in ops">];
}

def KilnBufferize : Pass<"kiln-bufferize", "mlir::ModuleOp"> {
  let summary = "Gives every value a place: a feed, variable, result or a stretch of the arena.";
  let description = [{
    In: fused IR. Out: one function without arguments or results; fusions and
    runtime calls read and write `kiln.buffer`s; updates of variables are in
    place where no element is read after it is overwritten; the module
    attribute `kiln.temporaries` lists the arena's tenants with size and
    lifetime. Nothing is allocated while the code runs.
    Branches are scf.if, loops scf.while, both without values: what they carry,
    forward and yield lies in one place as far as its values are not needed at
    once, and is copied where they are. Numbers of loops lie on the stack. A
    poll stands in every iteration.

    ```
    %r = kiln.while (%a: T = %x) -> T { ... kiln.condition %c, %a : T } do (%b: T) { %y = kiln.fusion ... kiln.yield %y : T }
    // becomes
    copy %x to %place
    scf.while { ... scf.condition } do { kiln.poll; kiln.fusion (%b: T = %place) outs(%place) ... scf.yield }
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def KilnPackConstants : Pass<"kiln-pack-constants", "mlir::ModuleOp"> {
  let summary = "Lays constant weights out as contractions read them.";
  let description = [{
    In and out: bufferized fusions. A contraction whose right factor is a
    constant of the table gets, as its last input, a new entry with the factor
    in panels as wide as the contraction's register tile; `kiln.panels` tells
    their columns. Entries that nothing else reads are given up. Without a
    `ConstantTable` it does nothing. Keeps bits.

    ```
    kiln.fusion (%a = %x, %b = %w) outs(%y) { matmul }
    // becomes
    kiln.fusion (%a = %x, %b = %w, %p = %panels) outs(%y) { matmul } {kiln.panels = 64}
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect"];
  let options = [
    Option<"registerBytes", "register-bytes", "int64_t", "64", "Bytes of a vector register">,
    Option<"registers", "registers", "int64_t", "32", "Vector registers">];
}

def KilnMarkRegions : Pass<"kiln-mark-regions", "mlir::ModuleOp"> {
  let summary = "Makes each fusion a function named after its nodes, between two marks for the clock.";
  let description = [{
    Only for inspection. In: bufferized IR. Out: each fusion is in a private
    function of its own, which is not inlined, so that profilers and debuggers
    see it by name; a runtime call `MarkRegion` stands before and behind it,
    and before and behind each runtime call; the module attribute
    `kiln.regions` lists names, nodes, floating-point operations and bytes, as
    sums of products of numbers and symbols.

    ```
    kiln.fusion (%a: tensor<4xf32> = %x : memref<4xf32>) outs(%y : memref<4xf32>) { ... }
    // becomes
    kiln.runtime_call "MarkRegion" ins() types [] {mark = 0 : i64}
    func.call @"kiln:0:mse/sub+mse"() : () -> ()
    kiln.runtime_call "MarkRegion" ins() types [] {mark = 1 : i64}
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect", "::mlir::func::FuncDialect"];
}

def KilnShareKernels : Pass<"kiln-share-kernels", "mlir::ModuleOp"> {
  let summary = "Makes one function of equal fusions.";
  let description = [{
    In: bufferized fusions. Out: fusions that compute the same from buffers of
    the same types, whatever their nodes are called, are one private function
    of these buffers, called in their places, with a poll behind each call: the
    code of 33 equal layers is made once. The buffers of a call are distinct,
    and taken from the table where the call stands. The order in which ops were
    fused makes no difference.
    The function is named by a digest of what it does. So its code serves other
    modules as well: with `contractions` each contraction is a function, however
    often it stands in the module, and one whose code the process has is only
    declared (`KernelLibrary`).
    Left where they are: what may fail, since a failure names its node, what
    writes a variable, what stands in a loop, and small fusions without a
    contraction. Keeps bits.

    ```
    kiln.fusion (...) ins(%x, %u) outs(%y) { matmul }
    kiln.fusion (...) ins(%y, %v) outs(%z) { matmul }
    // becomes
    func.call @kernel$5a2f…(%x, %u, %y)
    kiln.poll
    func.call @kernel$5a2f…(%y, %v, %z)
    kiln.poll
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"minOps", "min-ops", "int64_t", "3", "The smallest fusion without a contraction that is shared where it comes twice or thrice">,
    Option<"contractions", "contractions", "bool", "false", "Whether a contraction that stands alone is a function">];
}

def KilnVectorize : Pass<"kiln-vectorize", "mlir::ModuleOp"> {
  let summary = "Turns bufferized fusions into tiled loops over vectors.";
  let description = [{
    In: bufferized fusions. Out: scf loops, vector and arith ops on flat
    memrefs; main loops unmasked, tails masked; reductions in the order of
    runtime/arithmetic/ReductionOrder.h; integer division and gathers checked. How wide
    steps and tiles are says a schedule (passes/schedule/Schedule.h). Results of
    `min-streamed-bytes` or more that no contraction makes are stored past the
    caches. Where only the run knows their size, small loops are there twice
    if the module says in `kiln.sizes` that a run may have it. Other options
    than those of the target are the code's (kiln/CodeOptions.def).
  }];
  let constructor = "";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"unroll", "unroll", "int64_t", "4", "Vectors of 16 lanes that one step of an elementwise loop takes">,
    Option<"registerBytes", "register-bytes", "int64_t", "64", "Bytes of a vector register">,
    Option<"registers", "registers", "int64_t", "32", "Vector registers">];
}

def KilnParallelize : Pass<"kiln-parallelize", "mlir::ModuleOp"> {
  let summary = "Lets outer loops run on the thread pool where the work is worth it.";
  let description = [{
    In: loops; those that `kiln-vectorize` marked `kiln.parallel` carry an
    estimate of their work. Out: the bodies of those loops are task functions,
    called through the runtime's parallelFor when the estimate passes
    `min-shared-ops`, directly otherwise. The options are the code's
    (kiln/CodeOptions.def).
  }];
  let constructor = "";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def KilnInsertPolls : Pass<"kiln-insert-polls", "mlir::ModuleOp"> {
  let summary = "Makes long loops notice that their run is to end.";
  let description = [{
    In: loops, task functions, and the polls that emitters put where they know
    better. Out: `kiln.poll` in every loop nest that may take long, about one a
    millisecond: in a loop whose iterations are long as it is, otherwise between
    stretches of iterations. Nests of little known work have none, nor have those
    that write a variable; a `kiln.parallel_for` of such a task is
    `uninterrupted`.

    ```
    scf.for %i = %low to %high step %c64 { ... }
    // becomes
    scf.for %from = %low to %high step %stretch {
      kiln.poll
      %to = arith.minsi (%from + %stretch), %high
      scf.for %i = %from to %to step %c64 { ... }
    }
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def KilnTrySlots : Pass<"kiln-try-slots", "mlir::ModuleOp"> {
  let summary = "Makes what loops do with TensorArrays, stacks and lists loads and stores where it can be.";
  let description = [{
    In: calls of kernels. Out: in loops, those that read, write, push or pop one
    element of a known shape only where `kiln.try_slot` could not do it. What is
    a number of the loop goes to the kernel as a copy, so that it stays in a
    register otherwise. Outside of loops a call costs nothing that counts.

    ```
    kiln.runtime_call "SlotRead" ins(%i) outs(%x) ... {numbers = array<i64: 3>}
    // becomes
    %done = kiln.try_slot read 3 [%i] %x as tensor<4xf32>
    scf.if %done { } else { kiln.runtime_call "SlotRead" ... }
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::kiln::ir::KilnDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def KilnLowerToLlvm : Pass<"kiln-lower-to-llvm", "mlir::ModuleOp"> {
  let summary = "Lowers loops and vectors on buffers to the LLVM dialect, behind the entry of runtime/abi/Abi.h.";
  let description = [{
    In: `func.func @run()` on `kiln.buffer`s and `kiln.symbol`s with scf loops,
    vector, memref, arith and math ops, and the private task functions that its
    `kiln.parallel_for` ops name. The module attribute `kiln.buffer_counts`
    gives the feeds, constants, variables and results; the buffer table holds
    them in this order, a flag byte a variable after the variables, and the
    temporaries last. Out: `llvm.func @kiln_entry(!llvm.ptr)` on a KilnRunArgs
    and internal functions, nothing but the LLVM dialect; `kiln.nodes` names
    the nodes that can fail. What has no lowering is a diagnostic.

    ```
    %b = kiln.buffer feed 1 : memref<?xf32>
    // becomes
    %buffers = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %slot = llvm.getelementptr %buffers[1]
    %b = llvm.load %slot invariant : !llvm.ptr -> !llvm.ptr
    ```
  }];
  let constructor = "";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // KILN_PASSES
