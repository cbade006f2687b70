import type { LinkView, SessionView, UseLinkRequest } from "@propgate/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { CallFailed, write } from "../../api/call.ts";
import { addPasskey, hasPasskeys, passkeyProblem } from "../../api/passkeys.ts";
import { passwordProblem } from "../../format/password.ts";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { NewPassword } from "../../parts/new-password.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Doorway } from "./doorway.tsx";
import { useSignedIn } from "./use-signed-in.ts";

/** A one-time link: choose a password, be signed in, and add a passkey if there can be one. */
export function LinkPage() {
  const token = useTokenOfAddress();
  const [session, setSession] = useState<SessionView | null>(null);
  const { enter, goOn } = useSignedIn();
  const onUsed = (begun: SessionView): void => {
    enter(begun);
    if (hasPasskeys()) setSession(begun);
    else goOn("/");
  };
  if (session !== null) {
    return (
      <Doorway title={`Welcome, ${session.person.name}`}>
        <OfferPasskey onDone={() => goOn("/")} />
      </Doorway>
    );
  }
  return (
    <Doorway title="Choose a password">
      {token === "" ? <NoLink /> : <Choose key={token} token={token} onUsed={onUsed} />}
    </Doorway>
  );
}

/** What stands behind `#`, which no server is ever sent; the address and the history lose it at once. */
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

function Choose({ token, onUsed }: ChooseProps) {
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () => write<LinkView>("link", { token }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // Used, expired and replaced links are answered alike.
  if (link.error instanceof CallFailed && link.error.status < 500 && link.error.status !== 0) {
    return <NoLink />;
  }
  return (
    <Loaded query={link} room="min-h-60">
      {(view) => <PasswordForm link={view} token={token} onUsed={onUsed} />}
    </Loaded>
  );
}

function PasswordForm({ link, token, onUsed }: ChooseProps & { readonly link: LinkView }) {
  const [password, setPassword] = useState("");
  const using = useMutation({
    mutationFn: (request: UseLinkRequest) => write<SessionView>("link/use", request),
    onSuccess: onUsed,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (passwordProblem(password) === null) using.mutate({ token, password });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">
        This link sets the password of <strong className="text-text">{link.name}</strong>, an
        {link.role}. It works once, until{" "}
        <span className="figure">{timeText(link.expiresAtMs)} UTC</span>. Wherever you are signed
        in, you will be signed out.
      </p>
      <Field label="Name" autoComplete="username" readOnly value={link.name} />
      <NewPassword label="Password" value={password} onChange={setPassword} />
      {using.isError && <Notice kind="danger">{using.error.message}</Notice>}
      <Button
        kind="primary"
        type="submit"
        className="min-h-10"
        disabled={using.isPending || passwordProblem(password) !== null}
      >
        Set the password and sign in
      </Button>
    </form>
  );
}

function OfferPasskey({ onDone }: { readonly onDone: () => void }) {
  const adding = useMutation({ mutationFn: () => addPasskey("First passkey"), onSuccess: onDone });
  return (
    <div className="flex flex-col gap-4">
      <p>
        Your password is set. With a passkey you sign in by your fingerprint, face or device lock,
        and there is nothing that somebody could find out or guess.
      </p>
      {adding.isError && <Notice kind="danger">{passkeyProblem(adding.error)}</Notice>}
      <Button
        kind="primary"
        className="min-h-10"
        disabled={adding.isPending}
        onClick={() => adding.mutate()}
      >
        Add a passkey
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
      <Notice kind="warn">This link does not work any more, or was not copied whole.</Notice>
      <p>
        A link works once and for a day; a newer one replaces it. Ask whoever runs this service for
        another. If you have set your password already,{" "}
        <Link to="/sign-in" className="text-accent underline">
          sign in
        </Link>
        .
      </p>
    </div>
  );
}
