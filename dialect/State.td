// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables: symbols of the module, read and written with real memory effects.

#ifndef KILN_DIALECT_STATE
#define KILN_DIALECT_STATE

include "dialect/Base.td"
include "mlir/IR/SymbolInterfaces.td"

def Kiln_VariableResource : Resource<"::kiln::ir::VariableResource">;

def Kiln_VariableOp : Kiln_Op<"variable", [Symbol]> {
  let summary = "Declares a variable that the function uses; `index` is its place in the executable's variable list.";
  let description = [{
    One that is `resized` gets other shapes in the function: its reads and
    writes have types of their own, of the same elements, and a read has the
    type of the last write before it, or that of the declaration.
    Example: `kiln.variable @w index 0 : tensor<9x1xf32>`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ConfinedAttr<I64Attr, [IntNonNegative]>:$index, TypeAttrOf<Kiln_AnyTensor>:$type, UnitAttr:$resized);
  let assemblyFormat = "$sym_name `index` $index (`resized` $resized^)? `:` $type attr-dict";
}

def Kiln_VarReadOp : Kiln_TensorOp<"var_read", [MemoryEffects<[MemRead<Kiln_VariableResource>]>,
                                         DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The variable's value at this point of the function.";
  let description = [{
    Later writes do not change it. Reads of one variable without a write between
    them are merged.
    Constraints: variable_c1: the symbol names a kiln.variable; variable_c2: of
    this type, or of these elements where it is `resized`.
    Example: `%w = kiln.var_read @w : tensor<9x1xf32>`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Kiln_VarWriteOp : Kiln_TensorOp<"var_write", [MemoryEffects<[MemWrite<Kiln_VariableResource>]>,
                                           DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Sets the variable and marks it as initialized.";
  let description = [{
    Constraints: variable_c1, variable_c2.
    Example: `kiln.var_write @w, %x : tensor<9x1xf32>`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Kiln_AnyTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Kiln_VarIsInitializedOp : Kiln_TensorOp<"var_is_initialized", [MemoryEffects<[MemRead<Kiln_VariableResource>]>,
                                                            DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Whether the variable has a value at this point of the function.";
  let description = [{
    Constraints: variable_c1.
    Example: `%i = kiln.var_is_initialized @w : tensor<i1>`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Kiln_BoolTensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

#endif // KILN_DIALECT_STATE
