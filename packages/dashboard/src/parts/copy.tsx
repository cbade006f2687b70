import { useState } from "react";
import { Button } from "./button.tsx";

/** A button that copies a text. Afterwards it shows whether the text was copied. */
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
      // Without TLS a browser may refuse to copy. The person can still select the text.
      setState("failed");
    }
  };
  const words = {
    idle: label,
    copied: "Copied",
    failed: "Not copied: select the text and copy it",
  };
  return (
    <Button small={small} onClick={() => void copy()} aria-live="polite">
      {words[state]}
    </Button>
  );
}

/** A command or a block of code, with a button that copies it. */
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
    <section aria-label={label} className="rounded-box border border-line bg-ground text-left">
      <div className="flex justify-end px-2 pt-2">
        <CopyButton text={text} {...(onCopied === undefined ? {} : { onCopied })} />
      </div>
      {/* Long lines wrap, so that the whole text can be read and selected. */}
      <pre className="px-3 pt-1 pb-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
    </section>
  );
}
