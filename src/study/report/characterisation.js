// What kind of program a workload is to a cache: the tables of `warpline characterize`, on the workload's page.
const NAMES = { no_cache: "no caches", no_l1: "no L1", bounded: "as configured", fully_associative_l1: "fully associative L1", unbounded: "unbounded caches", unbounded_l2: "unbounded L2",
  intra_thread: "same thread", inter_thread: "another thread of the warp", intra_block: "another warp of the CTA", intra_core: "another CTA on the SM", inter_core: "another SM", inter_kernel: "another kernel",
  mshr_entry: "MSHR entries", mshr_merge: "MSHR merges", line_alloc: "line allocation", miss_queue: "miss queue", cold: "cold", capacity: "capacity", conflict: "conflict",
  "32_63": "32 and more", more: "more", beyond: "further back, or never before" };
const plain = key => NAMES[key] || key.replace(/^(\d+)_(\d+)$/, "$1–$2").replaceAll("_", " ");

function smallTable(head, rows) {
  return element("div", { class: "table" }, element("table", { class: "small" }, element("thead", {}, element("tr", {}, ...head.map((h, i) => element("th", { class: i ? "" : "text", scope: "col", text: h })))),
    element("tbody", {}, ...rows.map(r => element("tr", {}, ...r.map((v, i) => element(i ? "td" : "th", i ? { text: v } : { class: "text", scope: "row", text: v })))))));
}
// One bar per row, cut into its parts; what the parts leave of the whole stays empty.
function shareBars(rows, names) {
  const colour = n => COLOURS[names.indexOf(n) % COLOURS.length], bar = 22, width = room(1000), left = Math.round(Math.min(170, width * 0.36));
  const root = svg("svg", { viewBox: `0 0 ${width} ${rows.length * bar + 4}`, width, role: "img", "aria-label": "shares; the numbers stand in the table below" });
  rows.forEach(([label, parts], i) => {
    let x = left;
    root.append(svg("text", { x: left - 8, y: i * bar + 15, "text-anchor": "end", text: cut(label, left - 8) }), svg("rect", { class: "whole", x: left, y: i * bar + 3, width: width - left, height: bar - 6 }));
    for (const n of names) {
      const w = Math.max(0, parts[n] || 0) * (width - left);
      if (w > 0) root.append(svg("rect", { x, y: i * bar + 3, width: w, height: bar - 6, fill: colour(n) }, svg("title", { text: `${label}: ${plain(n)} ${percent(parts[n])}` })));
      x += w;
    }
  });
  return [legend(names.map(plain), n => colour(names.find(k => plain(k) === n))), element("div", { class: "chart", tabindex: "0" }, root),
    smallTable(["", ...names.map(plain)], rows.map(([label, parts]) => [label, ...names.map(n => percent(parts[n] || 0))]))];
}
const block = (title, ...children) => element("section", { class: "block" }, element("h3", { text: title }), ...children);

function characterisation(c) {
  const t = c.tables, kinds = ["cold", "capacity", "conflict"], machine = [c.config || "default machine", c.size, c.policies, c.set, c.arguments.trim()].filter(Boolean).join(", ");
  const reuse = [["L1, as configured", t.reuse_by_class.l1.bounded], ["L1, unbounded", t.reuse_by_class.l1.unbounded], ["L2, as configured", t.reuse_by_class.l2.bounded], ["L2, unbounded", t.reuse_by_class.l2.unbounded]];
  const misses = Object.fromEntries(kinds.map(k => [k, t.misses.all ? t.misses[k] / t.misses.all : 0]));
  const histograms = [["reuse distance in a set", t.reuse_distance], ["reuse distance in accesses", t.reuse_distance_in_accesses], ["reuses of a line", t.reuse_count], ["sectors used of a line", t.sectors_used]];
  return element("section", { class: "characterisation" }, element("h2", { text: `What kind of program it is (${machine})` }),
    ...t.classes.map(k => element("p", {}, `Paper ${k.paper} would call it `, element("strong", { text: k.class }), ". ",
      element("span", { class: "faint", text: `Rule: ${k.rule}. Here: ${Object.entries(k.numbers).map(([n, v]) => `${plain(n)} ${number(v)}`).join(", ")}.` }))),
    block("Performance with other caches", smallTable(["caches", "cycles", "speedup", "L1 miss rate"],
      Object.entries(t.performance).map(([n, p]) => [plain(n), number(p.cycles), p.speedup.toFixed(3), n in t.l1_miss_rate ? percent(t.l1_miss_rate[n]) : "–"]))),
    block("Whose reuse the caches catch, as shares of all loads; the rest missed", ...shareBars(reuse, Object.keys(reuse[0][1]))),
    block(`L1 misses by kind: ${number(t.misses.all)} misses, ${number(t.mpki)} per thousand thread instructions`, ...shareBars([["L1 misses", misses]], kinds)),
    ...histograms.map(([title, h]) => block(title[0].toUpperCase() + title.slice(1), ...shareBars([["share", h]], Object.keys(h)))),
    block("Refusals and working set", smallTable(["", "value"], [...Object.entries(t.refused_per_sm_kilocycle).map(([n, v]) => [`refused for want of ${plain(n)}, per SM and 1000 cycles`, number(v)]),
      ["lines that loads used again, per SM and window", number(t.working_set_lines_per_window)], ["lines that streaming loads touched, per SM and window", number(t.streaming_lines_per_window)]])));
}
