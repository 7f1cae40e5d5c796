// Mends what Streamlit's own markup leaves out for those who use a screen reader.

// Its navigation is a list whose items stand in sections: said as named groups of links.
function nameSections() {
  for (const list of document.querySelectorAll('[data-testid="stSidebarNavItems"]')) {
    for (const item of [list, ...list.querySelectorAll("li")]) item.setAttribute("role", "presentation");
    for (const section of list.children) {
      const title = section.querySelector('[data-testid="stNavSectionHeader"] p');
      if (!title) continue;
      section.setAttribute("role", "group");
      section.setAttribute("aria-label", title.textContent);
    }
  }
}

// A toast is a dialog that refers to a title it does not have.
function nameToasts() {
  for (const toast of document.querySelectorAll('[data-testid="stToast"]')) toast.setAttribute("aria-label", "Notice");
}

// On a phone the sidebar covers the page: it makes way for the one that was asked for.
function makeWay(event) {
  if (window.innerWidth >= 768 || !event.target.closest?.('[data-testid="stSidebarNavLink"]')) return;
  setTimeout(() => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click(), 100);
}

function mend() {
  nameSections();
  nameToasts();
}

export default function () {
  let due = 0;
  const observer = new MutationObserver(() => {
    due ||= requestAnimationFrame(() => {
      due = 0;
      mend();
    });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("click", makeWay);
  mend();
  return () => {
    document.removeEventListener("click", makeWay);
    observer.disconnect();
    cancelAnimationFrame(due);
  };
}
