import type { EliminationWire } from "@propgate/contract";

export interface EliminationWords {
  /** Why the account ended, in words, such as `The account was inactive`. */
  readonly rule: string;
  /** More about the reason: how and when the passed limit is measured, or who ended the account. */
  readonly measured: string;
}

const PHASES: Readonly<Record<string, string>> = {
  CHALLENGE: "in the evaluation",
  FUNDED: "in the funded phase",
  PRO_CHALLENGE: "in the pro challenge",
  PRO_FUNDED: "in the funded pro phase",
};

const LIMITS: Readonly<Record<string, EliminationWords>> = {
  INTRADAY: {
    rule: "The daily loss limit was passed",
    measured:
      "Equity, open losses included, fell further below the equity of 00:00 UTC than the limit allows. It is measured at every price and every order.",
  },
  STATIC: {
    rule: "The maximum loss limit was passed",
    measured:
      "Equity, open losses included, fell further below the starting balance than the limit allows. It is measured at every price and every order.",
  },
  EOD: {
    rule: "The trailing loss limit was passed",
    measured:
      "Equity at 00:00 UTC was further below the highest equity of any 00:00 UTC than the limit allows. It is measured once a day, at 00:00 UTC.",
  },
};

const FAILED = /^FAILED_(CHALLENGE|FUNDED|PRO_CHALLENGE|PRO_FUNDED)_PERIOD_([A-Z]+)_DRAWDOWN$/;

/** Why an account ended, in words. A reason that an operator wrote is shown unchanged. */
export function eliminationWords(elimination: EliminationWire | null): EliminationWords {
  const reason = elimination?.reason ?? null;
  if (reason === null) {
    return {
      rule: "No reason was recorded",
      measured:
        "The network ended the account without naming a rule. Ask your firm for the reason.",
    };
  }
  const [, phase = "", limit = ""] = FAILED.exec(reason) ?? [];
  const words = LIMITS[limit];
  if (words !== undefined) {
    return { rule: `${words.rule} ${PHASES[phase] ?? ""}`.trim(), measured: words.measured };
  }
  return otherWords(reason, elimination?.forInactivity === true);
}

function otherWords(reason: string, forInactivity: boolean): EliminationWords {
  if (forInactivity) {
    return {
      rule: "The account was inactive",
      measured:
        "An account ends when no order is placed, edited or filled for too long. No loss limit was passed.",
    };
  }
  if (reason === "LIQUIDATED") {
    return {
      rule: "The account was liquidated",
      measured:
        "Your firm or the network ended the account. No loss limit was passed. Ask your firm for the reason.",
    };
  }
  return {
    rule: `Your firm ended the account: ${reason}`,
    measured: "A person at your firm decided this. No loss limit was passed.",
  };
}
