import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import { readJson, textIn } from "./fields.ts";
import type { LocalVenueProtocol } from "./local-venue.ts";

/** A settled funding payment, as `fundingHistory` has it. */
interface SettledFunding {
  /** `BTC`, or `xyz:GOLD` for a market of another deployer. */
  readonly coin: string;
  readonly fundingRate: string;
  readonly premium: string;
  readonly time: number;
}

/**
 * Hyperliquid: perpetuals against USDC, and `l2Book`, which always sends whole books. Markets are `BTC/USDC:USDC`, and
 * `xyz:GOLD/USDC` for one of the deployer xyz. `settled` is the history of funding, to which a test may add while it
 * runs.
 */
export function createHyperliquidProtocol(settled: readonly SettledFunding[]): LocalVenueProtocol {
  return {
    ...hyperliquidProtocol,
    answer(request, markets) {
      const { path, body } = request;
      if (path !== "/info" || textIn(body, "type") !== "fundingHistory") {
        return hyperliquidProtocol.answer(request, markets);
      }
      const coin = textIn(body, "coin");
      const fromMs = Number(memberOf(body, "startTime"));
      const untilMs = Number(memberOf(body, "endTime") ?? Number.POSITIVE_INFINITY);
      return settled
        .filter((one) => one.coin === coin && one.time >= fromMs && one.time <= untilMs)
        .slice(0, HISTORY_MAX);
    },
  };
}

const HISTORY_MAX = 500;

/** Hyperliquid without a history of funding. */
export const hyperliquidProtocol: LocalVenueProtocol = {
  idOf: ({ base }) => base,
  answer({ path, body }, markets) {
    if (path !== "/info") return undefined;
    switch (textIn(body, "type")) {
      case "metaAndAssetCtxs": {
        const dex = textIn(body, "dex");
        const listed = markets.filter(({ base }) =>
          dex === "" ? !base.includes(":") : base.startsWith(`${dex}:`),
        );
        const universe = listed.map(({ base }) => ({
          name: base,
          szDecimals: 5,
          maxLeverage: 40,
        }));
        return [{ universe, collateralToken: 0 }, listed.map(() => CONTEXT)];
      }
      case "fundingHistory":
        return [];
      case "spotMeta":
        return { universe: [], tokens: [TOKEN] };
      case "spotMetaAndAssetCtxs":
        return [{ universe: [], tokens: [TOKEN] }, []];
      case "perpDexs":
        return [null, { name: "xyz", fullName: "XYZ", deployer: "0x0", oracleUpdater: null }];
      default:
        return undefined;
    }
  },
  receive(text, session) {
    const request = readJson(text);
    const method = textIn(request, "method");
    if (method === "ping") session.send({ channel: "pong" });
    if (method !== "subscribe") return;
    const subscription = memberOf(request, "subscription");
    if (session.faults.plan.isRejecting) {
      session.send({
        channel: "error",
        data: `Invalid subscription ${JSON.stringify(subscription)}`,
      });
      return;
    }
    session.send({ channel: "subscriptionResponse", data: { method, subscription } });
    session.subscribe(textIn(subscription, "coin"));
  },
  quoteMessages({ id, bid, ask, atMs }) {
    const levels = [
      [
        { px: String(bid), sz: "2.5", n: 3 },
        { px: String(bid - 1), sz: "1.8", n: 2 },
      ],
      [
        { px: String(ask), sz: "1.5", n: 2 },
        { px: String(ask + 1), sz: "2.1", n: 3 },
      ],
    ];
    return [{ channel: "l2Book", data: { coin: id, time: atMs, levels } }];
  },
};

const TOKEN = {
  name: "USDC",
  szDecimals: 8,
  weiDecimals: 8,
  index: 0,
  tokenId: "0x6d1e7cde53ba9467b783cb7c530ce054",
  isCanonical: true,
  evmContract: null,
  fullName: null,
};

const CONTEXT = {
  dayNtlVlm: "1169046.29406",
  prevDayPx: "90000.0",
  markPx: "90000.0",
  midPx: "90000.5",
  oraclePx: "90000.0",
  funding: "0.0000125",
  openInterest: "688.11",
  premium: "0.00031774",
  impactPxs: ["89990.0", "90010.0"],
};
