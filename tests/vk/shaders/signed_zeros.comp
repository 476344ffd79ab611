#version 450
// SignedZeroInfNanPreserve of 32-bit floats: bits of results of a = -0, b = 3, i = +infinity, q = NaN, z = +0.
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);  // SignedZeroInfNanPreserve
layout(set = 0, binding = 0) buffer Io { float a, b, i, q, z, none[3]; float o[]; };
void main() {
  o[0] = a * b;
  o[1] = (vec2(b, a) * z).y;
  o[2] = dot(vec2(a, a), vec2(b, b));
  o[3] = (mat2(a, a, a, a) * vec2(b, b)).x;
  o[4] = a + 0.0;
  o[5] = a + a;
  o[6] = a * 1.0;
  o[7] = a / b;
  o[8] = sqrt(a);
  o[9] = floor(a);
  o[10] = (vec3(a) * mat3(b, b, b, b, b, b, b, b, b)).z;
  o[11] = mix(a, a, z);
  o[12] = a * a;
  o[13] = z * b;
  o[14] = 1.0 / a;
  o[15] = i - i;
  o[16] = z * i;
  o[17] = q + b;
  o[18] = q == q ? 1.0 : 0.0;
  o[19] = !(q < b) && !(q >= b) && q != b ? 1.0 : 0.0;
  o[20] = isnan(q * 0.0) && isinf(i * 2.0) ? 1.0 : 0.0;
  o[21] = isnan(sqrt(-b)) && isnan(exp(q)) && isnan(log(q)) && isnan(sin(q)) && isnan(cos(q)) && isnan(pow(q, b)) && isnan(inversesqrt(q)) ? 1.0 : 0.0;
  o[22] = exp(-i);
  o[23] = b - b;
  o[24] = fma(a, b, a);
  o[25] = isnan(asin(q)) && isnan(acos(q)) && isnan(atan(q)) && isnan(tan(q)) && isnan(sinh(q)) && isnan(tanh(q)) ? 1.0 : 0.0;
  o[26] = log(z);
  o[27] = abs(a);
  o[28] = -z;
}
