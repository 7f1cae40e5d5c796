// The browser's history, as a visitor expects it. Comes before legible.js in the same script.

// One move of a visitor is one entry of the browser's history, also if it changes several settings.
const ONE_MOVE_MS = 300;

function oneEntryPerMove() {
  if (window.cbaiPushed !== undefined) return;
  window.cbaiPushed = -Infinity;
  const push = history.pushState.bind(history);
  history.pushState = (...what) => {
    const now = performance.now();
    if (now - window.cbaiPushed < ONE_MOVE_MS) history.replaceState(...what);
    else push(...what);
    noteEntry();
    window.cbaiPushed = now;
  };
}

// Every address of a visit names its data set. A bare one is only how a visit or a page began, before
// that was added: Back and Forward pass over it.
function passBareAddress(event) {
  const before = window.cbaiAt ?? Infinity;
  window.cbaiAt = window.navigation?.currentEntry?.index ?? -1;
  if (location.search) return;
  event.stopImmediatePropagation();
  history.go(window.cbaiAt > before ? 1 : -1);
}

function noteEntry() {
  window.cbaiAt = window.navigation?.currentEntry?.index;
}

function followHistory() {
  oneEntryPerMove();
  window.addEventListener("popstate", passBareAddress, true);
  noteEntry();
}

function leaveHistory() {
  window.removeEventListener("popstate", passBareAddress, true);
}
