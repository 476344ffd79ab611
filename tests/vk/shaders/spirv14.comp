#version 460
// For SPIR-V 1.4: entry points list all variables, structures of different layouts are copied by OpCopyLogical, chosen by OpSelect; loop controls.
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
struct Part {
  uint x[3];
  uvec2 y;
};
layout(set = 0, binding = 0, std140) uniform Given {
  Part first, second;
  uint choice, rounds;
} given;
layout(set = 0, binding = 1, std430) buffer Made {
  Part copied, chosen;
  uint sum;
} made;
shared uint total;
void main() {
  made.copied = given.first;
  Part a = given.first, b = given.second;
  made.chosen = given.choice != 0 ? a : b;
  total = 0;
  [[min_iterations(1), max_iterations(64), iteration_multiple(2), peel_count(1)]] for (uint i = 0; i < given.rounds; ++i) total += i;
  [[partial_count(2)]] for (uint i = 0; i < given.rounds; ++i) total += 100;
  made.sum = total;
}
