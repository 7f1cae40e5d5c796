// Copies the sentence, the picture with its sentence, or the link.

const SAID_MS = 4000;
const LETTERS = 0.55; // the width of a letter, as a share of the type's size
const TITLE = 20;

function lines(text, most) {
  const rows = [""];
  for (const word of text.split(" ")) {
    if (rows.at(-1) && rows.at(-1).length + word.length >= most) rows.push("");
    rows.push(`${rows.pop()} ${word}`.trim());
  }
  return rows;
}

const escaped = (text) => text.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[one]);

// The picture as shown, on the page's own ground, under its sentence.
function figure({ place, paper, ink, headline }) {
  const graph = document.querySelector(`.${place} .js-plotly-plot`);
  if (!graph || !window.Plotly) throw new Error("no figure yet");
  const width = graph.clientWidth;
  const rows = lines(headline, width / (TITLE * LETTERS));
  const room = rows.length * TITLE * 1.35 + 16;
  const layout = structuredClone(graph.layout);
  layout.paper_bgcolor = paper || getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  layout.margin = { ...layout.margin, t: layout.margin.t + room };
  layout.title = {
    text: rows.map(escaped).join("<br>"), x: 0, xref: "container", xanchor: "left", pad: { l: 12, t: 12 },
    y: 1, yref: "container", yanchor: "top", font: { size: TITLE, color: ink || layout.font?.color, weight: 700 },
  };
  layout.width = width;
  layout.height = graph.clientHeight + room;
  return { data: graph.data, layout, config: { typesetMath: false } };
}

async function png(data) {
  const drawn = figure(data);
  const { width, height } = drawn.layout;
  const address = await window.Plotly.toImage(drawn, { format: "png", scale: 2, width, height });
  return (await fetch(address)).blob();
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAID_MS);
}

async function copyPicture(data) {
  const image = png(data);
  try {
    // Given as a promise, as some browsers forget the click while the picture is drawn.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
    return "The picture is copied.";
  } catch {
    download(await image, data.name);
    return "This browser does not copy pictures, so it was saved as a file.";
  }
}

async function copyOrShow(text, what) {
  if (await copyText(text)) return `${what} is copied.`;
  window.prompt("Copy this:", text);
  return "";
}

const ACTIONS = {
  sentence: ["Copy sentence", (data) => copyOrShow(data.sentence, "The sentence")],
  picture: ["Copy picture", copyPicture],
  link: ["Copy link", (data) => copyOrShow(linkHere(data.link), "The link")],
};

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".copies");
  if (!root.children.length) buildBar(root, Object.entries(ACTIONS).map(([name, [label]]) => [name, label]));
  const said = root.querySelector(".said");
  for (const [name, [, act]] of Object.entries(ACTIONS)) {
    const button = root.querySelector(`.${name}`);
    button.disabled = name !== "link" && !data.sentence;
    button.onclick = async () => {
      try {
        said.textContent = await act(data);
      } catch {
        said.textContent = "This did not work. Try again in a moment.";
      }
      clearTimeout(root.saying);
      root.saying = setTimeout(() => { said.textContent = ""; }, SAID_MS);
    };
  }
}
