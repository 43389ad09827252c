// Strings as handles.
// RUN: kiln-opt %s --kiln-lower-strings | FileCheck %s --enable-var-scope

// Strings become handles wherever a type stands: arguments, results, variables, runtime calls.
// CHECK: kiln.variable @v index 0 : tensor<2xi64>
kiln.variable @v index 0 : tensor<2x!kiln.string>

// CHECK-LABEL: func.func @types_of_strings
// CHECK-SAME: (%[[X:.*]]: tensor<?x2xi64, #kiln.sym<0>>, %[[C:.*]]: tensor<2xi1>) -> (tensor<2x?xi64, #kiln.sym<0>>, tensor<2xi1>)
func.func @types_of_strings(%x: tensor<?x2x!kiln.string, #kiln.sym<0>>, %c: tensor<2xi1>) -> (tensor<2x?x!kiln.string, #kiln.sym<0>>, tensor<2xi1>) {
  // CHECK: %[[T:.*]] = kiln.transpose %[[X]] permutation [1, 0] : tensor<?x2xi64, #kiln.sym<0>> -> tensor<2x?xi64, #kiln.sym<0>>
  %t = kiln.transpose %x permutation [1, 0] : tensor<?x2x!kiln.string, #kiln.sym<0>> -> tensor<2x?x!kiln.string, #kiln.sym<0>>
  // CHECK: %[[K:.*]] = kiln.constant_ref 0 : tensor<2xi64>
  %k = kiln.constant_ref 0 : tensor<2x!kiln.string>
  %v = kiln.var_read @v : tensor<2x!kiln.string>
  // CHECK: %[[S:.*]] = kiln.select %[[C]], %[[K]], %{{.*}} : tensor<2xi1>, tensor<2xi64>
  %s = kiln.select %c, %k, %v : tensor<2xi1>, tensor<2x!kiln.string>
  // CHECK: kiln.runtime_call "StringEqual" ins(%[[S]], %[[K]] : tensor<2xi64>, tensor<2xi64>) types [tensor<2xi64>, tensor<2xi64>, tensor<2xi1>] {numbers = array<i64: 0>, strings = array<i64: 0, 1>}
  %e = kiln.runtime_call "StringEqual" ins(%s, %k : tensor<2x!kiln.string>, tensor<2x!kiln.string>) types [tensor<2x!kiln.string>, tensor<2x!kiln.string>, tensor<2xi1>] {numbers = array<i64: 0>} -> tensor<2xi1>
  kiln.var_write @v, %s : tensor<2x!kiln.string>
  // CHECK-NOT: !kiln.string
  return %t, %e : tensor<2x?x!kiln.string, #kiln.sym<0>>, tensor<2xi1>
}
