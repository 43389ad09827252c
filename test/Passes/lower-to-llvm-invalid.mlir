// RUN: kiln-opt %s -split-input-file -verify-diagnostics -kiln-lower-to-llvm

// expected-error @+1 {{expected kiln.buffer_counts with feeds, constants, variables and results}}
module {
  func.func @run() {
    return
  }
}

// -----

// expected-error @+1 {{expected a function run() without arguments and results}}
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  func.func @run(%x: index) {
    return
  }
}

// -----

module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %x = kiln.buffer feed 0 : memref<?xf32>
    // expected-error @+1 {{expected an index below 1, got 1}}
    %y = kiln.buffer result 1 : memref<?xf32>
    %v = memref.load %x[%c0] : memref<?xf32>
    memref.store %v, %y[%c0] : memref<?xf32>
    return
  }
}

// -----

// An op that stands for no loop is refused, not dropped.
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  kiln.variable @v index 0 : tensor<2xf32>
  func.func @run() {
    %0 = kiln.constant dense<1.0> : tensor<2xf32> : tensor<2xf32>
    // expected-error @+1 {{expected a bufferized op, got one that has no lowering to LLVM}}
    kiln.var_write @v, %0 : tensor<2xf32>
    return
  }
}

// -----

module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  // expected-error @+1 {{expected a body}}
  func.func private @declared(index)
  func.func @run() {
    return
  }
}

// -----

module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>} {
  func.func @run() {
    // expected-error @+1 {{expected a buffer in the host's memory, got one in that of a device}}
    %x = kiln.buffer feed 0 : memref<?xf32, #kiln.memory<device>>
    return
  }
}
