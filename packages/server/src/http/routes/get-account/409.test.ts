import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 409", () => conflictSuite("getAccount"));
