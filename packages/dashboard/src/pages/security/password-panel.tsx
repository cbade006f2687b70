import type { ChangePasswordRequest } from "@propgate/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CallFailed, postData } from "../../api/call.ts";
import { sessionQuery } from "../../api/session.ts";
import { passwordProblem } from "../../format/password.ts";
import { AccountNameField } from "../../parts/account-name-field.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { NewPassword } from "../../parts/new-password.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { SESSIONS_KEY } from "./sessions-panel.tsx";

const NOTHING_TYPED: ChangePasswordRequest = { current: "", next: "" };

/** A form that changes the password. The change signs the person out of all other browsers. */
export function PasswordPanel() {
  const [given, setGiven] = useState(NOTHING_TYPED);
  const queries = useQueryClient();
  const name = useQuery(sessionQuery).data?.person.name ?? "";
  const changing = useMutation({
    mutationFn: (request: ChangePasswordRequest) => postData("password", request),
    onSuccess: () => {
      setGiven(NOTHING_TYPED);
      return queries.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });
  const isReady = given.current !== "" && passwordProblem(given.next) === null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) changing.mutate(given);
  };
  return (
    <Panel title="Password">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <AccountNameField name={name} />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={given.current}
          onChange={(event) => setGiven({ ...given, current: event.target.value })}
          problem={isWrong(changing.error) ? "Wrong password. Passwords are case-sensitive." : null}
        />
        <NewPassword
          label="New password"
          value={given.next}
          onChange={(next) => setGiven({ ...given, next })}
        />
        {changing.isError && !isWrong(changing.error) && (
          <Notice kind="danger">{changing.error.message}</Notice>
        )}
        {changing.isSuccess && (
          <Notice kind="ok">Your password was changed. Your other sessions have ended.</Notice>
        )}
        <div>
          <Button kind="primary" type="submit" disabled={changing.isPending || !isReady}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function isWrong(cause: Error | null): boolean {
  return cause instanceof CallFailed && cause.status === 403;
}
