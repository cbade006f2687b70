import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 403", () => forbiddenSuite("getTrades"));
