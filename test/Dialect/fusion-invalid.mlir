// Errors of fusions and runtime calls.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @fusion_c1_tensor(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected an input of type 'tensor<5xf32>', got 'tensor<4xf32>'}}
  kiln.fusion (%a: tensor<5xf32> = %x : tensor<4xf32>) {
  }
  return
}

// -----

func.func @fusion_c1_buffer(%x: memref<?xf32>) {
  // expected-error @+1 {{expected an input of type 'memref<?xi8>', got 'memref<?xf32>'}}
  kiln.fusion (%a: tensor<4xi1> = %x : memref<?xf32>) {
  }
  return
}

// -----

func.func @fusion_c1_memory(%x: memref<?xf32, #kiln.memory<device>>) {
  // expected-error @+1 {{expected an input of type 'memref<?xi8, #kiln.memory<device>>', got 'memref<?xf32, #kiln.memory<device>>'}}
  kiln.fusion (%a: tensor<4xi1> = %x : memref<?xf32, #kiln.memory<device>>) {
  }
  return
}

// -----

// The host's memory is written by leaving it out.
func.func @host_memory_by_name() {
  // expected-error @+1 {{must be 1D memref of numbers, in the host's memory or in one that #kiln.memory names}}
  %x = kiln.buffer feed 0 : memref<?xf32, #kiln.memory<host>>
  return
}

// -----

func.func @memory_by_number() {
  // expected-error @+1 {{must be 1D memref of numbers, in the host's memory or in one that #kiln.memory names}}
  %x = kiln.buffer feed 0 : memref<?xf32, 1>
  return
}

// -----

func.func @fusion_c5(%x: memref<?xf32, #kiln.memory<device>>, %y: memref<?xf32>) {
  // expected-error @+1 {{expected buffers of one memory, got some of device and host}}
  kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32, #kiln.memory<device>>) outs(%y : memref<?xf32>) {
    %n = kiln.neg %a : tensor<4xf32>
    kiln.yield %n : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_c2(%x: memref<?xf32>) {
  // expected-error @+1 {{expected either results or output buffers, not both}}
  %r = kiln.fusion (%a: tensor<4xf32> = %x : memref<?xf32>) outs(%x : memref<?xf32>) -> tensor<4xf32> {
    kiln.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_c3_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 yielded values, got 0}}
  %r = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
  }
  return
}

// -----

func.func @fusion_c3_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the target of yielded value 0 to be 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %r = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<5xf32> {
    kiln.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @fusion_c3_terminator(%x: tensor<4xf32>) {
  "kiln.fusion"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{'func.return' op expects parent op 'func.func'}}
    "func.return"() : () -> ()
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @fusion_c4(%x: tensor<4xf32>) {
  %r = kiln.fusion (%a: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{expected a kiln op that gives one tensor in a kiln.fusion}}
    %c = arith.constant 0 : index
    kiln.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @runtime_call_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one tensor type for each operand and result (2), got 1}}
  %r = kiln.runtime_call "f" ins(%x : tensor<4xf32>) types [tensor<4xf32>] -> tensor<4xf32>
  return
}

// -----

func.func @runtime_call_c2(%x: memref<?xf32>) {
  // expected-error @+1 {{expected either results or output buffers, not both}}
  %r = kiln.runtime_call "f" ins(%x : memref<?xf32>) outs(%x : memref<?xf32>) types [tensor<4xf32>, tensor<4xf32>] -> tensor<4xf32>
  return
}

// -----

func.func @runtime_call_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected value 0 to be 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %r = kiln.runtime_call "f" ins(%x : tensor<4xf32>) types [tensor<5xf32>, tensor<4xf32>] -> tensor<4xf32>
  return
}

// -----

func.func @runtime_call_c4(%x: tensor<4xi64>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected places of 64-bit integers as strings, got 1}}
  %r = kiln.runtime_call "f" ins(%x, %y : tensor<4xi64>, tensor<4xf32>) types [tensor<4xi64>, tensor<4xf32>, tensor<4xi64>] {strings = array<i64: 0, 1>} -> tensor<4xi64>
  return
}

// -----

func.func @runtime_call_c4_place(%x: tensor<4xi64>) {
  // expected-error @+1 {{expected places of 64-bit integers as strings, got 2}}
  %r = kiln.runtime_call "f" ins(%x : tensor<4xi64>) types [tensor<4xi64>, tensor<4xi64>] {strings = array<i64: 2>} -> tensor<4xi64>
  return
}

// -----

func.func @try_slot_c1(%i: memref<?xi32>, %x: memref<?xf32>) {
  // expected-error @+1 {{expected an index for read, write and set, got one for push}}
  %done = kiln.try_slot push 0[%i : memref<?xi32>] %x : memref<?xf32> as tensor<f32>
  return
}

// -----

func.func @try_slot_c1_none(%x: memref<?xf32>) {
  // expected-error @+1 {{expected an index for read, write and set, got none for read}}
  %done = kiln.try_slot read 0 %x : memref<?xf32> as tensor<f32>
  return
}

// -----

func.func @try_slot_c1_bits(%i: memref<?xi64>, %x: memref<?xf32>) {
  // expected-error @+1 {{expected an index of 32 bits, got 'memref<?xi64>'}}
  %done = kiln.try_slot set 0[%i : memref<?xi64>] %x : memref<?xf32> as tensor<f32>
  return
}

// -----

func.func @try_slot_c2(%x: memref<?xf32>) {
  // expected-error @+1 {{expected the element to be 'memref<?xi64>', got 'memref<?xf32>'}}
  %done = kiln.try_slot pop 0 %x : memref<?xf32> as tensor<i64>
  return
}
