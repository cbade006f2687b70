import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog in front of the page, without the dialog for a password or passkey. Escape and a click outside close it. */
export function PlainDialog({ title, open, onClose, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/50" />
        <Base.Popup className="fixed top-1/2 left-1/2 z-50 max-h-[90dvh] w-[min(34rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-box border border-line bg-panel p-5 shadow-xl">
          <Base.Title className="mb-3 text-base font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
