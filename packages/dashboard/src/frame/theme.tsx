import { useState } from "react";
import { Button } from "../parts/button.tsx";

type Theme = "dark" | "light";
const STORAGE_KEY = "propgate-theme";

/** The theme that was chosen in this browser; otherwise the theme of the operating system. */
function preferredTheme(): Theme {
  const kept = keptTheme();
  if (kept !== null) return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

function keptTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return kept === "dark" || kept === "light" ? kept : null;
  } catch {
    return null;
  }
}

/** Applies a theme. It is called before the first page is drawn. */
export function applyTheme(theme: Theme = preferredTheme()): void {
  document.documentElement.dataset.theme = theme;
}

/** A button that switches between dark and light. The choice is stored in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(preferredTheme);
  const other: Theme = theme === "dark" ? "light" : "dark";
  const change = (): void => {
    applyTheme(other);
    setTheme(other);
    try {
      localStorage.setItem(STORAGE_KEY, other);
    } catch {
      // In a browser without storage the choice lasts until the page is left.
    }
  };
  return (
    <Button
      kind="quiet"
      onClick={change}
      aria-label={`Change to ${other}`}
      title={`Change to ${other}`}
    >
      <span aria-hidden="true">{theme === "dark" ? "\u263E" : "\u2600"}</span>
    </Button>
  );
}
