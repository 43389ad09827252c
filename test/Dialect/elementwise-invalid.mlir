// Errors of the elementwise ops.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// shape_c1: symbols count, although upstream would take any two dynamic dimensions for equal.
func.func @shape_c1(%x: tensor<?xf32, #kiln.sym<0>>, %y: tensor<?xf32, #kiln.sym<1>>) {
  // expected-error @+1 {{expected operands and results of one shape, got [s0] and [s1]}}
  %0 = "kiln.add"(%x, %y) : (tensor<?xf32, #kiln.sym<0>>, tensor<?xf32, #kiln.sym<1>>) -> tensor<?xf32, #kiln.sym<0>>
  return
}

// -----

// shape_c1: one encoding, but of another dimension.
func.func @shape_c1_place(%x: tensor<?x4xf32, #kiln.sym<0>>, %y: tensor<4x?xf32, #kiln.sym<0>>) {
  // expected-error @+1 {{expected operands and results of one shape, got [s0, 4] and [4, s0]}}
  %0 = "kiln.add"(%x, %y) : (tensor<?x4xf32, #kiln.sym<0>>, tensor<4x?xf32, #kiln.sym<0>>) -> tensor<?x4xf32, #kiln.sym<0>>
  return
}

// -----

func.func @shape_c1_compare(%x: tensor<?xf32, #kiln.sym<0>>) {
  // expected-error @+1 {{expected operands and results of one shape, got [s0] and [s1]}}
  %0 = kiln.compare lt %x, %x : tensor<?xf32, #kiln.sym<0>> -> tensor<?xi1, #kiln.sym<1>>
  return
}

// -----

func.func @shape_c1_select(%c: tensor<4xi1>, %x: tensor<?xf32, #kiln.sym<0>>) {
  // expected-error @+1 {{expected operands and results of one shape, got [4] and [s0]}}
  %0 = kiln.select %c, %x, %x : tensor<4xi1>, tensor<?xf32, #kiln.sym<0>>
  return
}

// -----

func.func @shape_c1_cast(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operands and results of one shape, got [4] and [5]}}
  %0 = kiln.cast %x : tensor<4xf32> -> tensor<5xi32>
  return
}

// -----

func.func @elementwise_c1(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "kiln.add"(%x, %y) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "kiln.compare"(%x, %y) {predicate = 2 : i32} : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @select_c1(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{failed to verify that all of {onTrue, onFalse, result} have same type}}
  %0 = "kiln.select"(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @tensor_c1_unnamed(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be tensor of numbers whose dynamic dimensions are named by #kiln.sym}}
  %0 = kiln.neg %x : tensor<?xf32>
  return
}

// -----

func.func @float_only(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be tensor of f32 or f64}}
  %0 = kiln.exp %x : tensor<4xi32>
  return
}

// -----

// expected-error @+1 {{expected one symbol for each dynamic dimension (1), got 2}}
func.func private @sym_count(tensor<?xf32, #kiln.sym<0, 1>>)

// -----

// expected-error @+1 {{expected symbol ids that are not negative}}
func.func private @sym_negative(tensor<?xf32, #kiln.sym<-1>>)

// -----

func.func @cast_c1_from(%x: tensor<4xf16>) {
  // expected-error @+1 {{expected f16 and bf16 to be converted from and to f32 alone, got 'f16' to 'i32'}}
  %0 = kiln.cast %x : tensor<4xf16> -> tensor<4xi32>
  return
}

// -----

func.func @cast_c1_to(%x: tensor<4xf64>) {
  // expected-error @+1 {{expected f16 and bf16 to be converted from and to f32 alone, got 'f64' to 'bf16'}}
  %0 = kiln.cast %x : tensor<4xf64> -> tensor<4xbf16>
  return
}

// -----

func.func @no_arithmetic_on_f16(%x: tensor<4xf16>) {
  // expected-error @+1 {{operand #0 must be tensor of numbers whose dynamic}}
  %0 = kiln.add %x, %x : tensor<4xf16>
  return
}

// -----

func.func @shift_of_integers(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be tensor of integers whose dynamic}}
  %0 = kiln.shift_left %x, %x : tensor<4xi1>
  return
}

// -----

func.func @part_c1(%z: tensor<4xi64>) {
  // expected-error @+1 {{expected parts of half the size, got 'tensor<4xi64>' to 'tensor<4xf64>'}}
  %0 = kiln.imag %z : tensor<4xi64> -> tensor<4xf64>
  return
}

// -----

func.func @complex_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected numbers of twice the size of their parts, got 'tensor<4xf32>' to 'tensor<4xi128>'}}
  %0 = kiln.complex %x, %x : tensor<4xf32> -> tensor<4xi128>
  return
}
