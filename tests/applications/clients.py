# SPDX-License-Identifier: MIT
"""The applications that applications.py runs: what to install, what to start, and where frames per second are found."""
import os
from dataclasses import dataclass, field


@dataclass
class Client:
    name: str
    packages: list
    command: list
    frames: int = 0  # the command ends after that many frames
    fps: str = ""  # a pattern whose last match in the output holds frames per second
    measured: bool = False  # MangoHud counts its frames: frames per second are the average of ten seconds after the first eight
    # A pattern in the output: the application does without the driver and goes on. Its group, if it has one, says why.
    without: str = ""
    environment: dict = field(default_factory=dict)
    # Files that the client needs in its folder before it starts: name -> text.
    files: dict = field(default_factory=dict)



def here(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


QML = """import QtQuick
Rectangle { width: 640; height: 480; color: "steelblue"
  Rectangle { id: r; width: 200; height: 200; anchors.centerIn: parent; color: "orange"; radius: 20
    RotationAnimation on rotation { from: 0; to: 360; duration: 4000; loops: Animation.Infinite } }
  Text { anchors.horizontalCenter: parent.horizontalCenter; y: 20; text: "Qt Quick"; font.pixelSize: 32 } }
"""

# A triangle in a page, and under it the name of the device that draws it.
WEBGL = """<body style="background: steelblue; color: white"><h1>WebGL</h1><canvas id="canvas" width="400" height="300"></canvas><pre id="name">none</pre>
<script>
const gl = canvas.getContext("webgl"), program = gl.createProgram();
const info = gl.getExtension("WEBGL_debug_renderer_info");
document.getElementById("name").textContent = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
for (const [kind, text] of [
  [gl.VERTEX_SHADER, "attribute vec2 at; varying vec2 place; void main() { place = at; gl_Position = vec4(at, 0, 1); }"],
  [gl.FRAGMENT_SHADER, "precision mediump float; varying vec2 place; void main() { gl_FragColor = vec4(place * 0.5 + 0.5, 0.3, 1); }"]]) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.9, -0.9, 0.9, -0.9, 0, 0.9]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
gl.clearColor(0.1, 0.1, 0.1, 1);
gl.clear(gl.COLOR_BUFFER_BIT);
gl.drawArrays(gl.TRIANGLES, 0, 3);
</script></body>
"""

# Mesa's zink takes a Vulkan device that is a CPU only when software rendering is requested.
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}

CLIENTS = [
    Client("vkcube", ["vulkan-tools"], ["vkcube", "--c", "3000"], frames=3000),
    Client("vkcubepp", ["vulkan-tools"], ["vkcubepp", "--c", "3000"], frames=3000),
    Client("vulkaninfo", ["vulkan-tools"], ["vulkaninfo", "--summary"]),
    Client("SDL2 testvulkan", ["libsdl2-tests"], ["/usr/libexec/installed-tests/SDL2/testvulkan"], fps=r"([\d.]+) frames per second"),
    # Debian has no program that shows Vulkan with GLFW: a small one of our own.
    Client("GLFW", ["libglfw3-dev", "libvulkan-dev", "gcc", "libc6-dev"],
           ["sh", "-c", f"cc -O1 -o glfw_window '{here('glfw_window.c')}' -lglfw -lvulkan && ./glfw_window"],
           fps=r"([\d.]+) frames per second"),
    Client("GStreamer vulkansink", ["gstreamer1.0-plugins-bad", "gstreamer1.0-plugins-base", "gstreamer1.0-tools"],
           ["gst-launch-1.0", "-v", "videotestsrc", "num-buffers=150", "!", "vulkanupload", "!", "fpsdisplaysink", "video-sink=vulkansink", "text-overlay=false"],
           fps=r"average: ([\d.]+)"),
    Client("Qt 6 Quick", ["qml-qt6", "qml6-module-qtquick", "qml6-module-qtquick-window", "qml6-module-qtqml-workerscript"],
           ["/usr/lib/qt6/bin/qml", "sample.qml"], environment={"QSG_RHI_BACKEND": "vulkan", "QSG_INFO": "1"}, files={"sample.qml": QML}),
    Client("Qt 5 Quick", ["qmlscene", "qml-module-qtquick2", "qml-module-qtquick-window2"],
           ["/usr/lib/qt5/bin/qmlscene", "sample.qml"], environment={"QSG_RHI": "1", "QSG_RHI_BACKEND": "vulkan", "QSG_INFO": "1"},
           files={"sample.qml": QML.replace("import QtQuick\n", "import QtQuick 2.15\n")}),
    Client("mpv", ["mpv"], ["mpv", "--vo=gpu", "--gpu-api=vulkan", "--gpu-sw=yes", "--no-config", "--length=10", "av://lavfi:testsrc=size=640x480:rate=30"]),
    Client("ffmpeg scale_vulkan", ["ffmpeg"],
           ["ffmpeg", "-hide_banner", "-v", "verbose", "-init_hw_device", "vulkan", "-f", "lavfi", "-i", "testsrc=duration=2", "-vf", "format=rgba,hwupload,scale_vulkan=320:240,hwdownload,format=rgba", "-f", "null", "-"]),
    Client("DDNet", ["ddnet", "glslang-tools"],
           ["sh", "-c", f"python3 '{here('ddnet_shaders.py')}' && exec DDNet 'gfx_backend vulkan' 'cl_show_welcome 0'"],
           without=r"Created OpenGL"),
    Client("Warzone 2100", ["warzone2100", "mangohud"], ["warzone2100", "--gfxbackend=vulkan", "--window", "--resolution=1024x768", "--nosound", "--skirmish=../none"], measured=True),
    Client("SuperTuxKart", ["supertuxkart"], ["supertuxkart", "--render-driver=vulkan", "--windowed", "--screensize=800x600", "--no-sound"]),
    Client("Chromium", ["chromium"],
           ["chromium", "--no-sandbox", "--use-vulkan=native", "--use-angle=vulkan", "--enable-features=Vulkan", "--ignore-gpu-blocklist", "--disable-gpu-watchdog", "chrome://gpu"],
           without=r"(samplerYcbcrConversion is not supported|eglInitialize Vulkan failed)"),
    # Pages and WebGL by OpenGL ES on Vulkan, without Chromium's own renderer for Vulkan.
    Client("Chromium (ANGLE)", ["chromium"],
           ["sh", "-c", "exec chromium --no-sandbox --no-first-run --use-angle=vulkan --disable-features=Vulkan --ignore-gpu-blocklist --disable-gpu-watchdog --app=file://$PWD/page.html"],
           without=r"(eglInitialize Vulkan failed)", files={"page.html": WEBGL}),
    # Captures a frame of vkcube and replays it in a window.
    Client("RenderDoc", ["renderdoccmd", "librenderdoc", "vulkan-tools", "gcc", "libc6-dev"],
           ["sh", "-c", f"cc -shared -fPIC -o trigger.so '{here('renderdoc_trigger.c')}' -lpthread -ldl && "
            "{ ENABLE_VULKAN_RENDERDOC_CAPTURE=1 timeout 5 env LD_PRELOAD=$PWD/trigger.so vkcube --c 1000000; renderdoccmd replay --width 500 --height 500 -l 200 capture*.rdc; }"]),
    Client("vkd3d gears", ["vkd3d-demos"], ["vkd3d-gears"]),
    Client("MangoHud", ["mangohud", "vulkan-tools"], ["mangohud", "vkcube", "--c", "3000"], frames=3000),
    Client("zink (glxgears)", ["mesa-utils", "libgl1-mesa-dri"], ["glxgears"], fps=r"= ([\d.]+) FPS", environment=ZINK),
    Client("zink (glmark2)", ["glmark2-x11", "libgl1-mesa-dri"], ["glmark2", "-b", "build:duration=5", "-b", "shading:duration=5"],
           fps=r"FPS: (\d+)", environment=ZINK),
]
