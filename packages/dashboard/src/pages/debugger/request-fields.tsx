import { secretForm } from "@propgate/contract";
import type { Seen } from "@propgate/sdk";
import { Choice, Field, TextArea } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";

/** The known parts of a request, as text. An unknown part is empty. */
export interface RequestFields {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly signature: string;
  readonly keyId: string;
  readonly host: string;
  /** The canonical string that the client built, when the client can print it. */
  readonly signedCanonical: string;
  readonly seen: Seen;
}

interface PartProps {
  readonly fields: RequestFields;
  readonly onChange: (part: Partial<RequestFields>) => void;
}

/** The form for the request as the client sent it. */
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
        label="Target (path and query)"
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
        <TextArea
          label="Body (exact bytes)"
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
        label="Key id (optional)"
        value={fields.keyId}
        placeholder="pk_…"
        onChange={(event) => onChange({ keyId: event.target.value })}
      />
      <div className="sm:col-span-2">
        <TextArea
          label="Your client's canonical string (optional)"
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
        {bytes} bytes, including a final newline. The newline is signed only if it was sent: curl -d
        @file drops it, --data-binary keeps it.
      </strong>
    );
  }
  return (
    <>
      {bytes} bytes, no final newline. This field converts line ends to LF. For a body with CRLF,
      use <span className="font-mono">propgate verify --body-file</span>.
    </>
  );
}

/** The field of the secret. The secret does not leave this page and is gone when the page closes. */
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
        label="Secret"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={secret}
        placeholder="propgate_sk_…"
        onChange={(event) => onChange(event.target.value)}
        hint="The secret stays in this page. It is neither sent nor stored, and it is gone when you leave."
      />
      {secretProblem(secret) !== null && <Notice kind="notice">{secretProblem(secret)}</Notice>}
    </div>
  );
}

function secretProblem(secret: string): string | null {
  if (secret === "" || secretForm(secret) === "right") return null;
  if (secret !== secret.trim()) return "The secret has spaces around it. Remove them.";
  if (secret.startsWith("pk_")) return "This is a key id. The secret begins with propgate_sk_.";
  if (secretForm(secret) === "wrong") {
    return "The secret's checksum does not match. Copy the whole secret again.";
  }
  return "This is not a secret of this service. A secret is propgate_sk_ and 49 characters.";
}
