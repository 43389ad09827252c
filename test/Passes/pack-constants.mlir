// Constant weights of a product lie in panels as wide as its register tile.
// RUN: kiln-opt %s --split-input-file --test-kiln-pack-constants | FileCheck %s

// Three columns of two rows, transposed: the matrix of depth 3 is read by columns. The zeros fill the panel.
// CHECK: kiln.buffer_counts = array<i64: 1, 2, 0, 1>
// CHECK-SAME: kiln.constants = [dense<0.000000e+00> : tensor<f32>, dense<{{\[\[\[}}1.000000e+00, 4.000000e+00, 0.000000e+00
module attributes {kiln.buffer_counts = array<i64: 1, 1, 0, 1>,
                   kiln.constants = [dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>]} {
  // CHECK-LABEL: @transposed_weights
  func.func @transposed_weights() {
    // CHECK: %[[PANELS:.*]] = kiln.buffer constant 1 : memref<?xf32>
    // CHECK: kiln.fusion ({{.*}}: tensor<1x3x16xf32> = %[[PANELS]] : memref<?xf32>)
    // CHECK: kiln.panels = 16
    %x = kiln.buffer feed 0 : memref<?xf32>
    %w = kiln.buffer constant 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<8x3xf32> = %x : memref<?xf32>, %b: tensor<2x3xf32> = %w : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b transposed : tensor<8x3xf32>, tensor<2x3xf32> -> tensor<8x2xf32>
      kiln.yield %p : tensor<8x2xf32>
    }
    return
  }
}

// -----

// CHECK: kiln.constants = [dense<{{[^>]*}}> : tensor<2x3xf32>]
module attributes {kiln.buffer_counts = array<i64: 1, 1, 0, 1>,
                   kiln.constants = [dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>]} {
  // A single panel is read as it is.
  // CHECK-LABEL: @narrow_weights
  // CHECK-NOT: kiln.panels
  func.func @narrow_weights() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %w = kiln.buffer constant 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<8x2xf32> = %x : memref<?xf32>, %b: tensor<2x3xf32> = %w : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b : tensor<8x2xf32>, tensor<2x3xf32> -> tensor<8x3xf32>
      kiln.yield %p : tensor<8x3xf32>
    }
    return
  }
}

// -----

// Another op reads the weights as they are: both stay.
// CHECK: kiln.constants = [dense<{{[^>]*}}> : tensor<2x3xf32>, dense<{{[^>]*}}> : tensor<1x3x16xf32>]
module attributes {kiln.buffer_counts = array<i64: 1, 1, 0, 2>,
                   kiln.constants = [dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>]} {
  // CHECK-LABEL: @weights_of_two_readers
  func.func @weights_of_two_readers() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %w = kiln.buffer constant 0 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    %z = kiln.buffer result 1 : memref<?xf32>
    // CHECK: kiln.panels = 16
    kiln.fusion (%a: tensor<8x3xf32> = %x : memref<?xf32>, %b: tensor<2x3xf32> = %w : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b transposed : tensor<8x3xf32>, tensor<2x3xf32> -> tensor<8x2xf32>
      kiln.yield %p : tensor<8x2xf32>
    }
    kiln.fusion (%b: tensor<2x3xf32> = %w : memref<?xf32>) outs(%z : memref<?xf32>) {
      %n = kiln.neg %b : tensor<2x3xf32>
      kiln.yield %n : tensor<2x3xf32>
    }
    return
  }
}

// -----

// CHECK: kiln.constants = []
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.constants = []} {
  // Weights that are fed are packed by each run.
  // CHECK-LABEL: @fed_weights
  // CHECK-NOT: kiln.panels
  func.func @fed_weights() {
    %x = kiln.buffer feed 0 : memref<?xf32>
    %w = kiln.buffer feed 1 : memref<?xf32>
    %y = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%a: tensor<8x3xf32> = %x : memref<?xf32>, %b: tensor<2x3xf32> = %w : memref<?xf32>) outs(%y : memref<?xf32>) {
      %p = kiln.matmul %a, %b transposed : tensor<8x3xf32>, tensor<2x3xf32> -> tensor<8x2xf32>
      kiln.yield %p : tensor<8x2xf32>
    }
    return
  }
}
