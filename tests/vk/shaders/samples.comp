#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(constant_id = 0) const int kSamples = 4;
layout(set = 0, binding = 0, r32ui) uniform uimage2DMS image;
layout(std430, set = 0, binding = 1) buffer Out { uint result[]; };
// Each sample takes a value of its own; then all are read in another order, and atomics add to them.
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(image);
  uint pixel = uint(at.y * size.x + at.x);
  for (int s = 0; s < kSamples; ++s) imageStore(image, at, s, uvec4(pixel * 16u + uint(s)));
  memoryBarrierImage();
  for (int s = kSamples - 1; s >= 0; --s) {
    uint before = imageAtomicAdd(image, at, s, 1000u);
    result[pixel * uint(kSamples) + uint(s)] = imageLoad(image, at, s).x * 2u - before;
  }
}
