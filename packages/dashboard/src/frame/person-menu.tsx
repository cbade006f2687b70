import { Menu } from "@base-ui/react/menu";
import type { SessionView } from "@propgate/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CallFailed, postData } from "../api/call.ts";
import { Button } from "../parts/button.tsx";
import { PlainDialog } from "../parts/plain-dialog.tsx";

const ITEM =
  "block w-full cursor-pointer rounded-box px-3 py-1.5 text-left outline-none data-highlighted:bg-raised";

/** A menu with the name of the signed-in person, a link to the security settings, and two ways to sign out. */
export function PersonMenu({ session }: { readonly session: SessionView }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: async (path: "sign-out" | "sign-out-everywhere") => {
      try {
        await postData(path);
      } catch (cause) {
        // A 401 means that the session has ended already, so the person is signed out.
        if (!(cause instanceof CallFailed) || cause.status !== 401) throw cause;
      }
    },
    onSuccess: () => {
      queries.clear();
      return navigate({ to: "/sign-in" });
    },
  });
  return (
    <>
      <PersonItems session={session} leave={leaving.mutate} />
      <PlainDialog
        title="You are still signed in"
        open={leaving.isError}
        onClose={() => leaving.reset()}
      >
        <p role="alert">{leaving.error?.message}</p>
        <div className="mt-5 flex justify-end">
          <Button onClick={() => leaving.reset()}>Close</Button>
        </div>
      </PlainDialog>
    </>
  );
}

function PersonItems({
  session,
  leave,
}: {
  readonly session: SessionView;
  readonly leave: (path: "sign-out" | "sign-out-everywhere") => void;
}) {
  const navigate = useNavigate();
  return (
    <Menu.Root>
      <Menu.Trigger className="inline-flex min-h-8 items-center gap-1 rounded-box px-2 text-muted hover:bg-raised hover:text-text">
        {session.person.name} <span aria-hidden="true">{"\u25BE"}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="z-50">
          <Menu.Popup className="min-w-52 rounded-box border border-line bg-panel p-1 shadow-xl outline-none">
            <div className="px-3 py-1.5 text-xs text-muted">Signed in as {session.person.role}</div>
            <Menu.Item className={ITEM} onClick={() => void navigate({ to: "/security" })}>
              Password, passkeys, sessions
            </Menu.Item>
            <Menu.Item className={ITEM} onClick={() => leave("sign-out")}>
              Sign out
            </Menu.Item>
            <Menu.Item className={ITEM} onClick={() => leave("sign-out-everywhere")}>
              Sign out everywhere
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
