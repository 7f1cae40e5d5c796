// The bar at the top of every page, and keys for a lecture. Each key presses a button of the page.

// Elements that use these keys themselves.
const BUSY = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="slider"], ' +
  '[role="combobox"], [role="listbox"], [role="option"], [role="spinbutton"], [role="radio"], [role="tab"], ' +
  '[role="menuitem"], [role="grid"], canvas';
const SLIDER = 'input[type="range"], [role="slider"]';
const PRESSED_BY_SPACE = 'button, a, summary, [role="button"], [role="checkbox"], [role="switch"]';
const DONE = `button, ${SLIDER}, [role="radio"], input[type="radio"]`;
const QUESTION = ".st-key-story-question";
const SHOWN_MS = 500; // an answer below the edge of the screen is scrolled into view once it is there
const TURNS = ["story-next", "story-back"];
const ANSWER_MS = 3000; // a move that was not counted by then is lost, as at the story's end; the next one goes on
const OPEN = '[data-testid="stPopoverBody"], [role="dialog"], [role="listbox"]';

// A button in a place of the page, also if it is inside a component's shadow tree.
function find([place, selector]) {
  for (const root of document.querySelectorAll(`.st-key-${place}`)) {
    const trees = [root, ...[root, ...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)];
    for (const tree of trees) {
      // A button with a hint is on the page twice; one of the two is hidden.
      const found = [...tree.querySelectorAll(selector)].find((node) => node.offsetParent !== null);
      if (found) return found;
    }
  }
  return null;
}

function isBusy(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  if (event.key !== " ") return Boolean(target.closest(BUSY));
  if (target.matches(SLIDER)) return false; // a slider does not use it
  return Boolean(target.closest(BUSY) || target.closest(PRESSED_BY_SPACE));
}

// After a click the focus is released, and the keys work for the lecture again. Once at once, as a key
// may come before any timer, and once more for an element that takes the focus only now.
function release() {
  letGo();
  setTimeout(letGo);
}

function letGo() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (node?.matches(DONE)) node.blur();
}

// The server may lose one of two quick clicks on a button. So each move of the story waits until the
// move before it has been counted.
function turn(root, asked) {
  root.turns.push(asked);
  if (!root.waiting) turnNext(root);
}

function turnNext(root) {
  clearTimeout(root.waiting);
  root.waiting = null;
  while (root.turns.length && !root.waiting) {
    const button = find(root.turns.shift());
    if (!button || button.disabled) continue;
    root.waiting = setTimeout(turnNext, ANSWER_MS, root);
    button.click();
  }
}

function onCounted(root, count) {
  if (root.counted === count) return;
  root.counted = count;
  turnNext(root);
}

function onKey(event, root, data, leave) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // also with Caps Lock
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (key === "Escape") {
    if (data.on && !document.fullscreenElement && !document.querySelector(OPEN)) leave();
    return;
  }
  if (isBusy(event) || (!data.on && !data.always.includes(key))) return;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const places = (calm && data.calm[key]) || data.presses[key] || [];
  // Outside the presenter view, only the story's own buttons.
  const asked = places.filter(([place]) => data.on || place.startsWith("story")).find(find);
  if (!asked) return;
  event.preventDefault();
  if (TURNS.includes(asked[0])) turn(root, asked);
  else find(asked).click();
  if (key === "a") setTimeout(() => document.querySelector(QUESTION)?.scrollIntoView({ block: "nearest" }), SHOWN_MS);
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => { /* the browser may forbid it */ });
}

const COPIED_MS = 2500;

async function copyLink(root) {
  const link = linkHere(root.link);
  const said = root.querySelector(".said");
  if (await copyText(link)) said.textContent = `Copied. ${root.note}`;
  else window.prompt("Copy this link:", link);
  clearTimeout(root.saying);
  root.saying = setTimeout(() => { said.textContent = ""; }, root.note ? 3 * COPIED_MS : COPIED_MS);
}

const BUTTONS = [
  ["enter", "Present", "For lectures: hides all that is not needed, larger type, keys move through the story"],
  ["copy", "Copy link", "Copies a link that restores what you see now"],
  ["full", "Full screen", "Fill the screen, or leave full screen"],
  ["leave", "Leave", "Leave the presenter view (Escape)"],
];

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".present");
  root.forget?.();
  root.classList.toggle("on", data.on);
  const leave = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    setTriggerValue("left", true);
  };
  if (!root.children.length) buildBar(root, BUTTONS);
  root.turns ??= [];
  onCounted(root, data.turned);
  Object.assign(root, { link: data.link, note: data.note });
  const on = (name) => root.querySelector(`.${name}`);
  on("enter").onclick = () => setTriggerValue("entered", true);
  on("copy").onclick = () => copyLink(root);
  on("full").onclick = fullScreen;
  on("full").hidden = !document.fullscreenEnabled;
  on("leave").onclick = leave;
  const listen = (event) => onKey(event, root, data, leave);
  document.addEventListener("keydown", listen);
  if (data.on) document.addEventListener("pointerup", release, true);
  root.forget = () => {
    document.removeEventListener("keydown", listen);
    document.removeEventListener("pointerup", release, true);
  };
  return () => root.forget();
}
