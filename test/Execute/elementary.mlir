// RUN: kiln-check %s
// The elementary functions: values known to many digits, limits and domains.

// e, its inverse, and the ends of the range.
func.func @exponentials(
    %x: tensor<4xf32> {check.value = dense<[1.0, -1.0, 0x7F800000, -200.0]> : tensor<4xf32>}) {
  %0 = kiln.exp %x : tensor<4xf32>
  check.expect_close %0 : tensor<4xf32>, dense<[2.7182818, 0.36787944, 0x7F800000, 0.0]> : tensor<4xf32> within 1 ulps
  %1 = kiln.expm1 %x : tensor<4xf32>
  check.expect_close %1 : tensor<4xf32>, dense<[1.7182818, -0.63212056, 0x7F800000, -1.0]> : tensor<4xf32> within 1 ulps
  %2 = kiln.tanh %x : tensor<4xf32>
  check.expect_close %2 : tensor<4xf32>, dense<[0.7615942, -0.7615942, 1.0, -1.0]> : tensor<4xf32> within 1 ulps
  return
}

// Poles, and NaN outside of the domain.
func.func @logarithms(
    %x: tensor<5xf32> {check.value = dense<[10.0, 0.0, -0.0, -1.0, 0x7F800000]> : tensor<5xf32>}) {
  %0 = kiln.log %x : tensor<5xf32>
  check.expect_close %0 : tensor<5xf32>, dense<[2.3025851, 0xFF800000, 0xFF800000, 0x7FC00000, 0x7F800000]> : tensor<5xf32> within 1 ulps
  %1 = kiln.log1p %x : tensor<5xf32>
  check.expect_close %1 : tensor<5xf32>, dense<[2.3978953, 0.0, -0.0, 0xFF800000, 0x7F800000]> : tensor<5xf32> within 1 ulps
  return
}

// An angle of 10^22 is reduced exactly.
func.func @large_angles(
    %x: tensor<2xf64> {check.value = dense<[1.0e22, 3.0]> : tensor<2xf64>}) {
  %0 = kiln.sin %x : tensor<2xf64>
  check.expect_close %0 : tensor<2xf64>, dense<[-0.8522008497671888, 0.1411200080598672]> : tensor<2xf64> within 1 ulps
  %1 = kiln.cos %x : tensor<2xf64>
  check.expect_close %1 : tensor<2xf64>, dense<[0.5232147853951389, -0.9899924966004454]> : tensor<2xf64> within 1 ulps
  return
}

// The inverse functions at and outside of the ends of their domains.
func.func @inverses(
    %x: tensor<4xf32> {check.value = dense<[0.5, 1.0, -1.0, 1.5]> : tensor<4xf32>}) {
  %0 = kiln.asin %x : tensor<4xf32>
  check.expect_close %0 : tensor<4xf32>, dense<[0.5235988, 1.5707964, -1.5707964, 0x7FC00000]> : tensor<4xf32> within 2 ulps
  %1 = kiln.acos %x : tensor<4xf32>
  check.expect_close %1 : tensor<4xf32>, dense<[1.0471976, 0.0, 3.1415927, 0x7FC00000]> : tensor<4xf32> within 2 ulps
  %2 = kiln.atanh %x : tensor<4xf32>
  check.expect_close %2 : tensor<4xf32>, dense<[0.54930615, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<4xf32> within 2 ulps
  %3 = kiln.acosh %x : tensor<4xf32>
  check.expect_close %3 : tensor<4xf32>, dense<[0x7FC00000, 0.0, 0x7FC00000, 0.9624237]> : tensor<4xf32> within 2 ulps
  return
}

// erfc keeps its digits where 1 - erf has none.
func.func @error_functions(
    %x: tensor<3xf64> {check.value = dense<[0.5, 5.0, -2.0]> : tensor<3xf64>}) {
  %0 = kiln.erf %x : tensor<3xf64>
  check.expect_close %0 : tensor<3xf64>, dense<[0.5204998778130465, 0.9999999999984626, -0.9953222650189527]> : tensor<3xf64> within 2 ulps
  %1 = kiln.erfc %x : tensor<3xf64>
  check.expect_close %1 : tensor<3xf64>, dense<[0.4795001221869535, 1.5374597944280349e-12, 1.9953222650189527]> : tensor<3xf64> within 2 ulps
  return
}

// The special values of C.
func.func @powers(
    %x: tensor<5xf32> {check.value = dense<[2.0, 0.0, 0x7FC00000, 1.0, -8.0]> : tensor<5xf32>},
    %y: tensor<5xf32> {check.value = dense<[10.0, 0.0, 0.0, 0x7FC00000, 0.3333333]> : tensor<5xf32>}) {
  %0 = kiln.pow %x, %y : tensor<5xf32>
  check.expect_close %0 : tensor<5xf32>, dense<[1024.0, 1.0, 1.0, 1.0, 0x7FC00000]> : tensor<5xf32> within 1 ulps
  return
}

// Quadrants, and the signs of zeros.
func.func @angles(
    %y: tensor<4xf32> {check.value = dense<[1.0, -0.0, 0.0, -1.0]> : tensor<4xf32>},
    %x: tensor<4xf32> {check.value = dense<[-1.0, -0.0, 1.0, 0.0]> : tensor<4xf32>}) {
  %0 = kiln.atan2 %y, %x : tensor<4xf32>
  check.expect_close %0 : tensor<4xf32>, dense<[2.3561945, -3.1415927, 0.0, -1.5707964]> : tensor<4xf32> within 1 ulps
  return
}
