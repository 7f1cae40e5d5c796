// Saves the figure beside the button as a picture, with the Plotly that is on the page already.

const KINDS = { png: "PNG", svg: "SVG" };

function save(format, { place, name, paper }, said) {
  const graph = document.querySelector(`.${place} .js-plotly-plot`);
  if (!graph || !window.Plotly) {
    said.textContent = "The figure is not on the page yet. Try again.";
    return;
  }
  const { data, layout } = graph;
  const ground = paper ? { paper_bgcolor: paper } : {};
  window.Plotly.downloadImage(
    { data, layout: { ...layout, ...ground }, config: { typesetMath: false } },
    { format, filename: name, scale: 2, width: graph.clientWidth, height: graph.clientHeight },
  ).catch(() => { said.textContent = "This browser could not save the figure."; });
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".pictures");
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  const buttons = Object.entries(KINDS).map(([format, title]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.onclick = () => save(format, data, said);
    return button;
  });
  root.replaceChildren(...buttons, said);
}
