import type { PasskeyLine } from "@propgate/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { deleteData, getData } from "../../api/call.ts";
import { addPasskey, hasPasskeys, passkeyProblem } from "../../api/passkeys.ts";
import { dayText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { EmptyList, Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";

const PASSKEYS_KEY = ["passkeys"];
const LABEL_LENGTH_MAX = 64;

/** The passkeys of the person, and a form that adds one. */
export function PasskeysPanel() {
  const passkeys = useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) => getData<readonly PasskeyLine[]>("passkeys", signal),
  });
  const queries = useQueryClient();
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: PASSKEYS_KEY });
  return (
    <Panel title="Passkeys">
      <Loaded query={passkeys} heightClass="min-h-24">
        {(lines) => <PasskeyList lines={lines} onChange={reload} />}
      </Loaded>
      <AddPasskey onAdded={reload} />
    </Panel>
  );
}

interface PasskeyListProps {
  readonly lines: readonly PasskeyLine[];
  readonly onChange: () => Promise<void>;
}

function PasskeyList({ lines, onChange }: PasskeyListProps) {
  const [leaving, setLeaving] = useState<PasskeyLine | null>(null);
  if (lines.length === 0) {
    return (
      <EmptyList title="No passkeys yet">
        Add one below. Then you can sign in on this device with your fingerprint, face or device
        lock.
      </EmptyList>
    );
  }
  return (
    <>
      <ul>
        {lines.map((line) => (
          <li
            key={line.passkeyId}
            className="flex items-center justify-between gap-3 border-b border-line py-2 first:pt-0"
          >
            <div className="min-w-0">
              <div className="font-medium wrap-anywhere">{line.label}</div>
              <div className="figure text-xs text-muted">
                added {dayText(line.createdAtMs)} · {usedText(line)}
              </div>
            </div>
            <Button aria-label={`Remove ${line.label}`} onClick={() => setLeaving(line)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        title={`Remove ${leaving?.label ?? "the passkey"}?`}
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        label="Remove passkey"
        onConfirm={async () => {
          await deleteData(`passkeys/${encodeURIComponent(leaving?.passkeyId ?? "")}`);
          await onChange();
        }}
      >
        <p>
          You can no longer sign in with it. The device may still offer it, so delete it there too.
          Your password and other passkeys stay unchanged.
        </p>
      </Confirm>
    </>
  );
}

function usedText({ lastUsedAtMs }: PasskeyLine): string {
  return lastUsedAtMs === null ? "never used" : `last used ${dayText(lastUsedAtMs)}`;
}

function AddPasskey({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const [label, setLabel] = useState("");
  const [isPossible] = useState(hasPasskeys);
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      setLabel("");
      return onAdded();
    },
  });
  if (!isPossible) {
    return (
      <p className="mt-4 text-muted">
        To add a passkey, open this page with https or on localhost.
      </p>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate(label.trim());
  };
  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
      <Field
        label="Passkey name"
        placeholder="Phone, laptop, security key"
        required
        maxLength={LABEL_LENGTH_MAX}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
        problem={adding.isError ? passkeyProblem(adding.error) : null}
      />
      {adding.isSuccess && (
        <Notice kind="ok">
          {adding.data.label} is added. You can sign in with it from now on.
        </Notice>
      )}
      <div>
        <Button type="submit" disabled={adding.isPending || label.trim() === ""}>
          Add passkey
        </Button>
      </div>
    </form>
  );
}
