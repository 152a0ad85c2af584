// Draws scalings: one setting of the links after the other over the same numbers of modules (paper 002, figures 6.2 and 6.5 to 6.9).
const main = document.querySelector("main");
const names = data.settings.map(s => s.name), colourOf = n => COLOURS[names.indexOf(n) % COLOURS.length];
const all = s => s.means.find(m => m.class === "all");
const modules = data.settings[0].modules, groups = modules.map((n, i) => ({ label: n === 1 ? "1 module" : `${n} modules`, i }));
const section = (title, ...children) => element("section", { class: "figure" }, element("h2", { text: title }), ...children);
const table = (head, rows) => element("div", { class: "table" }, element("table", {}, element("thead", {}, element("tr", {}, ...head.map((t, i) => element("th", { class: i ? "" : "text", text: t })))),
  element("tbody", {}, ...rows.map(r => element("tr", {}, ...r.map((t, i) => element("td", { class: i ? "" : "text", text: t })))))));
// A mean over programs, as bars per number of modules and as a table.
function overSettings(title, name, unitLine, settings = data.settings) {
  const get = (g, n) => all(settings.find(s => s.name === n))?.steps[g.i][name] ?? null, shown = settings.map(s => s.name);
  return section(title, legend(shown, colourOf), barChart(groups, shown, get, colourOf, unitLine), table(["", ...shown], groups.map(g => [g.label, ...shown.map(n => number(get(g, n)))])));
}
function overClasses(setting) {
  const shown = setting.means.map(m => m.class), colour = n => COLOURS[shown.indexOf(n) % COLOURS.length], get = (g, n) => setting.means.find(m => m.class === n).steps[g.i].edpse;
  return section(`Figure 6.5: EDP scaling efficiency (%) by class of programs, ${setting.name}`, legend(shown, colour), barChart(groups, shown, get, colour, 100), table(["", ...shown], groups.map(g => [g.label, ...shown.map(n => number(get(g, n)))])));
}
// Energy of a step by component, over the first step's.
function components(setting) {
  const mean = all(setting), parts = Object.keys(mean.steps[0].components), colour = n => COLOURS[(parts.indexOf(n) + 2) % COLOURS.length];
  const bar = 22, left = 110, width = room(900), most = Math.max(...mean.steps.map(s => s.energy)), height = modules.length * bar + 4;
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "energy by component; the same numbers stand in the table below" });
  mean.steps.forEach((s, i) => {
    let x = left;
    root.append(svg("text", { x: left - 8, y: i * bar + 15, "text-anchor": "end", text: groups[i].label }));
    for (const n of parts) {
      const w = s.components[n] / most * (width - left - 70);
      if (w > 0) root.append(svg("rect", { x, y: i * bar + 2, width: w, height: bar - 4, fill: colour(n) }, svg("title", { text: `${groups[i].label}: ${n} ${number(s.components[n])}` })));
      x += w;
    }
    root.append(svg("text", { x: x + 4, y: i * bar + 15, text: number(s.energy) }));
  });
  return section(`Figure 6.6: energy by component over one module's, ${setting.name}`, legend(parts, colour), element("div", { class: "chart", tabindex: "0" }, root),
    table(["", ...parts], mean.steps.map((s, i) => [groups[i].label, ...parts.map(n => number(s.components[n]))])));
}
const drawn = data.settings.filter(all);
main.append(element("h1", { text: "Scaling over modules" }), element("p", { class: "note", text: `Machine ${data.settings[0].config}, inputs of size ${data.settings[0].size}. Speedups are geometric means over programs, the others arithmetic. Everything in this page is in the page: it needs no network.` }));
if (!drawn.length) main.append(element("p", { text: "No program ended at every step." }));
else main.append(overSettings("Figure 6.2: energy over one module's", "energy", 1, drawn), ...drawn.map(overClasses), overSettings("Figure 6.6: speedup over the step before", "step_speedup", 1, drawn),
  overSettings("Figure 6.6: energy over the step before", "step_energy", 1, drawn), ...drawn.map(components), overSettings("Figures 6.7 and 6.8: EDP scaling efficiency (%) by links", "edpse", 100, drawn),
  overSettings("Figure 6.9: speedup over one module", "speedup", 1, drawn), overSettings("Parallel efficiency (%)", "efficiency", 100, drawn));
