// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fused function is made of: fusions, runtime calls and, after bufferization, buffers.

#ifndef KILN_DIALECT_FUSION
#define KILN_DIALECT_FUSION

include "dialect/Base.td"

def Kiln_TensorOrBuffer : AnyTypeOf<[Kiln_FusedTensor, Kiln_Buffer]>;

def Kiln_FusionOp : Kiln_TensorOp<"fusion", [IsolatedFromAbove, AttrSizedOperandSegments,
                                      RecursiveMemoryEffects,
                                      SingleBlockImplicitTerminator<"YieldOp">], ["mayFail"]> {
  let mayFail = "";
  let summary = "Ops that become one kernel: a loop nest or a contraction.";
  let description = [{
    The body works on tensors. Before bufferization `ins` are tensors and the
    yielded values are the results; after it `ins` and `outs` are flat buffers
    (the block arguments keep their tensor types, which give the shapes), there
    are no results, and yielded value i is written to `outs[i]`.
    Constraints: fusion_c1: a block argument for each input, of its type or, for a
    buffer, of a tensor type that it stores; fusion_c2: results or output buffers,
    not both; fusion_c3: a yielded value for each of them, of its type;
    fusion_c4: the body holds kiln ops that give one tensor each; fusion_c5: all
    buffers lie in one memory.
    Example: `%r = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> { %n = kiln.neg %a : tensor<4xf32> kiln.yield %n : tensor<4xf32> }`.
  }];
  let arguments = (ins Variadic<Kiln_TensorOrBuffer>:$ins, Variadic<Kiln_Buffer>:$outs);
  let results = (outs Variadic<Kiln_FusedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Kiln_AnyTensorOrBuffer : AnyTypeOf<[Kiln_AnyTensor, Kiln_Buffer]>;

def Kiln_RuntimeCallOp : Kiln_TensorOp<"runtime_call", [AttrSizedOperandSegments,
                                                       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cost = "Call";
  let mayFail = "!getPure()";
  let summary = "Calls a kernel of runtime/kernels/KernelRegistry.h on whole tensors.";
  let description = [{
    As `kiln.fusion`: tensors and results before bufferization, buffers after
    it. `types` keeps the tensor types of operands and results, in this order;
    `strings` has the places in it of those that are strings, once
    `kiln-lower-strings` has made handles of them. `numbers` are what the kernel
    is told besides. `binds` are the symbols whose values the kernel finds out;
    what is given of a shape with such a one it allocates. A `pure` call depends
    on its operands alone, does nothing else and cannot fail.
    Constraints: runtime_call_c1: a tensor type for each operand and result;
    runtime_call_c2: results or output buffers, not both; runtime_call_c3: each
    value has that type or is a buffer of its elements; runtime_call_c4: strings
    are places of 64-bit integers; runtime_call_c5: no symbol of
    the operands' shapes is bound.
    Example: `%r = kiln.runtime_call "MatrixInverse" ins(%x : tensor<3x3xf32>) types [tensor<3x3xf32>, tensor<3x3xf32>] {numbers = array<i64: 0>} -> tensor<3x3xf32>`.
  }];
  let arguments = (ins StrAttr:$callee, Variadic<Kiln_AnyTensorOrBuffer>:$ins, Variadic<Kiln_Buffer>:$outs, TypeArrayAttr:$types,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$numbers, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strings,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$binds, UnitAttr:$pure);
  let results = (outs Variadic<Kiln_AnyTensor>:$results);
  let assemblyFormat = [{
    $callee `ins` `(` ($ins^ `:` type($ins))? `)` (`outs` `(` $outs^ `:` type($outs) `)`)?
    `types` $types attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let helpers = [{
    /// The tensor type of value `place`, operands first.
    ::mlir::RankedTensorType getTensorType(size_t place);
    /// The place in `binds` of a dimension's symbol, or -1.
    int64_t boundPlace(const ::kiln::ir::Extent &extent);
    /// Whether the shape of value `place` has a symbol that the call binds.
    bool isFoundOut(size_t place);
  }];
}

def Kiln_SlotAccess : I32EnumAttr<"SlotAccess", "what is done with an element of a slot", [
    I32EnumAttrCase<"read", 0>, I32EnumAttrCase<"write", 1>, I32EnumAttrCase<"set", 2>,
    I32EnumAttrCase<"push", 3>, I32EnumAttrCase<"pop", 4>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_TrySlotOp : Kiln_Op<"try_slot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Does an access of a TensorArray, stack or list where loads and stores are all of it, and says whether it did.";
  let description = [{
    What KilnSlot (runtime/abi/Abi.h) does not show to be possible is not done: what
    fails, grows the slot or meets another shape is left to a kernel. `type` is
    that of an element, of `string` handles or numbers; `read` and `pop` write
    `element`, `write` (to an element without a value), `set` and `push` read it.
    Constraints: try_slot_c1: an index for read, write and set alone, of 32 bits;
    try_slot_c2: the element is a buffer of that type.
    Example: `%done = kiln.try_slot read 3 [%i : memref<?xi32>] %x : memref<?xf32> as tensor<4xf32>`.
  }];
  let arguments = (ins Kiln_SlotAccess:$access, ConfinedAttr<I64Attr, [IntNonNegative]>:$slot,
                       Optional<Kiln_Buffer>:$index, Kiln_Buffer:$element, TypeAttrOf<Kiln_FusedTensor>:$type,
                       UnitAttr:$string);
  let results = (outs I1:$done);
  let assemblyFormat = [{
    $access $slot (`[` $index^ `:` type($index) `]`)? $element `:` type($element) `as` $type
    (`string` $string^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Kiln_MarkRegionOp : Kiln_Op<"mark_region", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Notes the time, in code that was compiled to be inspected: region `mark` / 2 begins (even) or ends (odd).";
  let description = [{
    Leaves the function when the run has failed or is cancelled.
    Example: `kiln.mark_region 0`.
  }];
  let arguments = (ins I64Attr:$mark);
  let assemblyFormat = "$mark attr-dict";
}

def Kiln_BufferKind : I32EnumAttr<"BufferKind", "which part of the buffer table", [
    I32EnumAttrCase<"feed", 0>, I32EnumAttrCase<"constant", 1>, I32EnumAttrCase<"variable", 2>,
    I32EnumAttrCase<"initialized", 3>, I32EnumAttrCase<"result", 4>, I32EnumAttrCase<"temporary", 5>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_BufferOp : Kiln_Op<"buffer", [AlwaysSpeculatable, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A buffer of the run's buffer table.";
  let description = [{
    `index` counts within the kind. A `late` one is put into the table in the
    run, by kiln.allocate or a kernel, so that the op has its place after that.
    Its type names the memory that it lies in, where that is not the host's.
    Example: `%b = kiln.buffer feed 0 : memref<?xf32>`.
  }];
  let arguments = (ins Kiln_BufferKind:$kind, I64Attr:$index, UnitAttr:$late);
  let results = (outs Kiln_Buffer:$result);
  let assemblyFormat = "$kind $index (`late` $late^)? attr-dict `:` type($result)";
}

def Kiln_SymbolOp : Kiln_Op<"symbol", [AlwaysSpeculatable, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The value of a symbol in this run.";
  let description = [{
    That of a `late` one is bound in the run, so that the op has its place
    behind that. Example: `%n = kiln.symbol 0`.
  }];
  let arguments = (ins I64Attr:$id, UnitAttr:$late);
  let results = (outs Index:$result);
  let assemblyFormat = "$id (`late` $late^)? attr-dict";
  let builders = [OpBuilder<(ins "uint64_t":$id), [{
    build($_builder, $_state, id, /*late=*/false);
  }]>];
}

def Kiln_BeginWritesOp : Kiln_Op<"begin_writes", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "From here on the run writes variables: their locks become exclusive.";
  let assemblyFormat = "attr-dict";
}

def Kiln_ReportErrorOp : Kiln_Op<"report_error", [MemoryEffects<[MemWrite]>]> {
  let summary = "Puts a failure of the op's node into the run's error slot, unless one stands there already.";
  let description = [{ `kind` is a KilnErrorKind of runtime/abi/Abi.h, `values` the numbers of its message. }];
  let arguments = (ins I32Attr:$kind, Variadic<I64>:$values);
  let assemblyFormat = "$kind (`(` $values^ `)`)? attr-dict";
}

def Kiln_PollOp : Kiln_Op<"poll", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Leaves the function when the run has failed or is cancelled.";
  let description = [{
    Stands in loops that may take long, never in one that writes a variable:
    what is begun of a variable is written to its end. The effects keep it in
    its place.
  }];
  let assemblyFormat = "attr-dict";
}

def Kiln_ParallelForOp : Kiln_Op<"parallel_for", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Calls a task function on chunks of [0, count) of at least `grain` iterations, on several threads.";
  let description = [{
    The task is a private function `(begin: index, end: index, captures...)`
    without results; it finds buffers and symbols by `kiln.buffer` and
    `kiln.symbol`. Chunks run in any order and at once. A run that fails or is
    cancelled leaves out the chunks not yet begun and stops behind the op;
    `uninterrupted` (the task writes a variable) runs them all.
  }];
  let arguments = (ins FlatSymbolRefAttr:$task, Index:$count, Index:$grain, Variadic<AnyType>:$captures,
                   UnitAttr:$uninterrupted);
  let assemblyFormat = [{
    $task `(` $count `,` $grain `)` (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`uninterrupted` $uninterrupted^)? attr-dict
  }];
}

def Kiln_Register : AnyTypeOf<[AnyFloat, VectorOfAnyRankOf<[AnyFloat]>]>;

def Kiln_FlushOp : Kiln_Op<"flush", [Pure, SameOperandsAndResultType]> {
  let summary = "A float in a register; a denormal as the zero of its sign.";
  let description = [{
    What any arithmetic would do to it in a run. LLVM may leave it out of
    `x * 1`, and may or may not make of a comparison and a selection an
    instruction that does it; this op it keeps.
    Example: `%f = kiln.flush %x : vector<16xf32>`.
  }];
  let arguments = (ins Kiln_Register:$operand);
  let results = (outs Kiln_Register:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Kiln_FenceOp : Kiln_Op<"fence", [Pure, SameOperandsAndResultType]> {
  let summary = "A float in a register, of which LLVM does not know what it is.";
  let description = [{
    Keeps a selection between two floats apart from a comparison of them: as one
    maximum it would flush a denormal.
    Example: `%f = kiln.fence %x : vector<16xf32>`.
  }];
  let arguments = (ins Kiln_Register:$operand);
  let results = (outs Kiln_Register:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

#endif // KILN_DIALECT_FUSION
