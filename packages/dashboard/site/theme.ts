/** Applies the theme chosen in this browser, if any, before the page is drawn. */
{
  let kept: string | null = null;
  try {
    kept = localStorage.getItem("propgate-theme");
  } catch {
    // A browser without storage uses the theme of its system.
  }
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
}
