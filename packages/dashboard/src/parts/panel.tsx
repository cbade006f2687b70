import type { ReactNode } from "react";

interface PanelProps {
  readonly title: string;
  /** Beside the title: a choice, a count. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** For what fills the panel to its edges, such as a table. */
  readonly flush?: boolean;
}

/** A framed part of a page, with its name. */
export function Panel({ title, aside, children, flush = false }: PanelProps) {
  return (
    <section className="min-w-0 rounded-box border border-line bg-panel" aria-label={title}>
      <header className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-4 py-1.5">
        <h2 className="text-xs font-semibold tracking-wide text-muted">{title}</h2>
        {aside}
      </header>
      <div className={flush ? "" : "p-4"}>{children}</div>
    </section>
  );
}
