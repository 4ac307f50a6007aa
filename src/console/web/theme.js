// Settings of the device, before drawing: the page does not flash in the other theme.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll("meta[media]")) {
      const isOther = !meta.getAttribute("media")?.includes(theme);
      meta.setAttribute("media", isOther ? "not all" : "all");
    }
  }
  if (localStorage.getItem("spelling") === "on") document.documentElement.spellcheck = true;
} catch {
  // Without storage: the system's theme.
}
