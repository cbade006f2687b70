import type { ReactNode } from "react";

type Kind = "info" | "notice" | "warn" | "danger" | "ok";

const EDGES: Readonly<Record<Kind, string>> = {
  info: "border-l-accent",
  notice: "border-l-notice",
  warn: "border-l-warn",
  danger: "border-l-danger",
  ok: "border-l-ok",
};

/** Something a reader should know now, and what to do about it. */
export function Notice({ kind, children }: { readonly kind: Kind; readonly children: ReactNode }) {
  const role = kind === "danger" || kind === "warn" ? "alert" : "status";
  return (
    <div
      role={role}
      className={`rounded-box border border-l-4 border-line bg-panel px-4 py-3 ${EDGES[kind]}`}
    >
      {children}
    </div>
  );
}

/** What will appear here, and how to make it appear. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="px-4 py-8 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && (
        <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>
      )}
    </div>
  );
}

const BADGES: Readonly<Record<Kind, string>> = {
  info: "text-accent",
  notice: "text-notice",
  warn: "text-warn",
  danger: "text-danger",
  ok: "text-ok",
};

/** A state in one word. */
export function Badge({ kind, children }: { readonly kind: Kind; readonly children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-box border border-line bg-raised px-1.5 text-xs font-medium whitespace-nowrap ${BADGES[kind]}`}
    >
      {children}
    </span>
  );
}
