import { lazy, Suspense, useEffect, useState } from "react";
import { hostConfirmation } from "../api/confirmation.ts";

/** The dialog is loaded when it is first needed, because most visits never need it. */
const ConfirmIdentity = lazy(async () => ({
  default: (await import("./confirm-identity.tsx")).ConfirmIdentity,
}));

/** Shows one dialog for a password or passkey. It confirms all waiting calls whose requests reach this target. */
export function ConfirmHost({ target }: { readonly target: Document | Window }) {
  const [waiting, setWaiting] = useState<readonly ((isConfirmed: boolean) => void)[]>([]);
  useEffect(
    () => hostConfirmation(target, (settle) => setWaiting((before) => [...before, settle])),
    [target],
  );
  if (waiting.length === 0) return null;
  const settle = (isConfirmed: boolean): void => {
    for (const one of waiting) one(isConfirmed);
    setWaiting([]);
  };
  return (
    <Suspense fallback={null}>
      <ConfirmIdentity onSettled={settle} />
    </Suspense>
  );
}
