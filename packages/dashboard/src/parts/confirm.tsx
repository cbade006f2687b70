import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** The text of the button, such as `Revoke key`. */
  readonly label: string;
  /** Carries out the action. When it fails, the error is shown and the person can try again. */
  readonly onConfirm: () => Promise<unknown>;
  /** The description of the effect. */
  readonly children: ReactNode;
}

/** A dialog that asks for a confirmation before an action that cannot be undone. */
export function Confirm({ title, open, onClose, label, onConfirm, children }: ConfirmProps) {
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
        <Button onClick={close}>Cancel</Button>
        <Button kind="danger" disabled={doing.isPending} onClick={() => doing.mutate()}>
          {label}
        </Button>
      </div>
    </Dialog>
  );
}
