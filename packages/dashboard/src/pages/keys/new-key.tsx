import type { CreatedKeyView, CreateKeyRequest, SessionView } from "@propgate/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { postData } from "../../api/call.ts";
import { Panel } from "../../parts/panel.tsx";
import { KeyFormFields } from "./key-form.tsx";
import { NewSecret } from "./new-secret.tsx";

interface NewKeyProps {
  readonly accountId: string;
  readonly session: SessionView;
}

/** The form for a new key. After the key is created, its secret is shown until the person has stored it. */
export function NewKey({ accountId, session }: NewKeyProps) {
  const [created, setCreated] = useState<CreatedKeyView | null>(null);
  const queries = useQueryClient();
  const creating = useMutation({
    mutationFn: (request: CreateKeyRequest) =>
      postData<CreatedKeyView>(`accounts/${accountId}/keys`, request),
    onSuccess: (made) => {
      setCreated(made);
      return queries.invalidateQueries({ queryKey: ["account", accountId] });
    },
    // The answer is not cached, so that the secret exists only in the rendered page.
    gcTime: 0,
  });
  if (created !== null) {
    const done = (): void => {
      setCreated(null);
      creating.reset();
    };
    return <NewSecret created={created} session={session} onDone={done} />;
  }
  return (
    <Panel title="New key">
      <KeyFormFields
        isBusy={creating.isPending}
        problem={creating.isError ? creating.error.message : null}
        onSubmit={(request) => creating.mutate(request)}
      />
    </Panel>
  );
}
