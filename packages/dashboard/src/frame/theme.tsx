import { useState } from "react";
import { Button } from "../parts/button.tsx";

type Theme = "dark" | "light";
const KEPT_AS = "propgate-theme";

/** The theme chosen earlier, or else the system's. */
function preferred(): Theme {
  const kept = keptTheme();
  if (kept !== null) return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

function keptTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept === "dark" || kept === "light" ? kept : null;
  } catch {
    return null;
  }
}

/** Call this before the first page is drawn. */
export function applyTheme(theme: Theme = preferred()): void {
  document.documentElement.dataset.theme = theme;
}

/** Switches between dark and light. The choice is stored in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(preferred);
  const other: Theme = theme === "dark" ? "light" : "dark";
  const change = (): void => {
    applyTheme(other);
    setTheme(other);
    try {
      localStorage.setItem(KEPT_AS, other);
    } catch {
      // A browser without storage keeps the theme until the page is left.
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
