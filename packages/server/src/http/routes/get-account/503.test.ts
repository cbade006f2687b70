import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 503", () => unreachableSuite("getAccount"));
