// SPDX-License-Identifier: MIT
/// Run while configuring with -Dinstruction-sets=host: ends with the number of the best instruction set of this machine, as in Cpu (cpu.h).
int main() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return 2;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 1;
#endif
  return 0;
}
