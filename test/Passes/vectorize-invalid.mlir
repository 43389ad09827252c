// Fusions that have no loops are diagnostics.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics -kiln-vectorize

func.func @on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a bufferized fusion, got one on tensors}}
  %r = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
    %s = kiln.neg %a : tensor<4xf32>
    kiln.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @stores_an_input(%b: memref<?xf32>) {
  // expected-error @+1 {{expected to store what the body computes and nothing else}}
  kiln.fusion (%a: tensor<4xf32> = %b : memref<?xf32>) outs(%b, %b : memref<?xf32>, memref<?xf32>) {
    %s = kiln.reduce sum %a axes [0] : tensor<4xf32> -> tensor<f32>
    kiln.yield %s, %a : tensor<f32>, tensor<4xf32>
  }
  return
}

// -----

func.func @stores_nothing(%b: memref<?xf32>) {
  // expected-error @+1 {{expected to store what the body computes and nothing else}}
  kiln.fusion (%a: tensor<4xf32> = %b : memref<?xf32>) {
    %s = kiln.neg %a : tensor<4xf32>
    kiln.yield
  }
  return
}

// -----

func.func @not_of_the_host(%b: memref<?xf32, #kiln.memory<device>>) {
  // expected-error @+1 {{expected buffers in the host's memory, got one in that of a device}}
  kiln.fusion (%a: tensor<4xf32> = %b : memref<?xf32, #kiln.memory<device>>) outs(%b : memref<?xf32, #kiln.memory<device>>) {
    %s = kiln.neg %a : tensor<4xf32>
    kiln.yield %s : tensor<4xf32>
  }
  return
}
