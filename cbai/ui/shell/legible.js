// Adds to Streamlit's own markup what screen readers need.

// Streamlit's navigation is a list with sections. It becomes named groups of links.
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

// A toast is a dialog that refers to a title, but it has none.
function nameToasts() {
  for (const toast of document.querySelectorAll('[data-testid="stToast"]')) toast.setAttribute("aria-label", "Notice");
}

// Streamlit gives no hints to the single buttons of a group.
function hint(hints) {
  for (const button of document.querySelectorAll('[data-testid="stSidebar"] [data-testid="stButtonGroup"] button')) {
    const said = hints[button.textContent.trim()];
    if (said && button.title !== said) button.title = said;
  }
}

// On a phone the sidebar covers the page. It closes once a page was chosen.
function makeWay(event) {
  if (window.innerWidth >= 768 || !event.target.closest?.('[data-testid="stSidebarNavLink"]')) return;
  setTimeout(() => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click(), 100);
}

function mend(hints) {
  nameSections();
  nameToasts();
  hint(hints);
}

// Figures keep the width that they have on the screen. On paper the page is made smaller as a whole.
const PAPER = 688; // pixels between the margins of A4

function toPaper() {
  const page = document.querySelector(".stMainBlockContainer");
  if (!page || page.clientWidth <= PAPER) return;
  page.style.zoom = PAPER / page.clientWidth;
  page.style.width = `${page.clientWidth}px`;
}

function toScreen() {
  const page = document.querySelector(".stMainBlockContainer");
  for (const property of ["zoom", "width"]) page?.style.removeProperty(property);
}

export default function ({ data }) {
  let due = 0;
  const observer = new MutationObserver(() => {
    due ||= requestAnimationFrame(() => {
      due = 0;
      mend(data);
    });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("click", makeWay);
  window.addEventListener("beforeprint", toPaper);
  window.addEventListener("afterprint", toScreen);
  followHistory();
  readNumbers();
  mend(data);
  return () => {
    document.removeEventListener("click", makeWay);
    leaveHistory();
    leaveNumbers();
    window.removeEventListener("beforeprint", toPaper);
    window.removeEventListener("afterprint", toScreen);
    observer.disconnect();
    cancelAnimationFrame(due);
  };
}
