// The reason beside the picture, and the sum that a person can check. Comes after home_rows.js.

// Write two numbers with enough decimals to tell them apart.
function apart(one, other, digits, most) {
  while (digits < most && one.toFixed(digits) === other.toFixed(digits)) digits += 1;
  return [one.toFixed(digits), other.toFixed(digits)];
}

class Why {
  constructor(parent, data, rows) {
    Object.assign(this, { data, rows, open: false });
    this.root = make(parent, "div", { class: "why", role: "group", "aria-label": data.texts.reason, "aria-live": "polite" });
    this.root.style.setProperty("--accent", rows.panel.colour);
  }

  // Explain an arm at a frame; drawn again only if something has changed.
  show(arm, frame) {
    const { data, rows } = this;
    const i = rows.moment(frame);
    const out = rows.outOf.get(arm);
    const isGone = out !== undefined && out.at <= data.frames[i];
    const state = isGone ? `${arm} out` : `${arm} ${i}`;
    if (state === this.state) return;
    this.state = state;
    this.root.replaceChildren();
    if (isGone && data.sums[arm]) this.showFall(arm, data.sums[arm]);
    else if (arm === rows.panel.leader[i]) this.showLeader(arm, i);
    else this.showBetween(arm, i, out);
  }

  say(name, values, attributes = {}) {
    return make(this.root, attributes.tag || "p", attributes.class ? { class: attributes.class } : {}, filled(this.data.texts[name], values));
  }

  numbers(upper, sign, bar) {
    const line = make(this.root, "dl", { class: "numbers" });
    for (const [name, value, before] of [["upper", upper, ""], ["bar", bar, sign]]) {
      const pair = make(line, "div");
      const number = make(pair, "dd", { class: name });
      if (before) make(number, "span", { class: "sign" }, before);
      make(number, "span", {}, value);
      make(pair, "dt", {}, this.data.texts[name]);
    }
  }

  showFall(arm, sum) {
    const { data } = this;
    const names = { arm: data.arms[arm], by: data.arms[sum.by], leader: data.arms[sum.leader], bar: sum.bar, upper: sum.upper };
    this.say("why", names, { tag: "h2" });
    this.say(sum.by === arm ? "own" : "by", { ...names, n: data.plural(sum.seen) });
    this.numbers(sum.upper, "<", sum.bar);
    if (sum.by !== arm) this.say("spent", { ...names, own: data.plural(sum.own) }, { class: "strong" });
    const button = make(this.root, "button", { type: "button", class: "do", "aria-expanded": this.open }, "");
    const table = make(this.root, "div", { class: "sum" });
    const draw = () => {
      button.textContent = this.open ? data.texts.close : data.texts.do;
      button.setAttribute("aria-expanded", this.open);
      table.replaceChildren();
      if (this.open) this.drawSum(table, arm, sum, names);
    };
    button.onclick = () => {
      this.open = !this.open;
      draw();
    };
    draw();
  }

  drawSum(parent, arm, sum, names) {
    const { texts, plural } = this.data;
    const table = make(parent, "table");
    const head = make(make(table, "thead"), "tr");
    const titles = filled(texts[sum.by === arm ? "head own" : "head"], names).split("|");
    for (const title of titles) make(head, "th", { scope: "col" }, title);
    const body = make(table, "tbody");
    for (const [value, seen, most] of sum.terms) {
      const line = make(body, "tr");
      for (const cell of [value, thousands(seen), most]) make(line, "td", {}, cell);
    }
    const foot = make(table, "tfoot");
    const totals = [["average", sum.average], ["radius", `+ ${sum.radius}`], ["total", `= ${sum.upper}`]];
    for (const [name, value] of totals) {
      const line = make(foot, "tr", { class: name });
      make(line, "th", { scope: "row", colspan: 2 }, filled(texts[name], { n: plural(sum.seen) }));
      make(line, "td", {}, value);
    }
    make(parent, "p", {}, filled(texts.verdict, names));
  }

  showLeader(arm, i) {
    const { data, rows } = this;
    const over = rows.panel.answer === arm && data.frames[i] >= rows.panel.last;
    const values = { arm: data.arms[arm], bar: rows.bar[i].toFixed(data.digits), n: data.plural(data.frames[i]) };
    this.say(over ? "best" : "leads", values, { tag: "h2" });
    this.say(over ? "answer" : rows.bar[i] > 0 ? "ahead" : "early", values);
  }

  showBetween(arm, i, out) {
    const { data, rows } = this;
    const r = data.rows.indexOf(arm);
    const by = rows.panel.by ? rows.panel.by[i * data.rows.length + r] : arm;
    const seen = data.rows.includes(by) ? rows.pulls[i][data.rows.indexOf(by)] : 0;
    const names = { arm: data.arms[arm], by: data.arms[by], n: seen ? data.plural(seen) : data.words.samples };
    this.say("whether", names, { tag: "h2" });
    this.say(by === arm ? "own" : "by", names);
    const [upper, bar] = apart(rows.upper[i][r], rows.bar[i], data.digits, data.digits + 1);
    this.numbers(upper, "≥", bar);
    if (by !== arm) this.say("spent", { ...names, own: data.plural(rows.pulls[i][r]) }, { class: "strong" });
    if (!out || !data.frames.includes(out.at)) return;
    const button = make(this.root, "button", { type: "button", class: "do" }, data.texts.later);
    button.onclick = () => this.onMoment(data.frames.indexOf(out.at));
  }
}
