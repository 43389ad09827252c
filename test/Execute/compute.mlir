// RUN: kiln-check %s
// Reductions, contractions and selections by index.

// The sum of nothing is 0, its maximum the lowest number.
func.func @empty_reductions(
    %x: tensor<2x0xf32> {check.value = dense<> : tensor<2x0xf32>}) {
  %0 = kiln.reduce sum %x axes [1] : tensor<2x0xf32> -> tensor<2xf32>
  check.expect_eq %0 : tensor<2xf32>, dense<0.0> : tensor<2xf32>
  %1 = kiln.reduce max %x axes [1] : tensor<2x0xf32> -> tensor<2xf32>
  check.expect_eq %1 : tensor<2xf32>, dense<0xFF800000> : tensor<2xf32>
  %2 = kiln.reduce prod %x axes [1] : tensor<2x0xf32> -> tensor<2xf32>
  check.expect_eq %2 : tensor<2xf32>, dense<1.0> : tensor<2xf32>
  return
}

// Rows, columns, and everything.
func.func @reduces_any_axis(
    %x: tensor<2x3xi32> {check.value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>}) {
  %0 = kiln.reduce sum %x axes [1] : tensor<2x3xi32> -> tensor<2xi32>
  check.expect_eq %0 : tensor<2xi32>, dense<[6, 15]> : tensor<2xi32>
  %1 = kiln.reduce max %x axes [0] : tensor<2x3xi32> -> tensor<3xi32>
  check.expect_eq %1 : tensor<3xi32>, dense<[4, 5, 6]> : tensor<3xi32>
  %2 = kiln.reduce prod %x axes [0, 1] : tensor<2x3xi32> -> tensor<i32>
  check.expect_eq %2 : tensor<i32>, dense<720> : tensor<i32>
  return
}

// The number of rows is known only when it runs.
func.func @symbolic_rows(
    %x: tensor<?x2xf32, #kiln.sym<0>> {check.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>})
    attributes {check.symbols = array<i64: 3>} {
  %0 = kiln.reduce sum %x axes [0] : tensor<?x2xf32, #kiln.sym<0>> -> tensor<2xf32>
  check.expect_eq %0 : tensor<2xf32>, dense<[9.0, 12.0]> : tensor<2xf32>
  %1 = kiln.add %x, %x : tensor<?x2xf32, #kiln.sym<0>>
  check.expect_eq %1 : tensor<?x2xf32, #kiln.sym<0>>, dense<[[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]> : tensor<3x2xf32>
  return
}

// A product, and one with the right side transposed.
func.func @products(
    %a: tensor<2x3xf32> {check.value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>},
    %b: tensor<3x2xf32> {check.value = dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>}) {
  %0 = kiln.matmul %a, %b : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  check.expect_eq %0 : tensor<2x2xf32>, dense<[[4.0, 5.0], [10.0, 11.0]]> : tensor<2x2xf32>
  %1 = kiln.matmul %a, %a transposed : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x2xf32>
  check.expect_eq %1 : tensor<2x2xf32>, dense<[[14.0, 32.0], [32.0, 77.0]]> : tensor<2x2xf32>
  return
}

// Windows of three, every other one; then in two dimensions, with strides and dilations. A filter's gradient takes the
// transpose.
func.func @windows(
    %x: tensor<1x5x1xf32> {check.value = dense<[[[1.0], [2.0], [3.0], [4.0], [5.0]]]> : tensor<1x5x1xf32>},
    %w: tensor<3x1x1xf32> {check.value = dense<[[[1.0]], [[10.0]], [[100.0]]]> : tensor<3x1x1xf32>},
    %d: tensor<1x2x1xf32> {check.value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>}) {
  %0 = kiln.convolve %x, %w strides [2] dilations [1] : tensor<1x5x1xf32>, tensor<3x1x1xf32> -> tensor<1x2x1xf32>
  check.expect_eq %0 : tensor<1x2x1xf32>, dense<[[[321.0], [543.0]]]> : tensor<1x2x1xf32>
  %1 = kiln.convolve %x transposed, %d strides [2] dilations [1] : tensor<1x5x1xf32>, tensor<1x2x1xf32> -> tensor<3x1x1xf32>
  check.expect_eq %1 : tensor<3x1x1xf32>, dense<[[[7.0]], [[10.0]], [[13.0]]]> : tensor<3x1x1xf32>
  // Backwards.
  %2 = kiln.convolve %x, %w strides [2] dilations [-1] : tensor<1x5x1xf32>, tensor<3x1x1xf32> -> tensor<1x2x1xf32>
  check.expect_eq %2 : tensor<1x2x1xf32>, dense<[[[123.0], [345.0]]]> : tensor<1x2x1xf32>
  %3 = kiln.convolve %x transposed, %d strides [2] dilations [-1] : tensor<1x5x1xf32>, tensor<1x2x1xf32> -> tensor<3x1x1xf32>
  check.expect_eq %3 : tensor<3x1x1xf32>, dense<[[[13.0]], [[10.0]], [[7.0]]]> : tensor<3x1x1xf32>
  return
}

func.func @windows_2d(
    %x: tensor<?x4x5x2xi32, #kiln.sym<0>> {check.value = dense<[[[[-3, -2], [-1, 0], [1, 2], [3, -3], [-2, -1]], [[0, 1], [2, 3], [-3, -2], [-1, 0], [1, 2]], [[3, -3], [-2, -1], [0, 1], [2, 3], [-3, -2]], [[-1, 0], [1, 2], [3, -3], [-2, -1], [0, 1]]], [[[2, 3], [-3, -2], [-1, 0], [1, 2], [3, -3]], [[-2, -1], [0, 1], [2, 3], [-3, -2], [-1, 0]], [[1, 2], [3, -3], [-2, -1], [0, 1], [2, 3]], [[-3, -2], [-1, 0], [1, 2], [3, -3], [-2, -1]]]]> : tensor<2x4x5x2xi32>},
    %w: tensor<2x2x2x3xi32> {check.value = dense<[[[[-2, -1, 0], [1, 2, -2]], [[-1, 0, 1], [2, -2, -1]]], [[[0, 1, 2], [-2, -1, 0]], [[1, 2, -2], [-1, 0, 1]]]]> : tensor<2x2x2x3xi32>},
    %d: tensor<?x3x2x3xi32, #kiln.sym<0>> {check.value = dense<[[[[-1, 0, 1], [2, -1, 0]], [[1, 2, -1], [0, 1, 2]], [[-1, 0, 1], [2, -1, 0]]], [[[1, 2, -1], [0, 1, 2]], [[-1, 0, 1], [2, -1, 0]], [[1, 2, -1], [0, 1, 2]]]]> : tensor<2x3x2x3xi32>})
    attributes {check.symbols = array<i64: 2>} {
  %0 = kiln.convolve %x, %w strides [1, 2] dilations [1, 2] : tensor<?x4x5x2xi32, #kiln.sym<0>>, tensor<2x2x2x3xi32> -> tensor<?x3x2x3xi32, #kiln.sym<0>>
  check.expect_eq %0 : tensor<?x3x2x3xi32, #kiln.sym<0>>, dense<[[[[4, -12, 7], [3, 6, -11]], [[5, 12, 4], [4, -12, 7]], [[-1, -6, -6], [5, 12, 4]]], [[[1, 7, -12], [-14, 4, 12]], [[2, -11, 6], [1, 7, -12]], [[3, 6, -11], [2, -11, 6]]]]> : tensor<2x3x2x3xi32>
  %1 = kiln.convolve %x transposed, %d strides [1, 2] dilations [1, 2] : tensor<?x4x5x2xi32, #kiln.sym<0>>, tensor<?x3x2x3xi32, #kiln.sym<0>> -> tensor<2x2x2x3xi32>
  check.expect_eq %1 : tensor<2x2x2x3xi32>, dense<[[[[11, -3, -17], [24, 3, -18]], [[-21, 0, 21], [-15, -1, 13]]], [[[-6, 1, 8], [-21, 0, 21]], [[11, -3, -17], [24, 3, -18]]]]> : tensor<2x2x2x3xi32>
  return
}

// The first and the last line are padding, which is left out.
func.func @windows_padded(
    %x: tensor<1x4x3x1xf32> {check.value = dense<[[[[0x7F800000], [0x7F800000], [0x7F800000]], [[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[0x7F800000], [0x7F800000], [0x7F800000]]]]> : tensor<1x4x3x1xf32>},
    %w: tensor<3x2x1x1xf32> {check.value = dense<[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]], [[[10000.0]], [[100000.0]]]]> : tensor<3x2x1x1xf32>},
    %d: tensor<1x2x2x1xf32> {check.value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>}) {
  %0 = kiln.convolve %x, %w strides [1, 1] dilations [1, 1] padded [1, 1] : tensor<1x4x3x1xf32>, tensor<3x2x1x1xf32> -> tensor<1x2x2x1xf32>
  check.expect_eq %0 : tensor<1x2x2x1xf32>, dense<[[[[542100.0], [653200.0]], [[5421.0], [6532.0]]]]> : tensor<1x2x2x1xf32>
  %1 = kiln.convolve %x transposed, %d strides [1, 1] dilations [1, 1] padded [1, 1] : tensor<1x4x3x1xf32>, tensor<1x2x2x1xf32> -> tensor<3x2x1x1xf32>
  check.expect_eq %1 : tensor<3x2x1x1xf32>, dense<[[[[11.0]], [[18.0]]], [[[37.0]], [[47.0]]], [[[14.0]], [[17.0]]]]> : tensor<3x2x1x1xf32>
  // Backwards.
  %2 = kiln.convolve %x, %w strides [1, 1] dilations [-1, -1] padded [1, 1] : tensor<1x4x3x1xf32>, tensor<3x2x1x1xf32> -> tensor<1x2x2x1xf32>
  check.expect_eq %2 : tensor<1x2x2x1xf32>, dense<[[[[1245.0], [2356.0]], [[124500.0], [235600.0]]]]> : tensor<1x2x2x1xf32>
  %3 = kiln.convolve %x transposed, %d strides [1, 1] dilations [-1, -1] padded [1, 1] : tensor<1x4x3x1xf32>, tensor<1x2x2x1xf32> -> tensor<3x2x1x1xf32>
  check.expect_eq %3 : tensor<3x2x1x1xf32>, dense<[[[[17.0]], [[14.0]]], [[[47.0]], [[37.0]]], [[[18.0]], [[11.0]]]]> : tensor<3x2x1x1xf32>
  return
}

// So are, for a filter's gradient, the first column and the last two.
func.func @columns_padded(
    %x: tensor<1x4x7x1xf32> {check.value = dense<[[[[0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000]], [[0x7F800000], [1.0], [2.0], [3.0], [4.0], [0x7F800000], [0x7F800000]], [[0x7F800000], [5.0], [6.0], [7.0], [8.0], [0x7F800000], [0x7F800000]], [[0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000], [0x7F800000]]]]> : tensor<1x4x7x1xf32>},
    %d: tensor<1x2x5x1xf32> {check.value = dense<[[[[1.0], [2.0], [3.0], [4.0], [5.0]], [[6.0], [7.0], [8.0], [9.0], [10.0]]]]> : tensor<1x2x5x1xf32>},
    %e: tensor<1x2x3x1xf32> {check.value = dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]]> : tensor<1x2x3x1xf32>}) {
  %0 = kiln.convolve %x transposed, %d strides [1, 1] dilations [1, 1] padded [1, 1, 1, 2] : tensor<1x4x7x1xf32>, tensor<1x2x5x1xf32> -> tensor<3x3x1x1xf32>
  check.expect_eq %0 : tensor<3x3x1x1xf32>, dense<[[[[90.0]], [[80.0]], [[65.0]]], [[[266.0]], [[230.0]], [[169.0]]], [[[96.0]], [[70.0]], [[44.0]]]]> : tensor<3x3x1x1xf32>
  %1 = kiln.convolve %x transposed, %d strides [1, 1] dilations [-1, -1] padded [1, 1, 1, 2] : tensor<1x4x7x1xf32>, tensor<1x2x5x1xf32> -> tensor<3x3x1x1xf32>
  check.expect_eq %1 : tensor<3x3x1x1xf32>, dense<[[[[44.0]], [[70.0]], [[96.0]]], [[[169.0]], [[230.0]], [[266.0]]], [[[65.0]], [[80.0]], [[90.0]]]]> : tensor<3x3x1x1xf32>
  %2 = kiln.convolve %x transposed, %e strides [1, 2] dilations [1, 1] padded [1, 1, 1, 2] : tensor<1x4x7x1xf32>, tensor<1x2x3x1xf32> -> tensor<3x3x1x1xf32>
  check.expect_eq %2 : tensor<3x3x1x1xf32>, dense<[[[[34.0]], [[19.0]], [[28.0]]], [[[94.0]], [[62.0]], [[74.0]]], [[[36.0]], [[19.0]], [[22.0]]]]> : tensor<3x3x1x1xf32>
  %3 = kiln.convolve %x transposed, %e strides [1, 2] dilations [-1, -1] padded [1, 1, 1, 2] : tensor<1x4x7x1xf32>, tensor<1x2x3x1xf32> -> tensor<3x3x1x1xf32>
  check.expect_eq %3 : tensor<3x3x1x1xf32>, dense<[[[[22.0]], [[19.0]], [[36.0]]], [[[74.0]], [[62.0]], [[94.0]]], [[[28.0]], [[19.0]], [[34.0]]]]> : tensor<3x3x1x1xf32>
  return
}

// NaN never is the largest; of equals the first one is.
func.func @arg_reduce(
    %x: tensor<2x3xf32> {check.value = dense<[[1.0, 0x7FC00000, 3.0], [2.0, 2.0, 1.0]]> : tensor<2x3xf32>}) {
  %0 = kiln.arg_reduce %x axis 1 {smallest = false} : tensor<2x3xf32> -> tensor<2xi64>
  check.expect_eq %0 : tensor<2xi64>, dense<[2, 0]> : tensor<2xi64>
  return
}

// An index outside of the axis ends the run.
func.func @gather_out_of_bounds(
    %x: tensor<3xf32> {check.value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>},
    %i: tensor<2xi32> {check.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<2xf32> {
  %0 = kiln.gather %x, %i axis 0 : tensor<3xf32>, tensor<2xi32> -> tensor<2xf32> loc("rows")
  check.expect_error "INVALID_ARGUMENT: indices[1] = 3 is not in [0, 3) [[{{node rows}}]]"
  return %0 : tensor<2xf32>
}

// Inside it takes slices.
func.func @gather(
    %x: tensor<3x2xf32> {check.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>},
    %i: tensor<2xi32> {check.value = dense<[2, 0]> : tensor<2xi32>}) {
  %0 = kiln.gather %x, %i axis 0 : tensor<3x2xf32>, tensor<2xi32> -> tensor<2x2xf32>
  check.expect_eq %0 : tensor<2x2xf32>, dense<[[5.0, 6.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}

// Each batch has indices of its own, which pick for each row between batch and axis.
func.func @gather_batch(
    %x: tensor<2x2x3xf32> {check.value = dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>},
    %i: tensor<2x2xi32> {check.value = dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>}) {
  %0 = kiln.gather %x, %i axis 2 batch 1 : tensor<2x2x3xf32>, tensor<2x2xi32> -> tensor<2x2x2xf32>
  check.expect_eq %0 : tensor<2x2x2xf32>, dense<[[[3.0, 1.0], [6.0, 4.0]], [[8.0, 8.0], [11.0, 11.0]]]> : tensor<2x2x2xf32>
  return
}

// Rows of one index in their order; what is outside is dropped.
func.func @scatters(
    %x: tensor<3x2xf32> {check.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>},
    %i: tensor<4xi32> {check.value = dense<[2, 0, 3, 2]> : tensor<4xi32>},
    %u: tensor<4x2xf32> {check.value = dense<[[1.0, 1.0], [2.0, 3.0], [9.0, 9.0], [4.0, 5.0]]> : tensor<4x2xf32>}) {
  %0 = kiln.scatter update %x, %i, %u : tensor<3x2xf32>, tensor<4xi32>, tensor<4x2xf32> -> tensor<3x2xf32>
  check.expect_eq %0 : tensor<3x2xf32>, dense<[[2.0, 3.0], [3.0, 4.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %1 = kiln.scatter div %x, %i, %u : tensor<3x2xf32>, tensor<4xi32>, tensor<4x2xf32> -> tensor<3x2xf32>
  check.expect_eq %1 : tensor<3x2xf32>, dense<[[0.5, 0.666666686], [3.0, 4.0], [1.25, 1.2]]> : tensor<3x2xf32>
  %z = kiln.constant dense<-1.0> : tensor<f32> : tensor<f32>
  %2 = kiln.scatter max %z, %i, %u : tensor<f32>, tensor<4xi32>, tensor<4x2xf32> -> tensor<4x2xf32>
  check.expect_eq %2 : tensor<4x2xf32>, dense<[[2.0, 3.0], [-1.0, -1.0], [4.0, 5.0], [9.0, 9.0]]> : tensor<4x2xf32>
  return
}

// A NaN replaces no number, and of a segment it stays until the next number.
func.func @scatters_of_nans(
    %x: tensor<2xf32> {check.value = dense<[1.0, 0x7FC00000]> : tensor<2xf32>},
    %i: tensor<3xi32> {check.value = dense<[0, 0, 1]> : tensor<3xi32>},
    %u: tensor<3xf32> {check.value = dense<[0x7FC00000, 0.5, 3.0]> : tensor<3xf32>}) {
  %0 = kiln.scatter max %x, %i, %u : tensor<2xf32>, tensor<3xi32>, tensor<3xf32> -> tensor<2xf32>
  check.expect_eq %0 : tensor<2xf32>, dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %1 = kiln.scatter segment_max %x, %i, %u : tensor<2xf32>, tensor<3xi32>, tensor<3xf32> -> tensor<2xf32>
  check.expect_eq %1 : tensor<2xf32>, dense<[0.5, 3.0]> : tensor<2xf32>
  %2 = kiln.scatter min %x, %i, %u : tensor<2xf32>, tensor<3xi32>, tensor<3xf32> -> tensor<2xf32>
  check.expect_eq %2 : tensor<2xf32>, dense<[0.5, 0x7FC00000]> : tensor<2xf32>
  %3 = kiln.scatter segment_min %x, %i, %u : tensor<2xf32>, tensor<3xi32>, tensor<3xf32> -> tensor<2xf32>
  check.expect_eq %3 : tensor<2xf32>, dense<[0.5, 3.0]> : tensor<2xf32>
  return
}
