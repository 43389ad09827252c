// One constraint a chunk, which has its label as name.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @define_c1() {
  // expected-error @+1 {{expected two numbers or symbols, got 1}}
  "kiln.define"() {id = 8, kind = 1 : i32, symbols = array<i64: 7>, values = array<i64: 0>} : () -> ()
  return
}

// -----

func.func @define_c2() {
  // expected-error @+1 {{expected the id of a symbol, got -1}}
  kiln.define -1 add [s7, 4]
  return
}

// -----

func.func @guard_c1() {
  // expected-error @+1 {{expected two numbers or symbols, got 3}}
  "kiln.guard"() {number = 0, kind = 0 : i32, symbols = array<i64: 7, 8, 9>, values = array<i64: 0, 0, 0>} : () -> ()
  return
}

// -----

func.func @runtime_call_c5(%x: tensor<?xf32, #kiln.sym<7>>) {
  // expected-error @+1 {{expected operands of known shapes, got}}
  %r = kiln.runtime_call "f" ins(%x : tensor<?xf32, #kiln.sym<7>>) types [tensor<?xf32, #kiln.sym<7>>, tensor<?xf32, #kiln.sym<7>>] {binds = array<i64: 7>} -> tensor<?xf32, #kiln.sym<7>>
  return
}

// -----

func.func @bind_c1(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a result of the operand's element type and rank, got}}
  %y = kiln.bind [7] (%x : tensor<3xf32>) -> tensor<?x1xf32, #kiln.sym<7>>
  return
}

// -----

func.func @bind_c2(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected symbols of results, got s8}}
  %y = kiln.bind [8] (%x : tensor<3xf32>) -> tensor<?xf32, #kiln.sym<7>>
  return
}
