// The race, drawn and played in the browser. Its content comes from cbai.figures.race.

const SECONDS = 14; // frames are evenly spaced on the race's clock, the logarithm of the samples
const KEPT = "cbai-race-";
const VIEW = ["at", "order"]; // what a race writes into the address, as in animation.py
const FEW = 9; // with more arms than this, two panels stand side by side even if they are narrow
const HEARD_MS = 5000; // a message not acknowledged after this time is lost; the next one is sent
const REST_MS = 50; // how often to look whether the page is complete
const PHONE = 641; // pixels; narrower pages have one column
const IDLE = "notRunning"; // what Streamlit's own element says then
// For those who asked their system for less motion: how long each moment is shown.
const STILL_MS = 1500;
const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

// The moment at which a race was left is kept for the visit. An address that is opened anew starts
// without it.
function forgetVisits() {
  if (window.cbaiVisit) return;
  window.cbaiVisit = true;
  if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") return;
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) sessionStorage.removeItem(key);
  } catch { /* storage may be forbidden */ }
}

// Scroll to the reason for a row that was asked about, where it is not beside the race.
function showReason() {
  const place = document.querySelector(".st-key-race-reason");
  if (!place || place.getBoundingClientRect().top < 0.7 * window.innerHeight) return;
  const block = window.innerWidth < PHONE ? "start" : "nearest"; // the race stays in sight
  place.scrollIntoView({ behavior: CALM.matches ? "auto" : "smooth", block });
}

// The address without what a race writes into it.
function elsewhere() {
  const query = new URLSearchParams(location.search);
  for (const name of VIEW) query.delete(name);
  return `${location.pathname}?${query}`;
}

function atRest() {
  return (document.querySelector(".stApp")?.dataset.testScriptState ?? IDLE) === IDLE;
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
    if (data.arms.length > FEW) panels.classList.add("many");
    this.views = data.panels.map((panel) => new PanelView(panels, data, decodedPanel(panel, data)));
    this.views.forEach((view, i) => {
      view.onArm = (arm) => {
        this.tellSoon("asked", `${i} ${arm}`);
        showReason();
      };
    });
    this.buildSave();
    this.stops = [...new Set(this.views.flatMap((view) => view.stops))].sort((a, b) => a - b);
    forgetVisits();
    this.frame = this.remembered();
    if (data.seen.order === "name") this.sort.value = "name";
    if (this.touched) this.tellView();
    this.resized = () => {
      // A longer text above the rows changes the height of the race, but nothing of its layout.
      const type = getComputedStyle(root).getPropertyValue("--figure-type");
      const size = `${root.clientWidth} ${window.innerHeight} ${type}`;
      if (size !== this.size) this.layout();
      this.size = size;
    };
    this.observer = new ResizeObserver(this.resized);
    this.observer.observe(root);
    window.addEventListener("resize", this.resized); // the window's height decides how many rows fit
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
    button("Ruled out »", "next", () => this.nextStop(), `Go to where the next ${this.data.words.arm} is ruled out`);
    this.speed = make(make(bar, "label", {}, "Speed"), "select", { "aria-label": "Speed" });
    for (const rate of [0.25, 0.5, 1, 2, 4]) make(this.speed, "option", { value: rate }, `${rate} ×`);
    this.speed.value = 1;
    this.sort = make(make(bar, "label", { class: "order" }, "Order"), "select", { "aria-label": "Order of the rows" });
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

  // The last frame that has at most this many samples.
  frameAt(samples) {
    const later = this.data.frames.findIndex((frame) => frame > samples);
    return later < 0 ? this.data.frames.length - 1 : Math.max(later - 1, 0);
  }

  // The frame of the link, or else the one at which this race was left before a rerun or another page.
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

  // Write the view into the link, once nothing has changed for a moment.
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

  // Every message carries the address and the controls as they are now. So it waits until the page
  // shows all that was changed before, or it would undo that. The time makes a repeated value new.
  tellSoon(name, value) {
    this.untold.set(name, `${value} ${Date.now()}`);
    if (!this.unheard) this.tellAtRest();
  }

  tellAtRest(until = Date.now() + HEARD_MS) {
    clearTimeout(this.unheard);
    if (atRest() || Date.now() > until) this.tellNext();
    else this.unheard = setTimeout(() => this.tellAtRest(until), REST_MS);
  }

  tellNext() {
    const [name] = this.untold.keys();
    this.unheard = name && setTimeout(() => this.tellAtRest(), HEARD_MS);
    if (!name) return;
    this.last = this.untold.get(name);
    this.untold.delete(name);
    this.tell(name, this.last);
  }

  onHeard(heard) {
    if (this.unheard && heard.includes(this.last)) this.tellAtRest();
  }

  // The browser's Back and Forward go through the moments of this race that were in the link.
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
    const most = Math.max(...this.views.map((view) => view.mostAt(this.frame)));
    for (const view of this.views) view.show(this.frame, most);
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
    const next = this.stops.find((stop) => stop > this.frame);
    if (next !== undefined) this.go(next);
  }

  toggle() {
    if (this.timer || this.waiting) return this.pause();
    if (this.frame === this.data.frames.length - 1) this.jump(0);
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

  // Show only the moments at which something is decided, one after the other.
  playStills() {
    this.waiting = setTimeout(() => {
      const next = this.stops.find((stop) => stop > this.frame);
      if (next !== undefined) this.jump(next);
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
