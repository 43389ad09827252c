// RUN: kiln-opt %s --split-input-file --kiln-share-kernels --verify-each | FileCheck %s --enable-var-scope

// Two products of one shape are one function, whatever their nodes are called.
// CHECK-LABEL: func.func @equal_products()
// CHECK-NEXT: %[[X:.*]] = kiln.buffer feed 0
// CHECK-NEXT: %[[U:.*]] = kiln.buffer constant 0
// CHECK-NEXT: %[[Y:.*]] = kiln.buffer temporary 0
// CHECK-NEXT: call @[[KERNEL:kernel\$[0-9a-f]+]](%[[X]], %[[U]], %[[Y]])
// CHECK-NEXT: kiln.poll
// CHECK-NEXT: %[[Y:.*]] = kiln.buffer temporary 0
// CHECK-NEXT: %[[V:.*]] = kiln.buffer constant 1
// CHECK-NEXT: %[[Z:.*]] = kiln.buffer result 0
// CHECK-NEXT: call @[[KERNEL]](%[[Y]], %[[V]], %[[Z]])
// CHECK-NEXT: kiln.poll
// CHECK-NEXT: return
// CHECK: func.func private @[[KERNEL]](%[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[C:.*]]: memref<?xf32>)
// CHECK-NEXT: kiln.fusion ({{.*}} = %[[A]] : memref<?xf32>, {{.*}} = %[[B]] : memref<?xf32>) outs(%[[C]] : memref<?xf32>)
module attributes {kiln.buffer_counts = array<i64: 1, 2, 0, 1>} {
  func.func @equal_products() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %u = kiln.buffer constant 0 : memref<?xf32>
    %v = kiln.buffer constant 1 : memref<?xf32>
    %y = kiln.buffer temporary 0 : memref<?xf32>
    %z = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<4x4xf32> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %u : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32> loc("first")
      kiln.yield %p : tensor<4x4xf32>
    }
    kiln.fusion (%a: tensor<4x4xf32> = %y : memref<?xf32>, %b: tensor<4x4xf32> = %v : memref<?xf32>) outs(%z : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32> loc("second")
      kiln.yield %p : tensor<4x4xf32>
    }
    return
  }
}

// -----

// Not where one buffer is used twice and the other time two are, where a
// variable is written, or where the shapes differ.
// CHECK-LABEL: func.func @buffer_used_twice()
// CHECK-COUNT-4: kiln.fusion
// CHECK-NOT: func.func
module attributes {kiln.buffer_counts = array<i64: 1, 1, 1, 2>} {
  kiln.variable @w index 0 : tensor<4x4xf32>
  func.func @buffer_used_twice() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %u = kiln.buffer constant 0 : memref<?xf32>
    %w = kiln.buffer variable 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    %z = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<4x4xf32> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %u : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
      kiln.yield %p : tensor<4x4xf32>
    }
    kiln.fusion (%a: tensor<4x4xf32> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %x : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
      kiln.yield %p : tensor<4x4xf32>
    }
    kiln.fusion (%a: tensor<4x4xf32> = %x : memref<?xf32>, %b: tensor<4x4xf32> = %u : memref<?xf32>) outs(%w : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
      kiln.yield %p : tensor<4x4xf32>
    }
    kiln.fusion (%a: tensor<8x2xf32> = %x : memref<?xf32>, %b: tensor<2x8xf32> = %u : memref<?xf32>) outs(%z : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<8x2xf32>, tensor<2x8xf32> -> tensor<8x8xf32>
      kiln.yield %p : tensor<8x8xf32>
    }
    return
  }
}

// -----

// Small bodies are not worth a call.
// CHECK-LABEL: func.func @small_bodies()
// CHECK-COUNT-2: kiln.fusion
// CHECK-NOT: func.func
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 2>} {
  func.func @small_bodies() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    %z = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32>) outs(%y : memref<?xf32>) {
      %n = kiln.neg %a : tensor<4xf32>
      kiln.yield %n : tensor<4xf32>
    }
    kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32>) outs(%z : memref<?xf32>) {
      %n = kiln.neg %a : tensor<4xf32>
      kiln.yield %n : tensor<4xf32>
    }
    return
  }
}

// -----

// The order in which the ops were fused makes no difference.
// CHECK-LABEL: func.func @order_of_fusing()
// CHECK: call @[[KERNEL:kernel\$[0-9a-f]+]](
// CHECK: call @[[KERNEL]](
// CHECK: func.func private @[[KERNEL]](
// CHECK: kiln.exp
// CHECK-NEXT: kiln.tanh
// CHECK-NEXT: kiln.add
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 2>} {
  func.func @order_of_fusing() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    %z = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32>) outs(%y : memref<?xf32>) {
      %t = kiln.tanh %a : tensor<4xf32>
      %e = kiln.exp %a : tensor<4xf32>
      %s = kiln.add %e, %t : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32>) outs(%z : memref<?xf32>) {
      %e = kiln.exp %a : tensor<4xf32>
      %t = kiln.tanh %a : tensor<4xf32>
      %s = kiln.add %e, %t : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    return
  }
}
