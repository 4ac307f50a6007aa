// Chosen before anything is drawn, so that a page never flashes in the other scheme.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's scheme.
}
