// Draws a reproduction: the paper's claims beside ours, and its figures.
const main = document.querySelector("main");
const shownValue = v => Array.isArray(v) ? v.map(shownValue).join(" / ") : typeof v === "string" ? v : number(v);
const cells = (tag, texts, isText) => texts.map((t, i) => element(tag, { class: isText(i) ? "text" : "", text: t }));
const row = (tag, texts, isText = i => i === 0) => element("tr", {}, ...cells(tag, texts, isText));
const tableOf = (head, rows, isText) => element("div", { class: "table" }, element("table", {}, element("thead", {}, row("th", head, isText)), element("tbody", {}, ...rows.map(r => row("td", r, isText)))));

function claims() {
  const isText = i => i < 2 || i > 5;
  const rows = data.claims.map(c => [c.id, c.where, shownValue(c.claimed), shownValue(c.measured), c.unit, c.difference_percent == null ? "–" : `${c.difference_percent.toFixed(1)} %`, c.explanation]);
  return element("section", { id: "claims" }, element("h2", { text: "Claims" }), tableOf(["claim", "where", "claimed", "measured", "unit", "difference", "explanation"], rows, isText));
}
function figure(f) {
  const names = f.series.map(s => s.name), colour = n => COLOURS[names.indexOf(n) % COLOURS.length];
  const get = (s, label) => label === f.summary ? s.mean : s.values[label] ?? null;
  const labels = [...f.rows, f.summary], groups = labels.map(label => ({ label }));
  const bars = barChart(groups, names, (g, n) => get(f.series[names.indexOf(n)], g.label), colour, f.unit_line);
  return element("section", { class: "figure" }, element("h2", { text: `Figure ${f.figure}: ${f.title}` }), legend(names, colour), bars,
    tableOf(["", ...names], labels.map(label => [label, ...f.series.map(s => number(get(s, label)))])));
}
main.append(element("h1", { text: `Paper ${data.paper}: ${data.title}` }), element("p", { class: "note", text: `Machine ${data.config}, inputs of size ${[data.size, ...Object.entries(data.sizes).map(([row, size]) => `${row} ${size}`)].join(", ")}. Everything in this page is in the page: it needs no network.` }),
  claims(), ...data.figures.map(figure));
