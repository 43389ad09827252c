// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that decide whether and how often other ops run.

#ifndef KILN_DIALECT_REGIONS
#define KILN_DIALECT_REGIONS

include "dialect/Base.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

// What a branch or a loop is decided by.
def Kiln_ScalarBool : Type<
    CPred<"$_self == ::mlir::RankedTensorType::get({}, ::mlir::IntegerType::get($_self.getContext(), 1))">,
    "tensor<i1>", "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI1Type())"> {
  string example = "tensor<i1>";
}

def Kiln_IfOp : Kiln_Op<"if", [
    RecursiveMemoryEffects, NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorRegions", "getRegionInvocationBounds"]>]> {
  let summary = "Runs one of two regions, and gives what it yields.";
  let description = [{
    The first region runs where the condition is true, the second where it is
    false. What does not run has no effect, takes no random number and cannot
    fail. Regions use values of outside as they are.
    Constraints: if_c1: each region yields one value a result, of its type.
    Example: `%r = kiln.if %c -> (tensor<4xf32>) { %n = kiln.neg %x : tensor<4xf32> kiln.yield %n : tensor<4xf32> } else { kiln.yield %x : tensor<4xf32> }`.
  }];
  let arguments = (ins Kiln_ScalarBool:$condition);
  let results = (outs Variadic<Kiln_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` `(` type($results)^ `)`)? $thenRegion `else` $elseRegion attr-dict-with-keyword
  }];
  let skipDefaultBuilders = 1;
  // Both regions get an empty block without a terminator.
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$condition)>];
  let extraClassDeclaration = [{
    ::mlir::Block &thenBlock() { return getThenRegion().front(); }
    ::mlir::Block &elseBlock() { return getElseRegion().front(); }
  }];
  let hasVerifier = 1;
}

def Kiln_WhileOp : Kiln_Op<"while", [
    RecursiveMemoryEffects, SingleBlock, DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "Runs a region again and again, as long as another one says so.";
  let description = [{
    Each iteration begins with the first region, on the carried values: the
    operands in the first one, later what the second region has yielded. It ends in
    `kiln.condition`, whose further operands are forwarded: to the second region
    where the condition is true, else they are the results. Types of carried
    values do not change from one iteration to the next. Regions use values of
    outside as they are.
    Constraints: while_c1: the first region has an argument an operand, of its
    type; while_c2: it ends in a `kiln.condition` that forwards one value a
    result, of its type; while_c3: the second region has an argument a result,
    of its type; while_c4: it ends in a `kiln.yield` of one value an operand, of
    its type.
    Example: `%r = kiln.while (%a: tensor<4xf32> = %x) -> (tensor<4xf32>) { %c = kiln.constant dense<false> : tensor<i1> : tensor<i1> kiln.condition %c, %a : tensor<4xf32> } do (%b: tensor<4xf32>) { %n = kiln.neg %b : tensor<4xf32> kiln.yield %n : tensor<4xf32> }`.
  }];
  let arguments = (ins Variadic<Kiln_AnyTensor>:$inits);
  let results = (outs Variadic<Kiln_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$after);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  // Both regions get a block with its arguments, without a terminator.
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inits)>];
  let extraClassDeclaration = [{
    ::mlir::Block &beforeBlock() { return getBefore().front(); }
    ::mlir::Block &afterBlock() { return getAfter().front(); }
    ConditionOp getCondition();
    YieldOp getYield();
  }];
  let hasVerifier = 1;
}

def Kiln_ConditionOp : Kiln_Op<"condition", [
    Pure, Terminator, HasParent<"WhileOp">,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface, ["getSuccessorRegions"]>]> {
  let summary = "Whether a loop goes on, and the values that it forwards.";
  let description = [{
    Constraints: while_c2. Example: `kiln.condition %c, %a : tensor<4xf32>`.
  }];
  let arguments = (ins Kiln_ScalarBool:$condition, Variadic<Kiln_AnyTensor>:$values);
  let assemblyFormat = "$condition (`,` $values^ `:` type($values))? attr-dict";
}

def Kiln_YieldOp : Kiln_Op<"yield", [
    Pure, Terminator, ParentOneOf<["FusionOp", "IfOp", "WhileOp"]>,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>]> {
  let summary = "The values that a fusion or a branch gives, or that a loop carries to its next iteration.";
  let description = [{
    Constraints: fusion_c3, if_c1, while_c4. Example: `kiln.yield %r : tensor<4xf32>`.
  }];
  let arguments = (ins Variadic<Kiln_AnyTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

#endif // KILN_DIALECT_REGIONS
