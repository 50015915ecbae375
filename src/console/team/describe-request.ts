import type { AccessRequest } from "../../access/request.ts";
import { formatAmount } from "../../pages/format.ts";
import type { AccessWords } from "../words/access.ts";
import type { FrameWords } from "../words/frame.ts";

/** What a request is for, in a sentence. */
export function describeRequest(
  words: AccessWords,
  frame: FrameWords,
  emails: ReadonlyMap<string, string>,
  request: AccessRequest,
): string {
  if (!("personId" in request)) {
    const amount = (francs: number | null) =>
      francs === null ? words.noLimit : formatAmount(frame, francs);
    const { kind, fromAmount, toAmount } = request;
    return words.rule(words.rules[kind], amount(fromAmount), amount(toAmount));
  }
  const { personId, fromRole, toRole } = request;
  const person = emails.get(personId) ?? words.somebody;
  return fromRole === null
    ? words.membership(person, frame.roles[toRole])
    : words.role(person, frame.roles[fromRole], frame.roles[toRole]);
}

/** What the operator types to confirm it. */
export function confirmCommand(publicId: string): string {
  return `cauri staff confirm ${publicId}`;
}
