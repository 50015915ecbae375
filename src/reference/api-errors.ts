import * as charges from "../charges/errors.ts";
import { describeWrongToken } from "../companies/describe-wrong-token.ts";
import * as companies from "../companies/errors.ts";
import * as customers from "../customers/errors.ts";
import * as database from "../database/errors.ts";
import { toErrorBody } from "../http/error-response.ts";
import * as http from "../http/errors.ts";
import { InvalidJson } from "../http/json/errors.ts";
import * as idempotency from "../idempotency/errors.ts";
import type { DomainError } from "../kernel/domain-error.ts";
import * as kernel from "../kernel/errors.ts";
import * as ledger from "../ledger/errors.ts";
import * as quotas from "../quotas/errors.ts";
import * as statements from "../statements/errors.ts";
import * as transfers from "../transfers/errors.ts";
import * as webhooks from "../webhooks/errors.ts";
import type { Operation } from "./read-reference.ts";

/** Which operations can give an error. */
type Givers = (operation: Operation) => boolean;

/** An error that callers of the API can get, and from which operations. */
export interface ApiError {
  readonly error: DomainError;
  readonly status: number;
  /** Told by most operations, for reasons that have nothing to do with what they are for. */
  readonly isCommon: boolean;
  readonly isGivenBy: Givers;
}

const someId = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
const exports = ["exportStatementAsCsv", "exportStatementAsXlsx", "exportStatementAsPdf"];
const sending = ["createTransaction", "createBatch"];
const reading = ["lookUpTransactions", "checkCustomers"];

const everywhere: Givers = () => true;
const withToken: Givers = ({ needsToken }) => needsToken;
const withBody: Givers = ({ method, needsToken }) => needsToken && method !== "GET";
const withJson: Givers = ({ body }) => body !== undefined;
const withKey: Givers = ({ takesKey }) => takesKey;
const withCursor: Givers = ({ parameters }) => parameters.some(({ name }) => name === "cursor");
const writing: Givers = (operation) => withBody(operation) && !reading.includes(operation.id);
/** Addresses that there are not, and requests that never became one: no operation's own. */
const nowhere: Givers = () => false;

function by(...ids: readonly string[]): Givers {
  return ({ id }) => ids.includes(id);
}

function common(error: DomainError, isGivenBy: Givers): ApiError {
  return { error, status: toErrorBody(error, "", "", "").statusCode, isCommon: true, isGivenBy };
}

function own(error: DomainError, ...ids: readonly string[]): ApiError {
  return { ...common(error, by(...ids)), isCommon: false };
}

/** One of each error that callers of the API can get, in the order of the table in docs/errors.md. */
export const apiErrors: readonly ApiError[] = [
  common(
    http.InvalidRequest.field("amount", {
      en: "amount is text; it must be a whole number.",
      fr: "amount est du texte. Valeur attendue\u00a0: un nombre entier.",
    }),
    withToken,
  ),
  common(new http.UnknownParameter(["page"], ["limit", "cursor"]), withToken),
  common(new InvalidJson(), withJson),
  common(new http.MalformedRequest(), everywhere),
  common(new kernel.InvalidCursor(), withCursor),
  common(new idempotency.InvalidIdempotencyKey(), withKey),
  own(new charges.RefundExceedsPaid(5_000), "refundCharge"),
  common(new companies.Unauthenticated(describeWrongToken({}, "staging")), withToken),
  own(new ledger.InsufficientFunds({ needed: 50_500, available: 40_000 }), ...sending),
  own(new charges.RefundNotCovered(), "refundCharge"),
  common(new companies.CompanyMismatch(), withToken),
  common(new ledger.CompanyFrozen(), withToken),
  own(new transfers.TransactionNotFound(), "getTransaction"),
  own(new transfers.BatchNotFound(), "getBatch", "listBatchTransactions"),
  own(new charges.ChargeNotFound(), "getCharge", "refundCharge", "payCharge"),
  own(
    new companies.SubCompanyUnknown(),
    "getSubCompany",
    "updateSubCompany",
    "getStatement",
    ...exports,
  ),
  own(new companies.SubCompanyNotFound(), ...sending, "createCharge", "checkCustomer"),
  own(new webhooks.WebhookNotFound(), "getWebhook", "deleteWebhook", "listDeliveries", "redeliver"),
  own(new webhooks.DeliveryNotFound(), "redeliver"),
  common(new http.RouteNotFound(), nowhere),
  common(new http.MethodNotAllowed(["GET", "HEAD"]), nowhere),
  common(new http.RequestTimeout(), nowhere),
  own(transfers.DuplicateReference.single("salary-7", someId), ...sending),
  own(new charges.DuplicateExternalId("order-142", someId), "createCharge"),
  common(new http.BodyTooLarge(1_048_576), withBody),
  common(new http.BodyTooManyValues(), withBody),
  common(new http.UnsupportedMediaType(), withBody),
  common(new http.UnsupportedEncoding(), withBody),
  common(new http.ExpectationFailed(), nowhere),
  own(new companies.SubCompanyInactive(), ...sending, "createCharge", "checkCustomer"),
  own(
    new companies.SubCompaniesUnusable([{ index: 0, problem: "sub_company_inactive" }]),
    "createBatch",
  ),
  own(new charges.ChargeNotPayable("dropped"), "payCharge"),
  own(new charges.ChargeNotRefundable("due"), "refundCharge"),
  own(new customers.WalletFrozen(), "refundCharge"),
  common(new idempotency.IdempotencyKeyReused(), withKey),
  own(new webhooks.EventsUnknown(2_048, 1_024), "listEvents"),
  own(new webhooks.EventsForgotten(512, 1_024), "listEvents"),
  own(new webhooks.TooManyWebhooks(20), "createWebhook"),
  own(new companies.TooManySubCompanies(10_000), "createSubCompany"),
  own(new charges.TooManyRefunds(100, 5_000), "refundCharge"),
  own(new webhooks.WebhookDisabled(), "redeliver"),
  common(new http.RateLimited(50), withToken),
  common(new companies.TooManyFailedAuthentications(), withToken),
  own(
    new quotas.QuotaExceeded({ name: "customer_checks", max: 3_000 }, 12),
    ...sending,
    "checkCustomer",
    "checkCustomers",
    "createSubCompany",
    "updateSubCompany",
  ),
  own(new statements.ExportsTooMany(2), ...exports),
  own(new webhooks.TooManyWaiting(10), "listEvents"),
  common(new http.InternalError(), withToken),
  common(new kernel.Overloaded(), everywhere),
  common(new http.BodiesTooMany(), withBody),
  common(new http.ShareUsedUp(), withToken),
  common(new http.ShuttingDown(), everywhere),
  own(new companies.PriceChanged(), ...sending, "createCharge"),
  own(new statements.StatementNotReady(), "getStatement", ...exports),
  common(new database.DatabaseUnavailable(), withToken),
  common(new database.DatabaseWaiting(), withToken),
  common(new database.OutcomeUnknown(), writing),
];
