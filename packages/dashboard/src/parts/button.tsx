import type { ButtonHTMLAttributes } from "react";

type Kind = "primary" | "plain" | "danger" | "quiet";

const KINDS: Readonly<Record<Kind, string>> = {
  primary: "bg-accent-ground text-accent-text border-transparent hover:bg-accent-ground/90",
  plain: "border-line bg-panel text-text hover:bg-raised",
  danger: "border-danger bg-panel text-danger hover:bg-raised",
  quiet: "border-transparent text-muted hover:bg-raised hover:text-text",
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: Kind;
  /** True for a button in a table row, whose height it must not change on wide screens. */
  readonly small?: boolean;
}

/** A button: 28 px high, 21 px inside rows, and 44 px on a phone. */
export function Button({
  kind = "plain",
  small = false,
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  const room = small
    ? "min-h-6 px-2 text-xs max-sm:min-h-[44px]"
    : "min-h-8 px-3 py-1 max-sm:min-h-[44px]";
  return (
    <button
      type={type}
      className={`inline-flex items-center justify-center gap-2 rounded-box border font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50 ${room} ${KINDS[kind]} ${className}`}
      {...rest}
    />
  );
}
