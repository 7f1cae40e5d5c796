// Keys for a lecture, and the small bar of the presenter view. A key presses a button of the page.

// What uses these keys itself.
const BUSY = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="slider"], ' +
  '[role="combobox"], [role="listbox"], [role="option"], [role="spinbutton"], [role="radio"], [role="tab"], ' +
  '[role="menuitem"], [role="grid"], canvas';
const PRESSED_BY_SPACE = 'button, a, summary, [role="button"], [role="checkbox"], [role="switch"]';
const QUESTION = ".st-key-story-question";
const ANSWER_MS = 500; // an answer below the edge of the screen is brought into view once it is there
const OPEN = '[data-testid="stPopoverBody"], [role="dialog"], [role="listbox"]';

// A button in a place of the page, whether or not a component keeps it in a tree of its own.
function find([place, selector]) {
  for (const root of document.querySelectorAll(`.st-key-${place}`)) {
    const trees = [root, ...[root, ...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)];
    for (const tree of trees) {
      // A button with a hint is on the page twice, and one of the two not shown.
      const found = [...tree.querySelectorAll(selector)].find((node) => node.offsetParent !== null);
      if (found) return found;
    }
  }
  return null;
}

function isBusy(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  return Boolean(target.closest(BUSY) || (event.key === " " && target.closest(PRESSED_BY_SPACE)));
}

function onKey(event, data, leave) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // also with Caps Lock
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (key === "Escape") {
    if (data.on && !document.fullscreenElement && !document.querySelector(OPEN)) leave();
    return;
  }
  if (isBusy(event) || (!data.on && !data.always.includes(key))) return;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const places = (calm && data.calm[key]) || data.presses[key] || [];
  // Out of the presenter view only the story's own buttons.
  const button = places.filter(([place]) => data.on || place.startsWith("story")).map(find).find(Boolean);
  if (!button) return;
  event.preventDefault();
  if (!button.disabled) button.click();
  if (key === "a") setTimeout(() => document.querySelector(QUESTION)?.scrollIntoView({ block: "nearest" }), ANSWER_MS);
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => { /* the browser may forbid it */ });
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".present");
  root.forget?.();
  root.classList.toggle("on", data.on);
  const leave = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    setTriggerValue("left", true);
  };
  if (!root.children.length) {
    for (const [label, hint] of [["Full screen", "Fill the screen, or stop doing so"], ["Leave", "Leave the presenter view (Escape)"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.title = hint;
      root.append(button);
    }
  }
  const [full, out] = root.children;
  full.onclick = fullScreen;
  full.hidden = !document.fullscreenEnabled;
  out.onclick = leave;
  const listen = (event) => onKey(event, data, leave);
  document.addEventListener("keydown", listen);
  root.forget = () => document.removeEventListener("keydown", listen);
  return () => root.forget();
}
