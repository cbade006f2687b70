import { type ReactNode, useId, useState } from "react";

interface HintProps {
  /** The name of the button, for screen readers. */
  readonly label: string;
  /** The text that is explained, beside the button. */
  readonly text: ReactNode;
  readonly children: ReactNode;
}

/** A text with an explanation behind a "?", which opens by mouse, keyboard and touch. */
export function Hint({ label, text, children }: HintProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="mt-1 text-xs text-muted">
      <div className="flex items-center justify-between gap-3">
        <span>{text}</span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={label}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-full border border-line hover:bg-raised max-md:size-11"
        >
          ?
        </button>
      </div>
      <p id={id} hidden={!isOpen} className="mt-1">
        {children}
      </p>
    </div>
  );
}
