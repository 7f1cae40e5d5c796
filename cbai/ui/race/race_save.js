// The race as a picture: what is on the screen, drawn once more as one SVG. Comes before race.js in
// the same script.

const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity",
  "visibility", "paint-order", "font-family", "font-size", "font-weight", "font-style",
];
const LINE = 20;
const GAP = 24;
const LETTER = 7;

// Break a text into lines of at most `width` pixels, by the usual width of a letter.
function broken(text, width) {
  const most = Math.max(20, Math.floor(width / LETTER));
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

function write(group, text, y, looks) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "text");
  for (const [name, value] of Object.entries({ x: 0, y, ...looks })) node.setAttribute(name, value);
  node.textContent = text;
  group.appendChild(node);
}

// A copy of a drawing that looks the same without the style sheets of the page.
function plainCopy(svg) {
  const copy = svg.cloneNode(true);
  const copies = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((node, i) => {
    const look = getComputedStyle(node);
    for (const name of LOOKS) copies[i].setAttribute(name, look.getPropertyValue(name));
    copies[i].removeAttribute("class");
  });
  return copy;
}

function drawPanel(view, x) {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const look = getComputedStyle(view.root);
  const text = { fill: look.color, "font-family": look.fontFamily, "font-size": 14 };
  group.setAttribute("transform", `translate(${x} ${GAP})`);
  let y = LINE;
  write(group, `${view.panel.title}: ${view.spent.textContent}`, y, { ...text, "font-size": 17, "font-weight": 650 });
  write(group, view.round.textContent, y, { ...text, x: view.width, "text-anchor": "end" });
  for (const line of broken(view.news.textContent, view.width)) write(group, line, (y += LINE), text);
  const drawing = plainCopy(view.svg);
  const height = Number(view.svg.getAttribute("height"));
  drawing.setAttribute("width", view.width);
  drawing.setAttribute("y", (y += 10));
  group.appendChild(drawing);
  y += height;
  return [group, y];
}

function pictureOf(views, ground) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  svg.appendChild(rect);
  let x = GAP;
  let bottom = 0;
  for (const view of views) {
    const [group, height] = drawPanel(view, x);
    svg.appendChild(group);
    x += view.width + GAP;
    bottom = Math.max(bottom, height);
  }
  const size = { width: Math.round(x), height: Math.round(bottom + 2 * GAP) };
  for (const node of [svg, rect]) {
    for (const [name, value] of Object.entries(size)) node.setAttribute(name, value);
  }
  rect.setAttribute("fill", ground);
  return [new XMLSerializer().serializeToString(svg), size];
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function saveRace(views, name, format) {
  const app = document.querySelector('[data-testid="stApp"]') || document.body;
  const [source, size] = pictureOf(views, getComputedStyle(app).backgroundColor);
  const svg = new Blob([source], { type: "image/svg+xml" });
  if (format === "svg") return download(svg, `${name}.svg`);
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * size.width;
  canvas.height = 2 * size.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => download(blob, `${name}.png`), "image/png");
}

