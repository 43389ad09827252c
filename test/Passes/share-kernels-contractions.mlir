// RUN: kiln-opt %s --kiln-share-kernels=contractions=true --verify-each | FileCheck %s --enable-var-scope

// A contraction is a function though it stands alone. One for a size that the
// run binds is another one: its code reads the size later.
// CHECK-LABEL: func.func @lone_contraction()
// CHECK: call @[[FIRST:kernel\$[0-9a-f]+]](
// CHECK: kiln.define
// CHECK-NOT: call @[[FIRST]](
// CHECK: call @[[SECOND:kernel\$[0-9a-f]+]](
// CHECK: func.func private @[[FIRST]](
// CHECK: func.func private @[[SECOND]](
module attributes {kiln.buffer_counts = array<i64: 1, 1, 0, 2>} {
  func.func @lone_contraction() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %u = kiln.buffer constant 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    %z = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<?x4xf32, #kiln.sym<0>> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %u : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<?x4xf32, #kiln.sym<0>>, tensor<4x4xf32> -> tensor<?x4xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x4xf32, #kiln.sym<0>>
    }
    kiln.define 1 mul [s0, 2]
    kiln.fusion (%a: tensor<?x4xf32, #kiln.sym<1>> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %u : memref<?xf32>) outs(%z : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<?x4xf32, #kiln.sym<1>>, tensor<4x4xf32> -> tensor<?x4xf32, #kiln.sym<1>>
      kiln.yield %p : tensor<?x4xf32, #kiln.sym<1>>
    }
    return
  }
}
