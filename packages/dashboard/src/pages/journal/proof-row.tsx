import type { ReactNode } from "react";

interface ProofRowProps {
  /** One sentence about the proof. */
  readonly text: ReactNode;
  readonly action: ReactNode;
  /** The progress, or the result. */
  readonly children?: ReactNode;
}

/** One proof of the journal: its text, its button and its result. */
export function ProofRow({ text, action, children }: ProofRowProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p className="text-muted">{text}</p>
        {children}
      </div>
      <div className="max-sm:w-full [&>*]:min-w-40 max-sm:[&>*]:w-full">{action}</div>
    </div>
  );
}
