import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchService, startBenchService } from "../bench-service.ts";
import { runLoad } from "../load.ts";
import { expectAllAnswered, READ_POSITIONS, SMALL_ORDER } from "../requests.ts";
import type { ProfileShare, RequestKind } from "./record.ts";

const CONNECTIONS = 64;
const REQUESTS = { read: 40_000, order: 16_000 } as const;
const QUICK_SHARE = 0.1;
const WARM_UP_SHARE = 0.25;
const FORMS = { read: READ_POSITIONS, order: SMALL_ORDER } as const;
const LOOK_EVERY_MS = 100;

/**
 * The groups among which time is divided. A function belongs to the first group that matches its file, or its name when
 * it has no file.
 */
const GROUPS: readonly (readonly [group: string, matches: RegExp])[] = [
  ["collecting garbage", /^\(garbage collector\)$/],
  ["outside of JavaScript", /^\(program\)$/],
  ["writing to sockets", /^(writev|write(Utf8|Latin1|Ucs2|Ascii)String|writeBuffer)$/],
  ["reading requests", /^execute$/],
  ["signature and hashes", /^(init|update|digest|oneShotDigest)$|node:(internal\/)?crypto/],
  ["HTTP and sockets of Node", /node:_?http|node:net|node:internal\/(http|net|stream_base|timers)/],
  ["streams, buffers and events of Node", /node:/],
  ["Fastify", /node_modules\/(fastify|@fastify|find-my-way|avvio|light-my-request|secure-json)/],
  ["client of PostgreSQL", /node_modules\/pg/],
  ["other libraries", /node_modules\//],
  ["deciding: core", /packages\/core\//],
  ["rules of the wire: contract", /packages\/contract\//],
  ["writing rows, state cache: storage", /packages\/ledger\/src\/storage\//],
  ["executor", /packages\/(ledger|cluster)\//],
  ["prices and watch", /packages\/market\//],
  ["keys and people", /packages\/access\//],
  ["API: gates, routes, answers", /packages\/(wire\/|server\/src\/api\/)/],
  ["the rest of the service", /packages\/(base|push|vanta|server)\//],
];

/** Divides the service's processor time for signed reads and orders, on PostgreSQL, among the groups of functions. */
export async function profileRequests(isQuick: boolean): Promise<readonly ProfileShare[]> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-profile-"));
  const file = join(folder, "profile.json");
  const service = await startBenchService({
    accounts: 400,
    keysPerAccount: 10,
    batchMax: 0,
    program: "profiled-process.ts",
    settings: { PROPGATE_BENCH_PROFILE: file },
  });
  try {
    const shares: ProfileShare[] = [];
    for (const kind of ["read", "order"] as const) {
      const requests = Math.round(REQUESTS[kind] * (isQuick ? QUICK_SHARE : 1));
      await load(service, kind, requests * WARM_UP_SHARE);
      service.signal("SIGUSR2");
      const cpuMs = service.cpuMs();
      await load(service, kind, requests);
      const microseconds = ((service.cpuMs() - cpuMs) * 1_000) / requests;
      service.signal("SIGUSR2");
      shares.push(...sharesOf(kind, microseconds, await readProfile(file)));
    }
    return shares;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function load(service: BenchService, kind: RequestKind, requests: number): Promise<void> {
  const { host, port, keys } = service;
  const plan = { ...FORMS[kind], host, port, keys, connections: CONNECTIONS, requests };
  expectAllAnswered(await runLoad(plan), { requests, what: kind });
}

/** Waits until the process has written the profile, reads it and removes the file. */
async function readProfile(file: string): Promise<Profiler.Profile> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    try {
      const profile = JSON.parse(await readFile(file, "utf8")) as Profiler.Profile;
      await rm(file);
      return profile;
    } catch (cause) {
      const isUnwritten = cause instanceof SyntaxError || Object(cause).code === "ENOENT";
      if (!isUnwritten) throw cause;
    }
  }
}

function sharesOf(
  kind: RequestKind,
  microseconds: number,
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
): readonly ProfileShare[] {
  const groupOf = new Map(nodes.map(({ id, callFrame }) => [id, groupOfFrame(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const group = groupOf.get(id) ?? null;
    if (group === null) continue;
    times.set(group, (times.get(group) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .toSorted(([, one], [, other]) => other - one)
    .map(([group, time]) => ({ kind, group, microseconds: (microseconds * time) / total }));
}

/** The group of a function. Null for idle time and for the profiler itself. */
function groupOfFrame({ functionName, url }: Profiler.Profile["nodes"][number]["callFrame"]) {
  if (/^\((idle|root)\)$/.test(functionName) || url.startsWith("node:inspector")) return null;
  const where = url === "" ? functionName : url;
  return GROUPS.find(([, matches]) => matches.test(where))?.[0] ?? "built-in functions of V8";
}
