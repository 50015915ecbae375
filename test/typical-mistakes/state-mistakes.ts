import { charge, good, invalid, type Mistake, mistake, post } from "./mistake.ts";

const batch = (transactions: unknown) => post("/v1/transactions/batch", { transactions });
const rowOf = (index: number) => ({ ...good, reference: `row-${index}` });
const webhook = (url: unknown, topic = "charge/events") => post("/v1/webhooks", { topic, url });
const get = (path: string) => ({ path });
const notThere = [404, "route_not_found"] as const;
const parameter = [400, "unknown_parameter"] as const;

const batches: readonly Mistake[] = [
  mistake(
    "an empty batch",
    batch([]),
    invalid,
    ["transactions is empty", "1 to 10000 entries"],
    ["transactions est vide", "1 à 10000 éléments"],
  ),
  mistake(
    "a batch that is no list",
    batch(rowOf(1)),
    invalid,
    ["transactions is an object", "must be a list"],
    ["transactions est un objet", "une liste"],
  ),
  mistake(
    "too many rows",
    batch(Array.from({ length: 10_001 }, () => 1)),
    invalid,
    ["transactions", "at most 10000 rows"],
    ["transactions", "10000 lignes au plus"],
  ),
  mistake(
    "a bad row",
    batch([rowOf(1), { ...rowOf(2), amount: "5000" }]),
    invalid,
    ["1 of 2 transactions", "nothing was sent", "See details"],
    ["1 sur 2", "Rien n’a été envoyé", "voyez details"],
  ),
  mistake(
    "a batch with a reference twice",
    batch([rowOf(1), rowOf(1)]),
    [409, "duplicate_reference"],
    ["references", "nothing was sent"],
    ["Références du lot déjà prises", "voyez details"],
  ),
];

const charges: readonly Mistake[] = [
  mistake(
    "no description",
    charge({ description: undefined }),
    invalid,
    ["description is missing", "1 to 1000 characters"],
    ["description manque", "1 à 1000 caractères"],
  ),
  mistake(
    "a redirection that is no URL",
    charge({ onCompletedRedirectionUrl: "/thanks" }),
    invalid,
    ["onCompletedRedirectionUrl is not a URL", "http or https URL"],
    ["onCompletedRedirectionUrl n’est pas une URL", "http ou https"],
  ),
  mistake(
    "a refund of null",
    ({ paid }) => post(`/v1/charges/${paid}/refund`, { amount: null }),
    invalid,
    ["amount is null", "Without amount, all that is left"],
    ["amount est null", "Sans amount, tout ce qui reste"],
  ),
  mistake(
    "a refund with a misspelled amount",
    ({ paid }) => post(`/v1/charges/${paid}/refund`, { amonut: 1_000 }),
    invalid,
    ["amonut", "did you mean amount?"],
    ["amonut", "Vouliez-vous écrire amount"],
  ),
  mistake(
    "a refund with a nested amount",
    ({ paid }) => post(`/v1/charges/${paid}/refund`, { data: { amount: 1_000 } }),
    invalid,
    ["data is not a known field", "Known here: amount, reason"],
    ["data n’est pas un champ connu", "amount, reason"],
  ),
  mistake(
    "a refund of too much",
    ({ paid }) => post(`/v1/charges/${paid}/refund`, { amount: 10_001 }),
    [400, "refund_exceeds_paid"],
    ["amount is more than", "from 1 to 10000"],
    ["amount dépasse", "de 1 à 10000"],
  ),
  mistake(
    "a refund of what was refunded",
    ({ refunded }) => post(`/v1/charges/${refunded}/refund`, {}),
    [422, "charge_not_refundable"],
    ["is refunded", "nothing is left to give back"],
    ["est refunded", "il ne reste rien à rembourser"],
  ),
  mistake(
    "a refund of what was never paid",
    ({ due }) => post(`/v1/charges/${due}/refund`, {}),
    [422, "charge_not_refundable"],
    ["is due", "Wait until it is paid"],
    ["est due", "Attendez qu’elle soit payée"],
  ),
  mistake(
    "paying what is paid",
    ({ paid }) => post(`/v1/charges/${paid}/pay`, { recipientMsisdn: "2250700000000" }),
    [422, "charge_not_payable"],
    ["is paid", "Make a new one"],
    ["est paid", "Créez-en une nouvelle"],
  ),
  mistake(
    "a charge of somebody else",
    get("/v1/charges/019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6"),
    [404, "charge_not_found"],
    ["No charge", "Check the id and the access token"],
    ["Aucune demande", "Vérifiez l’identifiant"],
  ),
];

const addresses: readonly Mistake[] = [
  mistake(
    "an unknown transaction",
    get("/v1/transactions/txn_1"),
    [404, "transaction_not_found"],
    ["No transaction", "Check the id"],
    ["Aucune transaction", "Vérifiez l’identifiant"],
  ),
  mistake(
    "a singular address",
    post("/v1/transaction", good),
    notThere,
    ["Did you mean /v1/transactions?"],
    ["Vouliez-vous dire /v1/transactions"],
  ),
  mistake(
    "a base url with /v1",
    get("/v1/v1/balance"),
    notThere,
    ["Did you mean /v1/balance?"],
    ["Vouliez-vous dire /v1/balance"],
  ),
  mistake(
    "an address without /v1",
    post("/charges", {}),
    notThere,
    ["Did you mean /v1/charges?"],
    ["Vouliez-vous dire /v1/charges"],
  ),
  mistake(
    "a read without /v1",
    get("/balance"),
    notThere,
    ["Did you mean /v1/balance?"],
    ["Vouliez-vous dire /v1/balance"],
  ),
  mistake(
    "a read below /api",
    get("/api/v1/transactions"),
    notThere,
    ["Did you mean /v1/transactions?"],
    ["Vouliez-vous dire /v1/transactions"],
  ),
  mistake(
    "a wrong method",
    { method: "DELETE", path: "/v1/transactions" },
    [405, "method_not_allowed"],
    [/answers to .*GET.* only/],
    [/ne répond qu’à .*GET/],
  ),
  mistake(
    "a page number",
    get("/v1/transactions?page=2"),
    parameter,
    ["page is not a known", "cursor"],
    ["page n’est pas un paramètre", "cursor"],
  ),
  mistake(
    "a misspelled filter",
    get("/v1/charges?external_id=x"),
    parameter,
    ["external_id", "externalId"],
    ["external_id", "externalId"],
  ),
  mistake(
    "a limit of 1000",
    get("/v1/transactions?limit=1000"),
    invalid,
    ["limit is too large", "from 1 to 100"],
    ["limit est trop grand", "de 1 à 100"],
  ),
  mistake(
    "a wrong status in a filter",
    get("/v1/transactions?status=success"),
    invalid,
    ["status", "pending, completed, failed"],
    ["status", "pending, completed, failed"],
  ),
  mistake(
    "a cursor of another list",
    ({ cursor }) => get(`/v1/transactions?cursor=${cursor}`),
    [400, "invalid_cursor"],
    ["cursor", "start again without it"],
    ["cursor", "recommencez sans lui"],
  ),
  mistake(
    "a date that is none",
    get("/v1/transactions?createdFrom=yesterday"),
    invalid,
    ["createdFrom", "2026-"],
    ["createdFrom", "2026-"],
  ),
  mistake(
    "a webhook at a private address",
    webhook("http://192.168.1.1/"),
    invalid,
    ["url must lead to a public address"],
    ["url doit mener à une adresse publique"],
  ),
  mistake(
    "a webhook that is no URL",
    webhook("shop"),
    invalid,
    ["url is not a URL", "http"],
    ["url n’est pas une URL", "http"],
  ),
  mistake(
    "an unknown topic",
    webhook("https://shop.example/", "payments"),
    invalid,
    ["topic", "charge/events"],
    ["topic", "charge/events"],
  ),
  mistake(
    "a sub-company without a name",
    post("/v1/sub-companies", { logoUrl: "https://x.example/l.png" }),
    invalid,
    ["name is missing", "1 to 100 characters"],
    ["name manque", "1 à 100 caractères"],
  ),
];

/** What there is, and where. */
export const stateMistakes: readonly Mistake[] = [...batches, ...charges, ...addresses];
