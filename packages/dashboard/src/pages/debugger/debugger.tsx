import { parseTimestamp } from "@propgate/contract";
import {
  type Diagnosis,
  diagnose,
  NOTHING_SEEN,
  type Sent,
  type Signed,
  sign,
} from "@propgate/sdk";
import { type ReactNode, useEffect, useState } from "react";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { TextArea } from "../../parts/field.tsx";
import { Facts } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { CanonicalLines } from "./canonical-lines.tsx";
import { type RequestFields, RequestForm, SecretField } from "./request-fields.tsx";
import { fieldsOf, readTranscript, type Transcript } from "./transcript.ts";
import { Verdict } from "./verdict.tsx";

const EMPTY_FIELDS: RequestFields = {
  method: "GET",
  target: "/api/v1/trading/account",
  timestamp: "",
  nonce: "",
  body: "",
  signature: "",
  keyId: "",
  host: "",
  signedCanonical: "",
  seen: NOTHING_SEEN,
};

/** Finds out why a signature is rejected. It runs entirely in the browser. */
export function DebuggerPage() {
  const [fields, setFields] = useState(EMPTY_FIELDS);
  const [secret, setSecret] = useState("");
  const change = (part: Partial<RequestFields>): void =>
    setFields((before) => ({ ...before, ...part }));
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-4">
      <div>
        <h1 className="text-lg font-semibold">Signature debugger</h1>
        <p className="mt-1 max-w-prose text-muted">
          Finds the first wrong byte of a rejected request, and the mistake behind it. It runs
          entirely in this page: no request is sent, and the secret does not leave the page.
        </p>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Request and answer">
            <Paste onRead={(transcript) => change(fieldsOf(transcript))} />
          </Panel>
          <Panel title="Request as sent">
            <RequestForm fields={fields} onChange={change} />
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Secret">
            <SecretField secret={secret} onChange={setSecret} />
          </Panel>
          <Expected fields={fields} secret={secret} />
        </div>
      </div>
    </div>
  );
}

function Paste({ onRead }: { readonly onRead: (transcript: Transcript) => void }) {
  const [text, setText] = useState("");
  const read = (next: string): void => {
    setText(next);
    onRead(readTranscript(next));
  };
  const { sent, seen, status } = readTranscript(text);
  const parts = [
    ...(sent === null ? [] : [`a ${sent.method} request`]),
    ...(status === null ? [] : [`an answer with status ${status}`]),
    ...(seen.target === null ? [] : ["the target seen by the service"]),
    ...(seen.bodySha256 === null ? [] : ["the hash of the body seen by the service"]),
    ...(seen.timeMs === null ? [] : ["the service's time"]),
  ];
  return (
    <TextArea
      label="Output of curl -v, a raw request, or the headers of the 401"
      rows={7}
      value={text}
      onChange={read}
      placeholder={
        "> GET /api/v1/trading/account HTTP/1.1\n> X-Service-Key-Id: pk_…\n…\n< HTTP/1.1 401 Unauthorized\n< X-Service-Seen-Target: …"
      }
      hint={
        text === ""
          ? "This fills the fields below. curl does not print the body, so paste it there."
          : parts.length === 0
            ? "This contains neither a request nor an answer. Paste the output of curl -v."
            : `Found: ${parts.join(", ")}.`
      }
    />
  );
}

function Expected({ fields, secret }: { readonly fields: RequestFields; readonly secret: string }) {
  const signed = useSigned(fields, secret);
  if (signed === null) return <div className="min-h-96" />;
  const { seen, signedCanonical, signature } = fields;
  return (
    <>
      <Panel title="Canonical string" aside={<CopyButton text={signed.canonical} label="Copy" />}>
        <CanonicalLines
          canonical={signed.canonical}
          signedCanonical={signedCanonical === "" ? null : signedCanonical}
          seen={seen}
        />
        <div className="mt-4">
          <Facts
            rows={[
              ["Expected signature", secret === "" ? "enter the secret" : mono(signed.signature)],
              ["Sent signature", signature === "" ? "--" : mono(signature)],
              [
                "Service time, UTC",
                seen.timeMs === null ? "unknown: the clock is not checked" : timeText(seen.timeMs),
              ],
            ]}
          />
        </div>
      </Panel>
      <Search fields={fields} secret={secret} />
    </>
  );
}

function mono(text: string): ReactNode {
  return <span className="font-mono text-xs">{text}</span>;
}

/** The canonical string and its signature, which WebCrypto computes. Null until they are ready. */
function useSigned(fields: RequestFields, secret: string): Signed | null {
  const { method, target, timestamp, nonce, body, keyId } = fields;
  const [signed, setSigned] = useState<Signed | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const compute = async (): Promise<void> => {
      const done = await sign({ method, target, timestamp, nonce, body, keyId, secret });
      if (isCurrent) setSigned(done);
    };
    void compute();
    return () => {
      isCurrent = false;
    };
  }, [method, target, timestamp, nonce, body, keyId, secret]);
  return signed;
}

type Searching = "not yet" | "searching" | Diagnosis;

function Search({ fields, secret }: { readonly fields: RequestFields; readonly secret: string }) {
  const [search, setSearch] = useState<{
    readonly of: RequestFields;
    readonly by: string;
    readonly state: Searching;
  }>({ of: fields, by: secret, state: "not yet" });
  // A result for earlier values of the fields does not apply to the present ones.
  const isOld = search.of !== fields || search.by !== secret;
  const state = isOld ? "not yet" : search.state;
  const start = async (): Promise<void> => {
    const started = { of: fields, by: secret };
    setSearch({ ...started, state: "searching" });
    const found = await diagnose(evidenceOf(fields, secret));
    setSearch((now) =>
      now.of === started.of && now.by === started.by ? { ...started, state: found } : now,
    );
  };
  return (
    <Panel
      title="Mistake"
      aside={
        <Button kind="primary" disabled={state === "searching"} onClick={() => void start()}>
          {state === "searching" ? "Searching…" : "Find the mistake"}
        </Button>
      }
    >
      <div aria-live="polite" className="min-h-20">
        {state === "not yet" && (
          <p className="text-muted">
            Signs the request with every common mistake, alone and combined. Examples: seconds
            instead of milliseconds, hex instead of base64, a body serialized twice, a missing
            query, a newline at the end, a decoded secret. About two hundred more are tried.
          </p>
        )}
        {state === "searching" && (
          <Notice kind="info">Trying tens of thousands of combinations.</Notice>
        )}
        {typeof state === "object" && <Verdict diagnosis={state} />}
      </div>
    </Panel>
  );
}

function evidenceOf(fields: RequestFields, secret: string): Parameters<typeof diagnose>[0] {
  const { method, target, timestamp, nonce, signature, seen, signedCanonical } = fields;
  const sent: Sent = {
    method,
    target,
    timestamp,
    nonce,
    signature,
    body: new TextEncoder().encode(fields.body),
    host: fields.host === "" ? null : fields.host,
    keyId: fields.keyId === "" ? null : fields.keyId,
  };
  return {
    sent,
    seen,
    secret: secret === "" ? null : secret,
    signedCanonical: signedCanonical === "" ? null : signedCanonical,
    // When the service's time is unknown, the request's own time is used, so that its age is not a problem.
    nowMs: seen.timeMs ?? parseTimestamp(timestamp) ?? 0,
  };
}
