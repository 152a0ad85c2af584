// Draws the modules of a machine and the links between them, each as wide as the bytes that it carried.
// Ring and switch: modules stand on a circle, the switch in its middle. Mesh: rows and columns, as square as the number allows.
function modulePlaces(links, size) {
  const n = links.modules, middle = size / 2, places = [];
  if (links.topology === "mesh") {
    let columns = n;
    for (let c = 1; c * c <= n; c++) if (n % c === 0) columns = n / c;
    const step = (size - 70) / Math.max(columns, n / columns);
    for (let i = 0; i < n; i++) places.push([35 + step * (i % columns + 0.5), 35 + step * (Math.floor(i / columns) + 0.5)]);
    return places;
  }
  const radius = middle - 45;
  for (let i = 0; i < n; i++) places.push([middle + radius * Math.sin(2 * Math.PI * i / n), middle - radius * Math.cos(2 * Math.PI * i / n)]);
  places.push([middle, middle]);
  return places;
}
// From pale to dark: the part of its bandwidth that a link used.
const linkColour = part => { const p = Math.min(1, Math.max(0, part)); return `rgb(${Math.round(170 + 58 * p)}, ${Math.round(186 - 125 * p)}, ${Math.round(200 - 145 * p)})`; };

function modulesPicture(run, name) {
  const links = run.links, n = links.modules, many = n > 8, size = Math.min(room(560), many ? 560 : 420), places = modulePlaces(links, size), box = many ? 9 : 20;
  const most = Math.max(1, ...links.list.map(l => l.bytes)), sum = links.list.reduce((s, l) => s + l.bytes, 0);
  const used = l => links.capacity ? l.bytes / links.capacity : 0, node = i => i < n ? `module ${i}` : "switch";
  const root = svg("svg", { width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `links between modules, ${name}; the same numbers stand in the table below` });
  for (const l of links.list) { // the two directions side by side: each on the right of its way
    const [x1, y1] = places[l.from], [x2, y2] = places[l.to], d = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / d, uy = (y2 - y1) / d;
    const width = 1 + (many ? 5 : 9) * l.bytes / most, aside = (many ? 4 : 8), a = box + 3;
    const line = [x1 + ux * a - uy * aside, y1 + uy * a + ux * aside, x2 - ux * a - uy * aside, y2 - uy * a + ux * aside], tip = many ? 3 : 6;
    root.append(svg("line", { x1: line[0], y1: line[1], x2: line[2] - ux * tip, y2: line[3] - uy * tip, stroke: linkColour(used(l)), "stroke-width": width },
      svg("title", { text: `${node(l.from)} to ${node(l.to)}: ${number(l.bytes)} bytes in ${number(l.packets)} packets, ${(100 * used(l)).toFixed(1)} % of its bandwidth, ${(100 * l.bytes / (sum || 1)).toFixed(1)} % of all` })),
    svg("polygon", { fill: linkColour(used(l)), points: [[0, 0], [-1.8, 1], [-1.8, -1]].map(([f, s]) => `${(line[2] + tip * (f * ux - s * uy)).toFixed(1)},${(line[3] + tip * (f * uy + s * ux)).toFixed(1)}`).join(" ") }));
    if (!many) root.append(svg("text", { x: (line[0] + line[2]) / 2 - uy * 16, y: (line[1] + line[3]) / 2 + ux * 12 + 4, "text-anchor": uy > 0.5 ? "end" : uy < -0.5 ? "start" : "middle", text: `${(100 * used(l)).toFixed(0)} %` }));
  }
  places.slice(0, links.topology === "switch" ? n + 1 : n).forEach(([x, y], i) => root.append(svg("rect", { class: "module", x: x - box, y: y - box, width: 2 * box, height: 2 * box, rx: 3 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle", text: i < n ? String(i) : many ? "S" : "switch" })));
  const rows = [...links.list].sort((a, b) => b.bytes - a.bytes), body = rows.map(l => element("tr", {}, element("td", { class: "text", text: node(l.from) }), element("td", { class: "text", text: node(l.to) }),
    element("td", { text: number(l.bytes) }), element("td", { text: number(l.packets) }), element("td", { text: (100 * used(l)).toFixed(1) }), element("td", { text: (100 * l.bytes / (sum || 1)).toFixed(1) })));
  const head = ["from", "to", "bytes", "packets", "% of bandwidth", "% of all"].map((t, i) => element("th", { class: i < 2 ? "text" : "", text: t }));
  const mean = sum / links.list.length;
  return element("section", {}, element("h2", { text: `Links between modules: ${name}` }),
    element("p", { class: "note", text: `${links.topology} of ${n} modules; ${bytes(sum)} over ${links.list.length} links, each direction one. The fullest carried ${bytes(most)}, ${(most / (mean || 1)).toFixed(2)} times the mean; the mean used ${links.capacity ? (100 * mean / links.capacity).toFixed(1) : "–"} % of its bandwidth. Wide: many bytes; red: near its bandwidth.` }),
    element("div", { class: "chart", tabindex: "0" }, root),
    element("details", {}, element("summary", { text: `${rows.length} links in numbers` }), element("div", { class: "table" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)))));
}
