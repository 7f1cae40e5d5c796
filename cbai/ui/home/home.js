// Home's picture, paused and played in the browser. Its content comes from cbai.figures.home.

const SECONDS = 11;
const HOLD_MS = 1100; // how long each arm that another one ruled out is shown before the race goes on
const STILL_MS = 1500; // the same for those who asked their system for less motion
const LEAST_SCREEN = 641; // as in present.css
const AROUND = 150; // the height of the headings and the controls in the presenter view
const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

class Home {
  constructor(root, data) {
    Object.assign(this, { root, data, timer: 0, waiting: 0, chosen: null, frame: data.start });
    data.plural = (n) => `${thousands(n)} ${n === 1 ? data.words.sample : data.words.samples}`;
    data.told = (out) => (out.by === out.arm
      ? filled(data.texts.alone, { own: thousands(out.own) })
      : filled(data.texts.called, { own: thousands(out.own) })).split("|");
    data.called = (out) => `${data.arms[out.arm]}: ${data.told(out).join(" ")}`;
    root.replaceChildren();
    const left = make(root, "div", { class: "left" });
    this.views = data.panels.map((panel, i) => new Rows(left, data, panel, i ? "thin" : "large"));
    this.views[0].onArm = (arm) => this.choose(arm);
    this.buildControls(left);
    this.why = new Why(root, data, this.views[0]);
    this.why.onMoment = (frame) => this.go(frame);
    this.stops = [...new Set(this.views.flatMap((view) => view.panel.out.map((out) => data.frames.indexOf(out.at))))];
    this.stops = [...this.stops, data.frames.length - 1].sort((a, b) => a - b);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(left);
    this.resized = () => this.layout();
    window.addEventListener("resize", this.resized);
    this.left = left;
    this.restore();
    this.layout();
  }

  // The moment and the row that a link names, once in a visit; only the first picture is in links.
  restore() {
    if (!this.data.inLink || window.cbaiHomeRestored) return;
    window.cbaiHomeRestored = true;
    const query = new URLSearchParams(location.search);
    const frame = this.data.frames.indexOf(Number(query.get("at")));
    const row = query.has("row") ? Number(query.get("row")) : NaN;
    if (frame >= 0) this.frame = frame;
    if (this.data.rows.includes(row)) this.chosen = row;
    this.touched = frame >= 0 || this.chosen !== null;
  }

  buildControls(parent) {
    const bar = make(parent, "div", { class: "controls" });
    this.play = make(bar, "button", { type: "button", class: "play" });
    this.play.onclick = () => this.toggle();
    this.scrub = make(bar, "input", {
      type: "range", class: "scrub", min: 0, max: this.data.frames.length - 1, step: 1, "aria-label": this.data.texts.place,
    });
    this.scrub.oninput = () => this.go(Number(this.scrub.value));
    this.clock = make(bar, "span", { class: "clock" });
    this.label();
  }

  label() {
    const playing = Boolean(this.timer || this.waiting);
    this.play.textContent = playing ? "❚❚ Pause" : "▶ Play";
    this.why?.root.setAttribute("aria-live", playing ? "off" : "polite");
  }

  layout() {
    const type = this.typeThatFits();
    const width = Math.max(this.left.clientWidth, 280);
    if (width === this.width && type === this.type) return;
    Object.assign(this, { width, type });
    for (const view of this.views) view.layout(width, type);
    this.show();
  }

  // How much larger the presenter view has type: the picture stays within the screen, at once or else
  // when it is scrolled to.
  typeThatFits() {
    const larger = Number(getComputedStyle(this.root).getPropertyValue("--figure-type")) || 1;
    if (larger === 1 || window.innerWidth < LEAST_SCREEN) return larger;
    const usual = this.views.reduce((sum, view) => sum + view.height, 0);
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
    const above = this.root.getBoundingClientRect().top + scrolled;
    const room = [above, 0].map((top) => window.innerHeight - top - AROUND).find((one) => one >= usual) ?? usual;
    return Math.min(larger, room / usual);
  }

  // The arm that the panel explains: the one clicked, else the one that has just fallen.
  get explained() {
    const view = this.views[0];
    if (this.chosen !== null) return this.chosen;
    const gone = view.gone(this.data.frames[view.moment(this.frame)]).filter((out) => this.data.rows.includes(out.arm));
    return gone.length ? gone[gone.length - 1].arm : view.panel.leader[view.moment(this.frame)];
  }

  show() {
    const { frames, rows } = this.data;
    const samples = frames[this.frame];
    const shown = this.explained;
    const most = Math.max(...this.views.flatMap((view) => view.pulls[view.moment(this.frame)]));
    for (const view of this.views) view.show(this.frame, shown, most);
    this.why.show(rows.includes(shown) ? shown : rows[0], this.frame);
    const clock = filled(this.data.texts.clock, { n: thousands(samples), all: this.data.plural(frames[frames.length - 1]) });
    this.scrub.value = this.frame;
    this.scrub.style.setProperty("--done", `${(100 * this.frame) / Math.max(frames.length - 1, 1)}%`);
    this.scrub.setAttribute("aria-valuetext", clock);
    this.clock.textContent = clock;
    if (!this.data.inLink) return;
    window.cbaiView = { at: this.touched ? String(samples) : null, row: this.chosen === null ? null : String(this.chosen) };
  }

  jump(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.data.frames.length - 1);
    this.show();
  }

  go(frame) {
    this.pause();
    this.touched = true;
    this.jump(frame);
  }

  choose(arm) {
    this.pause();
    this.touched = true;
    this.chosen = arm;
    this.show();
    const panel = this.why.root;
    const below = panel.getBoundingClientRect().top > window.innerHeight - 80;
    if (below) panel.scrollIntoView({ block: "nearest", behavior: CALM.matches ? "auto" : "smooth" });
  }

  toggle() {
    if (this.timer || this.waiting) return this.pause();
    this.chosen = null;
    if (!this.touched || this.frame === this.data.frames.length - 1) this.jump(0);
    this.touched = true;
    if (CALM.matches) this.playStills();
    else this.run();
    this.label();
  }

  run() {
    let exact = this.frame;
    let before = performance.now();
    this.waiting = 0;
    const tick = (now) => {
      exact += (Math.min(now - before, 100) / 1000) * (this.data.frames.length / SECONDS);
      before = now;
      const next = Math.min(Math.floor(exact), this.data.frames.length - 1);
      const fell = this.fallBetween(this.frame, next);
      if (next > this.frame) this.jump(fell ?? next);
      if (this.frame === this.data.frames.length - 1) return this.pause();
      if (fell === undefined) this.timer = requestAnimationFrame(tick);
      else {
        this.timer = 0;
        this.waiting = setTimeout(() => this.run(), HOLD_MS);
      }
    };
    this.timer = requestAnimationFrame(tick);
  }

  // The first frame after one, up to another, at which an arm was ruled out by another one's samples.
  fallBetween(first, last) {
    const frames = this.views[0].panel.out.filter((out) => out.by !== out.arm).map((out) => this.data.frames.indexOf(out.at));
    return frames.find((frame) => frame > first && frame <= last);
  }

  playStills() {
    this.waiting = setTimeout(() => {
      const next = this.stops.find((stop) => stop > this.frame);
      if (next !== undefined) this.jump(next);
      if (next === undefined || next === this.data.frames.length - 1) this.pause();
      else this.playStills();
    }, STILL_MS);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    clearTimeout(this.waiting);
    this.timer = this.waiting = 0;
    this.label();
  }

  close() {
    this.pause();
    this.observer.disconnect();
    window.removeEventListener("resize", this.resized);
    if (this.data.inLink) delete window.cbaiView;
  }
}

export default function (component) {
  const { data: given, parentElement } = component;
  const root = parentElement.querySelector(".home");
  if (root.home?.id === given.id) return;
  root.home?.close();
  root.home = new Home(root, { ...JSON.parse(given.scene), inLink: given.inLink });
  root.home.id = given.id;
  return () => {
    root.home?.close();
    root.home = undefined;
  };
}
