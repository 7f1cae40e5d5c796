// One panel of the race: the rows of one run, drawn at one moment. Comes before race.js in the same
// script.

const SVG = "http://www.w3.org/2000/svg";
const ROW = 25;
const LEAST_ROW = 17;
const LEAST_SCREEN = 641; // as in present.css
const TOP = 26;
const BOTTOM = 40;

function make(parent, tag, attributes = {}, text = "") {
  const inSvg = tag === "svg" || parent.namespaceURI === SVG;
  const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  parent.appendChild(node);
  return node;
}

const thousands = (number) => number.toLocaleString("en-US");

// The last recorded moment of a panel that has at most this many samples.
function momentAt(panel, samples) {
  let low = 0;
  let high = panel.samples.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (panel.samples[middle] <= samples) low = middle;
    else high = middle - 1;
  }
  return low;
}

function ticks([low, high], most) {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step;
    return [value, value.toFixed(digits)];
  });
}

// The height of a row. The presenter view fits all rows on the screen: at once, or else when the race
// is scrolled to. On a phone the type stays large instead, and one scrolls.
function rowHeight(usual, rows, larger, svg) {
  if (larger === 1 || window.innerWidth < LEAST_SCREEN) return usual;
  const top = svg.getBoundingClientRect().top;
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
  const inRace = top - svg.closest(".race").getBoundingClientRect().top;
  const axes = TOP + BOTTOM; // they grow with the type, and the type grows with the rows
  const room = [top + scrolled, inRace].map((above) => window.innerHeight - above).find((one) => one >= LEAST_ROW * rows + axes);
  if (room === undefined) return usual;
  return Math.min(usual, Math.max(room / (rows + axes / LEAST_ROW), (room - axes * larger) / rows));
}

class PanelView {
  constructor(parent, data, panel) {
    this.data = data;
    this.panel = panel;
    this.outOf = new Map(panel.out.map((out) => [out.arm, out]));
    this.root = make(parent, "section", { class: "panel", "aria-label": panel.title });
    this.root.style.setProperty("--accent", panel.colour);
    const head = make(this.root, "h3");
    const key = make(head, "span", { class: "key" });
    key.style.borderTopColor = panel.colour;
    key.style.borderTopStyle = panel.dashed ? "dashed" : "solid";
    make(head, "span", {}, panel.title);
    this.round = make(head, "span", { class: "round" });
    this.news = make(this.root, "p", { class: "news" });
    this.svg = make(this.root, "svg", { role: "group", "aria-label": `${panel.title}: press Enter on a row to explain it` });
    this.spent = make(this.root, "p", { class: "spent" });
  }

  // Lay out for a width and an order of arms; called again only when one of them changes.
  layout(width, order) {
    const { arms, best, axis } = this.data;
    // How much larger the presenter view has type; 1 elsewhere.
    const larger = Number(getComputedStyle(this.root).getPropertyValue("--figure-type")) || 1;
    const high = rowHeight((ROW * (1 + larger)) / 2, arms.length, larger, this.svg);
    const type = Math.min(larger, Math.max(high / LEAST_ROW, 1));
    this.type = type;
    const [top, below] = [TOP * type, BOTTOM * type];
    const longest = Math.max(...arms.map((name) => name.length));
    this.left = Math.min(width * 0.4, (22 + longest * 7.4) * type);
    this.width = width;
    const height = top + high * arms.length + below;
    this.x = (value) =>
      this.left + ((Math.min(Math.max(value, axis[0]), axis[1]) - axis[0]) / (axis[1] - axis[0])) * (width - this.left - 16);
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", height);
    const bottom = top + high * arms.length;
    for (const [value, label] of ticks(axis, width < 420 * type ? 4 : 7)) {
      const at = this.x(value);
      make(this.svg, "line", { class: "grid", x1: at, x2: at, y1: top - 4, y2: bottom });
      make(this.svg, "text", { class: "tick", x: at, y: bottom + 16 * type, "text-anchor": "middle", "font-size": 12 * type }, label);
    }
    make(this.svg, "text", { class: "axis-title", x: (this.left + width) / 2, y: bottom + 33 * type, "text-anchor": "middle", "font-size": 12 * type },
      width < 300 * type ? "mean and bounds" : "mean reward and its bounds");
    this.bar = make(this.svg, "line", { class: "bar-line", y1: top - 4, y2: bottom }); // behind the text of the rows
    this.rows = arms.map((name, arm) => {
      const y = top + high * (order.indexOf(arm) + 0.5);
      const group = make(this.svg, "g", { role: "button", tabindex: arm === order[0] ? 0 : -1 });
      group.onclick = () => this.onArm(arm);
      group.onkeydown = (event) => this.onKey(event, arm, order);
      const title = make(group, "title");
      make(group, "rect", { class: "hit", x: 0, y: y - high / 2, width, height: high });
      const fits = Math.floor((this.left - 22 * type) / (7.2 * type));
      const shown = name.length > fits ? `${name.slice(0, fits - 1)}…` : name;
      const label = best.includes(arm) ? `★ ${shown}` : shown;
      make(group, "text", { class: "name", x: this.left - 10 * type, y: y + 4 * type, "text-anchor": "end", "font-size": 13 * type }, label);
      const row = {
        group,
        title,
        bar: make(group, "line", { class: "bar", y1: y, y2: y }),
        low: make(group, "line", { class: "cap", y1: y - 5, y2: y + 5 }),
        high: make(group, "line", { class: "cap", y1: y - 5, y2: y + 5 }),
        dot: make(group, "circle", { class: "dot", cy: y, r: 4 * type }),
        flag: make(group, "path", { class: "flag", d: `M ${this.left - 7} ${y} l 7 -4.5 v 9 z` }),
      };
      const out = this.outOf.get(arm);
      if (out) {
        const by = out.by === arm ? `its own ${this.data.words.samples}` : arms[out.by];
        make(group, "line", { class: "struck", x1: this.left, x2: width - 16, y1: y, y2: y });
        make(group, "text", { class: "why", x: this.left + 14, y: y + 4 * type, "text-anchor": "start", "font-size": 12 * type },
          width - this.left < 330 * type ? `ruled out by ${by}` : `ruled out in round ${thousands(out.round)} by ${by}`);
      }
      return row;
    });
    this.barLabel = make(this.svg, "text", { class: "tick", y: top - 10 * type, "font-size": 12 * type }, "leader's lower bound");
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

  show(samples) {
    const { panel } = this;
    const i = momentAt(panel, samples);
    const last = i === panel.samples.length - 1;
    const round = panel.rounds[i];
    const pulled = new Set(last ? [] : panel.pulled[i]);
    let bar = -Infinity;
    this.rows.forEach((row, arm) => {
      const out = this.outOf.get(arm);
      const gone = out !== undefined && out.round <= round;
      const [lower, mean, upper] = [panel.lower[i][arm], panel.mean[i][arm], panel.upper[i][arm]];
      if (!gone) bar = Math.max(bar, lower);
      const [x1, x2] = [this.x(lower), this.x(Math.max(lower, upper))];
      row.bar.setAttribute("x1", x1);
      row.bar.setAttribute("x2", x2);
      for (const [cap, x, value] of [[row.low, x1, lower], [row.high, x2, upper]]) {
        cap.setAttribute("x1", x);
        cap.setAttribute("x2", x);
        const inside = value >= this.data.axis[0] && value <= this.data.axis[1];
        cap.setAttribute("visibility", inside ? "visible" : "hidden");
      }
      row.dot.setAttribute("cx", this.x(mean));
      row.dot.classList.toggle("off", mean < this.data.axis[0] || mean > this.data.axis[1]);
      row.group.setAttribute("class", gone ? "gone" : pulled.has(arm) ? "pulled" : "");
      row.title.textContent =
        `${this.data.arms[arm]}: mean ${mean.toFixed(3)}, bounds ${lower.toFixed(3)} and ${upper.toFixed(3)}, ` +
        `${thousands(panel.pulls[i][arm])} ${this.data.words.samples}${gone ? `. ${out.text}` : ""}`;
    });
    const x = this.x(bar);
    for (const end of ["x1", "x2"]) this.bar.setAttribute(end, x);
    const long = 130 * this.type;
    const [anchor, at] = x + long < this.width ? ["start", x + 4] : x > long ? ["end", x - 4] : ["end", this.width];
    this.barLabel.setAttribute("x", at);
    this.barLabel.setAttribute("text-anchor", anchor);
    this.write(i, round, last);
  }

  write(i, round, last) {
    const { panel, data } = this;
    const final = panel.rounds[panel.rounds.length - 1];
    this.round.textContent = `round ${thousands(round)} of ${thousands(final)}`;
    const gone = panel.out.filter((out) => out.round <= round);
    this.news.replaceChildren();
    if (last) {
      const right = panel.identified && data.best.includes(panel.answer);
      make(this.news, "span", { class: `tally ${right ? "right" : "wrong"}` }, panel.outcome);
    } else {
      const left = data.arms.length - gone.length;
      const tally = `${left} of ${data.arms.length} ${data.words.arms} are left. `;
      make(this.news, "span", { class: "tally" }, tally);
      if (gone.length) make(this.news, "span", {}, gone[gone.length - 1].text);
    }
    const pulls = panel.pulls[i];
    const order = pulls.map((_, arm) => arm).sort((a, b) => pulls[b] - pulls[a]);
    const top = order.slice(0, 2).map((arm) => `${data.arms[arm]} ${thousands(pulls[arm])}`);
    const rest = order.slice(2).reduce((sum, arm) => sum + pulls[arm], 0);
    if (rest) top.push(`others ${thousands(rest)}`);
    this.spent.textContent = `${data.words.samples} so far: ${thousands(panel.samples[i])} (${top.join(" · ")})`;
  }

  get stops() {
    return this.panel.out.map((out) => this.panel.samples[this.panel.rounds.indexOf(out.round)]);
  }
}
