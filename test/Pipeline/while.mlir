// RUN: kiln-opt %s --kiln-pipeline | FileCheck %s
// Every iteration looks whether the run is to end, and calls nothing.

// CHECK-LABEL: llvm.func @kiln_entry
// CHECK-NOT: llvm.call
// CHECK: llvm.load %{{.*}} atomic monotonic
// CHECK-NOT: llvm.call
// CHECK: llvm.fmul
// CHECK-NOT: llvm.call
// CHECK: llvm.return
func.func @run(%n: tensor<i32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<64xf32> = %x) -> (tensor<i32>, tensor<64xf32>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<64xf32>
  } do (%j: tensor<i32>, %b: tensor<64xf32>) {
    %k = kiln.add %j, %one : tensor<i32>
    %y = kiln.mul %b, %b : tensor<64xf32>
    kiln.yield %k, %y : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
