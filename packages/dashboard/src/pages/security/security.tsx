import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

/** The page on which a person manages their password, passkeys and sign-in sessions. */
export function SecurityPage() {
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <h1 className="text-lg font-semibold">Password, passkeys, sessions</h1>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <PasswordPanel />
        <PasskeysPanel />
      </div>
      <SessionsPanel />
    </div>
  );
}
