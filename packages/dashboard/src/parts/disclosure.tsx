import { type ReactNode, useState } from "react";

interface DisclosureProps {
  readonly open: boolean;
  /** The name of the details, for screen readers. */
  readonly label: string;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A button that opens and closes details, such as those of a table's row. */
export function Disclosure({ open, label, onToggle, children }: DisclosureProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={label}
      onClick={onToggle}
      className="-mx-1 inline-flex min-h-6 items-center gap-1.5 rounded-box px-1 font-medium hover:bg-raised"
    >
      <span
        aria-hidden="true"
        className={`inline-block text-xs text-muted motion-safe:transition-transform motion-safe:duration-100 ${open ? "rotate-90" : ""}`}
      >
        {"\u25B8"}
      </span>
      {children}
    </button>
  );
}

interface OpenRows {
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

/** Remembers which rows of a table are open. A row is open or closed by default, until the person changes that. */
export function useOpenRows(byDefault: boolean): OpenRows {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (key: string): boolean => chosen.get(key) ?? byDefault;
  const toggle = (key: string): void => setChosen(new Map(chosen).set(key, !isOpen(key)));
  return { isOpen, toggle };
}
