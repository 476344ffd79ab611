#version 450
// Linear colours stored to an image and a texel buffer whose formats the code does not know.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float linear[256]; };
layout(set = 0, binding = 1) writeonly uniform image2D image;
layout(set = 0, binding = 2) writeonly uniform imageBuffer texels;
void main() {
  uint n = gl_GlobalInvocationID.x;
  vec4 colour = vec4(linear[n], linear[255u - n], linear[n ^ 1u], float(n) / 255.0);
  imageStore(image, ivec2(n, 0), colour);
  imageStore(texels, int(n), colour);
}
