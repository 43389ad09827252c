// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that a run finds out: what gives symbols their values in the middle of a run, and what checks them there.

#ifndef KILN_DIALECT_SHAPES
#define KILN_DIALECT_SHAPES

include "dialect/Base.td"

def Kiln_SymbolResource : Resource<"::kiln::ir::SymbolResource">;
defvar Kiln_SymbolEffects = MemoryEffects<[MemRead<Kiln_SymbolResource>, MemWrite<Kiln_SymbolResource>]>;

// The numbers are those of SymbolDef::Kind and Guard::Kind (lib/Shape/SymbolTable.h).
def Kiln_DefineKind : I32EnumAttr<"DefineKind", "how a size follows from others", [
    I32EnumAttrCase<"add", 1>, I32EnumAttrCase<"sub", 2>, I32EnumAttrCase<"mul", 3>,
    I32EnumAttrCase<"floor_div", 4>, I32EnumAttrCase<"mod", 5>, I32EnumAttrCase<"max", 6>,
    I32EnumAttrCase<"min", 7>, I32EnumAttrCase<"broadcast", 8>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_DefineOp : Kiln_Op<"define", [Kiln_SymbolEffects]> {
  let summary = "Gives a symbol the value that follows from others, which have theirs.";
  let description = [{
    The operands are two numbers or symbols, as in kiln.dims. floor_div rounds
    down and is 0 for a divisor of 0, mod has the divisor's sign, broadcast is
    the second operand where the first is 1. A value that 64 bits do not hold
    is the run's error.
    Constraints: define_c1: two operands; define_c2: an id.
    Example: `kiln.define 8 mul [s7, 4]`.
  }];
  let arguments = (ins I64Attr:$id, Kiln_DefineKind:$kind, DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let assemblyFormat = "$id $kind custom<DimList>($symbols, $values) attr-dict";
  let hasVerifier = 1;
}

def Kiln_GuardKind : I32EnumAttr<"GuardKind", "what two sizes must be to one another", [
    I32EnumAttrCase<"equal", 0>, I32EnumAttrCase<"broadcast_compatible", 1>, I32EnumAttrCase<"non_negative", 2>,
    I32EnumAttrCase<"non_zero", 3>, I32EnumAttrCase<"less_equal", 4>, I32EnumAttrCase<"divides", 5>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_GuardOp : Kiln_Op<"guard", [Kiln_SymbolEffects]> {
  let summary = "Fails the run unless two sizes fit; `number` is the guard's in the symbol table, which has the message.";
  let description = [{
    The operands are two numbers or symbols, as in kiln.dims; non_negative and
    non_zero ask for the first alone. divides: the second is not 0 and divides
    the first.
    Constraints: guard_c1: two operands.
    Example: `kiln.guard 0 equal [s7, s2]`.
  }];
  let arguments = (ins I64Attr:$number, Kiln_GuardKind:$kind, DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let assemblyFormat = "$number $kind custom<DimList>($symbols, $values) attr-dict";
  let hasVerifier = 1;
}

def Kiln_BindOp : Kiln_Op<"bind", [Kiln_SymbolEffects]> {
  let summary = "Tensors under other symbols, which thereby get their values.";
  let description = [{
    Result i is operand i, unchanged. Each symbol of `binds` gets the extent that
    the operand has where the result's type names it, all at once: an operand's
    type may name one of them with the value it had before. What several paths
    bind, the branches of an `if` or the iterations of a loop, has one symbol so.
    Stands at the end of its block or just before the loop that it is for.
    Constraints: bind_c1: a result an operand, of its element type and rank;
    bind_c2: each bound symbol is one of a result.
    Example: `%y = kiln.bind [7] (%x : tensor<3xf32>) -> tensor<?xf32, #kiln.sym<7>>`.
  }];
  let arguments = (ins DenseI64ArrayAttr:$binds, Variadic<Kiln_AnyTensor>:$ins);
  let results = (outs Variadic<Kiln_AnyTensor>:$results);
  let assemblyFormat = "$binds `(` $ins `:` type($ins) `)` `->` type($results) attr-dict";
  let hasVerifier = 1;
}

def Kiln_SetSymbolOp : Kiln_Op<"set_symbol", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Gives a symbol its value: what kiln.define becomes on buffers.";
  let description = [{ Example: `kiln.set_symbol 8, %n`. }];
  let arguments = (ins I64Attr:$id, I64:$value);
  let assemblyFormat = "$id `,` $value attr-dict";
}

def Kiln_AllocateOp : Kiln_Op<"allocate", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Puts a buffer for a tensor of the type, of the arena's tail, into a place of the buffer table.";
  let description = [{
    What lies there before is forgotten. A `kept` place has its memory to the
    end of the run, whatever is released: it is taken again where it is large
    enough, and otherwise grows by at least half. A place of a variable gets
    that variable's own memory, which takes the shape. An `optional` place may
    have memory from the beginning of the run, and then nothing is done; else it
    takes some once and keeps it. Ends the run where there is no memory.
    Example: `kiln.allocate temporary 3 : tensor<?x4xf32, #kiln.sym<7>>`.
  }];
  let arguments = (ins Kiln_BufferKind:$kind, I64Attr:$index, TypeAttrOf<Kiln_AnyTensor>:$type, UnitAttr:$kept, UnitAttr:$optional);
  let assemblyFormat = "$kind $index (`kept` $kept^)? (`optional` $optional^)? `:` $type attr-dict";
}

def Kiln_MarkTailOp : Kiln_Op<"mark_tail", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "How much of the arena's tail is taken: the beginning of an iteration.";
  let description = [{ Example: `%m = kiln.mark_tail`. }];
  let results = (outs I64:$mark);
  let assemblyFormat = "attr-dict";
}

def Kiln_ReleaseTailOp : Kiln_Op<"release_tail", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Gives back what was taken of the arena's tail since a mark, kept places apart.";
  let description = [{ Example: `kiln.release_tail %m`. }];
  let arguments = (ins I64:$mark);
  let assemblyFormat = "$mark attr-dict";
}

#endif // KILN_DIALECT_SHAPES
