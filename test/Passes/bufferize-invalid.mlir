// What kiln-fuse does not leave is refused, not dropped.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics -kiln-bufferize

// expected-error @+1 {{expected a body of one block, got 2 blocks}}
func.func @two_blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a body of one block, got 0 blocks}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @first() {
  return
}
// expected-error @+1 {{expected one function in the module}}
func.func @second() {
  return
}

// -----

// expected-error @+1 {{expected arguments that are tensors with named dimensions, got 'memref<?xf32>'}}
func.func @buffer_argument(%b: memref<?xf32>) {
  return
}

// -----

// expected-error @+1 {{expected arguments that are tensors with named dimensions, got 'tensor<?xf32>'}}
func.func @unnamed_dimension(%x: tensor<?xf32>) {
  return
}

// -----

func.func @bufferized_before() {
  // expected-error @+1 {{expected an op that kiln-fuse leaves}}
  %in = kiln.buffer feed 0 : memref<?xf32>
  return
}

// -----

func.func @not_fused(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an op that kiln-fuse leaves}}
  %r = kiln.neg %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
