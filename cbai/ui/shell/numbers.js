// Numbers as people type them, in boxes that take numbers: a comma is a decimal point. In a box for
// whole numbers, points, commas and an exponent are left out: 1.000 and 1,000 are a thousand.

function asTyped(text, whole) {
  if (whole) return text.replace(/[.,eE]/g, "");
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  return last < 0 ? text : `${text.slice(0, last).replace(/[.,]/g, "")}.${text.slice(last + 1)}`;
}

function mendNumber(event) {
  const box = event.target;
  const text = event.data ?? event.dataTransfer?.getData("text/plain");
  if (box?.type !== "number" || !text) return;
  const mended = asTyped(text, Number.isInteger(Number(box.step)));
  if (mended === text) return;
  event.preventDefault();
  if (mended) document.execCommand("insertText", false, mended);
}

function readNumbers() {
  window.addEventListener("beforeinput", mendNumber, true);
}

function leaveNumbers() {
  window.removeEventListener("beforeinput", mendNumber, true);
}
