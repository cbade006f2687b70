import type { ReactNode } from "react";
import { ConfirmHost } from "./confirm-host.tsx";
import { PlainDialog } from "./plain-dialog.tsx";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog in front of the page. Escape and a click outside close it. When an action in it needs a password or passkey,
 * a second dialog asks for that in front of this one, which stays open.
 */
export function Dialog({ children, ...rest }: DialogProps) {
  return (
    <PlainDialog {...rest}>
      {children}
      <ConfirmHost target={document} />
    </PlainDialog>
  );
}
