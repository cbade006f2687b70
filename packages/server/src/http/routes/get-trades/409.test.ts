import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 409", () => conflictSuite("getTrades"));
