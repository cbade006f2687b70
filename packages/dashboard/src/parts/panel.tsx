import type { ReactNode } from "react";

interface PanelProps {
  readonly title: string;
  /** Shown beside the title, for instance a choice or a count. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** True for content that fills the panel without padding, such as a table. */
  readonly flush?: boolean;
}

/** A section of a page with a frame and a title. */
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
