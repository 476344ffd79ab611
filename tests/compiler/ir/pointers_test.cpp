// SPDX-License-Identifier: MIT
/// Variable pointers and conversions to 16 bits, which GLSL cannot say: SPIR-V text through front end and passes, evaluated before and
/// after the passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <spirv-tools/libspirv.hpp>

#include "compiler/frontend/frontend.h"
#include "compiler/ir/eval.h"
#include "compiler/passes/passes.h"

namespace pumice::compiler {
namespace {

constexpr const char* kHead = R"(
OpCapability Shader
OpCapability VariablePointers
OpCapability StorageBuffer16BitAccess
OpExtension "SPV_KHR_variable_pointers"
OpExtension "SPV_KHR_16bit_storage"
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %o %a %b %many %h %shared %held_all
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %halves ArrayStride 2
OpDecorate %pointer ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %half_block 0 Offset 0
OpDecorate %block Block
OpDecorate %half_block Block
OpDecorate %o DescriptorSet 0
OpDecorate %o Binding 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 1
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 2
OpDecorate %many DescriptorSet 0
OpDecorate %many Binding 3
OpDecorate %h DescriptorSet 0
OpDecorate %h Binding 4
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c4 = OpConstant %uint 4
%c5 = OpConstant %uint 5
%c6 = OpConstant %uint 6
%c7 = OpConstant %uint 7
%c8 = OpConstant %uint 8
%c64 = OpConstant %uint 64
%c77 = OpConstant %uint 77
%array = OpTypeArray %uint %c64
%halves = OpTypeArray %half %c64
%block = OpTypeStruct %array
%half_block = OpTypeStruct %halves
%blocks = OpTypeArray %block %c3
%to_block = OpTypePointer StorageBuffer %block
%to_blocks = OpTypePointer StorageBuffer %blocks
%to_half_block = OpTypePointer StorageBuffer %half_block
%to_half = OpTypePointer StorageBuffer %half
%pointer = OpTypePointer StorageBuffer %uint
%to_pointer = OpTypePointer Function %pointer
%null = OpConstantNull %pointer
%shared_block = OpTypeArray %uint %c8
%to_shared_block = OpTypePointer Workgroup %shared_block
%shared_pointer = OpTypePointer Workgroup %uint
%pointers = OpTypeArray %pointer %c3
%mixed = OpTypeStruct %pointers %uint %shared_pointer
%to_pointers = OpTypePointer Function %pointers
%to_mixed = OpTypePointer Function %mixed
%to_shared_pointer = OpTypePointer Function %shared_pointer
%to_kept = OpTypePointer Private %mixed
%kept_pointer = OpTypePointer Private %pointer
%kept_shared = OpTypePointer Private %shared_pointer
%no_pointers = OpConstantNull %pointers
%shared = OpVariable %to_shared_block Workgroup
%held_all = OpVariable %to_kept Private
%o = OpVariable %to_block StorageBuffer
%a = OpVariable %to_block StorageBuffer
%b = OpVariable %to_block StorageBuffer
%many = OpVariable %to_blocks StorageBuffer
%h = OpVariable %to_half_block StorageBuffer
%main_type = OpTypeFunction %void
%choose_type = OpTypeFunction %pointer %uint %pointer
%keep_type = OpTypeFunction %void %to_pointer %pointer
%swap_type = OpTypeFunction %pointers %pointers
%fill_type = OpTypeFunction %void %to_pointers %uint
)";

std::vector<uint32_t> assembled(const std::string& text, bool valid = true) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_4);
  std::string said;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
    said += std::to_string(at.line) + ": " + what + "\n";
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << said;
  if (valid) {
    EXPECT_TRUE(tools.Validate(words)) << said;
  }
  return words;
}

/// Word w of a buffer.
uint32_t word(uint32_t binding, uint32_t element, uint32_t w) { return binding == 0 ? 0 : 1000 * binding + 100 * element + w; }

/// What o holds after one invocation of the functions, before and after the passes.
void check(const std::string& functions, const std::vector<uint32_t>& expected) {
  const std::vector<uint32_t> words = assembled(kHead + functions);
  ASSERT_FALSE(words.empty());
  ShaderSource source;
  source.spirv = words;
  source.name = "test";
  ir::Module raw;
  std::vector<Diagnostic> diagnostics;
  ASSERT_TRUE(build_ir(source, Stage::compute, raw, diagnostics, Frontend::direct, {.chip = &kR5x}))
      << (diagnostics.empty() ? "" : diagnostics[0].text);
  ir::Module chip = raw;
  ASSERT_TRUE(run_passes(chip, {.chip = &kR5x}, diagnostics)) << (diagnostics.empty() ? "" : diagnostics[0].text);
  EXPECT_EQ(ir::validate_chip_form(chip, kR5x), "");
  for (const ir::Module* m : {&raw, &chip}) {
    ir::Environment env;
    env.buffers.resize(m->resources.size());
    for (size_t r = 0; r < m->resources.size(); ++r)
      for (uint32_t e = 0; e < 3; ++e) {
        std::vector<uint32_t> content(64);
        for (uint32_t w = 0; w < 64; ++w) content[w] = word(m->resources[r].layout.binding, e, w);
        env.buffers[r].push_back(content);
      }
    std::vector<ir::Vec4> inputs(m->inputs.size());
    env.inputs = {inputs};
    const ir::Evaluation result = evaluate(*m, env);
    ASSERT_EQ(result.error, "");
    for (size_t r = 0; r < m->resources.size(); ++r) {
      if (m->resources[r].layout.binding != 0) continue;
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(result.buffers[r][0][i], expected[i]) << "word " << i << (m == &raw ? " before" : " after") << " the passes";
    }
  }
}

/// Instructions that end with a store of `value` to o[place].
std::string store(const std::string& value, const std::string& place) {
  static int n = 0;
  const std::string id = "%out" + std::to_string(n++);
  return id + " = OpAccessChain %pointer %o %c0 " + place + "\nOpStore " + id + " " + value + "\n";
}
std::string in_main(const std::string& body, const std::string& end = "") {
  return "%main = OpFunction %void None %main_type\n%entry = OpLabel\n" + body + (end.empty() ? "OpReturn\nOpFunctionEnd\n" : end);
}
/// %yes and %no, which no pass can know.
constexpr const char* kConditions = R"(
%ptr_a1 = OpAccessChain %pointer %a %c0 %c1
%read_a1 = OpLoad %uint %ptr_a1
%yes = OpUGreaterThan %bool %read_a1 %c5
%no = OpULessThan %bool %read_a1 %c5
%pa = OpAccessChain %pointer %a %c0 %c5
%pb = OpAccessChain %pointer %b %c0 %c7
)";

TEST(Pointers, ChosenBySelect) {
  check(in_main(std::string(kConditions) + R"(
%p = OpSelect %pointer %yes %pa %pb
%q = OpSelect %pointer %no %pa %pb
%both = OpSelect %pointer %yes %q %p
%next = OpPtrAccessChain %pointer %both %c2
%x = OpLoad %uint %p
%y = OpLoad %uint %q
%z = OpLoad %uint %next
)" + store("%x", "%c0") +
                store("%y", "%c1") + store("%z", "%c2")),
        {word(1, 0, 5), word(2, 0, 7), word(2, 0, 9)});
}

TEST(Pointers, StoresAndAtomicsHitTheChosenBufferOnly) {
  check(in_main(std::string(kConditions) + R"(
%o3 = OpAccessChain %pointer %o %c0 %c3
%o4 = OpAccessChain %pointer %o %c0 %c4
%p = OpSelect %pointer %yes %o3 %pa
%q = OpSelect %pointer %no %o4 %pa
OpStore %p %c77
OpStore %q %c77
%old = OpAtomicIAdd %uint %p %c1 %c0 %c2
%kept = OpAtomicIAdd %uint %q %c1 %c0 %c2
%a5 = OpLoad %uint %pa
)" + store("%old", "%c0") +
                store("%kept", "%c1") + store("%a5", "%c2")),
        {77, 77, 79, 79, 0});
}

TEST(Pointers, ALoopChangesTheBuffer) {
  // a[5], a[6], then b[7], b[8].
  check(in_main(std::string(kConditions) + R"(
OpBranch %head
%head = OpLabel
%p = OpPhi %pointer %pa %entry %p_next %continue
%i = OpPhi %uint %c0 %entry %i_next %continue
OpLoopMerge %done %continue None
OpBranch %test
%test = OpLabel
%more = OpULessThan %bool %i %c4
OpBranchConditional %more %body %done
%body = OpLabel
%x = OpLoad %uint %p
%to = OpAccessChain %pointer %o %c0 %i
OpStore %to %x
OpBranch %continue
%continue = OpLabel
%step = OpPtrAccessChain %pointer %p %c1
%at = OpIEqual %bool %i %c1
%p_next = OpSelect %pointer %at %pb %step
%i_next = OpIAdd %uint %i %c1
OpBranch %head
%done = OpLabel
)"),
        {word(1, 0, 5), word(1, 0, 6), word(2, 0, 7), word(2, 0, 8), 0});
}

constexpr const char* kChoose = R"(
%choose = OpFunction %pointer None %choose_type
%which = OpFunctionParameter %uint
%given = OpFunctionParameter %pointer
%choose_entry = OpLabel
%is0 = OpIEqual %bool %which %c0
OpSelectionMerge %else None
OpBranchConditional %is0 %then %else
%then = OpLabel
OpReturnValue %given
%else = OpLabel
%own = OpAccessChain %pointer %b %c0 %c4
OpReturnValue %own
OpFunctionEnd
)";

TEST(Pointers, FunctionsTakeAndReturnThem) {
  check(in_main(std::string(kConditions) + R"(
%n = OpSelect %uint %yes %c0 %c1
%m = OpSelect %uint %no %c0 %c1
%p = OpFunctionCall %pointer %choose %n %pa
%q = OpFunctionCall %pointer %choose %m %pa
%x = OpLoad %uint %p
%y = OpLoad %uint %q
)" + store("%x", "%c0") +
                store("%y", "%c1")) +
            kChoose,
        {word(1, 0, 5), word(2, 0, 4)});
}

TEST(Pointers, VariablesHoldThem) {
  // Read in a loop before the store behind it in the text; null at first.
  check("%main = OpFunction %void None %main_type\n%entry = OpLabel\n%held = OpVariable %to_pointer Function\n" + std::string(kConditions) +
            R"(
OpStore %held %null
OpSelectionMerge %after None
OpBranchConditional %yes %set %after
%set = OpLabel
OpStore %held %pa
OpBranch %after
%after = OpLabel
OpBranch %head
%head = OpLabel
%i = OpPhi %uint %c0 %after %i_next %continue
OpLoopMerge %done %continue None
OpBranch %test
%test = OpLabel
%more = OpULessThan %bool %i %c2
OpBranchConditional %more %body %done
%body = OpLabel
%p = OpLoad %pointer %held
%x = OpLoad %uint %p
%to = OpAccessChain %pointer %o %c0 %i
OpStore %to %x
%unused = OpFunctionCall %void %keep %held %pb
OpBranch %continue
%continue = OpLabel
%i_next = OpIAdd %uint %i %c1
OpBranch %head
%done = OpLabel
OpReturn
OpFunctionEnd
%keep = OpFunction %void None %keep_type
%where = OpFunctionParameter %to_pointer
%what = OpFunctionParameter %pointer
%keep_entry = OpLabel
OpStore %where %what
OpReturn
OpFunctionEnd
)",
        {word(1, 0, 5), word(2, 0, 7), 0});
}

TEST(Pointers, IntoArraysOfBlocks) {
  check(in_main(std::string(kConditions) + R"(
%k = OpSelect %uint %yes %c2 %c1
%m1 = OpAccessChain %pointer %many %c1 %c0 %c3
%mk = OpAccessChain %pointer %many %k %c0 %c4
OpSelectionMerge %join None
OpBranchConditional %yes %left %right
%left = OpLabel
OpBranch %join
%right = OpLabel
OpBranch %join
%join = OpLabel
%p = OpPhi %pointer %mk %left %m1 %right
%q = OpPhi %pointer %m1 %left %pb %right
%x = OpLoad %uint %p
%y = OpLoad %uint %q
)" + store("%x", "%c0") +
                store("%y", "%c1")),
        {word(3, 2, 4), word(3, 1, 3)});
}

/// A function whose variables are `held`: an array of pointers, a struct with such an array.
std::string with_variables(const std::string& body) {
  return "%main = OpFunction %void None %main_type\n%entry = OpLabel\n%list = OpVariable %to_pointers Function\n"
         "%all = OpVariable %to_mixed Function\n" +
         std::string(kConditions) + body + "OpReturn\nOpFunctionEnd\n";
}

TEST(Pointers, ArraysOfThemAreIndexedAtRunTime) {
  check(with_variables(R"(
%l0 = OpAccessChain %to_pointer %list %c0
%l1 = OpAccessChain %to_pointer %list %c1
%k = OpSelect %uint %yes %c1 %c0
%lk = OpAccessChain %to_pointer %list %k
OpStore %l0 %pa
OpStore %l1 %pb
%p = OpLoad %pointer %lk
%x = OpLoad %uint %p
OpStore %p %c77
%y = OpLoad %uint %pb
%z = OpLoad %uint %pa
)" + store("%x", "%c0") +
                       store("%y", "%c1") + store("%z", "%c2")),
        {word(2, 0, 7), 77, word(1, 0, 5)});
}

TEST(Pointers, StructsOfThemAreValues) {
  // Built, stored, loaded and taken apart as a whole; by OpPhi, too.
  check(with_variables(R"(
%s3 = OpAccessChain %shared_pointer %shared %c3
OpStore %s3 %c64
%many2 = OpAccessChain %pointer %many %c2 %c0 %c6
%three = OpCompositeConstruct %pointers %pa %pb %many2
%one = OpCompositeConstruct %mixed %three %c5 %s3
%other = OpCompositeInsert %mixed %pb %one 0 0
OpSelectionMerge %join None
OpBranchConditional %yes %left %join
%left = OpLabel
OpBranch %join
%join = OpLabel
%either = OpPhi %mixed %other %left %one %entry
%picked = OpSelect %mixed %no %other %either
%part = OpCompositeExtract %pointers %either 0
%swapped = OpCompositeInsert %pointers %many2 %part 2
%l1 = OpAccessChain %to_pointer %list %c1
OpStore %all %picked
OpCopyMemory %held_all %all
%k0 = OpAccessChain %kept_pointer %held_all %c0 %c0
%k2 = OpAccessChain %kept_pointer %held_all %c0 %c2
%ks = OpAccessChain %kept_shared %held_all %c2
%p0 = OpLoad %pointer %k0
%p2 = OpLoad %pointer %k2
%s = OpLoad %shared_pointer %ks
OpStore %list %swapped
%p1 = OpLoad %pointer %l1
%x = OpLoad %uint %p0
%y = OpLoad %uint %p2
%z = OpLoad %uint %s
%w = OpLoad %uint %p1
)" + store("%x", "%c0") +
                       store("%y", "%c1") + store("%z", "%c2") + store("%w", "%c3")),
        {word(2, 0, 7), word(3, 2, 6), 64, word(2, 0, 7)});
}

TEST(Pointers, FunctionsTakeArraysOfThem) {
  check(with_variables(R"(
%filled = OpFunctionCall %void %fill %list %c1
%whole = OpLoad %pointers %list
%swapped = OpFunctionCall %pointers %swap %whole
OpStore %list %swapped
%l0 = OpAccessChain %to_pointer %list %c0
%l1 = OpAccessChain %to_pointer %list %c1
%p0 = OpLoad %pointer %l0
%p1 = OpLoad %pointer %l1
%x = OpLoad %uint %p0
%y = OpLoad %uint %p1
)" + store("%x", "%c0") +
                       store("%y", "%c1")) +
            R"(
%fill = OpFunction %void None %fill_type
%where = OpFunctionParameter %to_pointers
%at = OpFunctionParameter %uint
%fill_entry = OpLabel
%w0 = OpAccessChain %to_pointer %where %c0
%wat = OpAccessChain %to_pointer %where %at
%fa = OpAccessChain %pointer %a %c0 %c2
%fb = OpAccessChain %pointer %b %c0 %c3
OpStore %w0 %fa
OpStore %wat %fb
OpReturn
OpFunctionEnd
%swap = OpFunction %pointers None %swap_type
%given = OpFunctionParameter %pointers
%swap_entry = OpLabel
%g0 = OpCompositeExtract %pointer %given 0
%g1 = OpCompositeExtract %pointer %given 1
%r = OpCompositeConstruct %pointers %g1 %g0 %null
OpReturnValue %r
OpFunctionEnd
)",
        {word(2, 0, 3), word(1, 0, 2)});
}

TEST(Pointers, StrictChipsHaveNone) {
  const std::vector<uint32_t> words = assembled(kHead + with_variables("OpStore %list %no_pointers\n"));
  ShaderSource source;
  source.spirv = words;
  ir::Module m;
  std::vector<Diagnostic> diagnostics;
  EXPECT_FALSE(build_ir(source, Stage::compute, m, diagnostics, Frontend::direct, {.chip = &kR500}));
  EXPECT_TRUE(std::any_of(diagnostics.begin(), diagnostics.end(),
                          [](const Diagnostic& d) { return d.text.find("OpTypePointer is not a numeric type") != std::string::npos; }));
}

/// Modules are not validated: pointers made of each other, and types of which there are too many parts to look at.
TEST(Pointers, CirclesAreRefused) {
  std::string types, longest;
  for (int i = 0; i < 50; ++i) {
    const std::string part = i ? "%pair" + std::to_string(i - 1) : "%uint";
    types += "%pair" + std::to_string(i) + " = OpTypeStruct " + part + " " + part + "\n";
  }
  for (int i = 0; i < 100000; ++i)
    longest += "%copy" + std::to_string(i) + " = OpCopyObject %pointer " + (i ? "%copy" + std::to_string(i - 1) : "%pa") + "\n";
  const std::string head = kHead + types + "%huge = OpUndef %pair49\n%to_huge = OpTypePointer Function %pair49\n%gone = OpUndef %to_huge\n";
  const std::string loaded = "%first = OpAccessChain %to_pointer %list %c0\n%p = OpLoad %pointer %first\n";
  for (const std::string& body : {"%x = OpAccessChain %to_pointer %y %c0\n%y = OpAccessChain %to_pointer %x %c0\nOpStore %x %pa\n" + loaded,
                                  longest + "%l1 = OpAccessChain %to_pointer %list %c1\nOpStore %l1 %copy99999\n" + loaded,
                                  "OpStore %gone %huge\nOpStore %list %gone\n" + loaded}) {
    const std::vector<uint32_t> words = assembled(head + with_variables(body), false);
    ShaderSource source;
    source.spirv = words;
    ir::Module m;
    std::vector<Diagnostic> diagnostics;
    EXPECT_FALSE(build_ir(source, Stage::compute, m, diagnostics, Frontend::direct, {.chip = &kR5x}));
  }
}

/// %flagN: whether, as a word; stored one behind the other.
std::string flag_stores(const std::vector<std::string>& flags) {
  std::string all;
  for (size_t i = 0; i < flags.size(); ++i) {
    const std::string w = "%flag" + std::to_string(i);
    all += w + " = OpSelect %uint %" + flags[i] + " %c1 %c0\n" + store(w, "%c" + std::to_string(i));
  }
  return all;
}

TEST(Pointers, AreCompared) {
  check(with_variables(R"(
%same = OpAccessChain %pointer %a %c0 %c5
%k = OpSelect %uint %yes %c5 %c6
%pk = OpAccessChain %pointer %a %c0 %k
%b5 = OpAccessChain %pointer %b %c0 %c5
%m15 = OpAccessChain %pointer %many %c1 %c0 %c5
%mk5 = OpAccessChain %pointer %many %k %c0 %c5
%chosen = OpSelect %pointer %yes %pb %pa
%equal = OpPtrEqual %bool %pa %same
%by_value = OpPtrEqual %bool %pa %pk
%unequal = OpPtrNotEqual %bool %pa %same
%buffers = OpPtrEqual %bool %pa %b5
%elements = OpPtrEqual %bool %m15 %mk5
%choice = OpPtrEqual %bool %chosen %pb
%not_choice = OpPtrNotEqual %bool %chosen %pa
)" + flag_stores({"equal", "by_value", "unequal", "buffers", "elements", "choice", "not_choice"})),
        {1, 1, 0, 0, 0, 1, 1});
}

TEST(Pointers, AreComparedWithNull) {
  check(with_variables(R"(
%l0 = OpAccessChain %to_pointer %list %c0
OpStore %list %no_pointers
%p0 = OpLoad %pointer %l0
OpStore %l0 %pa
%p1 = OpLoad %pointer %l0
%none = OpSelect %pointer %yes %null %pb
%some = OpSelect %pointer %no %null %pb
%a0 = OpAccessChain %pointer %a %c0 %c0
%in_array = OpPtrEqual %bool %p0 %null
%stored = OpPtrEqual %bool %p1 %null
%selected = OpPtrEqual %bool %none %null
%not_selected = OpPtrEqual %bool %some %null
%two_nulls = OpPtrEqual %bool %none %p0
%first = OpPtrEqual %bool %a0 %null
)" + flag_stores({"in_array", "stored", "selected", "not_selected", "two_nulls", "first"})),
        {1, 0, 1, 0, 1, 0});
}

TEST(Pointers, HaveADistance) {
  check(with_variables(R"(
%k = OpSelect %uint %yes %c8 %c1
%pk = OpAccessChain %pointer %a %c0 %k
%s2 = OpAccessChain %shared_pointer %shared %c2
%sk = OpAccessChain %shared_pointer %shared %c7
%up = OpPtrDiff %uint %pk %pa
%down = OpPtrDiff %uint %pa %pk
%shared_up = OpPtrDiff %uint %sk %s2
)" + store("%up", "%c0") +
                       store("%down", "%c1") + store("%shared_up", "%c2")),
        {3, ~0u - 2, 5});
}

/// 1.0 + 3/4 of the step of 16-bit floats: up to nearest, down toward zero; beyond the largest: infinite, or the largest.
TEST(Pointers, HalvesTowardZero) {
  const uint32_t above_one = std::bit_cast<uint32_t>(1.0f + 0.75f / 1024), large = std::bit_cast<uint32_t>(-70000.0f);
  for (const auto& [input, nearest, truncated] : {std::array<uint32_t, 3>{above_one, 0x3C01, 0x3C00}, {large, 0xFC00, 0xFBFF}}) {
    // The input is a computed value, so that no pass converts a constant.
    const std::string offset = std::to_string(input - word(1, 0, 1));
    std::string head = kHead;
    head.insert(head.find("%void"), "OpDecorate %near FPRoundingMode RTE\nOpDecorate %zero FPRoundingMode RTZ\n");
    head += "%offset = OpConstant %uint " + offset + "\n";
    const std::string body = in_main(std::string(kConditions) + R"(
%sum = OpIAdd %uint %read_a1 %offset
%f = OpBitcast %float %sum
%near = OpFConvert %half %f
%zero = OpFConvert %half %f
%h0 = OpAccessChain %to_half %h %c0 %c0
%h1 = OpAccessChain %to_half %h %c0 %c1
OpStore %h0 %near
OpStore %h1 %zero
)");
    const std::vector<uint32_t> words = assembled(head + body);
    ASSERT_FALSE(words.empty());
    ShaderSource source;
    source.spirv = words;
    ir::Module m;
    std::vector<Diagnostic> diagnostics;
    ASSERT_TRUE(build_ir(source, Stage::compute, m, diagnostics, Frontend::direct, {.chip = &kR5x}));
    ir::Environment env;
    env.buffers.resize(m.resources.size());
    for (size_t r = 0; r < m.resources.size(); ++r) {
      std::vector<uint32_t> content(64);
      for (uint32_t w = 0; w < 64; ++w) content[w] = word(m.resources[r].layout.binding, 0, w);
      env.buffers[r] = {content};
    }
    std::vector<ir::Vec4> inputs(m.inputs.size());
    env.inputs = {inputs};
    const ir::Evaluation result = evaluate(m, env);
    ASSERT_EQ(result.error, "");
    for (size_t r = 0; r < m.resources.size(); ++r)
      if (m.resources[r].layout.binding == 4) {
        EXPECT_EQ(result.buffers[r][0][0], nearest | truncated << 16);
      }
  }
}

}  // namespace
}  // namespace pumice::compiler
