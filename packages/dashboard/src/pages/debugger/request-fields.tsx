import type { Seen } from "@propgate/sdk";
import { Area, Choice, Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";

/** What is known of a request, as text. */
export interface RequestFields {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly signature: string;
  readonly keyId: string;
  readonly host: string;
  /** As the client built it, where it can print it. */
  readonly signedCanonical: string;
  readonly seen: Seen;
}

interface PartProps {
  readonly fields: RequestFields;
  readonly onChange: (part: Partial<RequestFields>) => void;
}

/** The request as it was sent, part by part. */
export function RequestForm({ fields, onChange }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Choice
        label="Method"
        value={fields.method}
        onChange={(method) => onChange({ method })}
        options={[
          { value: "GET", text: "GET" },
          { value: "POST", text: "POST" },
        ]}
      />
      <Field
        label="Target, path and query as sent"
        value={fields.target}
        placeholder="/api/v1/trading/payouts?limit=2"
        onChange={(event) => onChange({ target: event.target.value })}
      />
      <Field
        label="Timestamp header"
        value={fields.timestamp}
        placeholder="1700000000000"
        onChange={(event) => onChange({ timestamp: event.target.value })}
      />
      <Field
        label="Nonce header"
        value={fields.nonce}
        onChange={(event) => onChange({ nonce: event.target.value })}
      />
      <div className="sm:col-span-2">
        <Area
          label="Body, its exact bytes as text"
          rows={4}
          value={fields.body}
          onChange={(body) => onChange({ body })}
          hint={<BodyHint body={fields.body} />}
        />
      </div>
      <Field
        label="Signature header"
        value={fields.signature}
        placeholder="v1=…="
        onChange={(event) => onChange({ signature: event.target.value })}
      />
      <Field
        label="Key id, where it is known"
        value={fields.keyId}
        placeholder="pk_…"
        onChange={(event) => onChange({ keyId: event.target.value })}
      />
      <div className="sm:col-span-2">
        <Area
          label="The canonical string that your client signed, where it can print it"
          rows={3}
          value={fields.signedCanonical}
          onChange={(signedCanonical) => onChange({ signedCanonical })}
        />
      </div>
    </div>
  );
}

function BodyHint({ body }: { readonly body: string }) {
  const bytes = new TextEncoder().encode(body).length;
  if (/\n$/.test(body)) {
    return (
      <strong className="text-notice">
        {bytes} bytes, the last of them a newline. It is signed only if it was sent: curl -d @file
        drops it, --data-binary keeps it.
      </strong>
    );
  }
  return (
    <>
      {bytes} bytes, no newline at its end. A field of a page ends lines in LF: a body with CRLF is
      checked with <span className="font-mono">propgate verify --body-file</span>.
    </>
  );
}

const SECRET_SHAPE = /^sk_[A-Za-z0-9_-]{43}$/;

/** The secret: for this page alone, and for as long as it is open. */
export function SecretField({
  secret,
  onChange,
}: {
  readonly secret: string;
  readonly onChange: (secret: string) => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="The key's secret"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={secret}
        placeholder="sk_…"
        onChange={(event) => onChange(event.target.value)}
        hint="It stays in this page: nothing is sent, nothing is stored, and it is gone when you leave."
      />
      {secretProblem(secret) !== null && <Notice kind="notice">{secretProblem(secret)}</Notice>}
    </div>
  );
}

function secretProblem(secret: string): string | null {
  if (secret === "" || SECRET_SHAPE.test(secret)) return null;
  if (secret !== secret.trim()) return "There is white space around the secret.";
  if (secret.startsWith("pk_")) return "This is a key's id. The secret begins with sk_.";
  return "A secret of this service is sk_ and 43 characters; this is something else.";
}
