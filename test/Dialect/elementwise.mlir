// Round trips of the elementwise ops.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

!f = tensor<?x9xf32, #kiln.sym<0>>
!d = tensor<4xf64>
!i = tensor<i32>
!b = tensor<?x9xi1, #kiln.sym<0>>

// Functions of floats.
// CHECK-LABEL: @unary
func.func @unary(%x: !f) {
  // CHECK: kiln.sqrt %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.sqrt %x : !f
  // CHECK: kiln.rsqrt %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %1 = kiln.rsqrt %x : !f
  // CHECK: kiln.exp %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %2 = kiln.exp %x : !f
  // CHECK: kiln.expm1 %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %3 = kiln.expm1 %x : !f
  // CHECK: kiln.log %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %4 = kiln.log %x : !f
  // CHECK: kiln.log1p %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %5 = kiln.log1p %x : !f
  // CHECK: kiln.sin %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %6 = kiln.sin %x : !f
  // CHECK: kiln.cos %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %7 = kiln.cos %x : !f
  // CHECK: kiln.tan %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %8 = kiln.tan %x : !f
  // CHECK: kiln.atan %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %9 = kiln.atan %x : !f
  // CHECK: kiln.sinh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %10 = kiln.sinh %x : !f
  // CHECK: kiln.cosh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %11 = kiln.cosh %x : !f
  // CHECK: kiln.tanh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %12 = kiln.tanh %x : !f
  // CHECK: kiln.sigmoid %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %13 = kiln.sigmoid %x : !f
  // CHECK: kiln.softplus %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %14 = kiln.softplus %x : !f
  // CHECK: kiln.erf %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %15 = kiln.erf %x : !f
  // CHECK: kiln.asin %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %asin = kiln.asin %x : !f
  // CHECK: kiln.acos %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %acos = kiln.acos %x : !f
  // CHECK: kiln.asinh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %asinh = kiln.asinh %x : !f
  // CHECK: kiln.acosh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %acosh = kiln.acosh %x : !f
  // CHECK: kiln.atanh %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %atanh = kiln.atanh %x : !f
  // CHECK: kiln.erfc %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %erfc = kiln.erfc %x : !f
  // CHECK: kiln.floor %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %16 = kiln.floor %x : !f
  // CHECK: kiln.ceil %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %17 = kiln.ceil %x : !f
  // CHECK: kiln.round_even %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %18 = kiln.round_even %x : !f
  return
}

// Functions of numbers.
// CHECK-LABEL: @signs
func.func @signs(%x: !i) {
  // CHECK: kiln.neg %{{.*}} : tensor<i32>
  %0 = kiln.neg %x : !i
  // CHECK: kiln.abs %{{.*}} : tensor<i32>
  %1 = kiln.abs %x : !i
  // CHECK: kiln.sign %{{.*}} : tensor<i32>
  %2 = kiln.sign %x : !i
  return
}

// Two numbers.
// CHECK-LABEL: @binary
func.func @binary(%x: !d, %y: !d) {
  // CHECK: kiln.add %{{.*}}, %{{.*}} : tensor<4xf64>
  %0 = kiln.add %x, %y : !d
  // CHECK: kiln.sub %{{.*}}, %{{.*}} : tensor<4xf64>
  %1 = kiln.sub %x, %y : !d
  // CHECK: kiln.mul %{{.*}}, %{{.*}} : tensor<4xf64>
  %2 = kiln.mul %x, %y : !d
  // CHECK: kiln.div %{{.*}}, %{{.*}} : tensor<4xf64>
  %3 = kiln.div %x, %y : !d
  // CHECK: kiln.rem %{{.*}}, %{{.*}} : tensor<4xf64>
  %4 = kiln.rem %x, %y : !d
  // CHECK: kiln.floor_div %{{.*}}, %{{.*}} : tensor<4xf64>
  %5 = kiln.floor_div %x, %y : !d
  // CHECK: kiln.floor_mod %{{.*}}, %{{.*}} : tensor<4xf64>
  %6 = kiln.floor_mod %x, %y : !d
  // CHECK: kiln.max %{{.*}}, %{{.*}} : tensor<4xf64>
  %7 = kiln.max %x, %y : !d
  // CHECK: kiln.min %{{.*}}, %{{.*}} : tensor<4xf64>
  %8 = kiln.min %x, %y : !d
  // CHECK: kiln.pow %{{.*}}, %{{.*}} : tensor<4xf64>
  %9 = kiln.pow %x, %y : !d
  // CHECK: kiln.atan2 %{{.*}}, %{{.*}} : tensor<4xf64>
  %10 = kiln.atan2 %x, %y : !d
  return
}

// Bools.
// CHECK-LABEL: @logical
func.func @logical(%x: !b, %y: !b) {
  // CHECK: kiln.not %{{.*}} : tensor<?x9xi1, #kiln.sym<0>>
  %0 = kiln.not %x : !b
  // CHECK: kiln.and %{{.*}}, %{{.*}} : tensor<?x9xi1, #kiln.sym<0>>
  %1 = kiln.and %x, %y : !b
  // CHECK: kiln.or %{{.*}}, %{{.*}} : tensor<?x9xi1, #kiln.sym<0>>
  %2 = kiln.or %x, %y : !b
  return
}

// Comparisons give bools.
// CHECK-LABEL: @compare
func.func @compare(%x: !f, %y: !f) {
  // CHECK: kiln.compare eq %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %0 = kiln.compare eq %x, %y : !f -> !b
  // CHECK: kiln.compare ne %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %1 = kiln.compare ne %x, %y : !f -> !b
  // CHECK: kiln.compare lt %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %2 = kiln.compare lt %x, %y : !f -> !b
  // CHECK: kiln.compare le %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %3 = kiln.compare le %x, %y : !f -> !b
  // CHECK: kiln.compare gt %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %4 = kiln.compare gt %x, %y : !f -> !b
  // CHECK: kiln.compare ge %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?x9xi1, #kiln.sym<0>>
  %5 = kiln.compare ge %x, %y : !f -> !b
  return
}

// Choices and conversions.
// CHECK-LABEL: @choose
func.func @choose(%c: !b, %x: !f, %y: !f) {
  // CHECK: kiln.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x9xi1, #kiln.sym<0>>, tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.select %c, %x, %y : !b, !f
  // CHECK: kiln.cast %{{.*}} : tensor<?x9xi1, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>
  %1 = kiln.cast %c : !b -> !f
  return
}

// Bits of integers, and unsigned types.
// CHECK-LABEL: @bits
func.func @bits(%x: tensor<4xui8>, %y: tensor<4xi16>) {
  // CHECK: kiln.and %{{.*}}, %{{.*}} : tensor<4xui8>
  %0 = kiln.and %x, %x : tensor<4xui8>
  // CHECK: kiln.xor %{{.*}}, %{{.*}} : tensor<4xi16>
  %1 = kiln.xor %y, %y : tensor<4xi16>
  // CHECK: kiln.shift_left %{{.*}}, %{{.*}} : tensor<4xui8>
  %2 = kiln.shift_left %x, %x : tensor<4xui8>
  // CHECK: kiln.shift_right %{{.*}}, %{{.*}} : tensor<4xi16>
  %3 = kiln.shift_right %y, %y : tensor<4xi16>
  // CHECK: kiln.not %{{.*}} : tensor<4xui8>
  %4 = kiln.not %x : tensor<4xui8>
  return
}

// Floats of 16 bits are converted, selected and moved.
// CHECK-LABEL: @narrow
func.func @narrow(%x: tensor<4xf16>, %c: tensor<4xi1>) -> tensor<4xbf16> {
  // CHECK: kiln.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf16>
  %0 = kiln.select %c, %x, %x : tensor<4xi1>, tensor<4xf16>
  // CHECK: kiln.cast %{{.*}} : tensor<4xf16> -> tensor<4xf32>
  %1 = kiln.cast %0 : tensor<4xf16> -> tensor<4xf32>
  // CHECK: kiln.cast %{{.*}} : tensor<4xf32> -> tensor<4xbf16>
  %2 = kiln.cast %1 : tensor<4xf32> -> tensor<4xbf16>
  return %2 : tensor<4xbf16>
}

// Complex numbers, which are integers of their size.
// CHECK-LABEL: @complex_numbers
func.func @complex_numbers(%x: tensor<4xf32>, %y: tensor<4xi128>) {
  // CHECK: kiln.complex %{{.*}}, %{{.*}} : tensor<4xf32> -> tensor<4xi64>
  %0 = kiln.complex %x, %x : tensor<4xf32> -> tensor<4xi64>
  // CHECK: kiln.real %{{.*}} : tensor<4xi64> -> tensor<4xf32>
  %1 = kiln.real %0 : tensor<4xi64> -> tensor<4xf32>
  // CHECK: kiln.imag %{{.*}} : tensor<4xi128> -> tensor<4xf64>
  %2 = kiln.imag %y : tensor<4xi128> -> tensor<4xf64>
  return
}
