export type * from "./api.ts";
export { Cauri } from "./cauri.ts";
export * from "./errors.ts";
export type { EventList } from "./event-list.ts";
export type { List, Page } from "./list.ts";
export type { RawAnswer, RawOptions } from "./raw.ts";
export type { NewRefund } from "./resources/charges.ts";
export type { Download, DownloadOptions } from "./resources/statement.ts";
export type { NewTransfer } from "./resources/transfers.ts";
export { type ResponseFacts, responseOf } from "./response.ts";
export type {
  CallOptions,
  CauriOptions,
  IncomingResponse,
  OutgoingRequest,
  WriteOptions,
} from "./settings.ts";
export type { WaitOptions } from "./settle.ts";
export type { Explanation, WebhookEvent } from "./webhooks.ts";
export * as webhooks from "./webhooks.ts";
