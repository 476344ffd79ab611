#version 460
// Execution modes of floats that the device reports. glslang keeps one width of each: the others are in tests/compiler/ir/spirv14_test.cpp.
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 64);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);  // RoundingModeRTE
layout(set = 0, binding = 0, std430) readonly buffer Given {
  double small, half_of;
  float one, part;
} given;
layout(set = 0, binding = 1, std430) buffer Made {
  double halved;
  float sum, difference;
} made;
void main() {
  made.halved = given.small * given.half_of;
  made.sum = given.one + given.part;
  made.difference = given.one - given.part;
}
