import type { ConfirmRequest } from "@propgate/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CallFailed, postData } from "../api/call.ts";
import { confirmWithPasskey, hasPasskeys, passkeyProblem } from "../api/passkeys.ts";
import { sessionQuery } from "../api/session.ts";
import { AccountNameField } from "./account-name-field.tsx";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Notice } from "./notice.tsx";
import { PlainDialog } from "./plain-dialog.tsx";

/** A dialog that asks for the password or an existing passkey. After success the waiting calls continue. */
export function ConfirmIdentity({
  onSettled,
}: {
  readonly onSettled: (isConfirmed: boolean) => void;
}) {
  const [password, setPassword] = useState("");
  const [canUsePasskey] = useState(hasPasskeys);
  const name = useQuery(sessionQuery).data?.person.name ?? "";
  const onSuccess = (): void => onSettled(true);
  const byPassword = useMutation({
    mutationFn: (request: ConfirmRequest) => postData("confirm", request),
    onSuccess,
  });
  const byPasskey = useMutation({ mutationFn: confirmWithPasskey, onSuccess });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    byPasskey.reset();
    byPassword.mutate({ password });
  };
  const isPending = byPassword.isPending || byPasskey.isPending;
  return (
    <PlainDialog title="Confirm your identity" open onClose={() => onSettled(false)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p>
          This action affects access, money or trading, so it needs a confirmation. A confirmation
          is valid for five minutes.
        </p>
        <AccountNameField name={name} />
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={byPassword.isError ? passwordProblem(byPassword.error) : null}
        />
        {byPasskey.isError && <Notice kind="danger">{passkeyProblem(byPasskey.error)}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onSettled(false)}>Cancel</Button>
          {canUsePasskey && (
            <Button
              disabled={isPending}
              onClick={() => {
                byPassword.reset();
                byPasskey.mutate();
              }}
            >
              Use a passkey
            </Button>
          )}
          <Button type="submit" kind="primary" disabled={isPending || password === ""}>
            Confirm
          </Button>
        </div>
      </form>
    </PlainDialog>
  );
}

function passwordProblem(cause: Error): string {
  const isWrong = cause instanceof CallFailed && cause.status === 403;
  return isWrong ? "Wrong password. Passwords are case-sensitive." : cause.message;
}
