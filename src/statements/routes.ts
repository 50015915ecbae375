import { Type } from "typebox";
import { placeOfCompany } from "../companies/find-company.ts";
import type { Database } from "../database/database.ts";
import { toListEnvelope } from "../http/list-envelope.ts";
import { ListQuery, listOf, publicResponses, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import type { Country } from "../kernel/countries.ts";
import { isDay } from "../kernel/days.ts";
import { InvalidCursor } from "../kernel/errors.ts";
import { parsePageRequest, toPage } from "../kernel/page.ts";
import { sharedAnswer } from "../kernel/shared-answer.ts";
import { findSubCompanyId } from "./find-sub-company.ts";
import { listLedgerKeys } from "./ledger-key.ts";
import { listLines } from "./list-lines.ts";
import { listSeals } from "./list-seals.ts";
import { readPeriod } from "./period.ts";
import { summarize } from "./read-head.ts";
import { LedgerKeysSchema, StatementQuerySchema } from "./schemas.ts";
import { type LedgerKey, publicKeyOf } from "./seal.ts";
import { toSealResource } from "./seal-resource.ts";
import { toLineResource } from "./statement-resource.ts";

const tags = ["Statements"];
const currency = "XOF";
/** A line's number, and where its statement is cut. */
const placeShape = /^\d{1,15}\.\d{1,15}$/;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
/** Keys change once in years; whoever asks without a token asks the database once a minute at most. */
const keysKeptMs = 60_000;

export interface StatementRoutesOptions {
  readonly database: Database;
  /** Where companies are that do not say it. */
  readonly country: Country;
  /** By which the operator's keys are told from others. */
  readonly key: LedgerKey;
}

export async function statementRoutes(
  app: App,
  { database, country, key }: StatementRoutesOptions,
): Promise<void> {
  app.get(
    "/v1/statement",
    {
      schema: {
        operationId: "getStatement",
        summary: "What changed the balance, in order",
        description:
          "openingBalance and the lines make closingBalance, always: a statement is cut at a posting, and its pages stay cut there while money moves on. Follow cursor.next for later lines.",
        tags,
        security,
        querystring: StatementQuerySchema,
        response: responses(
          { 200: { description: "A page of it.", $ref: "Statement#" } },
          [400, 404],
        ),
      },
    },
    async ({ company, query }) => {
      const { timeZone } = placeOfCompany(company, country);
      const period = readPeriod(timeZone, query);
      const subCompanyId = await findSubCompanyId(database, company.id, query.subCompanyId);
      const list = {
        name: "statement",
        companyId: company.id,
        from: query.from ?? "",
        to: query.to ?? "",
        subCompanyId: subCompanyId ?? "",
      };
      const page = parsePageRequest(list, query, placeShape);
      const [edge, cut] = page.from?.id.split(".").map(Number) ?? [];
      const statement = { companyId: company.id, period, subCompanyId };
      const { after, upto, opening, closing, totals } = await summarize(database, statement, cut);
      const isBackwards = page.from?.direction === "newer";
      if (edge !== undefined && (edge <= after || edge > upto)) throw new InvalidCursor();
      const lines = await listLines(database, {
        companyId: company.id,
        subCompanyId,
        isBackwards,
        limit: page.limit + 1,
        after: isBackwards ? after : (edge ?? after),
        upto: isBackwards ? (edge ?? upto) - 1 : upto,
      });
      const found = toPage(
        list,
        page,
        lines.map((line) => ({ id: `${line.number}.${upto}`, line })),
      );
      return {
        from: period.from?.toISOString() ?? null,
        to: period.until ? new Date(period.until.getTime() - 1).toISOString() : null,
        currency,
        openingBalance: opening,
        closingBalance: closing,
        totals,
        ...toListEnvelope(found, ({ line }) => toLineResource(line)),
      };
    },
  );

  app.get(
    "/v1/statement/seals",
    {
      schema: {
        operationId: "listSeals",
        summary: "The operator's seals of days that are over, newest first",
        description:
          "Keep them: with them, a history that was rewritten later can be told from the one that was sealed.",
        tags,
        security,
        querystring: Type.Object(ListQuery),
        response: responses({ 200: listOf(Type.Ref("Seal#")) }, [400]),
      },
    },
    async ({ company, query }) => {
      const list = { name: "seals", companyId: company.id };
      const request = parsePageRequest(list, query, dayShape);
      if (request.from !== undefined && !isDay(request.from.id)) throw new InvalidCursor();
      const page = await listSeals(database, list, request);
      const keys = await listLedgerKeys(database, key);
      return toListEnvelope(page, (seal) => toSealResource(seal, publicKeyOf(keys, seal)));
    },
  );
}

/** For whoever verifies a statement, with or without an account here. */
export async function ledgerKeyRoutes(
  app: App,
  { database, key }: { readonly database: Database; readonly key: LedgerKey },
): Promise<void> {
  const readKeys = sharedAnswer(() => listLedgerKeys(database, key), keysKeptMs);
  app.get(
    "/.well-known/cauri-ledger.json",
    {
      schema: {
        operationId: "getLedgerKeys",
        summary: "The public keys that the books are sealed with",
        description: "For whoever verifies a statement or a seal; no token is needed.",
        tags,
        security: [],
        response: publicResponses({ 200: LedgerKeysSchema }),
      },
    },
    async () => ({
      algorithm: "Ed25519" as const,
      keys: (await readKeys()).map(({ id, publicKey, createdAt }) => ({
        id,
        publicKey,
        createdAt: createdAt.toISOString(),
      })),
    }),
  );
}
