// The race, drawn and played in the browser. What it shows comes from cbai.figures.race.

const SVG = "http://www.w3.org/2000/svg";
const ROW = 25;
const LEAST_ROW = 17;
const LEAST_SCREEN = 641; // as in present.css
const TOP = 26;
const BOTTOM = 40;
const SECONDS = 14;
const KEPT = "cbai-race-";
const VIEW = ["at", "order"]; // what a race tells the address of itself, as in race.py
const HEARD_MS = 5000; // what is not heard of by then went astray, and holds nothing up
// For those who asked their system for less motion: how long each moment is shown.
const STILL_MS = 1500;
const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

function make(parent, tag, attributes = {}, text = "") {
  const inSvg = tag === "svg" || parent.namespaceURI === SVG;
  const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  parent.appendChild(node);
  return node;
}

const thousands = (number) => number.toLocaleString("en-US");

// The last recorded moment of a panel with at most so many samples.
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

// The presenter view has all rows on the screen: at once, or else when the race is scrolled to. A
// phone is no lecturer's screen: there type stays large, and one scrolls.
function rowHeight(usual, rows, larger, svg) {
  if (larger === 1 || window.innerWidth < LEAST_SCREEN) return usual;
  const top = svg.getBoundingClientRect().top;
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
  const inRace = top - svg.closest(".race").getBoundingClientRect().top;
  const axes = TOP + BOTTOM; // which grow with the type, and that with the rows
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
    this.bar = make(this.svg, "line", { class: "bar-line", y1: top - 4, y2: bottom }); // behind what rows say
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
          width - this.left < 330 * type ? `out, by ${by}` : `out in round ${thousands(out.round)}, by ${by}`);
      }
      return row;
    });
    this.barLabel = make(this.svg, "text", { class: "tick", y: top - 10 * type, "font-size": 12 * type }, "leader's lower bound");
  }

  // Enter explains a row; arrows go to its neighbours, so that Tab passes all rows in one step.
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
        `${this.data.arms[arm]}: mean ${mean.toFixed(3)}, from ${lower.toFixed(3)} to ${upper.toFixed(3)}, ` +
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
      const tally = `Still ${left} of ${data.arms.length} ${data.words.arms} in the running. `;
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

// Where a race was left holds for the visit. An address opened anew says itself what is to be seen.
function forgetVisits() {
  if (window.cbaiVisit) return;
  window.cbaiVisit = true;
  if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") return;
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  } catch { /* storage may be forbidden */ }
}

// The address but for what a race tells of itself.
function elsewhere() {
  const query = new URLSearchParams(location.search);
  for (const name of VIEW) query.delete(name);
  return `${location.pathname}?${query}`;
}

class Race {
  constructor(root, data, tell) {
    this.data = data;
    this.untold = new Map();
    this.elsewhere = elsewhere();
    this.timer = this.waiting = 0;
    this.root = root;
    this.tell = tell;
    this.told = { ...data.seen };
    root.replaceChildren();
    this.buildControls();
    const panels = make(root, "div", { class: "panels" });
    this.views = data.panels.map((panel) => new PanelView(panels, data, panel));
    this.views.forEach((view, i) => {
      view.onArm = (arm) => this.tellSoon("asked", `${i} ${arm}`);
    });
    this.buildSave();
    const ends = this.views.map((view) => view.panel.samples[view.panel.samples.length - 1]);
    this.stops = [...new Set([...this.views.flatMap((view) => view.stops), ...ends])].sort((a, b) => a - b);
    forgetVisits();
    this.frame = this.remembered();
    if (data.seen.order === "name") this.sort.value = "name";
    if (this.touched) this.tellView();
    this.resized = () => this.layout();
    this.observer = new ResizeObserver(this.resized);
    this.observer.observe(root);
    window.addEventListener("resize", this.resized); // its height says how many rows fit
    this.followed = () => this.follow();
    window.addEventListener("popstate", this.followed);
    this.layout();
  }

  buildControls() {
    const bar = make(this.root, "div", { class: "controls" });
    const button = (label, name, action, hint) => {
      const node = make(bar, "button", { type: "button", class: name, title: hint, "aria-label": hint }, label);
      node.onclick = action;
      return node;
    };
    this.play = button("▶ Play", "play", () => this.toggle(), "Play or pause");
    button("‹ Step", "back", () => this.go(this.frame - 1), "One step back");
    button("Step ›", "step", () => this.go(this.frame + 1), "One step forward");
    button("Next out »", "next", () => this.nextStop(), `Go to where the next ${this.data.words.arm} is ruled out`);
    this.speed = make(make(bar, "label", {}, "Speed"), "select", { "aria-label": "Speed" });
    for (const rate of [0.25, 0.5, 1, 2, 4]) make(this.speed, "option", { value: rate }, `${rate} ×`);
    this.speed.value = 1;
    this.sort = make(make(bar, "label", {}, "Order"), "select", { "aria-label": "Order of the rows" });
    make(this.sort, "option", { value: "mean" }, "best first");
    make(this.sort, "option", { value: "name" }, "by name");
    this.sort.onchange = () => {
      this.layout();
      this.tellView();
    };
    this.clock = make(bar, "span", { class: "clock", role: "status" });
    this.scrub = make(this.root, "input", {
      type: "range", class: "scrub", min: 0, max: this.data.frames.length - 1, step: 1,
      "aria-label": `${this.data.words.samples} so far`,
    });
    this.scrub.oninput = () => this.go(Number(this.scrub.value));
  }

  buildSave() {
    const line = make(this.root, "p", { class: "save" }, "Save this moment as ");
    for (const format of ["png", "svg"]) {
      const button = make(line, "button", { type: "button" }, format.toUpperCase());
      button.onclick = () => saveRace(this.views, this.data.name, format);
    }
  }

  // The last frame with at most so many samples.
  frameAt(samples) {
    const later = this.data.frames.findIndex((frame) => frame > samples);
    return later < 0 ? this.data.frames.length - 1 : Math.max(later - 1, 0);
  }

  // Where a link says it was, or where this very race was left, kept over reruns and page switches.
  remembered() {
    const samples = Number(this.data.seen.at);
    if (samples > 0) {
      this.touched = true;
      return this.frameAt(samples);
    }
    try {
      const kept = sessionStorage.getItem(KEPT + this.data.id);
      this.touched = kept !== null;
      if (kept !== null) return Math.min(Number(kept), this.data.frames.length - 1);
    } catch { /* storage may be forbidden */ }
    return this.data.start;
  }

  // Tell the link what is to be seen, once nothing has changed for a moment.
  tellView() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const seen = { order: this.sort.value === "name" ? "name" : this.told.order && "mean" };
      if (this.touched) seen.at = String(this.data.frames[this.frame]);
      for (const [name, value] of Object.entries(seen)) {
        if (value && value !== this.told[name]) this.tellSoon(name, value);
        this.told[name] = value;
      }
    }, 400);
  }

  // With each thing told goes the address as it is, so that a second one told before the first has
  // come into the address would undo it. The time makes the same a new thing to tell.
  tellSoon(name, value) {
    this.untold.set(name, `${value} ${Date.now()}`);
    if (!this.unheard) this.tellNext();
  }

  tellNext() {
    clearTimeout(this.unheard);
    const [name] = this.untold.keys();
    this.unheard = name && setTimeout(() => this.tellNext(), HEARD_MS);
    if (!name) return;
    this.last = this.untold.get(name);
    this.untold.delete(name);
    this.tell(name, this.last);
  }

  onHeard(heard) {
    if (this.unheard && heard.includes(this.last)) this.tellNext();
  }

  // The browser's Back and Forward, through the moments that the link has told of this race.
  follow() {
    if (elsewhere() !== this.elsewhere) return;
    this.pause();
    clearTimeout(this.telling);
    const query = new URLSearchParams(location.search);
    this.told = Object.fromEntries(VIEW.map((name) => [name, query.get(name)]));
    this.touched = Number(this.told.at) > 0;
    this.frame = this.touched ? this.frameAt(Number(this.told.at)) : this.data.start;
    this.sort.value = this.told.order === "name" ? "name" : "mean";
    this.layout();
  }

  layout() {
    const order = this.data.ranking.slice();
    if (this.sort.value === "name") order.sort((a, b) => this.data.arms[a].localeCompare(this.data.arms[b]));
    for (const view of this.views) view.layout(Math.max(view.root.clientWidth - 26, 240), order);
    this.show();
  }

  show() {
    const samples = this.data.frames[this.frame];
    this.scrub.value = this.frame;
    this.scrub.setAttribute("aria-valuetext", `${thousands(samples)} ${this.data.words.samples}`);
    this.clock.textContent = `${thousands(samples)} ${this.data.words.samples}`;
    for (const view of this.views) view.show(samples);
    if (!this.touched) return;
    try {
      sessionStorage.setItem(KEPT + this.data.id, this.frame);
    } catch { /* storage may be forbidden */ }
  }

  jump(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.data.frames.length - 1);
    this.show();
  }

  go(frame) {
    this.touched = true;
    this.pause();
    this.jump(frame);
    this.tellView();
  }

  nextStop() {
    const samples = this.data.frames[this.frame];
    const next = this.stops.find((stop) => stop > samples);
    if (next !== undefined) this.go(this.data.frames.indexOf(next));
  }

  toggle() {
    if (this.timer || this.waiting) return this.pause();
    if (!this.touched || this.frame === this.data.frames.length - 1) this.jump(0);
    this.touched = true;
    this.play.textContent = "❚❚ Pause";
    if (CALM.matches) return this.playStills();
    let exact = this.frame;
    let before = performance.now();
    const tick = (now) => {
      const perSecond = (this.data.frames.length / SECONDS) * Number(this.speed.value);
      exact += ((now - before) / 1000) * perSecond;
      before = now;
      if (Math.floor(exact) > this.frame) this.jump(Math.floor(exact));
      if (this.frame === this.data.frames.length - 1) return this.pause();
      this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
  }

  // Only the moments at which something is decided, one after the other.
  playStills() {
    this.waiting = setTimeout(() => {
      const next = this.stops.find((stop) => stop > this.data.frames[this.frame]);
      if (next !== undefined) this.jump(this.data.frames.indexOf(next));
      if (next === undefined || next === this.stops[this.stops.length - 1]) this.pause();
      else this.playStills();
    }, STILL_MS / Number(this.speed.value));
  }

  pause() {
    cancelAnimationFrame(this.timer);
    clearTimeout(this.waiting);
    this.timer = this.waiting = 0;
    this.play.textContent = "▶ Play";
    this.tellView();
  }

  close() {
    this.pause();
    for (const timer of [this.telling, this.unheard]) clearTimeout(timer);
    this.observer.disconnect();
    window.removeEventListener("resize", this.resized);
    window.removeEventListener("popstate", this.followed);
  }
}

export default function (component) {
  const { data: given, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".race");
  if (root.race && root.race.data.id === given.id) {
    root.race.elsewhere = elsewhere();
    root.race.onHeard(given.heard);
    return;
  }
  const data = { ...given, ...JSON.parse(given.race) };
  if (root.race) root.race.close();
  root.race = new Race(root, data, setStateValue);
  return () => {
    if (root.race) root.race.close();
    root.race = undefined;
  };
}
