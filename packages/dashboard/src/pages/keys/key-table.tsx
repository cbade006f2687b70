import type { KeyLine } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteData } from "../../api/call.ts";
import { useNow } from "../../clock.tsx";
import { agoText, countdownText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type KeyState, keyState, readsLeft } from "./key-request.ts";

interface KeyTableProps {
  readonly accountId: string;
  readonly keys: readonly KeyLine[];
  readonly canRevoke: boolean;
}

/** The keys of the account, including revoked ones, with their use. */
export function KeyTable({ accountId, keys, canRevoke }: KeyTableProps) {
  const [leaving, setLeaving] = useState<KeyLine | null>(null);
  const queries = useQueryClient();
  const now = useNow();
  const revoke = async (): Promise<void> => {
    await deleteData(`accounts/${accountId}/keys/${encodeURIComponent(leaving?.keyId ?? "")}`);
    await queries.invalidateQueries({ queryKey: ["account", accountId] });
  };
  const columns = [...columnsAt(now), ...(canRevoke ? [revokeColumn(now, setLeaving)] : [])];
  return (
    <>
      <Table
        label="List of keys"
        columns={columns}
        rows={keys}
        keyOf={({ keyId }) => keyId}
        empty={
          <EmptyList title="No keys yet">
            {canRevoke
              ? "Create one above. A program needs a key to sign its requests."
              : "The owner has not created any."}
          </EmptyList>
        }
      />
      <Confirm
        title={`Revoke ${leaving?.label ?? "the key"}?`}
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        label="Revoke key"
        onConfirm={revoke}
      >
        <p>
          Requests signed with <code className="font-mono text-xs">{leaving?.keyId}</code> are
          rejected from now on. This cannot be undone. Open positions and pending orders stay
          unchanged.
        </p>
      </Confirm>
    </>
  );
}

function revokeColumn(now: number, onRevoke: (key: KeyLine) => void): Column<KeyLine> {
  return {
    head: "Action",
    right: true,
    cell: (key) =>
      keyState(key, now) === "revoked" ? null : (
        <Button small aria-label={`Revoke ${key.label}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
    phone: "title",
  };
}

function columnsAt(now: number): readonly Column<KeyLine>[] {
  return [
    {
      head: "Key",
      cell: ({ label, keyId }) => (
        <>
          <span className="block font-medium wrap-anywhere">{label}</span>
          <code className="font-mono text-xs text-muted">{keyId}</code>
        </>
      ),
      phone: "title",
    },
    {
      head: "Status",
      cell: (key) => <State state={keyState(key, now)} />,
      phone: "title",
    },
    {
      head: "Scopes",
      cell: ({ scopes }) =>
        scopes.map((scope) => (
          <span key={scope} className="block whitespace-nowrap">
            {scope}
          </span>
        )),
      phone: "figure",
    },
    {
      head: "Last use",
      cell: (key) => <LastUse line={key} now={now} />,
      phone: "figure",
    },
    {
      head: "Reads left (minute)",
      cell: (key) =>
        keyState(key, now) === "active" ? (
          <ReadsLeft reads={key.reads} now={now} />
        ) : (
          <span className="text-muted">none</span>
        ),
      phone: "figure",
    },
    {
      head: "Rejections",
      cell: ({ rejections }) => <Rejections rejections={rejections} now={now} />,
      phone: "figure",
    },
    {
      head: "Expires (UTC)",
      cell: ({ expiresAtMs }) =>
        expiresAtMs === null ? <span className="text-muted">never</span> : timeText(expiresAtMs),
      phone: "figure",
    },
    {
      head: "Addresses",
      cell: ({ addresses }) =>
        addresses.length === 0 ? (
          <span className="text-muted">anywhere</span>
        ) : (
          addresses.join(", ")
        ),
      phone: "figure",
    },
  ];
}

const STATE_KINDS: Readonly<Record<KeyState, "ok" | "notice" | "danger">> = {
  active: "ok",
  paused: "danger",
  expired: "notice",
  revoked: "danger",
};

const STATE_WORDS: Readonly<Record<KeyState, string>> = {
  active: "active",
  paused: "Paused by operator",
  expired: "expired",
  revoked: "revoked",
};

function State({ state }: { readonly state: KeyState }) {
  return <Badge kind={STATE_KINDS[state]}>{STATE_WORDS[state]}</Badge>;
}

function LastUse({ line, now }: { readonly line: KeyLine; readonly now: number }) {
  if (line.lastUsedAtMs === null) return <span className="text-muted">never</span>;
  return (
    <>
      <span className="block whitespace-nowrap" title={`${timeText(line.lastUsedAtMs)} UTC`}>
        {agoText(line.lastUsedAtMs, now)}
      </span>
      <span className="text-xs text-muted">{line.lastUsedFrom ?? "from an unknown address"}</span>
    </>
  );
}

function ReadsLeft({ reads, now }: { readonly reads: KeyLine["reads"]; readonly now: number }) {
  const left = readsLeft(reads, now);
  const text = `${left} of ${reads.most} reads left`;
  const used = ((reads.most - left) / reads.most) * 100;
  return (
    <div className="min-w-24">
      <span className="block whitespace-nowrap">
        {left} <span className="text-muted">of {reads.most}</span>
      </span>
      <Meter label="Reads used this minute" share={used} text={text} />
    </div>
  );
}

function Rejections({
  rejections: { used, most: max, cooldownUntilMs },
  now,
}: {
  readonly rejections: KeyLine["rejections"];
  readonly now: number;
}) {
  const isCooling = cooldownUntilMs !== null && cooldownUntilMs > now;
  return (
    <>
      <span className="block whitespace-nowrap">
        {used} <span className="text-muted">of {max}</span>
      </span>
      {isCooling && (
        <span className="text-xs text-danger">
          no orders for {countdownText(cooldownUntilMs, now)}
        </span>
      )}
    </>
  );
}
