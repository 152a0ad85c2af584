// Draws the report of runs.
const column = new Map(data.counters.map((name, i) => [name, i]));
const counter = (run, name) => name === "cycles" ? run.cycles : run.values && column.has(name) ? run.values[column.get(name)] : null;
const policyName = run => run.column || run.policies || "none";

// The workload behind the '#' of the address; whatever else stands there means the overview.
function named() {
  try {
    const name = decodeURIComponent(location.hash.replace(/^#workload=/, "").replace(/^#/, ""));
    return data.runs.some(r => r.target === name) ? name : "";
  } catch { return ""; }
}

const state = { metric: "speedup", base: null, config: "", size: "", search: "", sort: null, down: false, workload: named() };
// A comparison says in which order its techniques come. Other runs are recorded in order of completion, which says nothing: the plainest
// policies come first, the others by name.
const PLAIN = ["none", "gto", "lrr", "lru"], rank = p => PLAIN.includes(p) ? PLAIN.indexOf(p) : PLAIN.length;
const policies = data.columns.length ? data.columns : unique(data.runs.map(policyName)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
// The six runs of a characterisation are told of on the workload's page, and are no techniques to compare.
const parts = new Set(data.characterisations.flatMap(c => c.runs)), isTechnique = data.runs.every(r => parts.has(r.id)) ? () => true : r => !parts.has(r.id);
// Speedups are over the plainest of the policies that most groups have.
const policyCount = p => data.runs.filter(r => policyName(r) === p && isTechnique(r)).length, mostRuns = Math.max(...policies.map(policyCount));
state.base = data.columns[0] || policies.find(p => policyCount(p) === mostRuns);
// Runs stand in the order in which they ended, which differs from day to day. Shown are a workload's runs together, techniques in their order.
const seat = list => { const seats = new Map(unique(list).map((v, i) => [v, i])); return v => seats.get(v); };
const seatOfTarget = seat(data.runs.map(r => r.target)), seatOfMachine = seat(data.runs.map(r => [r.size, r.config].join()));
data.runs.sort((a, b) => seatOfTarget(a.target) - seatOfTarget(b.target) || seatOfMachine([a.size, a.config].join()) - seatOfMachine([b.size, b.config].join())
  || policies.indexOf(policyName(a)) - policies.indexOf(policyName(b)) || a.id - b.id);
const colourOf = p => COLOURS[policies.indexOf(p) % COLOURS.length];

function shown() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  return data.runs.filter(r => (!state.config || r.config === state.config) && (!state.size || r.size === state.size)
    && words.every(w => `${r.target} ${policyName(r)} ${r.config} ${r.set} ${r.size} ${r.status}`.toLowerCase().includes(w)));
}
// Runs that differ in nothing but their policies are compared with each other.
// (A column of a comparison may have its own setting for each workload: best-swl.)
const groupKey = r => [r.target, r.size, r.config, r.column ? "" : r.set].join("\u0000");
function baselines(runs) {
  const map = new Map();
  for (const r of runs) if (policyName(r) === state.base && r.status === "ok") map.set(groupKey(r), r);
  return map;
}
function value(run, bases) {
  if (run.status !== "ok") return null;
  if (state.metric !== "speedup") return counter(run, state.metric);
  const base = bases.get(groupKey(run));
  return base && run.cycles ? base.cycles / run.cycles : null;
}


function groupsOf(runs) {
  const map = new Map();
  for (const r of runs) {
    const key = groupKey(r);
    if (!map.has(key)) map.set(key, { label: r.target, runs: new Map(), first: r });
    map.get(key).runs.set(policyName(r), r);
  }
  const list = [...map.values()], varying = ["config", "size", "set"].filter(k => unique(list.map(g => g.first.column && k === "set" ? "" : g.first[k])).length > 1);
  for (const g of list) {
    const words = varying.map(k => g.first[k] || (k === "config" ? "default" : "")).filter(Boolean);
    if (words.length) g.label += ` (${words.join(", ")})`;
  }
  return list;
}
// Shares of a whole, stacked: where issue slots, loads and transfers went.
const STACKS = [
  { title: "Issue slots: used, and why the others were lost", parts: [["issued", "sm.slots.issued"], ["waiting for a register", "sm.slots.scoreboard"], ["pipe full", "sm.slots.pipe"], ["no instruction", "sm.slots.idle"]] },
  { title: "Loads at the L1", parts: [["hit", "l1.hits"], ["joined a miss", "l1.merged"], ["missed", "l1.misses"], ["bypassed", "l1.bypassed"]] },
  { title: "Cycles in which the L1 refused, by cause", absolute: true, parts: [["MSHR entries", "l1.refused.mshr_entry"], ["MSHR merges", "l1.refused.mshr_merge"], ["line allocation", "l1.refused.line_alloc"], ["miss queue", "l1.refused.miss_queue"], ["network", "l1.refused.network"]] },
  { title: "Traffic: L2 accesses and DRAM commands", absolute: true, parts: [["L2 reads", "l2.reads"], ["L2 writes", "l2.writes"], ["DRAM reads", "dram.reads"], ["DRAM writes", "dram.writes"]] },
  { title: "Energy by component, in millijoules", absolute: true, scale: 1e3, parts: ["instructions", "shared", "l1", "l2", "dram", "link", "stall", "constant", "policies"].map(n => [/^(l1|l2|dram)$/.test(n) ? n.toUpperCase() : n, "energy.components." + n]) }];
function stackChart(stack, rows) {
  const names = stack.parts.map(p => p[0]), colour = n => COLOURS[(names.indexOf(n) + 2) % COLOURS.length];
  const amount = (run, name) => (counter(run, name) || 0) * (stack.scale || 1);
  const sums = rows.map(r => stack.parts.reduce((s, p) => s + amount(r.run, p[1]), 0)), most = Math.max(...sums) || 1;
  const bar = 18, width = room(1000), left = Math.round(width * (width < 600 ? 0.36 : 0.26));
  const root = svg("svg", { width, height: rows.length * bar + 4, viewBox: `0 0 ${width} ${rows.length * bar + 4}`, role: "img", "aria-label": stack.title });
  rows.forEach((r, i) => {
    let x = left;
    const whole = stack.absolute ? most : sums[i] || 1, label = [r.label, policyName(r.run)].filter(Boolean).join(", ");
    root.append(svg("text", { x: left - 8, y: i * bar + 13, "text-anchor": "end", text: [r.label && cut(r.label, left - 14 - 6.2 * (policyName(r.run).length + 2)), policyName(r.run)].filter(Boolean).join(", ") }));
    for (const [n, c] of stack.parts) {
      const v = amount(r.run, c), w = v / whole * (width - left - 70);
      if (w > 0) root.append(svg("rect", { x, y: i * bar + 2, width: w, height: bar - 4, fill: colour(n) }, svg("title", { text: `${label}: ${n} ${number(v)}` + (sums[i] ? ` (${(100 * v / sums[i]).toFixed(1)} %)` : "") })));
      x += w;
    }
    root.append(svg("text", { x: x + 4, y: i * bar + 13, text: number(sums[i]) }));
  });
  return element("section", {}, element("h2", { text: stack.title }), legend(names, colour), element("div", { class: "chart", tabindex: "0" }, root));
}

const COLUMNS = [["id", "run", r => r.id], ["target", "workload", r => r.target, true], ["size", "size", r => r.size, true], ["config", "machine", r => r.config || "default", true], ["set", "settings", r => r.set, true],
  ["policies", "policies", policyName, true], ["status", "status", r => r.status, true], ["cycles", "cycles", r => r.cycles], ["value", "", null], ["ipc", "IPC", r => counter(r, "ipc")],
  ["l1", "L1 miss rate", r => counter(r, "l1.miss_rate"), false, percent], ["l2", "L2 miss rate", r => counter(r, "l2.miss_rate"), false, percent], ["dram", "DRAM reads", r => counter(r, "dram.reads")]];
const ROWS_SHOWN = 300;
let limit = ROWS_SHOWN;
function table(runs, bases) {
  const get = c => c[0] === "value" ? r => value(r, bases) : c[2], name = c => c[0] === "value" ? state.metric : c[1];
  const chosen = COLUMNS.find(c => c[0] === state.sort), key = chosen && get(chosen);
  const sorted = !chosen ? runs : [...runs].sort((a, b) => { const x = key(a), y = key(b); return (x == null) - (y == null) || (x < y ? -1 : x > y ? 1 : a.id - b.id) * (state.down ? -1 : 1); });
  const head = element("tr", {}, ...COLUMNS.map(c => element("th", { class: c[3] ? "text" : "", scope: "col", "aria-sort": state.sort === c[0] ? (state.down ? "descending" : "ascending") : "none" },
    element("button", { type: "button", "data-column": c[0], text: name(c) + (state.sort === c[0] ? (state.down ? " ▾" : " ▴") : ""), onclick: () => { state.down = state.sort === c[0] && !state.down; state.sort = c[0]; draw(); document.querySelector(`th button[data-column="${c[0]}"]`)?.focus(); } }))));
  const body = element("tbody", {}, ...sorted.slice(0, limit).map(r => element("tr", { class: r.status === "ok" ? "" : "failed" }, ...COLUMNS.map(c => {
    const v = get(c)(r);
    if (c[0] === "target") return element("td", { class: "text" }, element("a", { href: "#workload=" + encodeURIComponent(r.target), text: v }));
    return element("td", { class: c[3] ? "text" : "", "data-value": v ?? "", text: c[3] ? v : (c[4] || (c[0] === "value" && state.metric === "speedup" ? fixed : number))(v) });
  }))));
  const more = sorted.length > limit ? element("p", {}, element("button", { type: "button", text: `show all ${sorted.length} runs`, onclick: () => { limit = Infinity; draw(); } })) : null;
  return element("section", {}, element("h2", { text: `All runs (${sorted.length})` }), element("div", { class: "table" }, element("table", { id: "runs" }, element("thead", {}, head), body)), more);
}
// Runs with gpu.interval set have a series: one line per counter, over the cycles of all kernels.
function lineChart(run, name) {
  const lines = Object.entries(run.series.lines).filter(([, v]) => v.some(Boolean)), width = room(1000), height = 160, left = 60;
  const points = Math.max(1, ...lines.map(([, v]) => v.length)), top = Math.max(1, ...lines.flatMap(([, v]) => v)), step = roundStep(top / 4), most = Math.ceil(top / step - 1e-9) * step;
  const colour = n => COLOURS[lines.findIndex(l => l[0] === n) % COLOURS.length];
  const root = svg("svg", { width, height: height + 30, viewBox: `0 0 ${width} ${height + 30}`, role: "img", "aria-label": `time series of ${name}` });
  const up = v => height - v / most * (height - 10);
  for (let v = 0; v <= most * 1.001; v += step) root.append(svg("line", { class: "axis", x1: left, x2: width, y1: up(v), y2: up(v) }),
    svg("text", { x: left - 6, y: up(v) + 4, "text-anchor": "end", text: tick(v, step) }));
  for (const [n, v] of lines) root.append(svg("polyline", { fill: "none", stroke: colour(n), "stroke-width": 1.3,
    points: v.map((y, i) => `${(left + i / Math.max(1, points - 1) * (width - left - 10)).toFixed(1)},${up(y).toFixed(1)}`).join(" ") }, svg("title", { text: n })));
  root.append(svg("text", { x: left, y: height + 18, text: "0" }), svg("text", { x: width - 10, y: height + 18, "text-anchor": "end", text: `${number(points * run.series.cycles)} cycles` }));
  return element("section", {}, element("h2", { text: `Over time: ${name} (counted per ${number(run.series.cycles)} cycles)` }), legend(lines.map(l => l[0]), colour), element("div", { class: "chart", tabindex: "0" }, root));
}
function workloadPage(name) {
  const runs = data.runs.filter(r => r.target === name);
  const page = element("section", { id: "workload" }, element("p", {}, element("a", { href: "#", text: "← all workloads" })), element("h1", { text: name }));
  if (!runs.length) return page.append(element("p", { text: "No runs of it here." })), page;
  const about = data.workloads[name];
  if (about) page.append(element("p", { class: "note", text: [`from ${about.suite}`, about.class_000 && `paper 000 calls it ${about.class_000}`, about.class_001 && `paper 001 calls it ${about.class_001}`, `kernels: ${about.kernels}`, about.dominates].filter(Boolean).join("; ") }));
  const ok = runs.filter(r => r.status === "ok").slice(0, 60), differ = unique(ok.map(r => r.set)).length > 1;
  const machine = r => [r.config || "default", differ && !r.column ? r.set : ""].filter(Boolean).join(", "), machines = unique(ok.map(machine)).length;
  const rows = ok.filter(isTechnique).map(run => ({ label: machines > 1 ? machine(run) : "", run })); // what all have in common tells nothing
  const kinds = data.characterisations.filter(c => c.target === name);
  page.append(...kinds.map(characterisation));
  if (!kinds.length) page.append(element("p", { class: "note", text: `What kind of program it is to a cache: 'warpline characterize ${name}' with the same database, then the report again.` }));
  for (const s of STACKS) if (rows.length) page.append(stackChart(s, rows));
  for (const r of ok.filter(r => r.links).slice(0, 12)) page.append(modulesPicture(r, `${machine(r)}, ${policyName(r)}`));
  for (const r of ok.filter(r => r.series).slice(0, 12)) page.append(lineChart(r, `${machine(r)}, ${policyName(r)}`));
  page.append(element("h2", { text: "To repeat" }), element("pre", { text: runs.slice(0, 60).map(r => r.command).join("\n") }));
  const interesting = data.counters.filter((_, i) => ok.some(r => r.values && r.values[i]));
  page.append(element("h2", { text: "Every counter" }), element("div", { class: "table" }, element("table", {}, element("thead", {}, element("tr", {}, element("th", { class: "text", text: "counter" }), ...ok.slice(0, 12).map(r => element("th", {}, policyName(r), machines > 1 ? element("small", { text: machine(r) }) : null)))),
    element("tbody", {}, ...interesting.map(c => element("tr", {}, element("td", { class: "text", text: c }), ...ok.slice(0, 12).map(r => element("td", { text: number(counter(r, c)) }))))))));
  return page;
}
const select = (label, key, values, text = v => v || "all") => element("label", {}, label, (() => {
  const s = element("select", { onchange: e => { state[key] = e.target.value; draw(); } }, ...values.map(v => element("option", { value: v, text: text(v) })));
  s.value = state[key];
  return s;
})());
const controls = element("form", { class: "controls", onsubmit: e => e.preventDefault() },
  element("label", {}, "filter", element("input", { type: "search", id: "filter", placeholder: "a workload or policy…", oninput: e => { state.search = e.target.value; limit = ROWS_SHOWN; draw(); } })),
  select("shown", "metric", ["speedup", "cycles", ...data.counters]), select("speedup over", "base", policies),
  select("machine", "config", ["", ...unique(data.runs.map(r => r.config)).filter(Boolean)]), select("size", "size", ["", ...unique(data.runs.map(r => r.size)).filter(Boolean)]));

const GROUPS_SHOWN = 60;
// The mean of each technique over the groups that have a speedup of every technique, as one group more. With one such group there is none.
function meanGroup(groups, names, get) {
  const whole = groups.filter(g => names.every(n => get(g, n) > 0));
  const mean = n => Math.exp(whole.reduce((sum, g) => sum + Math.log(get(g, n)), 0) / whole.length);
  return whole.length > 1 ? [{ label: "geometric mean", runs: new Map(), means: new Map(names.map(n => [n, mean(n)])) }] : [];
}
function speedupTable(groups, names, get) {
  const best = g => Math.max(...names.map(n => get(g, n) ?? 0));
  const cells = g => names.map(n => { const v = get(g, n); return element("td", { class: v != null && v === best(g) && v > 1 ? "best" : "", text: fixed(v) }); });
  return element("div", { class: "table" }, element("table", { id: "speedups", class: "small" }, element("thead", {}, element("tr", {}, element("th", {}), ...names.map(n => element("th", { text: n })))),
    element("tbody", {}, ...groups.map(g => element("tr", {}, element("th", { class: "text", text: g.label }), ...cells(g))))));
}
function overview() {
  const runs = shown(), bases = baselines(runs), drawable = runs.filter(isTechnique), groups = groupsOf(drawable), names = policies.filter(p => drawable.some(r => policyName(r) === p));
  const out = element("div", {}, element("h2", { text: state.metric === "speedup" ? `Speedup over ${state.base}` : state.metric }));
  if (!runs.length) return out.append(element("p", { text: "No run fits the filter." })), out;
  if (data.runs.some(r => !isTechnique(r))) out.append(element("p", { class: "note", text: "Runs of characterisations are in the table and on their workload's page, not in these charts." }));
  if (state.metric === "speedup") out.append(element("p", { class: "note", text: `The cycles of ${state.base} divided by those of the technique: above 1 is faster. A workload's name in the table leads to all that was measured of it.` }));
  const known = groups.filter(g => [...g.runs.values()].some(r => value(r, bases) != null)), drawn = known.slice(0, GROUPS_SHOWN);
  const isSpeedup = state.metric === "speedup", get = (g, n) => g.means ? g.means.get(n) : g.runs.has(n) ? value(g.runs.get(n), bases) : null;
  const withMean = [...drawn, ...isSpeedup ? meanGroup(known, names, get) : []];
  out.append(legend(names, colourOf), barChart(withMean, names, get, colourOf, isSpeedup ? 1 : null));
  if (isSpeedup && names.length <= 12) out.append(speedupTable(withMean, names, get));
  if (drawn.length < known.length) out.append(element("p", { class: "note", text: `The first ${GROUPS_SHOWN} of ${known.length} groups are drawn; filter to see others.` }));
  if (known.length < groups.length) out.append(element("p", { class: "note", text: `Not drawn: ${unique(groups.filter(g => !known.includes(g)).map(g => g.label)).slice(0, 12).join(", ")}` + (state.metric === "speedup" ? `: no run of ${state.base} there to compare with.` : ".") }));
  const rows = groups.slice(0, GROUPS_SHOWN).flatMap(g => [...g.runs.values()].filter(r => r.status === "ok").map(run => ({ label: g.label, run }))).slice(0, 80);
  out.append(table(runs, bases));
  for (const s of STACKS) if (rows.length) out.append(stackChart(s, rows));
  const commands = unique(runs.slice(0, 200).map(r => r.command));
  out.append(element("h2", { text: "To repeat" }), element("details", {}, element("summary", { text: `${commands.length} commands` }), element("pre", { text: commands.join("\n") })));
  return out;
}
const main = document.querySelector("main"), view = element("div", { id: "view" });
function draw() { view.replaceChildren(state.workload ? workloadPage(state.workload) : overview()); controls.hidden = Boolean(state.workload); }
let widthDrawn = document.documentElement.clientWidth;
window.addEventListener("resize", () => { if (document.documentElement.clientWidth !== widthDrawn) { widthDrawn = document.documentElement.clientWidth; draw(); } });
window.addEventListener("hashchange", () => { state.workload = named(); draw(); window.scrollTo(0, 0); });
main.append(element("h1", { text: data.title }), element("p", { class: "note", text: `${data.runs.length} runs, warpline ${data.version}. This page needs no network.` }), data.finding ? element("p", { class: "finding", text: data.finding }) : "", controls, view);
draw();
