// SPDX-License-Identifier: MIT
/// Each pass on small texts: before and after. Names of values that a pass makes are part of the expectation.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/passes/passes.h"

namespace pumice::compiler {
namespace {

struct PassCase {
  const char*
      passes;  ///< names, separated by blanks; `typed` at the end: of a module with integers and booleans, as lower_integers needs it
  const char* before;
  const char* after;  ///< body only
};

constexpr const char* kDeclarations =
    "input 0 location=0 component=0 f32x4\n"
    "output 0 location=0 component=0 f32x4\n"
    "output 1 location=1 component=0 f32x4\n"
    "uniform 0 set=0 binding=0 element=0 size=64\n"
    "texture 0 set=0 binding=1 element=0 2d\n"
    "temp 0 elements=2 f32\n"
    "temp 1 elements=1 f32x2\n";
constexpr const char* kTypedTemp = "temp 2 elements=1 i32\n";

const PassCase kCases[] = {
    {"promote_temps",
     "%1:f32x4 = load_input 0\nstore_temp 0 offset=1 %1.y mask=x\nstore_temp 1 offset=0 %1.zw mask=y\n%2:f32 = load_temp 0 offset=1\n"
     "%3:f32x2 = load_temp 1 offset=0\n",
     "%5:f32x2 = constant 0 0\n%1:f32x4 = load_input 0\n%4:f32 = mov %1.y\n%6:f32x2 = vec %5.x %1.w\n%2:f32 = mov %4.x\n%3:f32x2 = mov "
     "%6.xy\n"},
    {"promote_temps",
     "%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\nif %2.x {\n  store_temp 0 offset=0 %1.x mask=x\n}\n%3:f32 = load_temp 0 offset=0\n",
     "%4:f32 = constant 0\n%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\nif %2.x -> %6:f32 {\n  %5:f32 = mov %1.x\n  yield %5.x\n"
     "} else {\n  yield %4.x\n}\n%3:f32 = mov %6.x\n"},
    {"promote_temps",
     "%1:f32x4 = load_input 0\nloop {\n  %2:f32 = load_temp 0 offset=0\n  %3:f32b = slt %1.x %2.x\n  if %3.x {\n    break\n  }\n"
     "  %4:f32 = add %2.x %1.y\n  store_temp 0 offset=0 %4.x mask=x\n}\n%5:f32 = load_temp 0 offset=0\n",
     "%6:f32 = constant 0\n%1:f32x4 = load_input 0\nloop %7:f32 = %6.x -> %9:f32 {\n  %2:f32 = mov %7.x\n  %3:f32b = slt %1.x %2.x\n  if "
     "%3.x {\n"
     "    break %7.x\n  }\n  %4:f32 = add %2.x %1.y\n  %8:f32 = mov %4.x\n  continue %8.x\n}\n%5:f32 = mov %9.x\n"},
    {"fold_constants",
     "%1:f32x2 = constant 3 -0.5\n%2:f32x2 = mul %1.xy -|%1.yx|\n%3:f32 = dot2 %2.xy %2.xy\n%4:f32b = slt %3.x %1.x\n%5:f32 = rcp %1.y\n",
     "%1:f32x2 = constant 3 -0.5\n%2:f32x2 = constant -1.5 1.5\n%3:f32 = constant 4.5\n%4:f32b = constant 0\n%5:f32 = constant -2\n"},
    {"fold_constants",  // denormal results are flushed
     "%1:f32x2 = constant 1e-30 -1e-30\n%2:f32x2 = mul %1.xy %1.xx\n", "%1:f32x2 = constant 1e-30 -1e-30\n%2:f32x2 = constant 0 -0\n"},
    {"fold_constants",
     "%1:f32b = constant 1\n%2:f32x4 = load_input 0\nif %1.x -> %3:f32 {\n  %4:f32 = rcp %2.x\n  yield %4.x\n} else {\n  yield %2.y\n}\n",
     "%1:f32b = constant 1\n%2:f32x4 = load_input 0\n%4:f32 = rcp %2.x\n%3:f32 = mov %4.x\n"},
    {"fold_constants", "%1:f32b = constant 0\nloop {\n  if %1.x {\n  } else {\n    break\n  }\n  %2:f32 = mov %1.x\n}\n",
     "%1:f32b = constant 0\nloop {\n  break\n}\n"},
    {"fold_constants",
     "%1:f32x2 = constant 1 7\n%2:f32x4 = load_uniform 0 offset=1 [%1.x max=3]\n%3:f32x4 = load_uniform 0 offset=0 [%1.y max=3]\n",
     "%1:f32x2 = constant 1 7\n%2:f32x4 = load_uniform 0 offset=2\n%3:f32x4 = load_uniform 0 offset=3\n"},
    {"propagate_copies",
     "%1:f32x4 = load_input 0\n%2:f32x2 = mov -%1.zw\n%3:f32x2 = mov |%2.yx|\n%4:f32x3 = vec %3.x %1.x %3.y\n%5:f32x2 = add -%4.xz %2.xy\n"
     "%6:f32x4 = vec %1.w %1.z %1.y %1.x\n",
     "%1:f32x4 = load_input 0\n%2:f32x2 = mov -%1.zw\n%3:f32x2 = mov |%1.wz|\n%4:f32x3 = vec |%1.w| %1.x |%1.z|\n%5:f32x2 = add -|%1.wz| "
     "-%1.zw\n"
     "%6:f32x4 = mov %1.wzyx\n"},
    {"simplify",
     "%1:f32x4 = load_input 0\n%2:f32x4 = constant 0 1 -1 2\n%3:f32 = add %1.x %2.x\n%4:f32x2 = mul %2.yy %1.xy\n%5:f32 = mul %1.x %2.z\n"
     "%6:f32 = mad %1.x %2.y %1.y\n%7:f32 = mad %1.x %1.y %2.x\n%8:f32 = mul %1.x %2.x\n",
     "%1:f32x4 = load_input 0\n%2:f32x4 = constant 0 1 -1 2\n%3:f32 = mov %1.x\n%4:f32x2 = mov %1.xy\n%5:f32 = mov -%1.x\n%6:f32 = add "
     "%1.x %1.y\n"
     "%7:f32 = mul %1.x %1.y\n%8:f32 = mul %1.x %2.x\n"},
    {"simplify",
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 0 1\n%3:f32b = slt %1.x %1.y\n%4:f32b = seq %3.x %2.x\n%5:f32 = sel %3.x %2.y %2.x\n"
     "%6:f32 = sel %4.x %1.x %1.x\n%7:f32x4 = mul %1.xyzw %1.xyzw\n%8:f32x4 = max %7.xyzw %2.xxxx\n%9:f32x4 = min %8.xyzw %2.yyyy\n",
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 0 1\n%3:f32b = slt %1.x %1.y\n%4:f32b = sge %1.x %1.y\n%5:f32 = mov %3.x\n%6:f32 = mov "
     "%1.x\n"
     "%7:f32x4 = mul %1.xyzw %1.xyzw\n%8:f32x4 = max %7.xyzw %2.xxxx\n%9:f32x4 = mov.sat %7.xyzw\n"},
    {"simplify typed",  // mixes by a truth value are choices; not by its reverse, and not of a product that is precise
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 0 1\n%3:boolx2 = slt %1.xy %1.zw\n%4:f32x2 = sel %3.xy %2.yy %2.xx\n"
     "%5:f32x2 = add %2.yy -%4.xy\n%6:f32x2 = mul %1.xy %5.xy\n%7:f32x2 = mad %1.zw %4.xy -%6.xy\n%8:f32x2 = mad %4.yx -%1.zw %6.yx\n"
     "%9:f32 = b2f %3.y\n%10:f32 = add -%9.x %2.y\n%11:f32 = mul %10.x %1.x\n%12:f32 = mad %1.y %9.x %11.x\n%13:f32 = mad %1.y %5.x %6.x\n"
     "%14:f32 = mul.precise %1.x %10.x\n%15:f32 = mad %1.y %9.x %14.x\n",
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 0 1\n%3:boolx2 = slt %1.xy %1.zw\n%4:f32x2 = sel %3.xy %2.yy %2.xx\n"
     "%5:f32x2 = add %2.yy -%4.xy\n%6:f32x2 = mul %1.xy %5.xy\n%7:f32x2 = mad %1.zw %4.xy -%6.xy\n%8:f32x2 = sel %3.yx -%1.zw %1.yx\n"
     "%9:f32 = b2f %3.y\n%10:f32 = add -%9.x %2.y\n%11:f32 = mul %10.x %1.x\n%12:f32 = sel %3.y %1.y %1.x\n%13:f32 = mad %1.y %5.x %6.x\n"
     "%14:f32 = mul.precise %1.x %10.x\n%15:f32 = mad %1.y %9.x %14.x\n"},
    {"reduce eliminate_dead reduce eliminate_dead",  // a clamp moves to its source when that has no other reader left
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 0 1\n%3:f32x4 = mul %1.xyzw %1.xyzw\n%4:f32x4 = max %3.xyzw %2.xxxx\n"
     "%5:f32x4 = min %4.xyzw %2.yyyy\nstore_output 0 %5.xyzw mask=xyzw\n",
     "%1:f32x4 = load_input 0\n%5:f32x4 = mul.sat %1.xyzw %1.xyzw\nstore_output 0 %5.xyzw mask=xyzw\n"},
    {"form_mads",
     "%1:f32x4 = load_input 0\n%2:f32x2 = mul %1.xy %1.zw\n%3:f32x2 = add %1.zz -%2.yx\n%4:f32 = mul %1.x %1.y\n%5:f32 = add %4.x %4.x\n"
     "%6:f32 = mul.precise %1.x %1.w\n%7:f32 = add %6.x %1.x\n",
     "%1:f32x4 = load_input 0\n%2:f32x2 = mul %1.xy %1.zw\n%3:f32x2 = mad -%1.yx %1.wz %1.zz\n%4:f32 = mul %1.x %1.y\n%5:f32 = add %4.x "
     "%4.x\n"
     "%6:f32 = mul.precise %1.x %1.w\n%7:f32 = add %6.x %1.x\n"},
    {"eliminate_common",
     "%1:f32x4 = load_input 0\n%2:f32 = add %1.x %1.y\n%3:f32 = add %1.y %1.x\n%4:f32b = slt %1.x %1.y\nif %4.x {\n  %5:f32 = add %1.x "
     "%1.y\n"
     "  %6:f32 = rcp %1.x\n} else {\n  %7:f32 = rcp %1.x\n}\n%8:f32 = add -%1.x %1.y\n",
     "%1:f32x4 = load_input 0\n%2:f32 = add %1.x %1.y\n%3:f32 = mov %2.x\n%4:f32b = slt %1.x %1.y\nif %4.x {\n  %5:f32 = mov %2.x\n"
     "  %6:f32 = rcp %1.x\n} else {\n  %7:f32 = rcp %1.x\n}\n%8:f32 = add -%1.x %1.y\n"},
    {"eliminate_dead",
     "%1:f32x4 = load_input 0\n%2:f32 = rcp %1.x\nstore_temp 0 offset=0 %2.x mask=x\n%3:f32b = slt %1.x %1.y\nif %3.x -> %4:f32, %5:f32 {\n"
     "  yield %1.x, %1.y\n} else {\n  yield %1.z, %1.w\n}\nif %3.x {\n  %6:f32 = rcp %1.y\n}\nloop {\n  if %3.x {\n    break\n  "
     "}\n}\nstore_output 0 %5.xxxx mask=xy\n",
     "%1:f32x4 = load_input 0\n%3:f32b = slt %1.x %1.y\nif %3.x -> %5:f32 {\n  yield %1.y\n} else {\n  yield %1.w\n}\nstore_output 0 "
     "%5.xxxx mask=xy\n"},
    {"eliminate_dead",  // a param that only feeds itself, one that never changes, and a live one
     "%1:f32x4 = load_input 0\nloop %2:f32 = %1.x, %3:f32 = %1.y, %4:f32 = %1.z -> %5:f32 {\n  %6:f32 = add %2.x %1.w\n  %7:f32 = add %4.x "
     "%3.x\n"
     "  %8:f32b = slt %7.x %1.x\n  if %8.x {\n    break %7.x\n  }\n  continue %6.x, %3.x, %7.x\n}\nstore_output 0 %5.xxxx mask=x\n",
     "%1:f32x4 = load_input 0\n%3:f32 = mov %1.y\nloop %4:f32 = %1.z -> %5:f32 {\n  %7:f32 = add %4.x %3.x\n  %8:f32b = slt %7.x %1.x\n  "
     "if %8.x {\n"
     "    break %7.x\n  }\n  continue %7.x\n}\nstore_output 0 %5.xxxx mask=x\n"},
    {"unroll_loops propagate_copies fold_constants eliminate_dead",
     "%1:f32x4 = load_input 0\n%2:f32x4 = constant 0 1 3 0\nloop %3:f32 = %2.x, %4:f32 = %1.x -> %5:f32 {\n  %6:f32b = sge %3.x %2.z\n  if "
     "%6.x {\n"
     "    break %4.x\n  }\n  %7:f32 = mul %4.x %1.y\n  %8:f32 = add %3.x %2.y\n  continue %8.x, %7.x\n}\nstore_output 0 %5.xxxx mask=x\n",
     "%1:f32x4 = load_input 0\n%10:f32 = mul %1.x %1.y\n%13:f32 = mul %10.x %1.y\n%16:f32 = mul %13.x %1.y\nstore_output 0 %16.xxxx "
     "mask=x\n"},
    {"convert_ifs",
     "%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\nif %2.x -> %3:f32x2 {\n  %4:f32 = rcp %1.x\n  yield %4.xx\n} else {\n  yield "
     "-%1.zw\n}\n"
     "if %2.x {\n  %5:f32b = slt %1.z %1.w\n  kill_if %5.x\n}\n",
     "%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\n%4:f32 = rcp %1.x\n%3:f32x2 = sel %2.xx %4.xx -%1.zw\n%5:f32b = slt %1.z %1.w\n"
     "%6:f32b = mul %2.x %5.x\nkill_if %6.x\n"},
    {"convert_ifs",  // texture lookups stay where they are
     "%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\nif %2.x {\n  %3:f32x4 = tex 0 implicit %1.xy\n}\n",
     "%1:f32x4 = load_input 0\n%2:f32b = slt %1.x %1.y\nif %2.x {\n  %3:f32x4 = tex 0 implicit %1.xy\n}\n"},
    {"lower_arrays", "%1:f32x4 = load_input 0\n%2:f32 = load_temp 0 offset=0 [%1.x max=1]\n",
     "%1:f32x4 = load_input 0\n%3:f32 = load_temp 0 offset=0\n%4:f32i = constant 1\n%5:f32b = sge %1.x %4.x\n%6:f32 = load_temp 0 "
     "offset=1\n"
     "%7:f32 = sel %5.x %6.x %3.x\n%2:f32 = mov %7.x\n"},
    {"lower_math", "%1:f32x4 = load_input 0\n%2:f32x2 = div %1.xy %1.zz\n%3:f32 = sqrt %1.x\n",
     "%1:f32x4 = load_input 0\n%4:f32x2 = rcp %1.zz\n%5:f32x2 = mul %1.xy %4.xy\n%2:f32x2 = mov %5.xy\n%6:f32 = rsq %1.x\n%7:f32 = rcp "
     "%6.x\n%3:f32 = mov %7.x\n"},
    {"scalarize", "%1:f32x4 = load_input 0\n%2:f32x3 = rcp -%1.xzx\n%3:f32x2 = exp2 |%1.yy|\n",
     "%1:f32x4 = load_input 0\n%4:f32 = rcp -%1.x\n%5:f32 = rcp -%1.z\n%6:f32x3 = vec %4.x %5.x %4.x\n%2:f32x3 = mov %6.xyz\n%7:f32 = exp2 "
     "|%1.y|\n"
     "%3:f32x2 = mov %7.xx\n"},
    {"constant_arrays",
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 5 6\nstore_temp 0 offset=0 %2.x mask=x\nstore_temp 0 offset=1 %2.y mask=x\n%3:f32 = "
     "load_temp 0 offset=0 [%1.x max=1]\n",
     "%1:f32x4 = load_input 0\n%2:f32x2 = constant 5 6\n%4:f32x4 = load_uniform 1 offset=0 [%1.x max=1]\n%3:f32 = mov %4.x\n"},
    {"lower_integers",  // of a module with integers; `after` is of floats only
     "%1:i32 = constant 3\n%2:u32 = constant 4294967295\n%3:bool = constant 1\n%4:f32x4 = load_input 0\n%5:i32 = f2i %4.x\n"
     "%6:i32 = isub %5.x %1.x\n%7:i32 = ineg %6.x\n%8:i32 = iabs %7.x\n%9:i32 = iadd %8.x %7.x\n%10:bool = ilt %9.x %1.x\n"
     "%11:bool = iand %10.x %3.x\n%12:bool = inot %11.x\n%13:i32 = sel %12.x %9.x %5.x\n%14:f32 = i2f %13.x\n%15:i32 = b2i %12.x\n",
     "%16:f32 = constant 0\n%1:f32i = constant 3\n%2:f32u = constant 4.2949673e+09\n%3:f32b = constant 1\n%4:f32x4 = load_input 0\n"
     "%5:f32i = trunc %4.x\n%6:f32i = add %5.x -%1.x\n%9:f32i = add |%6.x| -%6.x\n%10:f32b = slt %9.x %1.x\n%11:f32b = mul %10.x %3.x\n"
     "%12:f32b = seq %11.x %16.x\n%13:f32i = sel %12.x %9.x %5.x\n%14:f32 = mov %13.x\n%15:f32i = mov %12.x\n"},
    {"lower_integers",  // bits of integers as far as they are arithmetic
     "%1:i32 = constant 4\n%2:i32 = constant 15\n%3:f32x4 = load_input 0\n%4:i32 = f2i %3.x\n%5:i32 = ishl %4.x %1.x\n"
     "%6:i32 = ishr %4.x %1.x\n%7:i32 = iand %4.x %2.x\n%8:i32 = inot %4.x\n",
     "%9:f32i = constant 16\n%10:f32i = constant 0.0625\n%15:f32i = constant -16\n%17:f32i = constant -1\n%1:f32i = constant 4\n"
     "%2:f32i = constant 15\n%3:f32x4 = load_input 0\n%4:f32i = trunc %3.x\n%5:f32i = mul %4.x %9.x\n%11:f32i = mul %4.x %10.x\n"
     "%6:f32i = floor %11.x\n%13:f32i = mul %4.x %10.x\n%14:f32i = floor %13.x\n%7:f32i = mad %14.x %15.x %4.x\n%8:f32i = add -%4.x "
     "%17.x\n"},
    {"lower_integers",  // integers in memory are rows of their own
     "%1:u32x4 = load_uniform 0 offset=1\n%2:u32 = iadd %1.x %1.w\n",
     "%3:f32x4 = load_uniform 1 offset=1\n%1:f32ux4 = mov %3.xyzw\n%2:f32u = add %1.x %1.w\n"},
    {"fold_constants simplify eliminate_common typed",
     "%1:i32x2 = constant -7 3\n%2:i32 = idiv %1.x %1.y\n%3:u32 = ushr %1.x %1.y\n%4:bool = ult %1.x %1.y\n%5:i32 = sel %4.x %1.x %1.y\n"
     "%6:i32 = load_temp 2 offset=0\n%7:i32 = iadd %6.x %1.x\n%8:i32 = iadd %1.x %6.x\n%9:f32x4 = load_uniform 0 offset=0 [%1.y max=3]\n"
     "%10:f32 = i2f %1.x\n%11:u32 = pack_unorm4x8 %9.xyzw\n%12:f32 = bitcast %1.x\n",
     "%1:i32x2 = constant -7 3\n%2:i32 = constant -2\n%3:u32 = constant 536870911\n%4:bool = constant 0\n%5:i32 = constant 3\n"
     "%6:i32 = load_temp 2 offset=0\n%7:i32 = iadd %6.x %1.x\n%8:i32 = mov %7.x\n%9:f32x4 = load_uniform 0 offset=3\n"
     "%10:f32 = constant -7\n%11:u32 = pack_unorm4x8 %9.xyzw\n%12:f32 = constant 0xfffffff9\n"},
    {"convert_ifs typed", "%1:f32x4 = load_input 0\n%2:bool = slt %1.x %1.y\nif %2.x {\n  %3:bool = slt %1.z %1.w\n  kill_if %3.x\n}\n",
     "%1:f32x4 = load_input 0\n%2:bool = slt %1.x %1.y\n%3:bool = slt %1.z %1.w\n%4:bool = iand %2.x %3.x\nkill_if %4.x\n"},
};

TEST(Passes, BeforeAndAfter) {
  for (const PassCase& c : kCases) {
    std::string names = c.passes;
    const bool typed = names.ends_with(" typed"), lowers = names == "lower_integers";
    if (typed) names.resize(names.size() - std::strlen(" typed"));
    const std::string head =
        std::string("shader fragment \"t\"") + (typed || lowers ? "\n" : " floats_only\n") + kDeclarations + (typed ? kTypedTemp : "");
    ir::Module m;
    std::string error;
    ASSERT_TRUE(ir::parse(head + c.before, m, error)) << c.before << error;
    ASSERT_EQ(ir::validate(m), "") << c.before;
    std::vector<Diagnostic> diagnostics;
    const PassOptions options{.chip = &kR500};
    passes::Context context{m, options, diagnostics};
    while (!names.empty()) {
      const size_t blank = names.find(' ');
      const passes::Pass* pass = passes::find(names.substr(0, blank));
      ASSERT_NE(pass, nullptr) << names;
      pass->run(context);
      ASSERT_EQ(ir::validate(m), "") << c.passes << "\n" << ir::print(m);
      names = blank == std::string::npos ? "" : names.substr(blank + 1);
    }
    std::string text = ir::print(m);
    size_t start = 0;  // behind the declarations
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      if (text[at] != '%' && text[at] != ' ' && text[at] != '}' && text.compare(at, 3, "if ") && text.compare(at, 4, "loop") &&
          text.compare(at, 6, "store_") && text.compare(at, 4, "kill"))
        start = text.find('\n', at) + 1;
    EXPECT_EQ(text.substr(start), c.after) << c.passes << "\n" << c.before;
  }
}

/// 30 rounds of `adds` sums, with a division of the counter.
std::string counted_loop(unsigned adds) {
  std::string text =
      "shader fragment \"t\"\n" + std::string(kDeclarations) +
      "%1:f32x4 = load_input 0\n%2:i32 = constant 0\n%3:i32 = constant 1\n%4:i32 = constant 30\n%5:i32 = constant 8\n"
      "loop %6:i32 = %2.x, %7:f32 = %1.x -> %8:f32 {\n  %9:bool = ilt %6.x %4.x\n  if %9.x {\n  } else {\n    break %7.x\n  }\n"
      "  %10:i32 = idiv %6.x %5.x\n  %11:f32 = i2f %10.x\n  %12:i32 = iadd %6.x %3.x\n  %13:f32 = mul %7.x %11.x\n";
  std::string last = "%13.x";
  for (unsigned n = 14; n < 14 + adds; ++n) {
    const std::string now = "%" + std::to_string(n);
    text += "  " + now + ":f32 = add " + last + " %1.y\n";
    last = now + ".x";
  }
  return text + "  continue %12.x, " + last + "\n}\nstore_output 0 %8.xxxx mask=x\n";
}

TEST(Passes, WhatFoldsDoesNotCountInLoopsWithIntegers) {
  struct Case {
    unsigned adds;
    bool memory, unrolls;
  };
  // 8 instructions of a round of which 2 and the sums are left, within 256.
  for (const Case& c : {Case{2, true, true}, {6, true, true}, {9, true, false}, {6, false, false}}) {
    ir::Module m;
    std::string error;
    ASSERT_TRUE(ir::parse(counted_loop(c.adds), m, error)) << error;
    ASSERT_EQ(ir::validate(m), "");
    m.memory = c.memory;
    std::vector<Diagnostic> diagnostics;
    const PassOptions options{.chip = &kR500};
    passes::Context context{m, options, diagnostics};
    EXPECT_EQ(passes::find("unroll_loops")->run(context), c.unrolls) << c.adds << c.memory;
    EXPECT_EQ(ir::print(m).find("loop") == std::string::npos, c.unrolls) << c.adds << c.memory;
    EXPECT_EQ(ir::validate(m), "");
  }
}

TEST(Passes, AUnchangedModuleIsReportedUnchanged) {
  ir::Module m;
  std::string error;
  ASSERT_TRUE(
      ir::parse("shader fragment \"t\" floats_only\ninput 0 location=0 component=0 f32x4\noutput 0 location=0 component=0 f32x4\n"
                "%1:f32x4 = load_input 0\n%2:f32x4 = mul %1.xyzw %1.wzyx\nstore_output 0 %2.xyzw mask=xyzw\n",
                m, error));
  const std::string before = ir::print(m);
  std::vector<Diagnostic> diagnostics;
  const PassOptions options{.chip = &kR500};
  passes::Context context{m, options, diagnostics};
  for (const passes::Pass& pass : passes::all()) {
    EXPECT_FALSE(pass.run(context)) << pass.name;
    EXPECT_EQ(ir::print(m), before) << pass.name;
  }
}

TEST(Passes, WideValuesBecomePairs) {
  ir::Module m;
  std::string error;
  ASSERT_TRUE(ir::parse("shader fragment \"t\"\ninput 0 location=0 component=0 u32x2 flat\noutput 0 location=0 component=0 u32x2\n"
                        "temp 0 elements=1 u64\n%1:u32x2 = load_input 0\n%2:u64 = wide_join %1.x %1.y\nstore_temp 0 offset=0 %2.x mask=x\n"
                        "%3:bool = ult %2.x %2.x\nif %3.x -> %4:u64 {\nyield %2.x\n} else {\n%5:u64 = load_temp 0 offset=0\n%6:u64 = iadd %5.x %2.x\n"
                        "yield %6.x\n}\n%7:u32 = wide_low %4.x\n%8:u32 = wide_high %4.x\n%9:u32x2 = vec %7.x %8.x\nstore_output 0 %9.xy mask=xy\n",
                        m, error))
      << error;
  EXPECT_EQ(ir::validate(m), "");
  std::vector<Diagnostic> diagnostics;
  const PassOptions options{.chip = &kR5x};
  passes::Context context{m, options, diagnostics};
  EXPECT_TRUE(passes::find("lower_wide")->run(context));
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(ir::validate(m), "");
  EXPECT_EQ(ir::print(m).find("u64"), std::string::npos) << ir::print(m);
  EXPECT_EQ(m.temps.size(), 2u);
  EXPECT_EQ(m.body[1].results.size(), 2u);
  EXPECT_FALSE(passes::find("lower_wide")->run(context)) << "nothing is left to do";
}

TEST(Passes, LogShowsWhatEachPassDid) {
  ir::Module m;
  std::string error, log;
  ASSERT_TRUE(
      ir::parse("shader fragment \"t\"\ninput 0 location=0 component=0 f32x4\noutput 0 location=0 component=0 f32x4\n"
                "%1:f32x4 = load_input 0\n%2:f32x4 = sqrt %1.xyzw\nstore_output 0 %2.xyzw mask=xyzw\n",
                m, error));
  std::vector<Diagnostic> diagnostics;
  ASSERT_TRUE(run_passes(m, {.chip = &kR500, .log = &log}, diagnostics));
  EXPECT_NE(log.find("; from SPIR-V"), std::string::npos);
  EXPECT_NE(log.find("; after lower_math"), std::string::npos);
  EXPECT_NE(log.find("; after scalarize"), std::string::npos);
  EXPECT_EQ(ir::validate_chip_form(m, kR500), "");
}

const char* const kNotChipForm[] = {
    "%1:f32x4 = load_input 0\n%2:f32x2 = rcp %1.xy\n",
    "%1:f32x4 = load_input 0\n%2:f32 = sqrt %1.x\n",
    "%1:f32x4 = load_input 0\n%2:f32 = sin %1.x\n",
    "%1:f32x4 = load_input 0\n%2:f32x4 = load_uniform 0 offset=0 [%1.x max=1]\n",
    "%1:f32x4 = load_input 0\nstore_output 0 %1.xyzw mask=x\nstore_output 0 %1.xyzw mask=y\n",
    "%1:f32x4 = load_input 0\nstore_output 0 %1.xyzw mask=x\n%2:f32 = mov %1.x\n",
    "%1:f32x4 = load_input 0\n%2:bool = slt %1.x %1.y\nif %2.x {\n  store_output 0 %1.xyzw mask=x\n}\n",
};
TEST(Passes, ChipFormIsChecked) {
  for (const char* body : kNotChipForm) {
    ir::Module m;
    std::string error;
    ASSERT_TRUE(ir::parse("shader fragment \"t\"\n" + std::string(kDeclarations) + body, m, error)) << error;
    ASSERT_EQ(ir::validate(m), "") << body;
    EXPECT_NE(ir::validate_chip_form(m, kR500), "") << body;
  }
}

}  // namespace
}  // namespace pumice::compiler
