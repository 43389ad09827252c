// RUN: kiln-check %s
// Sizes that a run finds out: symbols of value -1 before it.

// A row more in each iteration: the sizes of one iteration are those of the next one's values.
func.func @grow(
    %n: tensor<i64> {check.value = dense<3> : tensor<i64>},
    %x: tensor<2xi64> {check.value = dense<[7, 8]> : tensor<2xi64>}) attributes {check.symbols = array<i64: -1, -1>} {
  %zero = kiln.constant dense<0> : tensor<i64> : tensor<i64>
  %step = kiln.constant dense<1> : tensor<i64> : tensor<i64>
  %first = kiln.bind [0] (%x : tensor<2xi64>) -> tensor<?xi64, #kiln.sym<0>>
  %0:2 = kiln.while (%i: tensor<i64> = %zero, %a: tensor<?xi64, #kiln.sym<0>> = %first) -> (tensor<i64>, tensor<?xi64, #kiln.sym<0>>) {
    %c = kiln.compare lt %i, %n : tensor<i64> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i64>, tensor<?xi64, #kiln.sym<0>>
  } do (%j: tensor<i64>, %b: tensor<?xi64, #kiln.sym<0>>) {
    kiln.define 1 add [s0, 1]
    %row = kiln.reshape %j : tensor<i64> -> tensor<1xi64>
    %longer = kiln.concat %row, %b axis 0 : tensor<1xi64>, tensor<?xi64, #kiln.sym<0>> -> tensor<?xi64, #kiln.sym<1>>
    %next = kiln.add %j, %step : tensor<i64>
    %bound = kiln.bind [0] (%longer : tensor<?xi64, #kiln.sym<1>>) -> tensor<?xi64, #kiln.sym<0>>
    kiln.yield %next, %bound : tensor<i64>, tensor<?xi64, #kiln.sym<0>>
  }
  %size = kiln.dims [s0] : tensor<1xi64>
  %all = kiln.reshape %0#1 : tensor<?xi64, #kiln.sym<0>> -> tensor<5xi64>
  check.expect_eq %size : tensor<1xi64>, dense<5> : tensor<1xi64>
  check.expect_eq %all : tensor<5xi64>, dense<[2, 1, 0, 7, 8]> : tensor<5xi64>
  return
}

// Two values that change places, of two sizes: both symbols are bound at once.
func.func @exchange(
    %n: tensor<i64> {check.value = dense<3> : tensor<i64>},
    %x: tensor<2xi64> {check.value = dense<[1, 2]> : tensor<2xi64>},
    %y: tensor<3xi64> {check.value = dense<[3, 4, 5]> : tensor<3xi64>}) attributes {check.symbols = array<i64: -1, -1>} {
  %zero = kiln.constant dense<0> : tensor<i64> : tensor<i64>
  %step = kiln.constant dense<1> : tensor<i64> : tensor<i64>
  %f:2 = kiln.bind [0, 1] (%x, %y : tensor<2xi64>, tensor<3xi64>) -> tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<1>>
  %0:3 = kiln.while (%i: tensor<i64> = %zero, %a: tensor<?xi64, #kiln.sym<0>> = %f#0, %b: tensor<?xi64, #kiln.sym<1>> = %f#1) -> (tensor<i64>, tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<1>>) {
    %c = kiln.compare lt %i, %n : tensor<i64> -> tensor<i1>
    kiln.condition %c, %i, %a, %b : tensor<i64>, tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<1>>
  } do (%j: tensor<i64>, %d: tensor<?xi64, #kiln.sym<0>>, %e: tensor<?xi64, #kiln.sym<1>>) {
    %next = kiln.add %j, %step : tensor<i64>
    %g:2 = kiln.bind [0, 1] (%e, %d : tensor<?xi64, #kiln.sym<1>>, tensor<?xi64, #kiln.sym<0>>) -> tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<1>>
    kiln.yield %next, %g#0, %g#1 : tensor<i64>, tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<1>>
  }
  %a = kiln.reshape %0#1 : tensor<?xi64, #kiln.sym<0>> -> tensor<3xi64>
  %b = kiln.reshape %0#2 : tensor<?xi64, #kiln.sym<1>> -> tensor<2xi64>
  check.expect_eq %a : tensor<3xi64>, dense<[3, 4, 5]> : tensor<3xi64>
  check.expect_eq %b : tensor<2xi64>, dense<[1, 2]> : tensor<2xi64>
  return
}

// A kernel finds out a size in each branch; the result has a name of its own. The splat has its size behind the branch.
func.func @branches(
    %c: tensor<i1> {check.value = dense<true> : tensor<i1>},
    %x: tensor<4xi64> {check.value = dense<[0, 5, 0, 6]> : tensor<4xi64>}) attributes {check.symbols = array<i64: -1, -1>} {
  %one = kiln.constant dense<1> : tensor<i64> : tensor<?x1xi64, #kiln.sym<0>>
  %0 = kiln.if %c -> (tensor<?x1xi64, #kiln.sym<0>>) {
    %w = kiln.runtime_call "Where" ins(%x : tensor<4xi64>) types [tensor<4xi64>, tensor<?x1xi64, #kiln.sym<1>>] {binds = array<i64: 1>} -> tensor<?x1xi64, #kiln.sym<1>>
    %b = kiln.bind [0] (%w : tensor<?x1xi64, #kiln.sym<1>>) -> tensor<?x1xi64, #kiln.sym<0>>
    kiln.yield %b : tensor<?x1xi64, #kiln.sym<0>>
  } else {
    %v = kiln.reshape %x : tensor<4xi64> -> tensor<4x1xi64>
    %b = kiln.bind [0] (%v : tensor<4x1xi64>) -> tensor<?x1xi64, #kiln.sym<0>>
    kiln.yield %b : tensor<?x1xi64, #kiln.sym<0>>
  }
  %1 = kiln.add %0, %one : tensor<?x1xi64, #kiln.sym<0>>
  %2 = kiln.reshape %1 : tensor<?x1xi64, #kiln.sym<0>> -> tensor<2x1xi64>
  check.expect_eq %2 : tensor<2x1xi64>, dense<[[2], [4]]> : tensor<2x1xi64>
  return
}

// The branch that is known to run is put in place, with what it binds.
func.func @known(
    %x: tensor<4xi64> {check.value = dense<[0, 5, 0, 6]> : tensor<4xi64>}) attributes {check.symbols = array<i64: -1, -1>} {
  %c = kiln.constant dense<true> : tensor<i1> : tensor<i1>
  %0 = kiln.if %c -> (tensor<?x1xi64, #kiln.sym<0>>) {
    %w = kiln.runtime_call "Where" ins(%x : tensor<4xi64>) types [tensor<4xi64>, tensor<?x1xi64, #kiln.sym<1>>] {binds = array<i64: 1>} -> tensor<?x1xi64, #kiln.sym<1>>
    %b = kiln.bind [0] (%w : tensor<?x1xi64, #kiln.sym<1>>) -> tensor<?x1xi64, #kiln.sym<0>>
    kiln.yield %b : tensor<?x1xi64, #kiln.sym<0>>
  } else {
    %v = kiln.reshape %x : tensor<4xi64> -> tensor<4x1xi64>
    %b = kiln.bind [0] (%v : tensor<4x1xi64>) -> tensor<?x1xi64, #kiln.sym<0>>
    kiln.yield %b : tensor<?x1xi64, #kiln.sym<0>>
  }
  %1 = kiln.add %0, %0 : tensor<?x1xi64, #kiln.sym<0>>
  %2 = kiln.reshape %1 : tensor<?x1xi64, #kiln.sym<0>> -> tensor<2x1xi64>
  %size = kiln.dims [s0] : tensor<1xi64>
  check.expect_eq %2 : tensor<2x1xi64>, dense<[[2], [6]]> : tensor<2x1xi64>
  check.expect_eq %size : tensor<1xi64>, dense<2> : tensor<1xi64>
  return
}
