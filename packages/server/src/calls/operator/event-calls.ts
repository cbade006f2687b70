import type { OperatorEvent } from "@propgate/contract";
import type { FirehoseProblem, OwnedLine } from "@propgate/push";
import { eventView } from "@propgate/wire";
import { problemReply } from "../json/json-fields.ts";
import { okReply, type RefusedReply, wrongFieldReply } from "../json/json-reply.ts";
import { eventFileReply } from "./event-file.ts";
import { parseEventsRequest } from "./event-requests.ts";
import type { OperatorHandler } from "./operator-reply.ts";

/** Lists the events of all accounts, as a page or as a file. @rule D9.firehose */
export const listEvents: OperatorHandler<"events.list"> = async (
  { services, clock },
  { query, untilOver },
) => {
  const wanted = parseEventsRequest(query);
  if (!wanted.ok) return problemReply(wanted);
  const { firehose } = services;
  const { file: format, ...request } = wanted.value;
  if (format !== null) {
    const asOfMs = clock.now();
    const file = await firehose.file(request);
    if (!file.ok) return REFUSALS[file.problem];
    return eventFileReply(viewsOf(file.lines), { format, next: file.next, asOfMs });
  }
  const read = await firehose.read(request, untilOver);
  if (!read.ok) return REFUSALS[read.problem];
  return okReply({ items: read.lines.map(operatorEvent), next: read.next });
};

const REFUSALS: Readonly<Record<FirehoseProblem, RefusedReply>> = {
  cursorInvalid: {
    ...wrongFieldReply("after", "must be the `next` of a page, or 0 for the first event"),
    code: "cursor_invalid",
  },
  historyDiffers: {
    ...wrongFieldReply(
      "after",
      "is of another installation, or of data before a restore. Read again from 0, or from the head without `after`",
    ),
    code: "history_differs",
  },
};

async function* viewsOf(lines: AsyncIterable<OwnedLine>): AsyncGenerator<OperatorEvent> {
  for await (const line of lines) yield operatorEvent(line);
}

function operatorEvent({ line, ownerId, externalId }: OwnedLine): OperatorEvent {
  return { ...eventView(line, false), accountId: line.accountId, ownerId, externalId };
}
