import { Type } from "typebox";
import { byCurrentPrice } from "../companies/by-current-price.ts";
import type { Company } from "../companies/company.ts";
import type { Database } from "../database/database.ts";
import { toListEnvelope } from "../http/list-envelope.ts";
import {
  IdempotencyHeaders,
  idSchema,
  ListQuery,
  listOf,
  responses,
  security,
} from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { bodyFindings, compileValidator } from "../http/validation.ts";
import { answeredBefore } from "../idempotency/answered-before.ts";
import {
  readIdempotencyKey,
  readLargeIdempotencyKey,
  sendAnswer,
} from "../idempotency/idempotency-key.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { type Page, parsePageRequest } from "../kernel/page.ts";
import { batchRowsMax, batchRowsShown } from "./batch.ts";
import {
  createBatch,
  createTransfer,
  showBatchAgain,
  showTransferAgain,
} from "./create-transfers.ts";
import {
  getBatch,
  getBatchSummary,
  getTransfer,
  listBatches,
  listTransfers,
} from "./find-transfers.ts";
import { readFilter, TransferQuery } from "./read-filter.ts";
import { readBatch, readTransfer } from "./read-request.ts";
import { BatchFrameSchema, NewBatchSchema, NewTransactionSchema } from "./schemas.ts";
import type { Transfer } from "./transfer.ts";
import type { TransferLanes } from "./transfer-lanes.ts";
import { toBatchSummary, toBatchText, toTransferResource } from "./transfer-resource.ts";

const batchBodyBytesMax = 16 * 1024 * 1024;
/** Fifty values a row on average; ten thousand rows of 16 KB of metadata would be more than one body can hold. */
const batchShape = {
  rows: { field: "transactions", max: batchRowsMax },
  valuesMax: 20_000,
  allValuesMax: 50 * batchRowsMax,
};
const tags = ["Transfers"];

export interface TransferRoutesOptions {
  readonly database: Database;
  readonly lanes: TransferLanes;
}

export async function transferRoutes(app: App, options: TransferRoutesOptions): Promise<void> {
  const { database } = options;
  app.post(
    "/v1/transactions",
    {
      attachValidation: true,
      schema: {
        operationId: "createTransaction",
        summary: "Send money to one person",
        description:
          "Reserves amount and fee and answers at once; the transfer is carried out right after.",
        tags,
        security,
        headers: IdempotencyHeaders,
        body: NewTransactionSchema,
        response: responses(
          { 201: { description: "Accepted.", $ref: "Transaction#" } },
          [400, 402, 409, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { company } = request;
      const accept = (priced: Company) => {
        const transfer = readTransfer(priced, request.body, bodyFindings(request));
        const key = readIdempotencyKey(request);
        return createTransfer(options, priced, transfer, key, request.span);
      };
      try {
        return sendAnswer(reply, await byCurrentPrice(database, company, accept));
      } catch (refusal) {
        const showAgain = (id: string) => showTransferAgain(database, company.id, id);
        return sendAnswer(reply, await answeredBefore(database, request, refusal, showAgain));
      }
    },
  );

  app.post(
    "/v1/transactions/batch",
    {
      attachValidation: true,
      bodyLimit: batchBodyBytesMax,
      config: { bodyShape: batchShape },
      validatorCompiler: compileFrame,
      schema: {
        operationId: "createBatch",
        summary: "Send money to many people",
        description:
          "All or nothing: one bad row, one used reference or one franc too little, and nothing is sent.",
        tags,
        security,
        headers: IdempotencyHeaders,
        body: NewBatchSchema,
        response: responses(
          { 201: { description: "Accepted.", $ref: "Batch#" } },
          [400, 402, 409, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { company } = request;
      const accept = async (priced: Company) => {
        const batch = await readBatch(priced, request.body, bodyFindings(request));
        const key = await readLargeIdempotencyKey(request);
        return createBatch(options, priced, batch, key, request.span);
      };
      try {
        return sendAnswer(reply, await byCurrentPrice(database, company, accept));
      } catch (refusal) {
        const showAgain = (id: string) => showBatchAgain(database, company.id, id);
        return sendAnswer(reply, await answeredBefore(database, request, refusal, showAgain));
      }
    },
  );

  app.get(
    "/v1/transactions/:id",
    {
      schema: {
        operationId: "getTransaction",
        summary: "One transaction",
        description: "Answers what has become of it: pending, completed or failed.",
        tags,
        security,
        params: Type.Object({ id: idSchema("txn", "transaction") }),
        response: responses(
          { 200: { description: "The transaction.", $ref: "Transaction#" } },
          [404],
        ),
      },
    },
    async (request) =>
      toTransferResource(
        await getTransfer(database, request.company.id, parsePublicId("txn", request.params.id)),
      ),
  );

  app.get(
    "/v1/transactions",
    {
      schema: {
        operationId: "listTransactions",
        summary: "Transactions, newest first",
        description:
          "Filters may be combined; unknown query parameters are refused. Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags,
        security,
        querystring: TransferQuery,
        response: responses({ 200: listOf(Type.Ref("Transaction#")) }, [400]),
      },
    },
    async (request) => {
      const page = parsePageRequest(
        { name: "transactions", companyId: request.company.id },
        request.query,
      );
      const filter = readFilter(request.query);
      const found: Page<Transfer> =
        filter === undefined
          ? { rows: [], limit: page.limit, prev: null, next: null }
          : await listTransfers(database, request.company.id, filter, page);
      return toListEnvelope(found, toTransferResource);
    },
  );

  app.get(
    "/v1/batches/:id",
    {
      schema: {
        operationId: "getBatch",
        summary: "One batch with its transactions, in the order they were sent",
        description: `Every transaction as it is now, and how many have completed and failed. Of a batch of more than ${batchRowsShown} the first ${batchRowsShown} are shown, and transactionsTruncated says so.`,
        tags,
        security,
        params: Type.Object({ id: idSchema("bat", "batch") }),
        response: responses({ 200: { description: "The batch.", $ref: "Batch#" } }, [404]),
      },
    },
    async (request, reply) => {
      const id = parsePublicId("bat", request.params.id);
      const batch = await getBatch(database, request.company.id, id, batchRowsShown);
      return reply.type("application/json; charset=utf-8").send(await toBatchText(batch));
    },
  );

  app.get(
    "/v1/batches/:id/transactions",
    {
      schema: {
        operationId: "listBatchTransactions",
        summary: "The transactions of a batch, newest first",
        description:
          "All of them, or those in one state. Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags,
        security,
        params: Type.Object({ id: idSchema("bat", "batch") }),
        querystring: Type.Object({ ...ListQuery, status: TransferQuery.properties.status }),
        response: responses({ 200: listOf(Type.Ref("Transaction#")) }, [400, 404]),
      },
    },
    async (request) => {
      const companyId = request.company.id;
      const { status } = request.query;
      const page = parsePageRequest({ name: "transactions", companyId }, request.query);
      const id = parsePublicId("bat", request.params.id);
      const { id: batchId } = await getBatchSummary(database, companyId, id);
      const filter = { batchId, ...(status === undefined ? {} : { status }) };
      const found = await listTransfers(database, companyId, filter, page);
      return toListEnvelope(found, toTransferResource);
    },
  );

  app.get(
    "/v1/batches",
    {
      schema: {
        operationId: "listBatches",
        summary: "Batches, newest first, without their transactions",
        description: "Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags,
        security,
        querystring: Type.Object(ListQuery),
        response: responses({ 200: listOf(Type.Ref("BatchSummary#")) }, [400]),
      },
    },
    async (request) => {
      const page = parsePageRequest(
        { name: "batches", companyId: request.company.id },
        request.query,
      );
      return toListEnvelope(await listBatches(database, request.company.id, page), toBatchSummary);
    },
  );
}

/** The document shows what a row is; the validator leaves the rows to `readBatch`. */
function compileFrame(part: { schema: unknown; httpPart?: string | undefined }) {
  return compileValidator(part.httpPart === "body" ? { ...part, schema: BatchFrameSchema } : part);
}
