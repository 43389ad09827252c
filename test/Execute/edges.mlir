// RUN: kiln-check %s
// What docs/semantics says of the edges of ops, where no other file here does.

// The sign bit alone changes, of a denormal too; sign and roundings take it for a zero.
func.func @signs(
    %x: tensor<4xf32> {check.value = dense<[0.0, -0.0, 0x00000001, 0x80000001]> : tensor<4xf32>}) {
  %0 = kiln.neg %x : tensor<4xf32>
  check.expect_eq %0 : tensor<4xf32>, dense<[-0.0, 0.0, 0x80000001, 0x00000001]> : tensor<4xf32>
  %1 = kiln.abs %x : tensor<4xf32>
  check.expect_eq %1 : tensor<4xf32>, dense<[0.0, 0.0, 0x00000001, 0x00000001]> : tensor<4xf32>
  %2 = kiln.sign %x : tensor<4xf32>
  check.expect_eq %2 : tensor<4xf32>, dense<0.0> : tensor<4xf32>
  %3 = kiln.floor %x : tensor<4xf32>
  check.expect_eq %3 : tensor<4xf32>, dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %4 = kiln.ceil %x : tensor<4xf32>
  check.expect_eq %4 : tensor<4xf32>, dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  return
}

// Halves go to the even neighbour, and keep the sign of what becomes a zero.
func.func @roundings(
    %x: tensor<4xf32> {check.value = dense<[0.5, -0.5, 2.5, 0xFF800000]> : tensor<4xf32>}) {
  %0 = kiln.round_even %x : tensor<4xf32>
  check.expect_eq %0 : tensor<4xf32>, dense<[0.0, -0.0, 2.0, 0xFF800000]> : tensor<4xf32>
  %1 = kiln.ceil %x : tensor<4xf32>
  check.expect_eq %1 : tensor<4xf32>, dense<[1.0, -0.0, 3.0, 0xFF800000]> : tensor<4xf32>
  return
}

// Floats divide by zero without an error.
func.func @divisions_of_floats(
    %x: tensor<6xf32> {check.value = dense<[1.0, -1.0, 0.0, 0x7F800000, -3.0, -4.0]> : tensor<6xf32>},
    %y: tensor<6xf32> {check.value = dense<[0.0, 0.0, 0.0, 2.0, 0x7F800000, 2.0]> : tensor<6xf32>}) {
  %0 = kiln.div %x, %y : tensor<6xf32>
  check.expect_eq %0 : tensor<6xf32>, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800000, -0.0, -2.0]> : tensor<6xf32>
  %1 = kiln.rem %x, %y : tensor<6xf32>
  check.expect_eq %1 : tensor<6xf32>, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, -3.0, -0.0]> : tensor<6xf32>
  %2 = kiln.floor_div %x, %y : tensor<6xf32>
  check.expect_eq %2 : tensor<6xf32>, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800000, -0.0, -2.0]> : tensor<6xf32>
  %3 = kiln.floor_mod %x, %y : tensor<6xf32>
  check.expect_eq %3 : tensor<6xf32>, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, -0.0]> : tensor<6xf32>
  return
}

// A number of bits to shift by is brought into its range.
func.func @shifts(
    %x: tensor<4xi32> {check.value = dense<[1, -8, 1, -1]> : tensor<4xi32>},
    %y: tensor<4xi32> {check.value = dense<[33, 1, -1, 31]> : tensor<4xi32>}) {
  %0 = kiln.shift_left %x, %y : tensor<4xi32>
  check.expect_eq %0 : tensor<4xi32>, dense<[-2147483648, -16, 1, -2147483648]> : tensor<4xi32>
  %1 = kiln.shift_right %x, %y : tensor<4xi32>
  check.expect_eq %1 : tensor<4xi32>, dense<[0, -4, 1, -1]> : tensor<4xi32>
  return
}

// No element has no error, of a splat neither.
func.func @nothing_fails(%x: tensor<0xi32> {check.value = dense<[]> : tensor<0xi32>},
                         %t: tensor<3x0xf32> {check.value = dense<> : tensor<3x0xf32>},
                         %i: tensor<1xi32> {check.value = dense<[7]> : tensor<1xi32>}) {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<0xi32>
  %0 = kiln.div %x, %zero : tensor<0xi32>
  check.expect_eq %0 : tensor<0xi32>, dense<[]> : tensor<0xi32>
  %1 = kiln.gather %t, %i axis 0 : tensor<3x0xf32>, tensor<1xi32> -> tensor<1x0xf32>
  check.expect_eq %1 : tensor<1x0xf32>, dense<> : tensor<1x0xf32>
  return
}

// A sum begins with 0; of zeros -0 is the smaller one; NaN is kept.
func.func @reductions(
    %x: tensor<2x2xf32> {check.value = dense<[[-0.0, 0.0], [0x7FC00000, 1.0]]> : tensor<2x2xf32>},
    %z: tensor<1xf32> {check.value = dense<[-0.0]> : tensor<1xf32>}) {
  %0 = kiln.reduce sum %z axes [0] : tensor<1xf32> -> tensor<f32>
  check.expect_eq %0 : tensor<f32>, dense<0.0> : tensor<f32>
  %1 = kiln.reduce max %x axes [1] : tensor<2x2xf32> -> tensor<2xf32>
  check.expect_eq %1 : tensor<2xf32>, dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %2 = kiln.reduce min %x axes [1] : tensor<2x2xf32> -> tensor<2xf32>
  check.expect_eq %2 : tensor<2xf32>, dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  return
}

// Neither NaN nor an infinity of the wrong sign is found.
func.func @arg_reduce_of_no_number(
    %x: tensor<2x2xf32> {check.value = dense<[[0x7FC00000, 0x7FC00000], [0xFF800000, 0xFF800000]]> : tensor<2x2xf32>}) {
  %0 = kiln.arg_reduce %x axis 1 {smallest = false} : tensor<2x2xf32> -> tensor<2xi64>
  check.expect_eq %0 : tensor<2xi64>, dense<0> : tensor<2xi64>
  return
}

// Products over nothing are zeros.
func.func @products_of_nothing(%x: tensor<2x0xf32> {check.value = dense<> : tensor<2x0xf32>},
                               %y: tensor<0x3xf32> {check.value = dense<> : tensor<0x3xf32>}) {
  %0 = kiln.matmul %x, %y : tensor<2x0xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  check.expect_eq %0 : tensor<2x3xf32>, dense<0.0> : tensor<2x3xf32>
  return
}

// Floats beyond unsigned types, and integers that do not fit, wrap.
func.func @casts_that_wrap(
    %x: tensor<4xf32> {check.value = dense<[-1.5, 300.0, 1.0e10, 0x7FC00000]> : tensor<4xf32>},
    %n: tensor<2xi32> {check.value = dense<[300, -1]> : tensor<2xi32>}) {
  %0 = kiln.cast %x : tensor<4xf32> -> tensor<4xi8>
  check.expect_eq %0 : tensor<4xi8>, dense<[-1, 44, 0, 0]> : tensor<4xi8>
  %1 = kiln.cast %n : tensor<2xi32> -> tensor<2xi8>
  check.expect_eq %1 : tensor<2xi8>, dense<[44, -1]> : tensor<2xi8>
  %2 = kiln.cast %x : tensor<4xf32> -> tensor<4xui32>
  %3 = kiln.cast %2 : tensor<4xui32> -> tensor<4xi64>
  check.expect_eq %3 : tensor<4xi64>, dense<[4294967295, 300, 1410065408, 0]> : tensor<4xi64>
  return
}
