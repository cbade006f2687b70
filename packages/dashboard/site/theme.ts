/** Before the first line of a page is drawn: the theme that was chosen in this browser, if one was. */
{
  let kept: string | null = null;
  try {
    kept = localStorage.getItem("propgate-theme");
  } catch {
    // A browser that keeps nothing has the theme of its system.
  }
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
}
