// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of State: variables and assignments.
#include "lib/Ops/Families.h"
#include "lib/Ops/State/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Variable", "", "ref: Ref(dtype)",
     "shape: shape; dtype: type; container: string =; shared_name: string =",
     "The former name of VariableV2.", inferVariable,
     stateful | variable | movesElements, "VariableV2"},
    {"VariableV2", "", "ref: Ref(dtype)",
     "shape: shape; dtype: type; container: string =; shared_name: string =",
     "A reference to a variable.", inferVariable,
     stateful | variable | movesElements},
    {"VarHandleOp", "", "resource: resource",
     "container: string =; shared_name: string =; debug_name: string =; dtype: "
     "type; shape: shape; allowed_devices: list(string) = []",
     "A handle of a resource variable.", inferVarHandle,
     stateful | variable | movesElements},
    {"TemporaryVariable", "", "ref: Ref(dtype)",
     "shape: shape; dtype: type; var_name: string =",
     "A reference to a variable of the run, which has some value.",
     inferTemporaryVariable, stateful | variable | movesElements},
    {"DestroyTemporaryVariable", "ref: Ref(T)", "value: T",
     "T: type; var_name: string",
     "The last value of the temporary variable of that name.",
     inferDestroyTemporary, keepsRef | movesElements},
    {"DestroyResourceOp", "resource: resource", "",
     "ignore_lookup_error: bool = true",
     "Takes the variable's value away; the session does it, between parts of "
     "the run.",
     inferNoOutputs, stateful | allowsUninitializedInput | cutsRun},
    {"IsVariableInitialized", "ref: Ref(dtype)", "is_initialized: bool",
     "dtype: type", "True when the variable has a value.", inferIsInitialized,
     allowsUninitializedInput | keepsRef | movesElements},
    {"VarIsInitializedOp", "resource: resource", "is_initialized: bool", "",
     "True when the variable has a value.", inferIsInitialized,
     stateful | allowsUninitializedInput | stopsGradient},
    {"VariableShape", "input: resource", "output: out_type",
     "out_type: indexTypes = int32",
     "The extents of the variable's value as a vector.", inferVariableShape,
     stateful | stopsGradient},
    {"ReadVariableOp", "resource: resource", "value: dtype", "dtype: type",
     "The variable's value.", inferReadVariable,
     stateful | readsVariable | movesElements},
    {"DisableCopyOnRead", "resource: resource", "", "",
     "Demands a value of the variable; reads never copy it.", inferNoOutputs,
     stateful},
    {"Assign", "ref: Ref(T), value: T", "output_ref: Ref(T)",
     "T: type; validate_shape: bool = true; use_locking: bool = true",
     "Sets the variable; the output is the variable.", inferAssign,
     allowsUninitializedInput | movesElements | stopsGradient, "",
     OpRole::Assign},
    {"AssignAdd", "ref: Ref(T), value: T", "output_ref: Ref(T)",
     "T: numbers; use_locking: bool = false",
     "Adds to the variable; the output is the variable.", inferAssignUpdate,
     stopsGradient | takesComplex},
    {"AssignSub", "ref: Ref(T), value: T", "output_ref: Ref(T)",
     "T: numbers; use_locking: bool = false",
     "Subtracts from the variable; the output is the variable.",
     inferAssignUpdate, stopsGradient | takesComplex},
    {"CountUpTo", "ref: Ref(T)", "output: T", "limit: int; T: indexTypes",
     "Adds 1 to a variable below the limit; the output is what it was.",
     inferCountUpTo, updatesVariable},
    {"ResourceCountUpTo", "resource: resource", "output: T",
     "limit: int; T: indexTypes",
     "Adds 1 to a variable below the limit; the output is what it was.",
     inferCountUpTo, stateful | updatesVariable},
    {"AssignVariableOp", "resource: resource, value: dtype", "",
     "dtype: type; validate_shape: bool = false", "Sets the variable.",
     inferResourceAssign, stateful | movesElements, "", OpRole::Assign},
    {"AssignAddVariableOp", "resource: resource, value: dtype", "",
     "dtype: type", "Adds to the variable.", inferResourceUpdate,
     stateful | takesComplex},
    {"AssignSubVariableOp", "resource: resource, value: dtype", "",
     "dtype: type", "Subtracts from the variable.", inferResourceUpdate,
     stateful | takesComplex},
};

} // namespace

OpFamily stateFamily() {
  return {"State", "variables and assignments", records};
}

} // namespace kiln
