import { type UnixMs, unixMs } from "@propgate/core";
import type { Database, Queryable } from "@propgate/ledger";
import type { NodeConfiguration } from "./node-configuration.ts";
import type { NodeFigures } from "./node-figures.ts";

/** The work that a node claims. `engine`: it decides accounts. `feed`: it makes the prices of all nodes. */
export type NodeRole = "engine" | "feed";

/** A node with its last heartbeat. */
export interface KnownNode extends NodeConfiguration {
  readonly nodeId: string;
  readonly roles: readonly NodeRole[];
  /** True when the node shares a bus with the others. */
  readonly hasBus: boolean;
  /** The identity of the node's process, as JSON. */
  readonly process: string;
  /** The time of the last heartbeat by the database's clock. */
  readonly seenAtMs: number;
}

/** The nodes of one database, with their heartbeats, roles and figures. */
export interface NodeStore {
  /** The database's clock. */
  now(): Promise<UnixMs>;
  /**
   * Adds the node and returns null. When `differs` is true for a live node, adds none and returns the first such node.
   * Dead nodes, and nodes for which `hasEnded` is true, are removed first. Concurrent calls run one after the other, so
   * each call sees the nodes that earlier calls added.
   */
  join(
    node: Omit<KnownNode, "seenAtMs">,
    judge: {
      readonly differs: (other: KnownNode) => boolean;
      readonly hasEnded: (other: KnownNode) => boolean;
    },
  ): Promise<KnownNode | null>;
  /**
   * Records a heartbeat with the node's figures. Returns false, without recording, when the node's last heartbeat is
   * too old.
   */
  recordHeartbeat(nodeId: string, figures: NodeFigures | null): Promise<boolean>;
  /** The figures of the other live nodes. */
  figuresOfOthers(nodeId: string): Promise<readonly NodeFigures[]>;
  leave(nodeId: string): Promise<void>;
  /** Publishes the roles of the node to the other nodes, in place of its earlier ones. */
  setRoles(nodeId: string, roles: readonly NodeRole[]): Promise<void>;
  /** The ids of the live nodes with the role, sorted. */
  liveNodeIds(role: NodeRole): Promise<readonly string[]>;
}

/** A node is dead when its last heartbeat is this old. */
export const ALIVE_FOR_MS = 6_000;
/** The number of the advisory lock of `join`. It is arbitrary, but the same on every node. */
const NODES_LOCK = 7_720_013;
const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

interface NodeRow {
  readonly node_id: string;
  readonly release: string;
  readonly state_format: number;
  readonly catalogue: string;
  readonly seen_at_ms: string;
  readonly roles: string;
  readonly has_bus: boolean;
  readonly process: string;
}

export function createNodeStore(database: Database): NodeStore {
  return {
    async now() {
      const rows = await database.query<{ readonly now: string }>(`select ${NOW} as now`, []);
      return unixMs(Number(rows[0]?.now));
    },
    join: (node, { differs, hasEnded }) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${NODES_LOCK})`, []);
        await transaction.query(`delete from nodes where seen_at_ms <= ${NOW} - $1`, [
          ALIVE_FOR_MS,
        ]);
        const found = await listOthers(transaction, node.nodeId);
        const ended = found.filter(hasEnded).map(({ nodeId }) => nodeId);
        await transaction.query("delete from nodes where node_id = any ($1::uuid[])", [ended]);
        const others = found.filter(({ nodeId }) => !ended.includes(nodeId));
        const different = others.find(differs) ?? null;
        if (different === null) await insert(transaction, node);
        return different;
      }),
    async recordHeartbeat(nodeId, figures) {
      const rows = await database.query(
        `update nodes set seen_at_ms = ${NOW}, figures = $3
         where node_id = $1 and seen_at_ms > ${NOW} - $2 returning node_id`,
        [nodeId, ALIVE_FOR_MS, figures === null ? null : JSON.stringify(figures)],
      );
      return rows.length > 0;
    },
    async figuresOfOthers(nodeId) {
      const rows = await database.query<{ readonly figures: string }>(
        `select figures from nodes
         where node_id <> $1 and seen_at_ms > ${NOW} - $2 and figures is not null`,
        [nodeId, ALIVE_FOR_MS],
      );
      // Nodes of different releases never run at the same time, so the figures have this form.
      return rows.map((row) => JSON.parse(row.figures) as NodeFigures);
    },
    async leave(nodeId) {
      await database.query("delete from nodes where node_id = $1", [nodeId]);
    },
    async setRoles(nodeId, roles) {
      await database.query("update nodes set roles = $2 where node_id = $1", [
        nodeId,
        roles.join(","),
      ]);
    },
    async liveNodeIds(role) {
      const rows = await database.query<Pick<NodeRow, "node_id">>(
        `select node_id from nodes where seen_at_ms > ${NOW} - $1
           and $2 = any (string_to_array(roles, ',')) order by node_id`,
        [ALIVE_FOR_MS, role],
      );
      return rows.map((row) => row.node_id);
    },
  };
}

async function listOthers(database: Queryable, nodeId: string): Promise<readonly KnownNode[]> {
  const rows = await database.query<NodeRow>(
    `select node_id, release, state_format, catalogue, seen_at_ms, roles, has_bus, process from nodes
     where node_id <> $1 order by node_id`,
    [nodeId],
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    release: row.release,
    stateFormat: row.state_format,
    catalogue: row.catalogue,
    seenAtMs: Number(row.seen_at_ms),
    roles: rolesOf(row.roles),
    hasBus: row.has_bus,
    process: row.process,
  }));
}

async function insert(database: Queryable, node: Omit<KnownNode, "seenAtMs">): Promise<void> {
  await database.query(
    `insert into nodes (node_id, release, state_format, catalogue, roles, has_bus, process, seen_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, ${NOW})
     on conflict (node_id) do update set seen_at_ms = excluded.seen_at_ms`,
    [
      node.nodeId,
      node.release,
      node.stateFormat,
      node.catalogue,
      node.roles.join(","),
      node.hasBus,
      node.process,
    ],
  );
}

/** The known roles of a text. A newer release may have roles that this one does not know. */
function rolesOf(text: string): readonly NodeRole[] {
  return text.split(",").filter((role) => role === "engine" || role === "feed");
}
