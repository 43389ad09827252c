// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expectations about values of the kiln dialect, for tests that are IR.

#ifndef KILN_TEST_EXPECT_CHECK
#define KILN_TEST_EXPECT_CHECK

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::kiln::check";
  let summary = "What values are expected to be, as far as kiln-check looks.";
  let description = [{
    A test is a function of kiln ops and one of these ops an expectation:

    ```mlir
    func.func @add(%x: tensor<2xf32> {check.value = dense<[1.0, 2.0]> : tensor<2xf32>}) {
      %y = kiln.add %x, %x : tensor<2xf32>
      check.expect_eq %y : tensor<2xf32>, dense<[2.0, 4.0]> : tensor<2xf32>
      return
    }
    ```

    Attributes give what the function runs on: check.value an argument's
    elements, check.symbols (on the function) the symbols' values,
    check.constants what kiln.constant_ref names, check.initial (on a
    kiln.variable) the variable's first value; without it the variable has none.
  }];
}

class Check_Op<string mnemonic> : Op<Check_Dialect, mnemonic>;

def Check_ExpectEqOp : Check_Op<"expect_eq"> {
  let summary = "Every bit is as expected; of NaN, that it is one.";
  let description = "Zeros have signs. Example: `check.expect_eq %y : tensor<i32>, dense<3> : tensor<i32>`.";
  let arguments = (ins AnyRankedTensor:$actual, ElementsAttr:$expected);
  let assemblyFormat = "$actual `:` type($actual) `,` $expected attr-dict";
}

def Check_ExpectCloseOp : Check_Op<"expect_close"> {
  let summary = "At most so many floats lie between each element and what is expected.";
  let description = "Example: `check.expect_close %y : tensor<f32>, dense<0.1> : tensor<f32> within 2 ulps`.";
  let arguments = (ins AnyRankedTensor:$actual, ElementsAttr:$expected, I64Attr:$ulps);
  let assemblyFormat = "$actual `:` type($actual) `,` $expected `within` $ulps `ulps` attr-dict";
}

def Check_ExpectVariableOp : Check_Op<"expect_variable"> {
  let summary = "The variable's value behind the run, bit by bit.";
  let description = "Example: `check.expect_variable @v, dense<3> : tensor<i32>`.";
  let arguments = (ins FlatSymbolRefAttr:$variable, ElementsAttr:$expected);
  let assemblyFormat = "$variable `,` $expected attr-dict";
}

def Check_ExpectErrorOp : Check_Op<"expect_error"> {
  let summary = "The run ends with this error: code, text and node.";
  let description = "Example: `check.expect_error \"INVALID_ARGUMENT: Integer division by zero [[{{node n}}]]\"`.";
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

#endif // KILN_TEST_EXPECT_CHECK
