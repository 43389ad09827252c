// RUN: kiln-check %s
// Elementwise ops at the edges of their domains.

// Integers wrap; the smallest one has no magnitude.
func.func @integers_wrap(
    %x: tensor<4xi32> {check.value = dense<[2147483647, -2147483648, -1, 7]> : tensor<4xi32>},
    %y: tensor<4xi32> {check.value = dense<[1, 1, -2147483648, -3]> : tensor<4xi32>}) {
  %0 = kiln.add %x, %y : tensor<4xi32>
  check.expect_eq %0 : tensor<4xi32>, dense<[-2147483648, -2147483647, 2147483647, 4]> : tensor<4xi32>
  %1 = kiln.sub %x, %y : tensor<4xi32>
  check.expect_eq %1 : tensor<4xi32>, dense<[2147483646, 2147483647, 2147483647, 10]> : tensor<4xi32>
  %2 = kiln.mul %x, %y : tensor<4xi32>
  check.expect_eq %2 : tensor<4xi32>, dense<[2147483647, -2147483648, -2147483648, -21]> : tensor<4xi32>
  %3 = kiln.abs %x : tensor<4xi32>
  check.expect_eq %3 : tensor<4xi32>, dense<[2147483647, -2147483648, 1, 7]> : tensor<4xi32>
  return
}

// Division rounds towards zero, floor_div down; the smallest by -1 wraps.
func.func @integers_divide(
    %x: tensor<5xi32> {check.value = dense<[7, -7, 7, -7, -2147483648]> : tensor<5xi32>},
    %y: tensor<5xi32> {check.value = dense<[3, 3, -3, -3, -1]> : tensor<5xi32>}) {
  %0 = kiln.div %x, %y : tensor<5xi32>
  check.expect_eq %0 : tensor<5xi32>, dense<[2, -2, -2, 2, -2147483648]> : tensor<5xi32>
  %1 = kiln.rem %x, %y : tensor<5xi32>
  check.expect_eq %1 : tensor<5xi32>, dense<[1, -1, 1, -1, 0]> : tensor<5xi32>
  %2 = kiln.floor_div %x, %y : tensor<5xi32>
  check.expect_eq %2 : tensor<5xi32>, dense<[2, -3, -3, 2, -2147483648]> : tensor<5xi32>
  %3 = kiln.floor_mod %x, %y : tensor<5xi32>
  check.expect_eq %3 : tensor<5xi32>, dense<[1, 2, -2, -1, 0]> : tensor<5xi32>
  return
}

// A zero divisor ends the run, with the op's node.
func.func @division_by_zero(
    %x: tensor<2xi32> {check.value = dense<[1, 2]> : tensor<2xi32>},
    %y: tensor<2xi32> {check.value = dense<[1, 0]> : tensor<2xi32>}) -> tensor<2xi32> {
  %0 = kiln.div %x, %y : tensor<2xi32> loc("quotient")
  check.expect_error "INVALID_ARGUMENT: Integer division by zero [[{{node quotient}}]]"
  return %0 : tensor<2xi32>
}

// So does a negative exponent of integers.
func.func @negative_power(
    %x: tensor<2xi64> {check.value = dense<[1, 2]> : tensor<2xi64>},
    %y: tensor<2xi64> {check.value = dense<[1, -1]> : tensor<2xi64>}) -> tensor<2xi64> {
  %0 = kiln.pow %x, %y : tensor<2xi64> loc("power")
  check.expect_error "INVALID_ARGUMENT: Integers to negative integer powers are not allowed [[{{node power}}]]"
  return %0 : tensor<2xi64>
}

// NaN wins on either side; of two zeros the second operand is taken.
func.func @extremes(
    %x: tensor<4xf32> {check.value = dense<[0x7FC00000, 1.0, 0.0, -0.0]> : tensor<4xf32>},
    %y: tensor<4xf32> {check.value = dense<[1.0, 0x7FC00000, -0.0, 0.0]> : tensor<4xf32>}) {
  %0 = kiln.max %x, %y : tensor<4xf32>
  check.expect_eq %0 : tensor<4xf32>, dense<[0x7FC00000, 0x7FC00000, -0.0, 0.0]> : tensor<4xf32>
  %1 = kiln.min %x, %y : tensor<4xf32>
  check.expect_eq %1 : tensor<4xf32>, dense<[0x7FC00000, 0x7FC00000, -0.0, 0.0]> : tensor<4xf32>
  return
}

// With NaN only `ne` holds; the zeros are equal.
func.func @comparisons(
    %x: tensor<3xf64> {check.value = dense<[0x7FF8000000000000, 0.0, 1.0]> : tensor<3xf64>},
    %y: tensor<3xf64> {check.value = dense<[0x7FF8000000000000, -0.0, 2.0]> : tensor<3xf64>}) {
  %0 = kiln.compare eq %x, %y : tensor<3xf64> -> tensor<3xi1>
  check.expect_eq %0 : tensor<3xi1>, dense<[false, true, false]> : tensor<3xi1>
  %1 = kiln.compare ne %x, %y : tensor<3xf64> -> tensor<3xi1>
  check.expect_eq %1 : tensor<3xi1>, dense<[true, false, true]> : tensor<3xi1>
  %2 = kiln.compare le %x, %y : tensor<3xf64> -> tensor<3xi1>
  check.expect_eq %2 : tensor<3xi1>, dense<[false, true, true]> : tensor<3xi1>
  %3 = kiln.select %0, %x, %y : tensor<3xi1>, tensor<3xf64>
  check.expect_eq %3 : tensor<3xf64>, dense<[0x7FF8000000000000, 0.0, 2.0]> : tensor<3xf64>
  return
}

// Floats out of range become the smallest integer; bools are 0 and 1.
func.func @casts(
    %x: tensor<4xf32> {check.value = dense<[1.9, -1.9, 1.0e10, 0x7FC00000]> : tensor<4xf32>}) {
  %0 = kiln.cast %x : tensor<4xf32> -> tensor<4xi32>
  check.expect_eq %0 : tensor<4xi32>, dense<[1, -1, -2147483648, -2147483648]> : tensor<4xi32>
  %1 = kiln.cast %x : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq %1 : tensor<4xi1>, dense<true> : tensor<4xi1>
  %2 = kiln.cast %1 : tensor<4xi1> -> tensor<4xf64>
  check.expect_eq %2 : tensor<4xf64>, dense<1.0> : tensor<4xf64>
  return
}

// Two roundings, not one: there is no fused multiply-add.
func.func @rounds_twice(
    %x: tensor<f32> {check.value = dense<0x3F800001> : tensor<f32>},
    %y: tensor<f32> {check.value = dense<0xBF800002> : tensor<f32>}) {
  %0 = kiln.mul %x, %x : tensor<f32>
  %1 = kiln.add %0, %y : tensor<f32>
  check.expect_eq %1 : tensor<f32>, dense<0.0> : tensor<f32>
  return
}

// Complex numbers are taken apart and put together bit by bit.
func.func @complex_parts(
    %x: tensor<3xf32> {check.value = dense<[1.0, -0.0, 2.5]> : tensor<3xf32>},
    %y: tensor<3xf32> {check.value = dense<[-3.0, 4.0, 0x7f800000]> : tensor<3xf32>}) {
  %z = kiln.complex %x, %y : tensor<3xf32> -> tensor<3xi64>
  check.expect_eq %z : tensor<3xi64>, dense<[0xc04000003f800000, 0x4080000080000000, 0x7f80000040200000]> : tensor<3xi64>
  %turned = kiln.complex %y, %x : tensor<3xf32> -> tensor<3xi64>
  %s = kiln.slice %turned starts [2] strides [-1] : tensor<3xi64> -> tensor<3xi64>
  %0 = kiln.real %s : tensor<3xi64> -> tensor<3xf32>
  check.expect_eq %0 : tensor<3xf32>, dense<[0x7f800000, 4.0, -3.0]> : tensor<3xf32>
  %1 = kiln.imag %s : tensor<3xi64> -> tensor<3xf32>
  check.expect_eq %1 : tensor<3xf32>, dense<[2.5, -0.0, 1.0]> : tensor<3xf32>
  return
}

// The same of doubles, in vectors and beyond them.
func.func @complex_parts_of_doubles(
    %x: tensor<19xf64> {check.value = dense<1.5> : tensor<19xf64>}) {
  %minus = kiln.neg %x : tensor<19xf64>
  %z = kiln.complex %x, %minus : tensor<19xf64> -> tensor<19xi128>
  %m = kiln.reshape %z : tensor<19xi128> -> tensor<1x19xi128>
  %t = kiln.transpose %m permutation [1, 0] : tensor<1x19xi128> -> tensor<19x1xi128>
  %0 = kiln.real %t : tensor<19x1xi128> -> tensor<19x1xf64>
  %1 = kiln.imag %t : tensor<19x1xi128> -> tensor<19x1xf64>
  check.expect_eq %0 : tensor<19x1xf64>, dense<1.5> : tensor<19x1xf64>
  check.expect_eq %1 : tensor<19x1xf64>, dense<-1.5> : tensor<19x1xf64>
  return
}
