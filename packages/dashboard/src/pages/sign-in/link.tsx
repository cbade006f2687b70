import type { LinkView, SessionView, UseLinkRequest } from "@propgate/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { CallFailed, postData } from "../../api/call.ts";
import { addPasskey, hasPasskeys, passkeyProblem } from "../../api/passkeys.ts";
import { passwordProblem } from "../../format/password.ts";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { NewPassword } from "../../parts/new-password.tsx";
import { Notice } from "../../parts/notice.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { useSignedIn } from "./use-signed-in.ts";

/** The page of a one-time link. The person chooses a password, is then signed in, and may add a passkey. */
export function LinkPage() {
  const token = useTokenOfAddress();
  const [session, setSession] = useState<SessionView | null>(null);
  const { enter, openPage } = useSignedIn();
  const onUsed = (begun: SessionView): void => {
    enter(begun);
    if (hasPasskeys()) setSession(begun);
    else openPage("/");
  };
  if (session !== null) {
    return (
      <SignInFrame title={`Welcome, ${session.person.name}`}>
        <OfferPasskey onDone={() => openPage("/")} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Choose a password">
      {token === "" ? <NoLink /> : <ChoosePassword key={token} token={token} onUsed={onUsed} />}
    </SignInFrame>
  );
}

/**
 * The token after the `#` of the address, which browsers never send to a server. It is removed from the address and the
 * history.
 */
function useTokenOfAddress(): string {
  const inAddress = useLocation({ select: ({ hash }) => hash });
  const [token, setToken] = useState(inAddress);
  if (inAddress !== "" && inAddress !== token) setToken(inAddress);
  useEffect(() => {
    if (inAddress !== "") history.replaceState(history.state, "", location.pathname);
  }, [inAddress]);
  return token;
}

interface ChooseProps {
  readonly token: string;
  readonly onUsed: (session: SessionView) => void;
}

function ChoosePassword({ token, onUsed }: ChooseProps) {
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () => postData<LinkView>("link", { token }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // The service gives the same answer for used, expired and replaced links.
  if (link.error instanceof CallFailed && link.error.status < 500 && link.error.status !== 0) {
    return <NoLink />;
  }
  return (
    <Loaded query={link} heightClass="min-h-60">
      {(view) => <PasswordForm link={view} token={token} onUsed={onUsed} />}
    </Loaded>
  );
}

function PasswordForm({ link, token, onUsed }: ChooseProps & { readonly link: LinkView }) {
  const [password, setPassword] = useState("");
  const [keepPasskeys, setKeepPasskeys] = useState(false);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const using = useMutation({
    mutationFn: (request: UseLinkRequest) => postData<SessionView>("link/use", request),
    onSuccess: onUsed,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (passwordProblem(password) === null)
      using.mutate({ token, password, keepPasskeys, revokeKeys });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">
        This link sets the password of <strong className="text-text">{link.name}</strong>, an{" "}
        {link.role}. The link works once, until{" "}
        <span className="figure">{timeText(link.expiresAtMs)} UTC</span>. Using it ends all your
        sessions.
        {link.passkeys > 0 && " Your passkeys are removed unless you keep them."}
      </p>
      <Field label="Name" autoComplete="username" readOnly value={link.name} />
      <NewPassword label="Password" value={password} onChange={setPassword} />
      {link.passkeys > 0 && (
        <Checkbox
          label={`Keep my ${countText(link.passkeys, "passkey")}`}
          hint="Keep them only if you are sure that each is yours."
          checked={keepPasskeys}
          onChange={setKeepPasskeys}
        />
      )}
      {link.activeKeys !== null && link.activeKeys > 0 && (
        <Checkbox
          label={`Also revoke my ${countText(link.activeKeys, "API key")}`}
          hint="Check this if someone else may have had access. Your programs then need new keys."
          checked={revokeKeys}
          onChange={setRevokeKeys}
        />
      )}
      {using.isError && <Notice kind="danger">{using.error.message}</Notice>}
      <Button
        kind="primary"
        type="submit"
        className="min-h-10"
        disabled={using.isPending || passwordProblem(password) !== null}
      >
        Set password and sign in
      </Button>
    </form>
  );
}

/** A count with its word: `1 passkey`, `3 passkeys`. */
function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function OfferPasskey({ onDone }: { readonly onDone: () => void }) {
  const adding = useMutation({ mutationFn: () => addPasskey("First passkey"), onSuccess: onDone });
  return (
    <div className="flex flex-col gap-4">
      <p>
        Your password is set. With a passkey you sign in with your fingerprint, face or device lock.
        A passkey cannot be guessed.
      </p>
      {adding.isError && <Notice kind="danger">{passkeyProblem(adding.error)}</Notice>}
      <Button
        kind="primary"
        className="min-h-10"
        disabled={adding.isPending}
        onClick={() => adding.mutate()}
      >
        Add passkey
      </Button>
      <Button className="min-h-10" onClick={onDone}>
        Not now
      </Button>
    </div>
  );
}

function NoLink() {
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="warn">This link is no longer valid, or it was not copied completely.</Notice>
      <p>
        A link works once, for a day. A newer link replaces it. Ask the operator for a new link. If
        you have already set your password,{" "}
        <Link to="/sign-in" className="text-accent underline">
          sign in
        </Link>
        .
      </p>
    </div>
  );
}
