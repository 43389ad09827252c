// RUN: kiln-check %s
// Ops that move elements.

// A broadcast says which dimension goes where.
func.func @broadcasts(
    %x: tensor<2xf32> {check.value = dense<[1.0, 2.0]> : tensor<2xf32>}) {
  %0 = kiln.broadcast %x map [0] : tensor<2xf32> -> tensor<2x3xf32>
  check.expect_eq %0 : tensor<2x3xf32>, dense<[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %1 = kiln.broadcast %x map [1] : tensor<2xf32> -> tensor<3x2xf32>
  check.expect_eq %1 : tensor<3x2xf32>, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
  return
}

// Dimensions change places, elements keep their order.
func.func @transposes_and_reshapes(
    %x: tensor<2x3xi32> {check.value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>}) {
  %0 = kiln.transpose %x permutation [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  check.expect_eq %0 : tensor<3x2xi32>, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %1 = kiln.reshape %x : tensor<2x3xi32> -> tensor<3x2xi32>
  check.expect_eq %1 : tensor<3x2xi32>, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

// Strides, also backwards.
func.func @slices(
    %x: tensor<6xi64> {check.value = dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>}) {
  %0 = kiln.slice %x starts [1] strides [2] : tensor<6xi64> -> tensor<3xi64>
  check.expect_eq %0 : tensor<3xi64>, dense<[1, 3, 5]> : tensor<3xi64>
  %1 = kiln.slice %x starts [5] strides [-2] : tensor<6xi64> -> tensor<3xi64>
  check.expect_eq %1 : tensor<3xi64>, dense<[5, 3, 1]> : tensor<3xi64>
  return
}

// Beside each other, and with a rim.
func.func @concat_and_pad(
    %x: tensor<2xf32> {check.value = dense<[1.0, 2.0]> : tensor<2xf32>},
    %y: tensor<1xf32> {check.value = dense<[3.0]> : tensor<1xf32>},
    %p: tensor<f32> {check.value = dense<9.0> : tensor<f32>}) {
  %0 = kiln.concat %x, %y axis 0 : tensor<2xf32>, tensor<1xf32> -> tensor<3xf32>
  check.expect_eq %0 : tensor<3xf32>, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = kiln.pad %x, %p low [1] : tensor<2xf32>, tensor<f32> -> tensor<5xf32>
  check.expect_eq %1 : tensor<5xf32>, dense<[9.0, 1.0, 2.0, 9.0, 9.0]> : tensor<5xf32>
  return
}

// Paddings that the run computes, alone and added to fixed ones, along all dimensions and along the first.
func.func @pad_by_computed(
    %x: tensor<2x2xf32> {check.value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>},
    %p: tensor<f32> {check.value = dense<9.0> : tensor<f32>},
    %at: tensor<2xi64> {check.value = dense<[1, 0]> : tensor<2xi64>}) {
  %0 = kiln.pad %x, %p at %at low [0, 1] : tensor<2x2xf32>, tensor<f32>, tensor<2xi64> -> tensor<4x3xf32>
  check.expect_eq %0 : tensor<4x3xf32>,
    dense<[[9.0, 9.0, 9.0], [9.0, 1.0, 2.0], [9.0, 3.0, 4.0], [9.0, 9.0, 9.0]]> : tensor<4x3xf32>
  %1 = kiln.pad %x, %p at %at low [0, 0] : tensor<2x2xf32>, tensor<f32>, tensor<2xi64> -> tensor<3x2xf32>
  check.expect_eq %1 : tensor<3x2xf32>, dense<[[9.0, 9.0], [1.0, 2.0], [3.0, 4.0]]> : tensor<3x2xf32>
  return
}

// Windows reach beyond both ends, by steps that pass over elements, of rows and along them, of one column too.
func.func @windows(
    %x: tensor<3x2xf32> {check.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>},
    %c: tensor<2x1xf32> {check.value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>},
    %p: tensor<f32> {check.value = dense<9.0> : tensor<f32>}) {
  %0 = kiln.window %x, %p starts [-1, 0] strides [2, 1] : tensor<3x2xf32>, tensor<f32> -> tensor<3x2xf32>
  check.expect_eq %0 : tensor<3x2xf32>, dense<[[9.0, 9.0], [3.0, 4.0], [9.0, 9.0]]> : tensor<3x2xf32>
  %1 = kiln.window %x, %p starts [1, -1] strides [1, 2] : tensor<3x2xf32>, tensor<f32> -> tensor<2x3xf32>
  check.expect_eq %1 : tensor<2x3xf32>, dense<[[9.0, 4.0, 9.0], [9.0, 6.0, 9.0]]> : tensor<2x3xf32>
  %2 = kiln.window %c, %p starts [0, 0] strides [1, 3] : tensor<2x1xf32>, tensor<f32> -> tensor<3x2xf32>
  check.expect_eq %2 : tensor<3x2xf32>, dense<[[1.0, 9.0], [2.0, 9.0], [9.0, 9.0]]> : tensor<3x2xf32>
  %3 = kiln.window %c, %p starts [7, 0] strides [1, 1] : tensor<2x1xf32>, tensor<f32> -> tensor<1x1xf32>
  check.expect_eq %3 : tensor<1x1xf32>, dense<9.0> : tensor<1x1xf32>
  return
}

// Numbers that come from nowhere else.
func.func @generated(
    %start: tensor<i32> {check.value = dense<5> : tensor<i32>},
    %step: tensor<i32> {check.value = dense<-2> : tensor<i32>})
    attributes {check.symbols = array<i64: 4>, check.constants = [dense<[7.0, 8.0]> : tensor<2xf32>]} {
  %0 = kiln.iota %start, %step axis 0 : tensor<i32> -> tensor<3xi32>
  check.expect_eq %0 : tensor<3xi32>, dense<[5, 3, 1]> : tensor<3xi32>
  %1 = kiln.dims [s0, 3] : tensor<2xi64>
  check.expect_eq %1 : tensor<2xi64>, dense<[4, 3]> : tensor<2xi64>
  %2 = kiln.constant_ref 0 : tensor<2xf32>
  check.expect_eq %2 : tensor<2xf32>, dense<[7.0, 8.0]> : tensor<2xf32>
  return
}
