// SPDX-License-Identifier: MIT
// The program that owns the tests' precompiled header (meson.build).
int main() {}
