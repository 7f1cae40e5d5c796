// Copy a text, also where the browser keeps its clipboard for secure addresses. Returns whether it was copied.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    return copied;
  }
}

// The link names the server by the address under which this visitor has opened it. A picture may keep in
// window.cbaiView what only the browser knows, as parameters; null removes one.
function linkHere(link) {
  const query = new URLSearchParams(link.split("?")[1] ?? "");
  for (const [name, value] of Object.entries(window.cbaiView ?? {})) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return location.origin + location.pathname + (`${query}` && `?${query}`);
}

// Fill a bar: buttons, each with its class, its words and perhaps a hint, and a place for what is said then.
function buildBar(root, buttons) {
  for (const [name, label, hint] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = name;
    button.textContent = label;
    if (hint) button.title = hint;
    root.append(button);
  }
  const said = document.createElement("span");
  said.className = "said";
  said.setAttribute("role", "status");
  root.append(said);
}
