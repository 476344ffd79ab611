// The history of a pixel: each event of the frame that ran a program for it, failed a test or wrote it.

function valueText(surface, bytes) {
  if (surface.depth) return depthText(bytes[0] + 256 * bytes[1] + 65536 * bytes[2]);
  return bytes.join(" ");
}

// [{ event, entries: [{ surface, mark, before, after }], fragments, failed, instructions }]
async function historyOf(frame, number, x, y) {
  const tx = Math.floor(x / SIDE), ty = Math.floor(y / SIDE), pixel = (y % SIDE) * SIDE + x % SIDE;
  const values = new Map(), rows = [];
  for (const event of eventsOfFrame(frame)) {
    if (!event.surfaces.includes(number)) continue;
    const row = { event, entries: [], fragments: 0, failed: 0, instructions: 0 };
    for (const piece of piecesOf(event)) {
      const n = piece.tiles.findIndex(t => t[0] === tx && t[1] === ty);
      if (n < 0) continue;
      const planes = await planesOf(piece), i = n * piece.planes * PIXELS + pixel;
      if (piece.kind === WORK) {
        row.fragments = fragmentsAt(planes, i);
        row.failed = failedAt(planes, i);
        row.instructions = instructionsAt(planes, i);
        continue;
      }
      const after = Array.from({ length: piece.planes - 1 }, (_, c) => planes[i + (c + 1) * PIXELS]);
      const entry = { surface: piece.surface, mark: planes[i], before: values.get(piece.surface), after };
      values.set(piece.surface, after);
      if (entry.mark || !event.draw && !entry.before) row.entries.push(entry);
    }
    if (row.entries.length || row.fragments || row.failed) rows.push(row);
  }
  return rows;
}

function historyTable(rows, x, y) {
  const cell = (text, tag = "td") => { const c = document.createElement(tag); c.append(text); return c; };
  const table = document.createElement("table"), head = table.insertRow();
  table.createCaption().append(`pixel (${x}, ${y}): ` + (index.chip === "rdp" ? "run: times that a primitive covered it, slots: cycles, failed: depth tests"
    : "run: times that a program ran, slots: instructions that it executed, failed: tests"));
  for (const name of ["event", "buffer", "before", "after", "run", "slots", "failed"]) head.append(cell(name, "th"));
  const value = (surface, bytes) => {
    if (!bytes) return cell("");
    const c = cell("");
    if (!surface.depth) {
      const square = document.createElement("i");
      square.className = "color";
      square.style.background = `rgb(${bytes.slice(0, 3)})`;
      c.append(square);
    }
    c.append(valueText(surface, bytes));
    return c;
  };
  for (const { event, entries, fragments, failed, instructions } of rows) {
    const work = event.draw ? [fragments, instructions, failed] : ["", "", ""];
    for (const e of entries.length ? entries : [null]) {
      const row = table.insertRow();
      row.dataset.event = event.id;
      row.append(cell(event.draw ? `draw ${event.draw}` : e.before ? "no draw" : "frame begins"));
      if (e) row.append(cell(surfaces[e.surface].depth ? "depth" : "colour"), value(surfaces[e.surface], e.before), value(surfaces[e.surface], e.after));
      else row.append(cell("nothing written"), cell(""), cell(""));
      for (const v of work) row.append(cell(String(v)));
      if (e && e.mark === 1) row.append(cell("the same value"));
    }
  }
  return table;
}
