// The page: lists, tabs and what is chosen. location.hash has the choice: #draw=3&view=cost&x=10&y=20.

const $ = id => document.getElementById(id);
const state = { event: draws[0], surface: 0, tab: "changes", x: -1, y: -1 };
const TABS = ["changes", "registers", "programs", "constants", "packets", "textures", "life"];
const WORK_NAMES = ["primitives", "vertices", "vertex instructions", "fragments", index.chip === "rdp" ? "cycles" : "instructions", "texels", "failed tests", "killed", "stored"];

function element(tag, text, name) {
  const e = document.createElement(tag);
  if (text) e.append(text);
  if (name) e.className = name;
  return e;
}

// The list of a frame's events; thumbnails are drawn when they come into view.
const watcher = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    thumbnail(target, events[target.parentNode.dataset.event]);
  }
}, { rootMargin: "200px" });

function fillList(frame) {
  const list = document.createDocumentFragment();
  for (const e of eventsOfFrame(frame)) {
    const row = element("div", "", e.draw ? "event" : "event memory");
    row.dataset.event = e.id;
    if (e.draw) {
      const text = element("div"), work = e.work;
      text.append(element("b", `${e.groups ? "dispatch" : "draw"} ${e.draw}`),
                  element("small", e.groups ?? (index.quick ? "" : `${work[0]} primitives, ${work[3]} fragments`)),
                  element("small", `${e.changes} ${index.chip === "rdp" ? "commands before it" : "registers changed"}`));
      const canvas = element("canvas");
      row.append(canvas, text);
      watcher.observe(canvas);
    } else {
      row.append("memory");
    }
    list.append(row);
  }
  $("list").replaceChildren(list);
}

function fillSurfaces() {
  const known = new Set(eventsOfFrame(state.event.frame).flatMap(e => e.surfaces));
  $("surface").replaceChildren(...[...known].map(n => new Option(surfaces[n].name, n, false, n === state.surface)));
}

async function showPicture() {
  const { event, surface } = state, view = $("view").value;
  if (!surfaces[surface]) {  // dispatches alone
    $("caption").textContent = `${event.packet}. ${event.groups ?? ""}`;
    return;
  }
  const legend = await show($("canvas"), surface, event, view, $("alone").checked);
  $("canvas").style.width = surfaces[surface].width * zoom() + "px";
  const work = event.draw ? event.work.map((v, i) => v ? `${v} ${WORK_NAMES[i]}` : "").filter(Boolean).join(", ") : "";
  $("caption").textContent = (event.draw ? `${event.packet}. ${event.groups ? event.groups + ". " : ""}${work ? work + ". " : ""}` : "memory. ") + legend;
}

// "fit": the largest whole number of screen pixels for which the picture fits, at least 1.
function zoom() {
  const chosen = Number($("zoom").value);
  return chosen || Math.max(1, Math.floor(($("stage").clientWidth - 20) / surfaces[state.surface].width));
}

function lines(list) {
  const pre = element("pre");
  for (const l of list) pre.append(element("span", l + "\n", /^ +was /.test(l) ? "was" : /^ +by /.test(l) ? "by" : ""));
  return pre;
}

async function showDetails() {
  $("tabs").replaceChildren(...TABS.map(t => element("button", t, t === state.tab ? "current" : "")));
  if (!state.event.draw) return $("details").replaceChildren("What memory holds when the frame begins, or what is no draw has changed: the 2D engine, copies, dispatches (their images are under \"textures\"), the host.");
  const details = await detailsOf(state.event), box = $("details");
  if (state.tab === "textures") {
    box.replaceChildren(...details.textures.map(t => {
      const figure = element("figure"), image = element("img");
      image.src = textureUrl(t.picture);
      figure.append(image, element("figcaption", t.name));
      return figure;
    }));
    if (!details.textures.length) box.append("The draw reads no texture that is named by number.");
  } else if (state.tab === "life") {
    box.replaceChildren(...details.lives.map(l => lines([...(l.x === undefined ? [] : [`pixel (${l.x}, ${l.y})`]), ...l.lines, ""])));
    if (!details.lives.length && state.event.groups) box.append("No invocation of --invocation X,Y,Z is one of this dispatch. Any other: pumice-replay TRACE --dispatch " + state.event.draw + " --invocation X,Y,Z");
    else if (!details.lives.length) box.append("No pixel of --pixel X,Y is covered by this draw. Any other: pumice-replay TRACE --draw " + state.event.draw + " --pixel X,Y");
  } else if (state.tab === "constants") {
    box.replaceChildren(lines(details.constants ?? details.programs.filter(l => /^ +c\d+ = /.test(l))));
  } else {
    box.replaceChildren(details[state.tab].length ? lines(details[state.tab]) : "Nothing.");
  }
}

async function showHistory() {
  if (state.x < 0 || !surfaces[state.surface]) return;
  const rows = await historyOf(state.event.frame, state.surface, state.x, state.y);
  $("history").replaceChildren(historyTable(rows, state.x, state.y));
}

function remember() {
  const at = state.x < 0 ? "" : `&x=${state.x}&y=${state.y}`;
  history.replaceState(null, "", `#event=${state.event.id}&view=${$("view").value}&tab=${encodeURIComponent(state.tab)}${at}`);
}

async function choose(event) {
  const frame = state.event.frame;
  state.event = event;
  if (frame !== event.frame || !$("list").firstChild) {
    fillList(event.frame);
    $("frame").value = event.frame;
  }
  if (!event.surfaces.includes(state.surface) && event.surfaces.length) state.surface = event.surfaces[0];
  fillSurfaces();
  for (const e of document.querySelectorAll(".event.current")) e.classList.remove("current");
  const row = document.querySelector(`.event[data-event="${event.id}"]`);
  row.classList.add("current");
  row.scrollIntoView({ block: "nearest" });
  await Promise.all([showPicture(), showDetails(), showHistory()]);
  remember();
}

function step(by) {
  const next = events[state.event.id + by];
  if (next) choose(next);
}

function listen() {
  const eventOf = e => e.target.closest("[data-event]");
  $("list").onclick = e => { if (eventOf(e)) choose(events[eventOf(e).dataset.event]); };
  $("history").onclick = e => { if (eventOf(e)) choose(events[eventOf(e).dataset.event]); };
  $("list").onkeydown = e => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by) { e.preventDefault(); step(by); }
  };
  $("tabs").onclick = e => { if (e.target.tagName === "BUTTON") { state.tab = e.target.textContent; showDetails().then(remember); } };
  $("frame").onchange = () => choose(eventsOfFrame(Number($("frame").value)).find(e => e.draw));
  $("surface").onchange = () => { state.surface = Number($("surface").value); showPicture().then(showHistory); };
  for (const id of ["view", "alone", "zoom"]) $(id).onchange = () => showPicture().then(remember);
  $("canvas").onclick = e => {
    state.x = Math.floor(e.offsetX / zoom());
    state.y = Math.floor(e.offsetY / zoom());
    showHistory().then(remember);
  };
}

async function begin() {
  $("title").textContent = `${index.title}, ${index.chip}` + (index.program ? `: ${index.program}` : "");
  const frames = [...new Set(draws.map(d => d.frame))];
  $("frame").replaceChildren(...frames.map(f => new Option(f, f)));
  if (index.quick) for (const v of ["overdraw", "cost", "failed"]) document.querySelector(`option[value=${v}]`).remove();
  listen();
  const chosen = new URLSearchParams(location.hash.slice(1));
  const draw = draws.find(d => d.draw === Number(chosen.get("draw")));
  state.tab = TABS.includes(chosen.get("tab")) ? chosen.get("tab") : state.tab;
  const view = [...$("view").options].find(o => o.value === chosen.get("view"));
  if (view) $("view").value = view.value;
  if (chosen.has("x")) { state.x = Number(chosen.get("x")); state.y = Number(chosen.get("y")); }
  const first = draw ?? events[chosen.get("event") ?? -1] ?? draws.filter(d => d.frame === draws[0].frame).at(-1);
  state.surface = Number(chosen.get("surface") ?? first.surfaces[0] ?? 0);
  await choose(first);
  document.body.dataset.ready = Math.round(performance.now());  // milliseconds since the page was asked for
}
begin();
