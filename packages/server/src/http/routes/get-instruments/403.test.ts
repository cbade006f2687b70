import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 403", () => forbiddenSuite("getInstruments"));
