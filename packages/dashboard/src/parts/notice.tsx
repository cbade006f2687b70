import type { ReactNode } from "react";

type Kind = "info" | "notice" | "warn" | "danger" | "ok";

const EDGES: Readonly<Record<Kind, string>> = {
  info: "border-l-accent",
  notice: "border-l-notice",
  warn: "border-l-warn",
  danger: "border-l-danger",
  ok: "border-l-ok",
};

interface NoticeProps {
  readonly kind: Kind;
  /** True when another part of the page announces the message, so that screen readers do not announce it twice. */
  readonly isSilent?: boolean;
  readonly children: ReactNode;
}

/** A framed message whose color shows its kind. Screen readers announce it, unless it is silent. */
export function Notice({ kind, isSilent = false, children }: NoticeProps) {
  const role = kind === "danger" || kind === "warn" ? "alert" : "status";
  return (
    <div
      role={isSilent ? undefined : role}
      className={`rounded-box border border-l-4 border-line bg-panel px-4 py-3 ${EDGES[kind]}`}
    >
      {children}
    </div>
  );
}

/**
 * A title and a text in place of missing content, such as the items that an empty list will have and what creates them.
 */
export function EmptyList({
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

/** A state in a few words in a small frame, such as `market closed`. */
export function Badge({ kind, children }: { readonly kind: Kind; readonly children: ReactNode }) {
  return (
    <span
      data-badge
      className={`inline-flex items-center rounded-box border border-line bg-raised px-1.5 text-xs font-medium whitespace-nowrap ${BADGES[kind]}`}
    >
      {children}
    </span>
  );
}
