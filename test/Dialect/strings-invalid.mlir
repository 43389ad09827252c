// What does not take strings.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// Nothing computes with strings.
func.func @add(%x: tensor<2x!kiln.string>) -> tensor<2x!kiln.string> {
  // expected-error @+1 {{operand #0 must be tensor of numbers}}
  %r = kiln.add %x, %x : tensor<2x!kiln.string>
  return %r : tensor<2x!kiln.string>
}

// -----

// Their order and equality is a runtime call's.
func.func @compare(%x: tensor<2x!kiln.string>) -> tensor<2xi1> {
  // expected-error @+1 {{operand #0 must be tensor of numbers or bool}}
  %r = kiln.compare eq %x, %x : tensor<2x!kiln.string> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @fusion(%x: tensor<2x!kiln.string>) -> tensor<2x!kiln.string> {
  // expected-error @+1 {{operand #0 must be variadic of}}
  %r = kiln.fusion (%a: tensor<2x!kiln.string> = %x : tensor<2x!kiln.string>) -> tensor<2x!kiln.string> {
    kiln.yield %a : tensor<2x!kiln.string>
  }
  return %r : tensor<2x!kiln.string>
}
