// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Logging: ops that print, or end a run, or look at a clock.
#include "lib/Ops/ControlFlow/Shape.h"
#include "lib/Ops/Families.h"
#include "lib/Ops/Logging/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Abort", "", "", "error_msg: string =; exit_without_error: bool = false",
     "Ends the run with ABORTED and error_msg. TensorFlow ends the process; "
     "here no graph ends the program that runs it.",
     inferNone, acts},
    {"Assert", "condition: bool, data: T", "",
     "T: list(type) >= 1; summarize: int = 3",
     "Ends the run where the condition is false; the message shows the data.",
     inferAssert, stateful | acts | stopsGradient},
    {"CheckNumerics", "tensor: T", "output: T", "T: nnFloats; message: string",
     "The input; ends the run where a number is not finite.", inferPrint,
     stateful | acts},
    {"CheckNumericsV2", "tensor: T", "output: T",
     "T: nnFloats; message: string",
     "CheckNumerics that tells the signs of infinities.", inferPrint,
     stateful | acts},
    {"Print", "input: T, data: U", "output: T",
     "T: type; U: list(type) >= 0; message: string =; first_n: int = -1; "
     "summarize: int = 3",
     "The input; prints the data.", inferPrint, stateful | acts},
    {"PrintV2", "input: string", "",
     "output_stream: string = stderr; end: string = \\n", "Prints a string.",
     inferPrintText, stateful | acts},
    {"Timestamp", "", "ts: float64", "", "The seconds since 1970.",
     inferTimestamp, stateful | acts | stopsGradient},
    {"StringFormat", "inputs: T", "output: string",
     "T: list(type) >= 0; template: string = %s; placeholder: string = %s; "
     "summarize: int = 3",
     "The template, with the inputs as text in the places of the placeholder.",
     inferStringFormat},
};

} // namespace

OpFamily loggingFamily() {
  return {"Logging", "ops that print, or end a run", records};
}

} // namespace kiln
