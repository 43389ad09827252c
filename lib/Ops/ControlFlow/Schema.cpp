// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of ControlFlow: ops that pass values on or only order others.
#include "lib/Ops/ControlFlow/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"NoOp", "", "", "", "Does nothing; its control inputs run before it.",
     inferNone},
    {"ControlTrigger", "", "", "",
     "As NoOp, and runs even where its control inputs are dead.", inferNone,
     noFlags, "", OpRole::Trigger},
    {"Identity", "input: T", "output: T", "T: type", "The input.",
     inferIdentity, forwardsRef | movesElements | passesOn, "",
     OpRole::Identity},
    {"RefIdentity", "input: Ref(T)", "output: Ref(T)", "T: type",
     "As Identity, of a reference.", inferIdentity,
     forwardsRef | movesElements | passesOn, "Identity"},
    {"GuaranteeConst", "input: T", "output: T", "T: type",
     "The input, which the program promises never to change.", inferIdentity,
     forwardsRef | movesElements | passesOn, "Identity"},
    {"IdentityN", "input: T", "output: T", "T: list(type) >= 1",
     "The inputs, one by one.", inferIdentityN, movesElements | passesOn, "",
     OpRole::IdentityN},
    {"StopGradient", "input: T", "output: T", "T: type",
     "The input; no gradient flows back through it.", inferIdentity,
     forwardsRef | movesElements | passesOn | stopsGradient},
    {"PreventGradient", "input: T", "output: T", "T: type; message: string =",
     "The input; asking for a gradient through it is an error.", inferIdentity,
     forwardsRef | movesElements | passesOn},
    {"PartitionedCall", "args: Tin", "output: Tout",
     "Tin: list(type); Tout: list(type); f: func; config: string =; "
     "config_proto: string =; executor_type: string =",
     "What function f gives for the inputs.", inferCall, callsFunctions},
    {"StatefulPartitionedCall", "args: Tin", "output: Tout",
     "Tin: list(type); Tout: list(type); f: func; config: string =; "
     "config_proto: string =; executor_type: string =",
     "As PartitionedCall, of a function with effects.", inferCall,
     callsFunctions | stateful, "PartitionedCall"},
    {"If", "cond: Tcond, input: Tin", "output: Tout",
     "Tcond: type; Tin: list(type); Tout: list(type); then_branch: func; "
     "else_branch: func; output_shapes: list(shape) = []",
     "What then_branch gives where cond is true, else what else_branch gives.",
     inferCall, callsFunctions | stateful, "", OpRole::If},
    {"StatelessIf", "cond: Tcond, input: Tin", "output: Tout",
     "Tcond: type; Tin: list(type); Tout: list(type); then_branch: func; "
     "else_branch: func; output_shapes: list(shape) = []",
     "As If, of functions without effects.", inferCall, callsFunctions, "If"},
    {"Case", "branch_index: int32, input: Tin", "output: Tout",
     "Tin: list(type); Tout: list(type); branches: list(func) >= 1; "
     "output_shapes: list(shape) = []",
     "What branch branch_index gives; the last where there is no such branch.",
     inferCall, callsFunctions | stateful, "", OpRole::Case},
    {"StatelessCase", "branch_index: int32, input: Tin", "output: Tout",
     "Tin: list(type); Tout: list(type); branches: list(func) >= 1; "
     "output_shapes: list(shape) = []",
     "As Case, of functions without effects.", inferCall, callsFunctions,
     "Case"},
    {"While", "input: T", "output: T",
     "T: list(type); cond: func; body: func; "
     "output_shapes: list(shape) = []; parallel_iterations: int = 10",
     "The inputs, replaced by what body gives of them while cond gives true.",
     inferCall, callsFunctions | stateful, "", OpRole::While},
    {"StatelessWhile", "input: T", "output: T",
     "T: list(type); cond: func; body: func; "
     "output_shapes: list(shape) = []; parallel_iterations: int = 10",
     "As While, of functions without effects.", inferCall, callsFunctions,
     "While"},
    {"For", "start: int32, limit: int32, delta: int32, input: T", "output: T",
     "T: list(type); body: func",
     "The inputs, replaced by what body gives of the counter and of them, from "
     "start to limit by delta.",
     inferCall, callsFunctions | stateful, "", OpRole::For},
    {"Switch", "data: T, pred: bool", "output_false: T, output_true: T",
     "T: type", "The input as one of the outputs; the other one is dead.",
     inferSwitch, movesElements | passesOn, "", OpRole::Switch},
    {"RefSwitch", "data: Ref(T), pred: bool",
     "output_false: Ref(T), output_true: Ref(T)", "T: type",
     "As Switch, of a reference.", inferSwitch,
     forwardsRef | movesElements | passesOn, "Switch"},
    {"Merge", "inputs: N*T", "output: T, value_index: int32",
     "T: type; N: int >= 1", "The input that is alive, and its number.",
     inferMerge, movesElements | passesOn, "", OpRole::Merge},
    {"RefMerge", "inputs: N*Ref(T)", "output: Ref(T), value_index: int32",
     "T: type; N: int >= 1", "As Merge, of references.", inferMerge,
     forwardsRef | movesElements | passesOn, "Merge"},
    {"Enter", "data: T", "output: T",
     "T: type; frame_name: string; is_constant: bool = false; "
     "parallel_iterations: int = 10",
     "The input inside of a loop.", inferIdentity, movesElements | passesOn, "",
     OpRole::Enter},
    {"RefEnter", "data: Ref(T)", "output: Ref(T)",
     "T: type; frame_name: string; is_constant: bool = false; "
     "parallel_iterations: int = 10",
     "As Enter, of a reference.", inferIdentity,
     forwardsRef | movesElements | passesOn, "Enter"},
    {"Exit", "data: T", "output: T", "T: type",
     "The input behind the loop, after its last iteration.", inferIdentity,
     movesElements | passesOn, "", OpRole::Exit},
    {"RefExit", "data: Ref(T)", "output: Ref(T)", "T: type",
     "As Exit, of a reference.", inferIdentity,
     forwardsRef | movesElements | passesOn, "Exit"},
    {"NextIteration", "data: T", "output: T", "T: type",
     "The input in the next iteration of the loop.", inferIdentity,
     movesElements | passesOn, "", OpRole::NextIteration},
    {"RefNextIteration", "data: Ref(T)", "output: Ref(T)", "T: type",
     "As NextIteration, of a reference.", inferIdentity,
     forwardsRef | movesElements | passesOn, "NextIteration"},
    {"LoopCond", "input: bool", "output: bool", "",
     "Whether the loop has another iteration.", inferLoopCond, passesOn, "",
     OpRole::LoopCond},
    {"ToBool", "input: T", "output: bool", "T: type",
     "Whether a number is not 0, a string not empty; whether anything else has "
     "elements.",
     inferToBool},
    {"OptionalFromValue", "components: Toutput_types", "optional: variant",
     "Toutput_types: list(type) >= 1", "An optional of the inputs.",
     inferOptional, noFlags, "", OpRole::OptionalOfValues},
    {"OptionalNone", "", "optional: variant", "", "An optional of nothing.",
     inferOptional, noFlags, "", OpRole::OptionalNone},
    {"OptionalHasValue", "optional: variant", "has_value: bool", "",
     "Whether there is something in an optional.", inferOptional,
     takesDatasets | cutsRun | stopsGradient},
    {"OptionalGetValue", "optional: variant", "components: output_types",
     "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
     "What is in an optional.", inferCall, cutsRun, "", OpRole::OptionalGet},
    {"Snapshot", "input: T", "output: T", "T: type", "The input's value.",
     inferIdentity, movesElements | passesOn},
};

} // namespace

OpFamily controlFlowFamily() {
  return {"ControlFlow", "ops that pass values on or only order others",
          records};
}

} // namespace kiln
