import { equityCost, MARKETS } from "./equity-cost.ts";

for (const accounts of (process.argv[2] ?? "1000,10000").split(",").map(Number))
  for (const market of (process.argv[3] ?? "calm,walk,fall").split(","))
    for (const positions of [1, 3]) {
      const t = performance.now();
      console.log(
        JSON.stringify(await equityCost({ market, accounts, positions })),
        Math.round(performance.now() - t),
        "ms",
      );
    }
