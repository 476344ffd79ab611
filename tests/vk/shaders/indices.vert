#version 450
// SPDX-License-Identifier: MIT
// One point per (vertex, instance): x by gl_VertexIndex, y by gl_InstanceIndex; the colour by an attribute that advances by instance.
layout(location = 0) in vec4 by_instance;
layout(location = 1) in vec4 by_vertex;
layout(location = 0) out vec4 out_color;
void main() {
  out_color = vec4(by_instance.rg, by_vertex.ba);
  gl_PointSize = 1.0;
  gl_Position = vec4((float(gl_VertexIndex) + 0.5) / 8.0 - 1.0, (float(gl_InstanceIndex) + 0.5) / 8.0 - 1.0, 0.5, 1.0);
}
