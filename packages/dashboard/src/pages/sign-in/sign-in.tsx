import type { SessionView, SignInRequest } from "@propgate/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { postData } from "../../api/call.ts";
import { ownPath } from "../../api/own-path.ts";
import {
  hasPasskeys,
  passkeyProblem,
  signInFromSuggestion,
  signInWithPasskey,
} from "../../api/passkeys.ts";
import { sessionQuery } from "../../api/session.ts";
import { useNow, useServiceClock } from "../../clock.tsx";
import { countdownText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { signInProblem } from "./sign-in-problem.ts";
import { useSignedIn } from "./use-signed-in.ts";

/** Signs a person in with name and password or with a passkey, then opens the path in the URL's parameter `next`. */
export function SignInPage() {
  const { next = "/" } = useSearch({ from: "/sign-in" });
  const { enter, openPage } = useSignedIn();
  const onSignedIn = (session: SessionView): void => {
    enter(session);
    openPage(next);
  };
  return (
    <SignInFrame title="Sign in">
      <AlreadySignedIn next={next} />
      <SignInForm onSignedIn={onSignedIn} />
      <LostPassword />
    </SignInFrame>
  );
}

function AlreadySignedIn({ next }: { readonly next: string }) {
  const { data: session } = useQuery(sessionQuery);
  if (session === null || session === undefined) return null;
  return (
    <div className="mb-4">
      <Notice kind="info">
        You are signed in as {session.person.name}.{" "}
        <Link to={ownPath(next, location.origin) ?? "/"} className="text-accent underline">
          Continue
        </Link>
        , or sign in as another person below.
      </Notice>
    </div>
  );
}

interface SignInFormProps {
  readonly onSignedIn: (session: SessionView) => void;
}

function SignInForm({ onSignedIn }: SignInFormProps) {
  const clock = useServiceClock();
  const [given, setGiven] = useState<SignInRequest>({ name: "", password: "" });
  const [waitUntilMs, setWaitUntilMs] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const onError = (cause: Error): void => {
    const { text, waitSeconds } = signInProblem(cause);
    setProblem(text);
    setWaitUntilMs(waitSeconds === null ? 0 : clock.now() + waitSeconds * 1000);
  };
  const byPassword = useMutation({
    mutationFn: (request: SignInRequest) => postData<SessionView>("sign-in", request),
    onSuccess: onSignedIn,
    onError,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setProblem(null);
    setWaitUntilMs(0);
    byPassword.mutate({ ...given, name: given.name.trim() });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        name="name"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={given.name}
        onChange={(event) => setGiven({ ...given, name: event.target.value })}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={given.password}
        onChange={(event) => setGiven({ ...given, password: event.target.value })}
      />
      {problem !== null && (
        <Notice kind="danger">
          {problem} {waitUntilMs > 0 && <Wait untilMs={waitUntilMs} />}
        </Notice>
      )}
      <Button kind="primary" type="submit" className="min-h-10" disabled={byPassword.isPending}>
        Sign in
      </Button>
      <PasskeySignIn onSignedIn={onSignedIn} />
    </form>
  );
}

/** Counts down until the next attempt is allowed. */
function Wait({ untilMs }: { readonly untilMs: number }) {
  const now = useNow();
  if (now >= untilMs) return <>You can try again now.</>;
  return (
    <>
      Try again in{" "}
      <span role="timer" aria-live="off" className="figure font-semibold">
        {countdownText(untilMs, now)}
      </span>
      .
    </>
  );
}

/** The button for a passkey. Where the browser can, it also offers passkeys in the name field. */
function PasskeySignIn({ onSignedIn }: SignInFormProps) {
  const [isPossible] = useState(hasPasskeys);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (ask: () => Promise<SessionView | null>) => ask(),
    onSuccess: (session) => session !== null && onSignedIn(session),
  });
  const [suggestion, setSuggestion] = useState<string | null>(null);
  useEffect(() => {
    if (!isPossible) return;
    const left = new AbortController();
    signInFromSuggestion(left.signal)
      .then((session) => session !== null && mutate(async () => session))
      .catch((cause: unknown) => setSuggestion(passkeyProblem(cause)));
    return () => left.abort();
  }, [isPossible, mutate]);
  if (!isPossible) {
    return (
      <p className="text-xs text-muted">
        To use a passkey, open this page by name with https, or on localhost.
      </p>
    );
  }
  const problem = error === null ? suggestion : passkeyProblem(error);
  return (
    <>
      <Button className="min-h-10" disabled={isPending} onClick={() => mutate(signInWithPasskey)}>
        Sign in with a passkey
      </Button>
      {problem !== null && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </>
  );
}

function LostPassword() {
  return (
    <details className="mt-6 border-t border-line pt-4">
      <summary className="text-muted">No password, or forgotten?</summary>
      <p className="my-3">
        Ask the operator for a link. It works once, for a day, and lets you choose a password. The
        operator makes it with
      </p>
      <Snippet
        label="Command to make a link"
        text="npm run propgate -- operator people link NAME"
      />
    </details>
  );
}
