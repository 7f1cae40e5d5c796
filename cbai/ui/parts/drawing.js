// What pictures that play in the browser share. Comes first in the script.

const SVG = "http://www.w3.org/2000/svg";

function make(parent, tag, attributes = {}, text = "") {
  const inSvg = tag === "svg" || parent.namespaceURI === SVG;
  const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  parent.appendChild(node);
  return node;
}

const thousands = (number) => number.toLocaleString("en-US");

// A table that was sent as changes of whole numbers, row by row.
function decoded(changes, columns, unit = 1) {
  const rows = [];
  const now = new Array(columns).fill(0);
  for (let i = 0; i < changes.length; i += columns) {
    for (let k = 0; k < columns; k++) now[k] += changes[i + k];
    rows.push(now.map((whole) => whole * unit));
  }
  return rows;
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

// A name in two lines, broken at the space nearest to its middle; null if it is one word.
function twoLines(name) {
  const spaces = [...name].flatMap((letter, i) => (letter === " " ? [i] : []));
  if (!spaces.length) return null;
  const middle = name.length / 2;
  const at = spaces.reduce((best, i) => (Math.abs(i - middle) < Math.abs(best - middle) ? i : best));
  return [name.slice(0, at), name.slice(at + 1)];
}
