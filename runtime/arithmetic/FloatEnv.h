// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating-point state of a run: denormals flushed, round to nearest, no
// traps; the caller's comes back after it.
#ifndef KILN_RUNTIME_ARITHMETIC_FLOATENV_H
#define KILN_RUNTIME_ARITHMETIC_FLOATENV_H

#include <cfenv>
#include <cstdint>

namespace kiln {

/// Sets the run's floating-point state and restores the caller's, exactly, when
/// it goes.
///
/// Invariants: inside, denormal operands count as zero and denormal results
/// become zero (of their sign), rounding is to nearest even, all exceptions are
/// masked; the flags that a run raises are not seen outside. Thread safety:
/// concerns the thread that made it. **Cost**: about 10 ns.
class FloatEnv {
public:
  FloatEnv() noexcept : saved(read()) { write(runState); }
  ~FloatEnv() { write(saved); }
  FloatEnv(const FloatEnv &) = delete;
  FloatEnv &operator=(const FloatEnv &) = delete;

#if defined(__x86_64__)
  /// All exceptions masked (0x1f80), flush to zero (bit 15), denormals are zero
  /// (bit 6).
  static constexpr uint64_t runState = 0x1f80u | 1u << 15 | 1u << 6;
  /// The same with denormals.
  static constexpr uint64_t withDenormals = 0x1f80u;
  // Aligned, because one that crosses a line of the instruction cache takes 40
  // ns instead of three (AMD Zen 4).
  static uint64_t read() noexcept {
    uint32_t state;
    asm volatile(".p2align 3\n\tstmxcsr %0" : "=m"(state) : : "memory");
    return state;
  }
  static void write(uint64_t state) noexcept {
    const auto low = static_cast<uint32_t>(state);
    asm volatile(".p2align 3\n\tldmxcsr %0" : : "m"(low) : "memory");
  }
#elif defined(__aarch64__)
  /// FPCR.FZ
  static constexpr uint64_t runState = uint64_t(1) << 24, withDenormals = 0;
  static uint64_t read() noexcept {
    uint64_t state;
    asm volatile("mrs %0, fpcr" : "=r"(state));
    return state;
  }
  static void write(uint64_t state) noexcept {
    asm volatile("msr fpcr, %0" : : "r"(state));
  }
#else
#error "no floating-point state known for this processor"
#endif

private:
  uint64_t saved;
};

/// Sets a given floating-point state, for example that of the thread whose loop
/// this one works on, and restores this thread's when it goes. **Cost**:
/// nothing but a read when both are the same.
class FloatStateScope {
public:
  explicit FloatStateScope(uint64_t state) noexcept
      : saved(FloatEnv::read()), changed(state != saved) {
    if (changed)
      FloatEnv::write(state);
  }
  ~FloatStateScope() {
    if (changed)
      FloatEnv::write(saved);
  }
  FloatStateScope(const FloatStateScope &) = delete;
  FloatStateScope &operator=(const FloatStateScope &) = delete;

private:
  uint64_t saved;
  bool changed;
};

/// Clears the exception flags that were raised meanwhile when it goes: a hash
/// table that grows computes with floats. **Cost**: two reads.
class FloatFlagsKeeper {
public:
  FloatFlagsKeeper() noexcept : saved(read()) {}
  ~FloatFlagsKeeper() {
    if (const auto raised = read() & ~saved)
      clear(raised);
  }
  FloatFlagsKeeper(const FloatFlagsKeeper &) = delete;
  FloatFlagsKeeper &operator=(const FloatFlagsKeeper &) = delete;

private:
#if defined(__x86_64__)
  /// The flags stand beside the control bits. fetestexcept() also asks the x87
  /// unit, which nothing here computes with.
  static constexpr uint64_t flags = 0x3f;
  static uint64_t read() noexcept { return FloatEnv::read() & flags; }
  static void clear(uint64_t raised) noexcept {
    FloatEnv::write(FloatEnv::read() & ~raised);
  }
#else
  static int read() noexcept { return std::fetestexcept(FE_ALL_EXCEPT); }
  static void clear(int raised) noexcept { std::feclearexcept(raised); }
#endif

  decltype(read()) saved;
};

} // namespace kiln

#endif // KILN_RUNTIME_ARITHMETIC_FLOATENV_H
