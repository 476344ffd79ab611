# SPDX-License-Identifier: MIT
"""What a dEQP log (.qpa) says of a case: its messages without the mark-up and without pictures."""
import html
import re

BEGIN = "#beginTestCaseResult "
ENDS = ("#endTestCaseResult", "#terminateTestCaseResult")
DROPPED = re.compile(r"<Image\b[^>]*>.*?</Image>", re.S)
SPIRV = re.compile(r"<SpirVAssemblySource\b[^>]*>.*?</SpirVAssemblySource>", re.S)
SECTION = re.compile(r'<(?:Section|ImageSet)\b[^>]*Description="([^"]*)"[^>]*>')
NUMBER = re.compile(r"<Number\b([^>]*)>([^<]*)</Number>")
TAG = re.compile(r"<[^>]*>")
MOST = 20000  # characters kept of one case; more is the same line again


def attribute(text, name):
    match = re.search(rf'\b{name}="([^"]*)"', text)
    return match[1] if match else ""


def plain(body):
    """Text of the XML between the two marks of a case."""
    body = SPIRV.sub("", DROPPED.sub("", body))
    body = NUMBER.sub(lambda m: f"{attribute(m[1], 'Description')}: {m[2]} {attribute(m[1], 'Unit')}\n", body)
    body = SECTION.sub(lambda m: f"\n{m[1]}\n", body)
    body = re.sub(r"</(Text|Value|InfoLog|VertexShader|FragmentShader|ComputeShader|ShaderSource)>", "\n", body)
    text = html.unescape(TAG.sub("", body))
    lines = [line.rstrip() for line in text.splitlines()]
    text = "\n".join(line for line in lines if line)
    return text if len(text) <= MOST else text[:MOST] + "\n(cut)"


def texts(path, wanted):
    """{case: text} of the wanted cases in a log; one that the log breaks off in is there as far as it goes."""
    found, name, body = {}, None, []
    try:
        f = open(path, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return found
    with f:
        for line in f:
            if line.startswith(BEGIN):
                name, body = line[len(BEGIN):].strip(), []
            elif line.startswith(ENDS):
                if name in wanted:
                    found[name] = plain("".join(body))
                name = None
            elif name in wanted:
                body.append(line)
    if name in wanted:
        found[name] = plain("".join(body))
    return found
