import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** What the button says that does it, such as `Revoke the key`. */
  readonly deed: string;
  /** Done when it resolves; its error is shown, and it can be tried again. */
  readonly onConfirm: () => Promise<unknown>;
  /** What will be, once it is done. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, open, onClose, deed, onConfirm, children }: ConfirmProps) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const close = (): void => {
    doing.reset();
    onClose();
  };
  return (
    <Dialog title={title} open={open} onClose={close}>
      {children}
      {doing.isError && (
        <p role="alert" className="mt-3 text-danger">
          {doing.error.message}
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={close}>Keep it</Button>
        <Button kind="danger" disabled={doing.isPending} onClick={() => doing.mutate()}>
          {deed}
        </Button>
      </div>
    </Dialog>
  );
}
