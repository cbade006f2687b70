import { useState } from "react";
import { Button } from "./button.tsx";

/** Copies a text and says so. */
export function CopyButton({
  text,
  label = "Copy",
  small = false,
  onCopied,
}: {
  readonly text: string;
  readonly label?: string;
  readonly small?: boolean;
  readonly onCopied?: () => void;
}) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      onCopied?.();
    } catch {
      // Without TLS a browser may refuse it: the text can still be selected by hand.
      setState("failed");
    }
  };
  const words = { idle: label, copied: "Copied", failed: "Select and copy by hand" };
  return (
    <Button small={small} onClick={() => void copy()} aria-live="polite">
      {words[state]}
    </Button>
  );
}

/** A command or a piece of code, with a button that copies it. */
export function Snippet({
  text,
  label,
  onCopied,
}: {
  readonly text: string;
  readonly label: string;
  readonly onCopied?: () => void;
}) {
  return (
    <div className="relative text-left">
      <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-box">
        <pre className="w-max min-w-full border border-line bg-ground p-3 pr-24 font-mono text-xs leading-5">
          {text}
        </pre>
      </section>
      <div className="absolute top-2 right-2">
        <CopyButton text={text} {...(onCopied === undefined ? {} : { onCopied })} />
      </div>
    </div>
  );
}
