// One panel of the race: the rows of one run, drawn at one moment. Comes after drawing.js and before
// race.js in the same script.

const ROW = 25;
const LEAST_ROW = 17;
const FOOT = 36; // of a panel, below its axis
const LEAST_SCREEN = 641; // as in present.css
const TOP = 26;
const BOTTOM = 40;

const counted = (number, words) => `${thousands(number)} ${number === 1 ? words.sample : words.samples}`;

function decodedPanel(panel, data) {
  const table = (name, unit) => panel[name] && decoded(panel[name], data.arms.length, unit);
  const bounds = ["mean", "lower", "upper"].map((name) => [name, table(name, data.unit)]);
  return { ...panel, ...Object.fromEntries(bounds), pulls: table("pulls"), by: table("by") };
}

// The height of a row. The presenter view fits all rows on the screen: at once, or else when the race
// is scrolled to. On a phone the type stays large instead, and one scrolls.
function rowHeight(usual, rows, larger, svg) {
  if (larger === 1 || window.innerWidth < LEAST_SCREEN) return usual;
  const top = svg.getBoundingClientRect().top;
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
  const inRace = top - svg.closest(".race").getBoundingClientRect().top;
  const axes = TOP + BOTTOM; // they grow with the type, and the type grows with the rows
  const room = [top + scrolled, inRace].map((above) => window.innerHeight - above - FOOT).find((one) => one >= LEAST_ROW * rows + axes);
  if (room === undefined) return usual;
  return Math.min(usual, Math.max(room / (rows + axes / LEAST_ROW), (room - axes * larger) / rows));
}

class PanelView {
  constructor(parent, data, panel) {
    this.data = data;
    this.panel = panel;
    this.last = panel.samples.length - 1;
    this.outOf = new Map(panel.out.map((out) => [out.arm, out]));
    this.root = make(parent, "section", { class: `panel ${panel.dashed ? "plain" : "uses"}`, "aria-label": panel.title });
    this.root.style.setProperty("--accent", panel.colour);
    const head = make(this.root, "h3");
    const key = make(head, "span", { class: "key" });
    key.style.borderTopColor = panel.colour;
    key.style.borderTopStyle = panel.dashed ? "dashed" : "solid";
    make(head, "span", {}, panel.title);
    this.spent = make(head, "span", { class: "spent" });
    this.round = make(head, "span", { class: "round" });
    this.news = make(this.root, "p", { class: "news" });
    this.svg = make(this.root, "svg", { role: "group", "aria-label": `${panel.title}: press Enter on a row to explain it` });
  }

  // Lay out for a width and an order of arms; called again only when one of them changes.
  layout(width, order) {
    const { arms, axis, words } = this.data;
    // How much larger the presenter view has type; 1 elsewhere.
    const larger = Number(getComputedStyle(this.root).getPropertyValue("--figure-type")) || 1;
    this.root.classList.toggle("wide", width > 640 * larger); // the news is then one line
    this.root.classList.toggle("slim", width < 400); // three lines
    const high = rowHeight((ROW * (1 + larger)) / 2, arms.length, larger, this.svg);
    const type = Math.min(larger, Math.max(high / LEAST_ROW, 1));
    this.type = type;
    const [top, below] = [TOP * type, BOTTOM * type];
    const longest = Math.max(...arms.map((name) => name.length));
    const counts = `${words.samples} so far`;
    const numbers = 10 * type + 7.4 * type * thousands(this.data.most).length;
    const bars = Math.min(Math.max(width * 0.28, numbers + 30), 220 * type);
    this.left = Math.min(width * (width < 400 ? 0.42 : 0.34), // a phone shows whole names
      (22 + longest * 7.4) * type);
    this.right = width - bars - 14 * type; // where the bounds end
    this.length = (pulls) => ((bars - numbers) * pulls) / this.most;
    this.width = width;
    this.high = high;
    const height = top + high * arms.length + below;
    const bottom = top + high * arms.length;
    this.x = (value) =>
      this.left + ((Math.min(Math.max(value, axis[0]), axis[1]) - axis[0]) / (axis[1] - axis[0])) * (this.right - this.left);
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", height);
    const room = this.right - this.left;
    for (const [value, label] of ticks(axis, Math.max(2, Math.min(7, Math.floor(room / (60 * type)))))) {
      const at = this.x(value);
      make(this.svg, "line", { class: "grid", x1: at, x2: at, y1: top - 4, y2: bottom });
      make(this.svg, "text", { class: "tick", x: at, y: bottom + 16 * type, "text-anchor": "middle", "font-size": 12 * type }, label);
    }
    make(this.svg, "text", { class: "axis-title", x: (this.left + this.right) / 2, y: bottom + 33 * type, "text-anchor": "middle", "font-size": 12 * type },
      room < 200 * type ? "mean and bounds" : "mean reward and its bounds");
    const counted = bars > counts.length * 6.2 * type ? counts : words.samples;
    make(this.svg, "text", { class: "axis-title", x: this.right + 14 * type, y: top - 10 * type, "font-size": 12 * type }, counted);
    this.bar = make(this.svg, "line", { class: "bar-line", y1: top - 4, y2: bottom }); // behind the text of the rows
    this.arcs = make(this.svg, "g", { class: "arcs" });
    this.yOf = (arm) => top + high * (order.indexOf(arm) + 0.5);
    this.rows = arms.map((name, arm) => this.layoutRow(name, arm, order));
    this.barLabel = make(this.svg, "text", { class: "tick", y: top - 10 * type, "font-size": 12 * type }, "leader's lower bound");
  }

  // A name in one line or, where it is too long and the row is high enough, in two smaller ones.
  writeName(group, name, arm, y, fits) {
    const { type, high, left, data } = this;
    const star = data.best.includes(arm) ? "★ " : "";
    const two = name.length > fits && high >= 23 * type ? twoLines(name) : null;
    const size = (two ? 11 : 13) * type;
    const most = two ? Math.floor(fits * 1.18) : fits;
    const text = make(group, "text", { class: "name", "text-anchor": "end", "font-size": size });
    const lines = two || [name];
    lines.forEach((line, k) => {
      const shown = line.length > most ? `${line.slice(0, most - 1).replace(/[\s,.:;-]+$/, "")}…` : line;
      const at = y + 4 * type + size * (k - (lines.length - 1) / 2);
      make(text, "tspan", { x: left - 10 * type, y: at }, k ? ` ${shown}` : star + shown); // the space is for those who hear or copy it
    });
  }

  layoutRow(name, arm, order) {
    const { type, high, left, width, data } = this;
    const y = this.yOf(arm);
    const group = make(this.svg, "g", { role: "button", tabindex: arm === order[0] ? 0 : -1 });
    group.onclick = () => this.onArm(arm);
    group.onkeydown = (event) => this.onKey(event, arm, order);
    const title = make(group, "title");
    make(group, "rect", { class: "hit", x: 0, y: y - high / 2, width, height: high });
    const fits = Math.floor((left - 22 * type) / (7.2 * type));
    this.writeName(group, name, arm, y, fits);
    const from = this.right + 14 * type;
    const thick = Math.min(0.5 * high, 14 * type);
    const row = {
      group,
      title,
      bar: make(group, "line", { class: "bar", y1: y, y2: y }),
      low: make(group, "line", { class: "cap", y1: y - 5, y2: y + 5 }),
      high: make(group, "line", { class: "cap upper", y1: y - 7 * type, y2: y + 7 * type }),
      dot: make(group, "circle", { class: "dot", cy: y, r: 4 * type }),
      flag: make(group, "path", { class: "flag", d: `M ${left - 7} ${y} l 7 -4.5 v 9 z` }),
      count: make(group, "rect", { class: "count", x: from, y: y - thick / 2, height: thick, width: 1 }),
      number: make(group, "text", { class: "number", y: y + 4 * type, "font-size": 12 * type }),
    };
    const out = this.outOf.get(arm);
    if (out) {
      const { words, arms } = data;
      const own = out.by === arm;
      const by = own ? `its own ${words.samples}` : arms[out.by];
      const few = out.own > 0 ? [`ruled out by ${by} after ${thousands(out.own)} of its own`, `by ${by} after ${thousands(out.own)}`] : [`ruled out by ${by} before its first ${words.sample}`];
      row.texts = [...(own ? [] : few), own ? `ruled out by ${by}` : `by ${by}`, "ruled out"];
      row.why = make(group, "text", { class: "why", y: y + 4 * type, "text-anchor": "start", "font-size": 12 * type });
    }
    return row;
  }

  // Enter explains a row. Arrows go to its neighbours, and Tab leaves the rows in one step.
  onKey(event, arm, order) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.onArm(arm);
    else if (step) {
      const next = order[order.indexOf(arm) + step];
      if (next !== undefined) {
        this.rows.forEach((row, other) => row.group.setAttribute("tabindex", other === next ? 0 : -1));
        this.rows[next].group.focus();
      }
    } else return;
    event.preventDefault();
  }

  mostAt(frame) {
    return Math.max(...this.panel.pulls[Math.min(frame, this.last)]);
  }

  // Draw a frame; the longest bar of samples, in all panels, stands for `most` samples.
  show(frame, most) {
    const { panel } = this;
    const i = Math.min(frame, this.last);
    this.most = most;
    const last = i === this.last;
    const pulled = new Set(last ? [] : panel.pulled[i]);
    let bar = -Infinity;
    this.rows.forEach((row, arm) => {
      const out = this.outOf.get(arm);
      const gone = out !== undefined && out.frame <= i;
      if (!gone) bar = Math.max(bar, panel.lower[i][arm]);
      this.showRow(row, arm, gone ? out.frame : i); // who is out stays as at that moment
      row.group.setAttribute("class", gone ? "gone" : pulled.has(arm) ? "pulled" : "");
      const length = this.length(panel.pulls[i][arm]);
      row.count.setAttribute("width", Math.max(length, 1));
      row.number.setAttribute("x", this.right + 14 * this.type + length + 6 * this.type);
      row.number.textContent = thousands(panel.pulls[i][arm]);
      row.title.textContent = this.told(arm, gone ? out.frame : i) + (gone ? `. ${out.text}` : "");
    });
    const x = this.x(bar);
    for (const end of ["x1", "x2"]) this.bar.setAttribute(end, x);
    const long = 130 * this.type;
    const [anchor, at] = x + long < this.right ? ["start", x + 4] : x > long ? ["end", x - 4] : ["end", this.right];
    this.barLabel.setAttribute("x", at);
    this.barLabel.setAttribute("text-anchor", anchor);
    this.drawArcs(i);
    this.write(i, last);
  }

  showRow(row, arm, i) {
    const { panel, type } = this;
    const [lower, mean, upper] = [panel.lower[i][arm], panel.mean[i][arm], panel.upper[i][arm]];
    const [x1, x2] = [this.x(lower), this.x(Math.max(lower, upper))];
    row.bar.setAttribute("x1", x1);
    row.bar.setAttribute("x2", x2);
    for (const [cap, x, value] of [[row.low, x1, lower], [row.high, x2, upper]]) {
      cap.setAttribute("x1", x);
      cap.setAttribute("x2", x);
      const inside = value >= this.data.axis[0] && value <= this.data.axis[1];
      cap.setAttribute("visibility", inside ? "visible" : "hidden");
    }
    row.high.classList.toggle("lent", panel.by !== null && panel.by[i][arm] !== arm);
    row.dot.setAttribute("cx", this.x(mean));
    row.dot.classList.toggle("off", mean < this.data.axis[0] || mean > this.data.axis[1]);
    row.dot.setAttribute("visibility", panel.pulls[i][arm] > 0 ? "visible" : "hidden");
    if (row.why) this.placeWhy(row, x2);
  }

  // Write by whom an arm was ruled out right of its cap, in as many words as there is room for.
  // Left of it are the bounds themselves.
  placeWhy(row, cap) {
    const most = (this.right - cap) / (6.1 * this.type) - 2;
    const text = row.texts.find((one) => one.length < most);
    row.why.textContent = text ?? "";
    row.why.setAttribute("x", cap + 18 * this.type);
  }

  told(arm, i) {
    const { panel, data } = this;
    const value = (name) => panel[name][i][arm].toFixed(3);
    const by = panel.by && panel.by[i][arm];
    const whose = panel.by && by !== arm && panel.upper[i][arm] < data.axis[1] ? ` (set by the ${data.words.samples} of ${data.arms[by]})` : "";
    const mean = panel.pulls[i][arm] === 0 ? "unknown" : value("mean");
    return `${data.arms[arm]}: mean ${mean}, at least ${value("lower")}, at most ${value("upper")}${whose}, ${counted(panel.pulls[i][arm], data.words)}`;
  }

  // An arc from the arm whose rewards decided to each arm that fell last.
  drawArcs(i) {
    const fallen = this.panel.out.filter((out) => out.frame <= i);
    const latest = fallen.filter((out) => out.frame === fallen[fallen.length - 1].frame && out.by !== out.arm);
    const key = `${latest.map((out) => out.arm)} ${this.width}`;
    if (key === this.drawn && this.arcs.childNodes.length === 2 * latest.length) return;
    this.drawn = key;
    this.arcs.replaceChildren();
    for (const out of latest) {
      const at = out.frame;
      const [x1, y1] = [this.x(this.panel.mean[at][out.by]), this.yOf(out.by)];
      const [x2, y2] = [this.x(this.panel.upper[at][out.arm]) + 3, this.yOf(out.arm)];
      const side = Math.min(this.right - Math.max(x1, x2), 20 + 0.25 * Math.abs(y2 - y1));
      const bend = Math.max(x1, x2) + side;
      make(this.arcs, "path", { class: "arc", d: `M ${x1} ${y1} C ${bend} ${y1 + 0.3 * (y2 - y1)} ${bend} ${y2 - 0.1 * (y2 - y1)} ${x2 + 5} ${y2}` });
      const up = y2 > y1 ? -1 : 1;
      make(this.arcs, "path", { class: "tip", d: `M ${x2} ${y2} l 9 ${up * 7} l 2 ${-up * 8} z` });
    }
  }

  write(i, last) {
    const { panel, data } = this;
    const final = panel.rounds[this.last];
    this.spent.textContent = counted(panel.samples[i], data.words);
    this.round.textContent = `round ${thousands(panel.rounds[i])} of ${thousands(final)}`;
    const gone = panel.out.filter((out) => out.frame <= i);
    this.news.replaceChildren();
    if (last) {
      const right = panel.identified && data.best.includes(panel.answer);
      make(this.news, "span", { class: `tally ${right ? "right" : "wrong"}` }, panel.outcome);
    } else if (gone.length) {
      const left = data.arms.length - gone.length;
      make(this.news, "span", { class: "tally" }, `${gone[gone.length - 1].text} `);
      make(this.news, "span", {}, `${left} of ${data.arms.length} ${data.words.arms} are left.`);
    } else {
      make(this.news, "span", {}, `No ${data.words.arm} is ruled out yet.`);
    }
  }

  get stops() {
    return [...this.panel.out.map((out) => out.frame), this.last];
  }
}
