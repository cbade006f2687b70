import type { SessionLine } from "@propgate/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteData, getData, postData } from "../../api/call.ts";
import { browserText } from "../../format/browser.ts";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";

export const SESSIONS_KEY = ["sessions"];

/**
 * The browsers in which the person is signed in. A button signs out any browser but the present one, and another button
 * signs out all.
 */
export function SessionsPanel() {
  const sessions = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => getData<readonly SessionLine[]>("sessions", signal),
  });
  return (
    <Panel title="Sessions" aside={<SignOutEverywhere />} flush>
      <Loaded query={sessions} heightClass="min-h-32">
        {(lines) => <SessionTable lines={lines} />}
      </Loaded>
    </Panel>
  );
}

function SessionTable({ lines }: { readonly lines: readonly SessionLine[] }) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: (sessionId: string) => deleteData(`sessions/${encodeURIComponent(sessionId)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
  const columns: readonly Column<SessionLine>[] = [
    {
      head: "Browser",
      cell: ({ browser }) => <span title={browser}>{browserText(browser)}</span>,
      phone: "title",
    },
    { head: "Address", cell: ({ address }) => address, phone: "figure" },
    {
      head: "Signed in (UTC)",
      cell: ({ signedInAtMs }) => timeText(signedInAtMs),
      phone: "figure",
    },
    {
      head: "Last seen (UTC)",
      cell: ({ lastSeenAtMs }) => timeText(lastSeenAtMs),
      phone: "figure",
    },
    {
      head: "Action",
      right: true,
      cell: (line) =>
        line.current ? (
          <Badge kind="ok">current</Badge>
        ) : (
          <Button
            small
            aria-label={`End the session of ${browserText(line.browser)} at ${line.address}`}
            disabled={ending.isPending}
            onClick={() => ending.mutate(line.sessionId)}
          >
            End
          </Button>
        ),
      phone: "title",
    },
  ];
  return (
    <>
      {ending.isError && (
        <p role="alert" className="px-4 pt-3 text-danger">
          {ending.error.message}
        </p>
      )}
      <Table
        label="List of sessions"
        columns={columns}
        rows={lines}
        keyOf={({ sessionId }) => sessionId}
        empty={
          <EmptyList title="No sessions listed">
            Reload the page to see the current session.
          </EmptyList>
        }
      />
    </>
  );
}

function SignOutEverywhere() {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await postData("sign-out-everywhere");
    queries.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Sign out everywhere</Button>
      <Confirm
        title="Sign out everywhere?"
        open={isOpen}
        onClose={() => setOpen(false)}
        label="Sign out everywhere"
        onConfirm={leave}
      >
        <p>
          All your sessions end immediately, including this one. API keys keep working. Revoke them
          on each account's page.
        </p>
      </Confirm>
    </>
  );
}
