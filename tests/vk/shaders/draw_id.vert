#version 450
#extension GL_ARB_shader_draw_parameters : require
// SPDX-License-Identifier: MIT
// One point per (vertex, draw): x by gl_VertexIndex, y by the number of the draw; the colour says which instance it is.
layout(location = 0) out vec4 out_color;
void main() {
  out_color = vec4(float(gl_InstanceIndex) / 255.0, float(gl_DrawIDARB) / 255.0, 1.0, 1.0);
  gl_PointSize = 1.0;
  gl_Position = vec4((float(gl_VertexIndex) + 0.5) / 8.0 - 1.0, (float(gl_DrawIDARB) + 0.5) / 8.0 - 1.0, 0.5, 1.0);
}
