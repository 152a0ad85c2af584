// Draws a reproduction: the paper's claims beside ours, and its figures.
const main = document.querySelector("main");
const shownValue = v => Array.isArray(v) ? v.map(shownValue).join(" / ") : typeof v === "string" ? v : number(v);
const cells = (tag, texts, isText) => texts.map((t, i) => element(tag, { class: isText(i) ? "text" : "", text: t }));
const row = (tag, texts, isText = i => i === 0) => element("tr", {}, ...cells(tag, texts, isText));
const tableOf = (head, ...rows) => element("div", { class: "table" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));

// What a number is in words, with its id and place below; then the numbers; then where to look for a difference.
function claims() {
  const claim = c => element("tr", {}, element("th", { class: "text", scope: "row" }, c.what, element("small", { text: `${c.id}, ${c.where}` })),
    ...cells("td", [shownValue(c.claimed), shownValue(c.measured), c.unit, c.difference_percent == null ? "–" : `${c.difference_percent.toFixed(1)} %`, c.explanation], i => i === 4));
  const head = row("th", ["claim", "claimed", "measured", "unit", "difference", "explanation"], i => i === 0 || i === 5);
  return element("section", { id: "claims" }, element("h2", { text: "Claims" }), tableOf(head, ...data.claims.map(claim)));
}
function figure(f) {
  const names = f.series.map(s => s.name), colour = n => COLOURS[names.indexOf(n) % COLOURS.length];
  const get = (s, label) => label === f.summary ? s.mean : s.values[label] ?? null;
  const labels = [...f.rows, f.summary], groups = labels.map(label => ({ label }));
  const bars = barChart(groups, names, (g, n) => get(f.series[names.indexOf(n)], g.label), colour, f.unit_line);
  return element("section", { class: "figure" }, element("h2", { text: `Figure ${f.figure}: ${f.title}` }), legend(names, colour), bars,
    tableOf(row("th", ["", ...names]), ...labels.map(label => row("td", [label, ...f.series.map(s => number(get(s, label)))]))));
}
main.append(element("h1", { text: `Paper ${data.paper}: ${data.title}` }), element("p", { class: "note", text: `Machine ${data.config}, inputs of size ${[data.size, ...Object.entries(data.sizes).map(([row, size]) => `${row} ${size}`)].join(", ")}. Everything in this page is in the page: it needs no network.` }),
  claims(), ...data.figures.map(figure));
