import { expect, test } from "vitest";
import { messageIdOf } from "./webhook.ts";

test("a number that a database gives a second time, after it went back, makes another webhook-id", () => {
  const webhookId = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
  const event = {
    eventNumber: 1_000,
    happenedMs: 1_794_715_559_646,
    subjectId: "019b2d5f-3a7c-7c0f-8000-0123456789ab",
  };
  const id = messageIdOf(webhookId, event);

  expect(messageIdOf(webhookId, { ...event })).toBe(id);
  for (const other of [
    { happenedMs: event.happenedMs + 1 },
    // Two servers that both count on may well do so in the same millisecond.
    { subjectId: "019b2d5f-3a7c-7c0f-8000-0123456789ac" },
    { eventNumber: 1_001 },
  ])
    expect(messageIdOf(webhookId, { ...event, ...other })).not.toBe(id);
});
