import { type EventViews, view } from "./view-of-event.ts";

/** Events of the dead man's switch. @rule D9.eventViews D9.cancelAllAfter */
export const SWITCH_EVENT_VIEWS = {
  switchArmed: ({ deadlineMs, action }) => view("switch.armed", { deadlineMs, action }),
  switchSuspended: ({ action, spanMs }) => view("switch.suspended", { action, spanMs }),
  switchEnded: () => view("switch.ended", { status: "ended" }),
  switchFired: ({ dueMs, action, waiting }) =>
    view(
      "switch.fired",
      {
        deadlineMs: dueMs,
        action,
        waiting: waiting.map(({ positionUuid, pair }) => ({ positionUuid, tradePair: pair })),
      },
      dueMs,
    ),
} satisfies Partial<EventViews>;
