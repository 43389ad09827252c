// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kiln dialect itself, its symbolic-shape attribute and what all op families share.

#ifndef KILN_DIALECT_BASE
#define KILN_DIALECT_BASE

include "dialect/Interfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kiln_Dialect : Dialect {
  let name = "kiln";
  let cppNamespace = "::kiln::ir";
  let summary = "TensorFlow graphs between import and loops: a small orthogonal set of ops on ranked tensors.";
  let description = [{
    Value semantics, no implicit broadcasting, variables are symbols with real
    memory effects. Every dynamic dimension of a type names its symbol, so two
    values have the same shape exactly when their types are equal.
    `dialect/README.md` gives the rationale.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

def Kiln_StringType : TypeDef<Kiln_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "A byte string, as an element of a tensor.";
  let description = [{
    Ops that move elements move strings; nothing computes with them but runtime
    calls. `kiln-fuse` takes them for i64, the handle that a buffer holds
    (runtime/README.md). Example: `tensor<3x!kiln.string>`.
  }];
}

def Kiln_SymAttr : AttrDef<Kiln_Dialect, "Sym", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "sym";
  let summary = "Names the symbol of each dynamic dimension of a tensor type.";
  let description = [{
    One id for each `?`, from left to right, into the symbol table of the
    executable. `tensor<?x9xf32, #kiln.sym<0>>` has `s0` rows.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$ids);
  let assemblyFormat = "`<` $ids `>`";
}

// Element types. Signless integers are signed; unsigned ones are ui8 to ui64, so that an op's types alone say what it
// computes. f16 and bf16 are stored, moved, selected and converted, never computed with: import computes an op on them in
// f32 and rounds its results once.
defvar Kiln_Floats = [F32, F64];
defvar Kiln_NarrowFloats = [F16, BF16];
defvar Kiln_Ints = [I8, I16, I32, I64, UI8, UI16, UI32, UI64];
defvar Kiln_Numbers = !listconcat(Kiln_Floats, Kiln_Ints);

// tensor_c1: every dynamic dimension has a symbol, and a static type has no encoding.
// `example` is a type that fits, for the records of the ops.
class Kiln_TensorOf<list<Type> elements, string what, string exampleElement = "f32">
    : Type<And<[RankedTensorOf<elements>.predicate,
                CPred<"::kiln::ir::hasNamedDimensions(::llvm::cast<::mlir::RankedTensorType>($_self))">]>,
           "tensor of " # what # " whose dynamic dimensions are named by #kiln.sym",
           "::mlir::RankedTensorType"> {
  string example = "tensor<?x9x" # exampleElement # ", #kiln.sym<0>>";
}
def Kiln_FloatTensor : Kiln_TensorOf<Kiln_Floats, "f32 or f64">;
def Kiln_IntTensor : Kiln_TensorOf<Kiln_Ints, "integers", "i64">;
def Kiln_NumberTensor : Kiln_TensorOf<Kiln_Numbers, "numbers">;
def Kiln_BoolTensor : Kiln_TensorOf<[I1], "bool", "i1">;
def Kiln_BitsTensor : Kiln_TensorOf<!listconcat([I1], Kiln_Ints), "bool or integers", "i1">;
def Kiln_OrderedTensor : Kiln_TensorOf<!listconcat([I1], Kiln_Numbers), "numbers or bool">;
def Kiln_Tensor : Kiln_TensorOf<!listconcat([I1], Kiln_Numbers, Kiln_NarrowFloats), "numbers or bool">;
// What ops take that only move elements; those of types that are not computed with are integers of their size.
def Kiln_AnyTensor : Kiln_TensorOf<!listconcat([I1], Kiln_Numbers, Kiln_NarrowFloats, [Kiln_StringType, I<128>]), "numbers, bools or strings">;
// What fusions take and give: strings are their handles by then.
def Kiln_FusedTensor : Kiln_TensorOf<!listconcat([I1], Kiln_Numbers, Kiln_NarrowFloats, [I<128>]), "numbers or bool">;
// Complex numbers, as integers of their size: the real part first in memory.
def Kiln_ComplexTensor : Kiln_TensorOf<[I64, I<128>], "complex numbers as i64 or i128", "i64">;
// A Philox state: four counter words, then two key words.
def Kiln_StateTensor : Kiln_TensorOf<[I32], "i32">;
// Where a buffer lies. Types leave out the host's memory, so that there is one type for each kind of buffer.
def Kiln_MemorySpace : I32EnumAttr<"MemorySpace", "a memory that buffers lie in", [
    I32EnumAttrCase<"host", 0>, I32EnumAttrCase<"device", 1>]> {
  let cppNamespace = "::kiln::ir";
  let genSpecializedAttr = 0;
}
def Kiln_MemoryAttr : EnumAttr<Kiln_Dialect, Kiln_MemorySpace, "memory"> {
  let summary = "The memory that a buffer lies in, where it is not the host's.";
  let description = [{
    Example: `memref<?xf32, #kiln.memory<device>>`. `memref<?xf32>` lies in the
    host's, where alone runtime calls and code of the host's processor read and
    write.
  }];
  let assemblyFormat = "`<` $value `>`";
}

// A flat, contiguous, row-major buffer of storage types (dialect/Types.h): bool is one byte, f16 and bf16 are their bits.
def Kiln_Buffer : Type<And<[MemRefRankOf<[F32, F64, I8, I16, I32, I64, I<128>], [1]>.predicate,
                            CPred<"::kiln::ir::memoryOf(::llvm::cast<::mlir::MemRefType>($_self)).has_value()">]>,
                       "1D memref of numbers, in the host's memory or in one that #kiln.memory names",
                       "::mlir::MemRefType">;

// shape_c1: all operands and results have one shape, dimension by dimension, symbols included. Upstream's
// SameOperandsAndResultShape takes a dynamic dimension for equal to any other.
def Kiln_SameShape : NativeOpTrait<"SameShape"> {
  let cppNamespace = "::kiln::ir";
}

class Kiln_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kiln_Dialect, mnemonic, traits>;

// An op on tensors. What is always so it says in a word; where a word is empty, Kiln_TensorOpInterface's method is
// among `methods`, those that the op has in C++.
class Kiln_TensorOp<string mnemonic, list<Trait> traits = [], list<string> methods = []>
    : Kiln_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<Kiln_TensorOpInterface, methods>], traits)> {
  string placement = "Outside"; // of ::kiln::ir::Placement
  string reuse = "Stored";      // of ::kiln::ir::Reuse
  string cost = "Move";         // a row of Cost.def
  string mayFail = "false";     // an expression
  string helpers = "";          // other members
  let extraClassDeclaration =
      !if(!empty(placement), "", "::kiln::ir::Placement getPlacement() { return ::kiln::ir::Placement::" # placement # "; }\n")
      # !if(!empty(reuse), "", "::kiln::ir::Reuse getReuse() { return ::kiln::ir::Reuse::" # reuse # "; }\n")
      # !if(!empty(mayFail), "", "bool mayFail() { return " # mayFail # "; }\n")
      # "::kiln::ir::CostKind getCostKind() { return ::kiln::ir::CostKind::" # cost # "; }\n"
      # helpers;
}

#endif // KILN_DIALECT_BASE
