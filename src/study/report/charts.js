"use strict";
// What the pages are drawn with. Text goes into a page as text only (textContent), never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = ["#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#eeca3b", "#9d755d", "#ff9da6", "#79706e", "#2f6b9a", "#c45e00"];
const unique = list => [...new Set(list)];
// What a chart may be wide here; labels stand left of bars where there is room for them.
const room = most => Math.max(280, Math.min(most, document.documentElement.clientWidth - 64));
const cut = (text, pixels) => { const letters = Math.max(4, Math.floor(pixels / 6.2)); return text.length > letters ? text.slice(0, letters - 1) + "…" : text; };

function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) k === "text" ? e.textContent = v : k.startsWith("on") ? e.addEventListener(k.slice(2), v) : e.setAttribute(k, v);
  e.append(...children.filter(c => c != null));
  return e;
}
function svg(tag, attributes = {}, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) k === "text" ? e.textContent = v : e.setAttribute(k, v);
  e.append(...children);
  return e;
}
function number(v) {
  if (v == null || !Number.isFinite(v)) return "–";
  const a = Math.abs(v);
  return a >= 1e9 ? (v / 1e9).toFixed(2) + " G" : a >= 1e6 ? (v / 1e6).toFixed(2) + " M" : a >= 1e4 ? (v / 1e3).toFixed(1) + " k" : Number.isInteger(v) ? String(v) : a >= 100 ? v.toFixed(1) : a >= 0.01 ? v.toFixed(3) : v.toExponential(2);
}
const percent = v => v == null || !Number.isFinite(v) ? "–" : `${(100 * v).toFixed(1)} %`;
const fixed = v => v == null || !Number.isFinite(v) ? "–" : v.toFixed(3);
const bytes = v => v >= 1e4 ? number(v) + "B" : number(v) + " B";
// Numbers along an axis: as many digits behind the point as its steps have.
const tick = (v, step) => Math.abs(v) >= 1e4 ? number(v) : v.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

// 1, 2 or 5 times a power of ten.
function roundStep(about) {
  const power = 10 ** Math.floor(Math.log10(about));
  return power * [1, 2, 5, 10].find(f => f * power >= about * 0.999);
}
// Grouped bars: one group per workload (and machine), one bar per policy.
function barChart(groups, names, get, colour, unitLine) {
  const gap = 14, left = 46, top = 10, height = 220, leaning = 90; // the last label leans out
  const bar = Math.max(4, Math.min(18, (room(1140) - left - leaning - groups.length * gap) / Math.max(1, groups.length * names.length)));
  const width = left + groups.length * (names.length * bar + gap) + leaning;
  const values = groups.flatMap(g => names.map(n => get(g, n))).filter(v => v != null && Number.isFinite(v));
  const most = Math.max(unitLine ?? 0, ...values, 1e-9) * 1.05;
  const least = Math.min(0, ...values) * 1.05, y = v => top + height - (v - least) / (most - least) * height;
  const below = 24 + 3.6 * Math.min(22, Math.max(4, ...groups.map(g => g.label.length))); // room for the leaning labels
  const root = svg("svg", { width, height: top + height + below, viewBox: `0 0 ${width} ${top + height + below}`, role: "img", "aria-label": "bar chart; the same numbers stand in the table below" });
  const step = roundStep((most - least) / 4);
  for (let v = Math.ceil(least / step) * step; v <= most; v += step) {
    root.append(svg("line", { class: "axis", x1: left, x2: width, y1: y(v), y2: y(v) }), svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end", text: tick(v, step) }));
  }
  groups.forEach((g, i) => {
    const x0 = left + i * (names.length * bar + gap) + gap / 2;
    names.forEach((n, k) => {
      const v = get(g, n);
      if (v == null || !Number.isFinite(v)) return;
      root.append(svg("rect", { x: x0 + k * bar, y: y(Math.max(v, 0)), width: bar - 1, height: Math.abs(y(0) - y(v)), fill: colour(n) }, svg("title", { text: `${g.label}, ${n}: ${number(v)}` })));
    });
    const cx = x0 + names.length * bar / 2;
    root.append(svg("text", { x: cx, y: top + height + 14, transform: `rotate(35 ${cx} ${top + height + 14})`, text: g.label.length > 22 ? g.label.slice(0, 21) + "…" : g.label }));
  });
  if (unitLine != null) root.append(svg("line", { class: "unit", x1: left, x2: width, y1: y(unitLine), y2: y(unitLine) }));
  return element("div", { class: "chart", tabindex: "0" }, root);
}
const legend = (names, colour) => element("div", { class: "legend" }, ...names.map(n => element("span", {}, element("i", { style: `background:${colour(n)}` }), n)));
