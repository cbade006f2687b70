import type { ServiceHealth } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../../base/src/config.ts";
import { startService } from "../../../server/src/start/start-service.ts";
import {
  makeTemporaryFolder,
  writeTemporaryFile,
} from "../../../server/src/testing/temporary-folder.ts";
import { calendarWarnings, createCalendarWarningLog } from "./calendar-warnings.ts";
import { loadCatalogue } from "./catalogue.ts";

const at = (text: string) => unixMs(Date.parse(text));
const { instruments } = await loadCatalogue(null);
const TOKEN = "op_calendar_0123456789abcdef0123456789";
const UNKNOWN = "pairs trade through holidays: none is listed after 2028-12-31";

describe("the end of a calendar is reported [D6.sessions]", () => {
  test("the end of a calendar is not reported until the last day is over in the market's zone", () => {
    expect(calendarWarnings(instruments, at("2028-12-31T14:59:59Z"))).toEqual([]);
    expect(calendarWarnings(instruments, at("2028-12-31T15:00:00Z"))).toEqual([
      { source: "session tokyo", reason: UNKNOWN, count: 1, first: "N225" },
    ]);
  });

  test("the warnings name every session but the one without holidays, with the number of its pairs", () => {
    expect(
      calendarWarnings(instruments, at("2029-01-01T05:00:00Z")).map(({ source, count, first }) => [
        source,
        count,
        first,
      ]),
    ).toEqual([
      ["session forex", 34, "AUDUSD"],
      ["session newYork", 44, "SPX"],
      ["session frankfurt", 1, "GDAXI"],
      ["session london", 1, "FTSE"],
      ["session tokyo", 1, "N225"],
    ]);
  });

  test("each session is logged once", () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => void lines.push(line) });
    const look = createCalendarWarningLog(instruments, log);
    for (const time of ["2028-12-31T14:00Z", "2028-12-31T15:00Z", "2028-12-31T15:01Z"]) {
      look(at(time));
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, source: "session tokyo", reason: UNKNOWN },
    ]);
    look(at("2029-01-02T00:00Z"));
    expect(lines).toHaveLength(5);
  });

  test("the service reports it at its start and in health", async () => {
    const first = at("2029-01-01T12:00:00Z");
    const rows = [first, first + 60_000].map((time) => `${time},100,101`);
    const replay = await writeTemporaryFile(
      "BTCUSD.csv",
      ["timeMs,bid,ask", ...rows, ""].join("\n"),
    );
    const dataDir = await makeTemporaryFolder();
    const reading = readSettings(
      { PROPGATE_OPERATOR_TOKEN: TOKEN },
      { port: "0", dataDir, replay, replayRebase: "own", logLevel: "error" },
    );
    if (!reading.ok) throw new Error(reading.problems.join("; "));
    const service = await startService(reading.settings);
    try {
      expect(service.warnings).toContain(`session tokyo: 1 ${UNKNOWN} (first: N225)`);
      const response = await fetch(`${service.baseUrl}/operator/v1/health`, {
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      const { data } = (await response.json()) as { data: ServiceHealth };
      expect(data.prices.warnings.map(({ source }) => source)).toContain("session tokyo");
    } finally {
      await service.stop();
    }
  });
});
