/** What a method of the SDK is handed: parts of the request, or a word. */
type Argument = "path" | "query" | "body" | `query.${string}` | `body.${string}` | `"${string}"`;

export interface SdkCall {
  readonly method: string;
  readonly takes: readonly Argument[];
  /** Gives one item after the other instead of an answer. */
  readonly isList?: true;
}

/** The method of @cauri/sdk that asks an operation; those that are missing here it has none for. */
export const sdkCalls: Readonly<Record<string, SdkCall>> = {
  createTransaction: { method: "transfers.create", takes: ["body"] },
  listTransactions: { method: "transfers.list", takes: ["query"], isList: true },
  getTransaction: { method: "transfers.get", takes: ["path"] },
  lookUpTransactions: { method: "transfers.lookUp", takes: ["body.references"] },
  createBatch: { method: "batches.create", takes: ["body"] },
  getBatch: { method: "batches.get", takes: ["path"] },
  listBatches: { method: "batches.list", takes: ["query"], isList: true },
  listBatchTransactions: { method: "batches.transfers", takes: ["path", "query"], isList: true },
  checkCustomer: { method: "customers.check", takes: ["query.msisdn"] },
  checkCustomers: { method: "customers.checkMany", takes: ["body.msisdns"] },
  createCharge: { method: "charges.create", takes: ["body"] },
  listCharges: { method: "charges.list", takes: ["query"], isList: true },
  getCharge: { method: "charges.get", takes: ["path"] },
  refundCharge: { method: "charges.refund", takes: ["path", "body"] },
  payCharge: { method: "charges.pay", takes: ["path", "body"] },
  createSubCompany: { method: "subCompanies.create", takes: ["body"] },
  listSubCompanies: { method: "subCompanies.list", takes: ["query"], isList: true },
  getSubCompany: { method: "subCompanies.get", takes: ["path"] },
  updateSubCompany: { method: "subCompanies.update", takes: ["path", "body"] },
  getStatement: { method: "statement.lines", takes: ["query"], isList: true },
  listSeals: { method: "statement.seals", takes: ["query"], isList: true },
  exportStatementAsCsv: { method: "statement.export", takes: ['"csv"', "query"] },
  exportStatementAsXlsx: { method: "statement.export", takes: ['"xlsx"', "query"] },
  exportStatementAsPdf: { method: "statement.export", takes: ['"pdf"', "query"] },
  createWebhook: { method: "webhooks.create", takes: ["body"] },
  listWebhooks: { method: "webhooks.list", takes: ["query"], isList: true },
  getWebhook: { method: "webhooks.get", takes: ["path"] },
  deleteWebhook: { method: "webhooks.delete", takes: ["path"] },
  listDeliveries: { method: "webhooks.deliveries", takes: ["path", "query"], isList: true },
  redeliver: { method: "webhooks.redeliver", takes: ["path"] },
  listEvents: { method: "webhooks.events", takes: ["query"], isList: true },
  getBalance: { method: "balance", takes: [] },
  getCompany: { method: "company", takes: [] },
  getLedgerKeys: { method: "ledgerKeys", takes: [] },
};
