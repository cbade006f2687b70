import { Agent } from "node:http";
import { orderPath, SIGNED_ENDPOINTS } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  LIMIT_TRADE,
  type LongHistoryService,
  openLongHistoryService,
} from "../testing/long-history-service.ts";
import { type Reply, type Signer, sendRequest, signedHeaders } from "../testing/signed-request.ts";

const LINES = 2_000;
const KEYS = 12;
/** The number of requests of each key of the greedy account. All are sent before the other accounts send theirs. */
const EXPENSIVE_PER_KEY = 10;
const HONEST = 3;
/**
 * The maximum number of expensive answers that one honest answer waits for. A request waits for the database a few
 * times, and each time two expensive reads may end.
 */
const EXPENSIVE_BETWEEN_MAX = 12;

interface Sent {
  readonly signer: Signer;
  readonly target: string;
  readonly body?: object;
}

/** One account that requests the maximum, beside honest ones. The order of the answers counts, not their time. */
describe("one greedy account beside honest ones [D12.share]", () => {
  let life: LongHistoryService;
  let nonces = 0;
  const agents: Agent[] = [];
  /** The client and the status of each answer, in the order of the answers. */
  const answered: { readonly by: string; readonly status: number }[] = [];

  beforeAll(async () => {
    life = await openLongHistoryService(LINES);
    return async () => {
      for (const agent of agents) agent.destroy();
      await life.service.close();
    };
  });

  /** A client with connections of its own. */
  const client = (by: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    agents.push(agent);
    return async ({ signer, target, body: sent }: Sent): Promise<Reply> => {
      nonces += 1;
      const body = sent === undefined ? "" : JSON.stringify(sent);
      const method = sent === undefined ? "GET" : "POST";
      const timestamp = String(life.service.time.clock.now());
      const signed = { method, target, body, timestamp, nonce: `fair-${nonces}` };
      const headers = {
        ...signedHeaders(signer, signed),
        ...(sent === undefined ? {} : { "Content-Type": "application/json" }),
      };
      const { port } = life.service;
      const request = { agent, host: "127.0.0.1", port, method, path: target, headers };
      const reply = await sendRequest(request, body);
      answered.push({ by, status: reply.status });
      return reply;
    };
  };

  const pathOf = (name: keyof typeof SIGNED_ENDPOINTS): string => SIGNED_ENDPOINTS[name].path;

  test("each answer of an honest account waits for few dear ones, however many were asked for first", async () => {
    const { service, accountId, lines, edited } = life;
    const greedyKeys = await Promise.all(
      Array.from({ length: KEYS }, () => service.newKey({ accountId })),
    );
    // Their connections are opened first, because new ones are served in the order in which they come.
    const honest = await Promise.all(
      Array.from({ length: HONEST }, async (_, number) => {
        const signer = await service.newKey({ accountId: await service.newAccount() });
        const send = client(`honest ${number}`);
        await send({ signer, target: pathOf("getAccount") });
        return { signer, send };
      }),
    );
    const greedy = client("greedy");
    const dear = [
      `${pathOf("getEvents")}?after=0&limit=500&proof=1`,
      `${pathOf("getOrderHistory")}?after=0&limit=500`,
      `${pathOf("getFills")}?after=0&limit=500`,
      orderPath(edited),
    ];
    // Opens all of the greedy account's connections, so that all of its requests are in the service together.
    await Promise.all(
      greedyKeys.flatMap((signer) =>
        Array.from({ length: EXPENSIVE_PER_KEY + 1 }, () =>
          greedy({ signer, target: pathOf("getQuotes") }),
        ),
      ),
    );
    answered.splice(0);
    const polls = greedyKeys.map((signer) =>
      greedy({ signer, target: `${pathOf("getEvents")}?after=${lines}&wait=25` }),
    );
    const dearReads = greedyKeys.flatMap((signer) =>
      Array.from({ length: EXPENSIVE_PER_KEY }, (_, at) =>
        greedy({ signer, target: dear[at % dear.length] ?? "" }),
      ),
    );
    // The first answer shows that the service works on these requests.
    await dearReads[0];
    const between: number[] = [];
    const trade = async ({ signer, send }: (typeof honest)[number]): Promise<void> => {
      const sent: readonly Omit<Sent, "signer">[] = [
        { target: pathOf("getAccount") },
        { target: pathOf("placeOrder"), body: { trade: LIMIT_TRADE } },
        { target: pathOf("getPositions") },
        { target: `${pathOf("getEvents")}?after=0&limit=5` },
        { target: pathOf("placeOrder"), body: { trade: { execution_type: "FLAT_ALL" } } },
      ];
      for (const one of sent) {
        const from = answered.length;
        const reply = await send({ signer, ...one });
        expect([reply.status, reply.text.slice(0, 100), one.target]).toEqual([
          200,
          expect.anything(),
          one.target,
        ]);
        const meanwhile = answered.slice(from);
        between.push(
          meanwhile.filter(({ by, status }) => by === "greedy" && status === 200).length,
        );
      }
    };
    await Promise.all(honest.map(trade));
    const left = dearReads.length - answered.filter(({ by }) => by === "greedy").length;
    expect(Math.max(...between)).toBeLessThanOrEqual(EXPENSIVE_BETWEEN_MAX);
    expect(left).toBeGreaterThan(dearReads.length / 2);
    await service.time.pass(30_000);
    await Promise.all([...polls, ...dearReads]);
  });
});
