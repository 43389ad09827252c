// RUN: kiln-opt %s --split-input-file --kiln-share-kernels --verify-each | FileCheck %s --enable-var-scope

// Small bodies are shared where they come often, as in an unrolled loop.
// CHECK-LABEL: func.func @often()
// CHECK-COUNT-4: call @kernel$
// CHECK: func.func private @kernel$
// CHECK: kiln.concat
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 4>} {
  func.func @often() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %y = kiln.buffer feed 1 : memref<?xf32>
    %r0 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r0 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    %r1 = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r1 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    %r2 = kiln.buffer result 2 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r2 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    %r3 = kiln.buffer result 3 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r3 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    return
  }
}

// -----

// And not where they come seldom.
// CHECK-LABEL: func.func @seldom()
// CHECK-COUNT-3: kiln.fusion
// CHECK-NOT: func.func
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 3>} {
  func.func @seldom() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %y = kiln.buffer feed 1 : memref<?xf32>
    %r0 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r0 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    %r1 = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r1 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    %r2 = kiln.buffer result 2 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>, %b: tensor<4x3xf32> = %y : memref<?xf32>) outs(%r2 : memref<?xf32>) {
      %c = kiln.concat %a, %b axis 1 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<4x5xf32>
      kiln.yield %c : tensor<4x5xf32>
    }
    return
  }
}

// -----

// So are copies, as branches of an unrolled loop give them.
// CHECK-LABEL: func.func @copies()
// CHECK-COUNT-4: call @kernel$
// CHECK: func.func private @kernel$
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 4>} {
  func.func @copies() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %r0 = kiln.buffer result 0 : memref<?xf32>
    %r1 = kiln.buffer result 1 : memref<?xf32>
    %r2 = kiln.buffer result 2 : memref<?xf32>
    %r3 = kiln.buffer result 3 : memref<?xf32>
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>) outs(%r0 : memref<?xf32>) {
      kiln.yield %a : tensor<4x2xf32>
    }
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>) outs(%r1 : memref<?xf32>) {
      kiln.yield %a : tensor<4x2xf32>
    }
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>) outs(%r2 : memref<?xf32>) {
      kiln.yield %a : tensor<4x2xf32>
    }
    kiln.fusion (%a: tensor<4x2xf32> = %x : memref<?xf32>) outs(%r3 : memref<?xf32>) {
      kiln.yield %a : tensor<4x2xf32>
    }
    return
  }
}
