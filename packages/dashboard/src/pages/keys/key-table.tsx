import type { KeyLine } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { remove } from "../../api/call.ts";
import { useNow } from "../../clock.tsx";
import { agoText, countdownText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Badge, Empty } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type KeyState, keyState, readsLeft } from "./key-request.ts";

interface KeyTableProps {
  readonly accountId: string;
  readonly keys: readonly KeyLine[];
  readonly canRevoke: boolean;
}

/** Every key that was ever made for the account, and how it is used at this moment. */
export function KeyTable({ accountId, keys, canRevoke }: KeyTableProps) {
  const [leaving, setLeaving] = useState<KeyLine | null>(null);
  const queries = useQueryClient();
  const now = useNow();
  const revoke = async (): Promise<void> => {
    await remove(`accounts/${accountId}/keys/${encodeURIComponent(leaving?.keyId ?? "")}`);
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
          <Empty title="No key yet">
            {canRevoke
              ? "Create one above. A program signs its requests with it; nothing else opens the API."
              : "The owner has made none."}
          </Empty>
        }
      />
      <Confirm
        title={`Revoke ${leaving?.label ?? "the key"}?`}
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        deed="Revoke the key"
        onConfirm={revoke}
      >
        <p>
          Requests signed with <code className="font-mono text-xs">{leaving?.keyId}</code> are
          refused from this moment on, for ever. Open positions and resting orders stay as they are.
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
      head: "State",
      cell: (key) => <State state={keyState(key, now)} />,
      phone: "title",
    },
    {
      head: "May",
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
      head: "Reads left this minute",
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
      head: "Ends",
      cell: ({ expiresAtMs }) =>
        expiresAtMs === null ? (
          <span className="text-muted">never</span>
        ) : (
          <span title={`${timeText(expiresAtMs)} UTC`} className="whitespace-nowrap">
            {timeText(expiresAtMs).slice(0, 10)}
          </span>
        ),
      phone: "figure",
    },
    {
      head: "From",
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
  expired: "notice",
  revoked: "danger",
};

function State({ state }: { readonly state: KeyState }) {
  return <Badge kind={STATE_KINDS[state]}>{state}</Badge>;
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
      <Meter label="Reads of this minute that are used" share={used} text={text} />
    </div>
  );
}

function Rejections({
  rejections: { used, most, cooldownUntilMs },
  now,
}: {
  readonly rejections: KeyLine["rejections"];
  readonly now: number;
}) {
  const isCooling = cooldownUntilMs !== null && cooldownUntilMs > now;
  return (
    <>
      <span className="block whitespace-nowrap">
        {used} <span className="text-muted">of {most}</span>
      </span>
      {isCooling && (
        <span className="text-xs text-danger">
          no orders for {countdownText(cooldownUntilMs, now)}
        </span>
      )}
    </>
  );
}
