// The rows of one run on Home, drawn at one moment. Comes after drawing.js and before home_why.js in
// the same script.

const place = (node, values) => {
  for (const [key, value] of Object.entries(values)) node.setAttribute(key, value);
};
const filled = (template, values) => template.replace(/\{(\w+)\}/g, (_, key) => values[key]);

const SIZES = {
  large: { row: 32, crowded: 24, name: 15, dot: 4.5, bar: 14, top: 20, below: 36 },
  thin: { row: 16, crowded: 14, name: 12, dot: 2.6, bar: 8, top: 2, below: 4 },
};
const CROWD = 8;
const NARROW = 460;
const NUMBER = 50; // the room for a number at a bar's end

class Rows {
  constructor(parent, data, panel, size) {
    Object.assign(this, { data, panel, size: SIZES[size], large: size === "large" });
    const width = data.rows.length;
    for (const name of ["mean", "lower", "upper"]) {
      this[name] = decoded(panel[name], width, data.unit);
    }
    this.pulls = decoded(panel.pulls, width);
    this.bar = decoded(panel.bar, 1, data.unit).map(([value]) => value);
    this.outOf = new Map(panel.out.map((out) => [out.arm, out]));
    this.root = make(parent, "div", { class: `run ${size}` });
    this.root.style.setProperty("--accent", panel.colour);
    const head = make(this.root, "h2");
    make(head, "span", { class: "title" }, panel.title);
    this.spent = make(head, "span", { class: "spent" });
    this.news = make(head, "span", { class: "news" });
    const label = this.large ? `${panel.title}. ${data.texts.hint}` : panel.title;
    this.svg = make(this.root, "svg", { role: "group", "aria-label": label });
  }

  // The moment of this run at a frame, or where it ended.
  moment(frame) {
    return Math.min(frame, this.bar.length - 1);
  }

  // The height of the picture with type of the usual size.
  get height() {
    const { row, crowded, top, below } = this.size;
    return top + below + this.data.rows.length * (this.data.rows.length > CROWD ? crowded : row);
  }

  layout(width, type) {
    const { rows, axis, texts } = this.data;
    const size = this.size;
    const row = (rows.length > CROWD ? size.crowded : size.row) * type;
    const narrow = width < NARROW * type;
    Object.assign(this, { narrow, type });
    const top = size.top * type;
    const bottom = top + row * rows.length;
    this.font = Math.min(size.name, narrow ? 13 : 99) * type;
    this.svg.replaceChildren();
    const left = Math.min(width * (narrow ? 0.36 : 0.26), Math.max(...rows.map((arm) => this.widthOf(arm))) + 14);
    const bars = narrow ? 30 : Math.min(width * 0.17, 150);
    const right = width - bars - NUMBER * type - 14;
    Object.assign(this, { width, row, top, bottom, left, bars, right });
    this.x = (value) => left + ((Math.min(Math.max(value, axis[0]), axis[1]) - axis[0]) / (axis[1] - axis[0])) * (right - left);
    place(this.svg, { viewBox: `0 0 ${width} ${bottom + size.below * type}`, height: bottom + size.below * type });
    if (this.large) {
      this.drawAxis(texts);
      this.arc = make(this.svg, "path", { class: "arc" });
      this.head = make(this.svg, "path", { class: "head" });
    }
    this.line = make(this.svg, "line", { class: "floor", y1: top - 3, y2: bottom + (this.large ? 2 : 0) });
    if (this.large) {
      this.floor = make(this.svg, "text", { class: "floor-label", y: bottom + 31 * type, "font-size": 12.5 * type });
    }
    this.marks = rows.map((arm, i) => this.drawRow(arm, top + row * (i + 0.5), i));
  }

  label(arm) {
    return `${this.data.best.includes(arm) ? "★ " : ""}${this.data.arms[arm]}`;
  }

  // Both pictures have their names as wide as the large one needs them.
  widthOf(arm) {
    const size = Math.min(SIZES.large.name, this.narrow ? 13 : 99) * this.type;
    const text = make(this.svg, "text", { class: "name", "font-size": size, "font-weight": 650 }, this.label(arm));
    const width = text.getComputedTextLength();
    text.remove();
    return width;
  }

  drawAxis(texts) {
    const { type, top, bottom, left, right, width } = this;
    for (const [value, label] of ticks(this.data.axis, this.narrow ? 3 : 6)) {
      const at = this.x(value);
      make(this.svg, "line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom });
      make(this.svg, "text", { class: "quiet", x: at, y: bottom + 14 * type, "text-anchor": "middle", "font-size": 12 * type }, label);
    }
    if (!this.narrow) make(this.svg, "text", { class: "quiet", x: left, y: top - 7 * type, "font-size": 12.5 * type }, texts.axis);
    make(this.svg, "text", { class: "quiet", x: width, y: top - 7 * type, "text-anchor": "end", "font-size": 12.5 * type }, texts["so far"]);
  }

  drawRow(arm, y, i) {
    const { size, type, large, left, right, font } = this;
    const group = make(this.svg, "g", large ? { role: "button", tabindex: i === 0 ? 0 : -1, "aria-pressed": false } : {});
    if (large) {
      group.onclick = () => this.onArm(arm);
      group.onkeydown = (event) => this.onKey(event, i);
      make(group, "rect", { class: "hit", x: 0, y: y - this.row / 2, width: this.width, height: this.row, rx: 4 });
    }
    const cap = (large ? 7 : 0) * type;
    const mark = {
      group, y,
      name: make(group, "text", { class: "name", x: 4, y: y + font * 0.34, "font-size": font }),
      bar: make(group, "line", { class: "range", y1: y, y2: y }),
      low: make(group, "line", { class: "cap", y1: y - cap, y2: y + cap }),
      high: make(group, "line", { class: "cap high", y1: y - cap, y2: y + cap }),
      dot: make(group, "circle", { class: "dot", cy: y, r: size.dot * type }),
      tag: large ? make(group, "text", { class: "tag", y: y + 4 * type, "font-size": 12 * type }) : null,
      spent: make(group, "rect", { class: "spent-bar", x: right + 14, y: y - (size.bar * type) / 2, height: size.bar * type, rx: 1.5 }),
      count: make(group, "text", { class: "count", y: y + font * 0.34, "font-size": (large ? 14 : 12) * type }),
    };
    this.name(mark, this.label(arm), left - 10);
    return mark;
  }

  // Write a name in one line or, in a row with room for them, in two smaller ones.
  name(mark, text, room) {
    const size = Math.min(0.86 * this.font, this.row / 2.1);
    this.fit(mark.name, text, room);
    const lines = this.large && mark.name.textContent !== text ? twoLines(text) : null;
    if (!lines) return;
    mark.name.replaceChildren();
    place(mark.name, { "font-size": size });
    lines.forEach((line, k) => this.fit(make(mark.name, "tspan", { x: 4, y: mark.y + size * (k - 0.15) }), line, room));
    mark.name.firstChild.textContent += " "; // for those who hear or copy the name
  }

  // Write a name, shortened if it is wider than its room.
  fit(node, text, room) {
    for (let length = text.length; length > 0; length--) {
      node.textContent = length === text.length ? text : `${text.slice(0, length - 1).replace(/[\s,.:;-]+$/, "")}…`;
      if (node.getComputedTextLength() <= room) return;
    }
  }

  // Enter explains a row. Arrows go to its neighbours, and Tab leaves the rows in one step.
  onKey(event, i) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.onArm(this.data.rows[i]);
    else if (step && this.marks[i + step]) {
      this.marks.forEach((mark, j) => mark.group.setAttribute("tabindex", j === i + step ? 0 : -1));
      this.marks[i + step].group.focus();
    } else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The arms that are ruled out by a number of samples, in their order.
  gone(samples) {
    return this.panel.out.filter((out) => out.at <= samples);
  }

  show(frame, chosen, most) {
    const { data, panel } = this;
    const i = this.moment(frame);
    const samples = data.frames[i];
    const gone = this.gone(samples);
    const latest = gone[gone.length - 1];
    data.rows.forEach((arm, r) => {
      const out = this.outOf.get(arm);
      const isGone = out !== undefined && out.at <= samples;
      const at = isGone ? data.frames.indexOf(out.at) : i; // where it fell, it stays
      const by = panel.by ? panel.by[at * data.rows.length + r] : arm;
      this.showRow(this.marks[r], at, r, by === arm ? "" : data.arms[by], isGone && out, out === latest, arm);
      const length = (this.pulls[i][r] / most) * this.bars;
      place(this.marks[r].spent, { width: Math.max(length, 1.5) });
      place(this.marks[r].count, { x: this.right + 14 + Math.max(length, 1.5) + 6 });
      this.marks[r].count.textContent = thousands(this.pulls[i][r]);
      this.marks[r].group.classList.toggle("chosen", this.large && arm === chosen);
      if (this.large) this.marks[r].group.setAttribute("aria-pressed", arm === chosen);
    });
    const over = panel.answer >= 0 && samples >= panel.last;
    place(this.line, { x1: this.x(this.bar[i]), x2: this.x(this.bar[i]), visibility: this.bar[i] < data.axis[0] ? "hidden" : "visible" });
    if (this.large) {
      this.showFloor(this.bar[i]);
      this.showArc(latest, i);
    }
    this.write(samples, gone, over);
  }

  showRow(mark, at, r, by, out, latest, arm) {
    const [low, high] = this.data.axis;
    const [lower, mean, upper] = [this.lower[at][r], this.mean[at][r], Math.max(this.upper[at][r], this.lower[at][r])];
    const [x1, x2] = [this.x(lower), this.x(upper)];
    place(mark.bar, { x1, x2 });
    for (const [cap, x, value] of [[mark.low, x1, lower], [mark.high, x2, upper]]) {
      place(cap, { x1: x, x2: x, visibility: value >= low && value <= high ? "visible" : "hidden" });
    }
    place(mark.dot, { cx: this.x(mean), visibility: mean >= low && mean <= high ? "visible" : "hidden" });
    mark.group.setAttribute("class", `${out ? "gone" : ""} ${by ? "by-other" : ""}`);
    if (!this.large) return;
    const own = this.pulls[at][r];
    const digits = this.data.digits;
    mark.group.setAttribute("aria-label",
      `${this.data.arms[arm]}: ${mean.toFixed(digits)}, ${Math.max(lower, 0).toFixed(digits)} – ${upper.toFixed(digits)}, ${this.data.plural(own)}` +
      `${by ? `, ${filled(this.data.texts.tag, { by })}` : ""}${out ? `. ${this.data.called(out)}` : ""}`);
    this.showTag(mark, x2, by, out, latest, mean > upper);
  }

  // What stands beside the upper end: who set it, or that the arm is ruled out.
  showTag(mark, x, by, out, latest, beyond) {
    const { type, data, narrow } = this;
    const size = 12 * type;
    const room = this.right - x - 8; // the bars of samples begin behind it
    const fits = (text, share) => text.length * size * share < room;
    mark.tag.replaceChildren();
    mark.tag.setAttribute("class", out && latest ? "tag latest" : "tag");
    let lines = [];
    let left = false;
    if (out && (narrow || (!latest && data.rows.length > CROWD))) lines = [data.told(out)[0]];
    else if (out) {
      const told = data.told(out);
      const named = [`${data.arms[out.arm]}: ${told[0]}`, told[1]];
      if (latest) lines = fits(named[0], 0.54) ? named : told;
      else lines = fits(told.join(" "), 0.5) ? [told.join(" ")] : told;
    } else if (by && !narrow && x < this.right) {
      lines = [filled(data.texts.tag, { by })];
      left = beyond || !fits(lines[0], 0.48); // then it stands on the line
    }
    const from = out && out.by !== out.arm ? Math.sign(data.rows.indexOf(out.arm) - data.rows.indexOf(out.by)) : 0;
    const middle = mark.y + (left ? -9 * type : (latest ? 3 * from : 0) * type);
    place(mark.tag, { "text-anchor": left ? "end" : "start" });
    lines.forEach((line, k) =>
      make(mark.tag, "tspan", { x: left ? x - 6 : x + 12, y: middle + size * (0.35 + 1.1 * (k - (lines.length - 1) / 2)) }, line));
  }

  showFloor(bar) {
    const text = `${this.data.texts.bar} ${bar.toFixed(this.data.digits)}`;
    const x = this.x(bar);
    const half = text.length * 3.1 * this.type;
    this.floor.textContent = text;
    place(this.floor, { x: Math.min(Math.max(x, half), this.width - half), "text-anchor": "middle" });
    this.floor.setAttribute("visibility", bar < this.data.axis[0] ? "hidden" : "visible");
  }

  // From the arm whose rewards decided to the arm that they ruled out.
  showArc(out, i) {
    const [from, to] = out ? [out.by, out.arm].map((arm) => this.data.rows.indexOf(arm)) : [-1, -1];
    const drawn = out && out.by !== out.arm && from >= 0 && to >= 0;
    for (const part of [this.arc, this.head]) part.setAttribute("visibility", drawn ? "visible" : "hidden");
    if (!drawn) return;
    const fell = this.data.frames.indexOf(out.at);
    const down = Math.sign(to - from);
    const [x1, y1] = [this.x(this.mean[fell][from]), this.marks[from].y + 7 * down * this.type];
    const [x2, y2] = [this.x(this.upper[fell][to]) + 2, this.marks[to].y - 9 * down * this.type];
    const high = y2 - y1;
    const [x3, y3] = [x2 + 46 * this.type, y2 - 13 * down * this.type];
    // Its middle is as far right as the rows reach: past the tags of the rows between.
    const bulge = (this.right - 0.216 * x1 - 0.288 * x3 - 0.064 * x2) / 0.432;
    place(this.arc, { d: `M ${x1} ${y1} C ${bulge} ${y1 + 0.8 * high}, ${x3} ${y3}, ${x2 + 2} ${y2}` });
    const angle = Math.atan2(y2 - y3, x2 + 2 - x3);
    const wing = (turn) => `${x2 + 2 - 9 * this.type * Math.cos(angle + turn)} ${y2 - 9 * this.type * Math.sin(angle + turn)}`;
    place(this.head, { d: `M ${x2 + 1} ${y2 + 2 * down} L ${wing(0.42)} L ${wing(-0.42)} Z` });
  }

  write(samples, gone, over) {
    const { texts, arms, words } = this.data;
    this.spent.textContent = this.data.plural(samples);
    const latest = gone[gone.length - 1];
    if (over) this.news.textContent = filled(texts.done, { arm: arms[this.panel.answer] });
    else if (this.large && latest) this.news.textContent = this.data.called(latest);
    else this.news.textContent = gone.length ? filled(texts.some, { k: gone.length, all: arms.length }) : texts.none;
  }
}
