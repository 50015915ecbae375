// Made by npm run dump from the service's own document. Do not edit.
export interface components {
    schemas: {
        /** Error */
        readonly ErrorBody: {
            /** @example 400 */
            readonly statusCode: number;
            /**
             * @description The HTTP reason phrase.
             * @example Bad Request
             */
            readonly error: string;
            /** @description For a person: what was wrong and what is allowed. French when Accept-Language prefers it, else English. */
            readonly message: string;
            /**
             * @description A stable word for programs; see docs/errors.md.
             * @example invalid_request
             */
            readonly code: string;
            /**
             * @description Where the reference of this installation tells of this error.
             * @example http://127.0.0.1:8080/docs?lang=en#e-invalid_request
             */
            readonly docUrl: string;
            /** @description Names this request in the service's log. */
            readonly correlationId: string;
            readonly path: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly timestamp: string;
            readonly details?: readonly {
                readonly field?: string;
                /** @description Row of a batch, from 0. */
                readonly index?: number;
                readonly code: string;
                readonly message: string;
                /** @description What is already there, on a conflict. */
                readonly id?: string;
            }[];
        };
        /**
         * Sub-company
         * @example {
         *       "id": "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "name": "Boutique Awa",
         *       "logoUrl": "https://awa.example.com/logo.png",
         *       "isActive": true
         *     }
         */
        readonly SubCompany: {
            /**
             * @description The sub-company's id.
             * @example subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            readonly name: string;
            readonly logoUrl: string;
            /** @description Only active sub-companies can be used in transactions. */
            readonly isActive: boolean;
        };
        /**
         * Transaction
         * @example {
         *       "id": "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *       "amount": 25000,
         *       "fee": 0,
         *       "totalAmount": 25000,
         *       "msisdn": "+2250700000000",
         *       "status": "pending",
         *       "reference": "salary-2026-01-awa",
         *       "serviceTransactionReference": "1JB2-K4ZQ-7M3N-VX0A",
         *       "type": "transfer",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "failureReason": null,
         *       "metadata": {
         *         "employee": "117"
         *       },
         *       "description": "January salary"
         *     }
         */
        readonly Transaction: {
            /**
             * @description The transaction's id.
             * @example txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
             */
            readonly id: string;
            /** @description Whole francs (XOF). */
            readonly amount: number;
            readonly fee: number;
            /** @description amount + fee. */
            readonly totalAmount: number;
            /** @description As the caller wrote it. */
            readonly msisdn: string;
            /** @enum {string} */
            readonly status: "pending" | "completed" | "failed";
            /** @description The caller's own, unique for ever. */
            readonly reference: string;
            /** @description What the recipient sees. */
            readonly serviceTransactionReference: string;
            /** @enum {string} */
            readonly type: "transfer";
            /** @description Present when sent as part of a batch. */
            readonly batchId?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            /**
             * @description Null unless failed.
             * @enum {string|null}
             */
            readonly failureReason: "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" | "SERVICE_ACCOUNT_NOT_FOUND" | "INTERNAL_ERROR" | "UNKNOWN_ERROR" | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            } | null;
            readonly description: string | null;
            /** @description Present when sent on behalf of a sub-company. */
            readonly subCompanyId?: string;
        };
        /**
         * Batch
         * @example {
         *       "id": "bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "totalAmount": 25000,
         *       "totalFee": 0,
         *       "status": "processing",
         *       "count": 1,
         *       "completedCount": 0,
         *       "failedCount": 0,
         *       "completedAmount": 0,
         *       "failedAmount": 0,
         *       "completedFee": 0,
         *       "transactions": [
         *         {
         *           "id": "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *           "amount": 25000,
         *           "fee": 0,
         *           "totalAmount": 25000,
         *           "msisdn": "+2250700000000",
         *           "status": "pending",
         *           "reference": "salary-2026-01-awa",
         *           "serviceTransactionReference": "1JB2-K4ZQ-7M3N-VX0A",
         *           "type": "transfer",
         *           "createdAt": "2026-01-31T09:15:00.000Z",
         *           "updatedAt": "2026-01-31T09:15:00.000Z",
         *           "failureReason": null,
         *           "metadata": {
         *             "employee": "117"
         *           },
         *           "description": "January salary"
         *         }
         *       ]
         *     }
         */
        readonly Batch: {
            /**
             * @description The batch's id.
             * @example bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            readonly totalAmount: number;
            readonly totalFee: number;
            /** @enum {string} */
            readonly status: "processing" | "completed" | "partially_completed" | "failed";
            readonly subCompanyId?: string;
            /** @description Transactions in the batch. */
            readonly count: number;
            readonly completedCount: number;
            readonly failedCount: number;
            /** @description Whole francs paid out so far, without fees. */
            readonly completedAmount: number;
            /** @description Whole francs that failed so far, without fees. */
            readonly failedAmount: number;
            /** @description Fees of what was paid out so far. */
            readonly completedFee: number;
            /** @description Present and true when there are more transactions than are shown here. */
            readonly transactionsTruncated?: boolean;
            readonly transactions: readonly components["schemas"]["Transaction"][];
        };
        /**
         * Batch without its transactions
         * @example {
         *       "id": "bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "totalAmount": 25000,
         *       "totalFee": 0,
         *       "status": "processing",
         *       "count": 1,
         *       "completedCount": 0,
         *       "failedCount": 0,
         *       "completedAmount": 0,
         *       "failedAmount": 0,
         *       "completedFee": 0
         *     }
         */
        readonly BatchSummary: {
            /**
             * @description The batch's id.
             * @example bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            readonly totalAmount: number;
            readonly totalFee: number;
            /** @enum {string} */
            readonly status: "processing" | "completed" | "partially_completed" | "failed";
            readonly subCompanyId?: string;
            /** @description Transactions in the batch. */
            readonly count: number;
            readonly completedCount: number;
            readonly failedCount: number;
            /** @description Whole francs paid out so far, without fees. */
            readonly completedAmount: number;
            /** @description Whole francs that failed so far, without fees. */
            readonly failedAmount: number;
            /** @description Fees of what was paid out so far. */
            readonly completedFee: number;
        };
        /** Notification of transactions/started */
        readonly TransactionStarted: {
            readonly data: {
                /**
                 * @description The transaction's id.
                 * @example txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
                 */
                readonly id: string;
                /** @description Whole francs (XOF). */
                readonly amount: number;
                readonly fee: number;
                /** @description amount + fee. */
                readonly totalAmount: number;
                /** @description As the caller wrote it. */
                readonly msisdn: string;
                /** @enum {string} */
                readonly status: "pending";
                /** @description The caller's own, unique for ever. */
                readonly reference: string;
                /** @enum {string} */
                readonly type: "transfer";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly updatedAt: string;
                readonly failureReason: null;
                readonly description: string | null;
            };
            /** @enum {string} */
            readonly topic: "transactions/started";
        };
        /** Notification of transactions/completed */
        readonly TransactionCompleted: {
            readonly data: {
                /**
                 * @description The transaction's id.
                 * @example txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
                 */
                readonly id: string;
                /** @description Whole francs (XOF). */
                readonly amount: number;
                readonly fee: number;
                /** @description amount + fee. */
                readonly totalAmount: number;
                /** @description As the caller wrote it. */
                readonly msisdn: string;
                /** @enum {string} */
                readonly status: "completed";
                /** @description The caller's own, unique for ever. */
                readonly reference: string;
                /** @enum {string} */
                readonly type: "transfer";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly updatedAt: string;
                readonly failureReason: null;
                readonly description: string | null;
                /** @description Present when sent as part of a batch. */
                readonly batchId?: string;
                /** @description What the recipient sees. */
                readonly serviceTransactionReference: string;
            };
            /** @enum {string} */
            readonly topic: "transactions/completed";
        };
        /** Notification of transactions/failed */
        readonly TransactionFailed: {
            readonly data: {
                /**
                 * @description The transaction's id.
                 * @example txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
                 */
                readonly id: string;
                /** @description Whole francs (XOF). */
                readonly amount: number;
                readonly fee: number;
                /** @description amount + fee. */
                readonly totalAmount: number;
                /** @description As the caller wrote it. */
                readonly msisdn: string;
                /** @enum {string} */
                readonly status: "failed";
                /** @description The caller's own, unique for ever. */
                readonly reference: string;
                /** @enum {string} */
                readonly type: "transfer";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly updatedAt: string;
                /** @enum {string} */
                readonly failureReason: "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" | "SERVICE_ACCOUNT_NOT_FOUND" | "INTERNAL_ERROR" | "UNKNOWN_ERROR";
                readonly description: string | null;
                /** @description Present when sent as part of a batch. */
                readonly batchId?: string;
            };
            /** @enum {string} */
            readonly topic: "transactions/failed";
        };
        /** Notification of batches/completed */
        readonly BatchCompleted: {
            readonly data: {
                /**
                 * @description The batch's id.
                 * @example bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
                 */
                readonly id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly updatedAt: string;
                readonly totalAmount: number;
                readonly totalFee: number;
                /** @enum {string} */
                readonly status: "completed" | "partially_completed" | "failed";
                readonly subCompanyId?: string;
                /** @description Transactions in the batch. */
                readonly count: number;
                readonly completedCount: number;
                readonly failedCount: number;
                /** @description Whole francs paid out so far, without fees. */
                readonly completedAmount: number;
                /** @description Whole francs that failed so far, without fees. */
                readonly failedAmount: number;
                /** @description Fees of what was paid out so far. */
                readonly completedFee: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly completedAt: string;
            };
            /** @enum {string} */
            readonly topic: "batches/completed";
        };
        /**
         * Charge transaction
         * @example {
         *       "id": "019b2d60-1f4e-7c0f-8000-b2c3d4e5f6a1",
         *       "createdAt": "2026-01-31T09:15:58.606Z",
         *       "recipientMsisdn": "+2250700000000",
         *       "providerTransactionReference": "1JB2-K4ZQ-7M3N-VX0A",
         *       "amount": 15000,
         *       "service": "wallet",
         *       "status": "completed",
         *       "type": "payment",
         *       "error": null
         *     }
         */
        readonly ChargeTransaction: {
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /** @description The payer, as written when paying. */
            readonly recipientMsisdn: string;
            /** @description What the payer sees. */
            readonly providerTransactionReference: string;
            readonly amount: number;
            /**
             * @description What was paid with.
             * @example wallet
             */
            readonly service: string;
            /** @enum {string} */
            readonly status: "pending" | "completed" | "failed";
            /** @enum {string} */
            readonly type: "payment" | "refund";
            /**
             * @description Null unless failed.
             * @enum {string|null}
             */
            readonly error: "INSUFFICIENT_FUNDS" | "ACCOUNT_NOT_FOUND" | "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" | "DECLINED" | "INTERNAL_ERROR" | null;
            /** @description The reason of a refund, as the caller wrote it. Absent when none was given. */
            readonly reason?: string;
        };
        /**
         * Charge
         * @example {
         *       "id": "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "expiresAt": "2026-01-31T10:15:00.000Z",
         *       "paidAt": null,
         *       "externalId": "order-2026-0142",
         *       "description": "Order 142",
         *       "currency": "XOF",
         *       "amount": 15000,
         *       "due": 15000,
         *       "fees": {
         *         "currency": "XOF",
         *         "rate": 0.01,
         *         "value": 150
         *       },
         *       "status": "created",
         *       "droppedReason": null,
         *       "paid": 0,
         *       "refunded": 0,
         *       "attempts": 0,
         *       "metadata": {
         *         "table": "7"
         *       },
         *       "paymentUrl": "http://127.0.0.1:8080/pay/AZstXzp8fA-AAKGyw9Tl9gGbLV86fHwPgACxssPU5fYJ2yWmE0u7pQe4rRk1XoZc",
         *       "transactions": []
         *     }
         */
        readonly Charge: {
            /**
             * @description The charge's id.
             * @example 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null until then.
             */
            readonly paidAt: string | null;
            /** @description The caller's own, unique for ever. */
            readonly externalId: string;
            readonly description: string;
            /** @example XOF */
            readonly currency: string;
            /** @description Whole francs to collect. */
            readonly amount: number;
            /** @description What is not paid: amount, or 0 once paid. */
            readonly due: number;
            /** @description The company is credited amount less value; refunds give back their share. */
            readonly fees: {
                readonly currency: string;
                /** @description A share of the amount. */
                readonly rate: number;
                /** @description Whole francs, half up. */
                readonly value: number;
            };
            /**
             * @description created in the answer to the creation, never later.
             * @enum {string}
             */
            readonly status: "created" | "due" | "paid" | "dropped" | "refunded_partially" | "refunded";
            /**
             * @description Null unless dropped: its time was over, or the payer gave up.
             * @enum {string|null}
             */
            readonly droppedReason: "EXPIRED" | "CANCELED" | null;
            readonly paid: number;
            readonly refunded: number;
            /** @description Attempts to pay, failed ones included. */
            readonly attempts: number;
            /** @description As given; {} when none was. */
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            /** @description Where to send the payer. */
            readonly paymentUrl: string;
            /** @description Payments, failed ones included, and refunds, in the order they happened. */
            readonly transactions: readonly components["schemas"]["ChargeTransaction"][];
            /** @description Present when asked on behalf of a sub-company. */
            readonly subCompanyId?: string;
        };
        /**
         * Charge after a simulated payment
         * @example {
         *       "id": "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:58.606Z",
         *       "expiresAt": "2026-01-31T10:15:00.000Z",
         *       "paidAt": "2026-01-31T09:15:58.606Z",
         *       "externalId": "order-2026-0142",
         *       "description": "Order 142",
         *       "currency": "XOF",
         *       "amount": 15000,
         *       "due": 0,
         *       "fees": {
         *         "currency": "XOF",
         *         "rate": 0.01,
         *         "value": 150
         *       },
         *       "status": "paid",
         *       "droppedReason": null,
         *       "paid": 15000,
         *       "refunded": 0,
         *       "attempts": 1,
         *       "metadata": {
         *         "table": "7"
         *       },
         *       "paymentUrl": "http://127.0.0.1:8080/pay/AZstXzp8fA-AAKGyw9Tl9gGbLV86fHwPgACxssPU5fYJ2yWmE0u7pQe4rRk1XoZc",
         *       "transactions": [
         *         {
         *           "id": "019b2d60-1f4e-7c0f-8000-b2c3d4e5f6a1",
         *           "createdAt": "2026-01-31T09:15:58.606Z",
         *           "recipientMsisdn": "+2250700000000",
         *           "providerTransactionReference": "1JB2-K4ZQ-7M3N-VX0A",
         *           "amount": 15000,
         *           "service": "wallet",
         *           "status": "completed",
         *           "type": "payment",
         *           "error": null
         *         }
         *       ],
         *       "webRedirectionUrl": "https://shop.example.com/thanks?order=142&chargeId=019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6&externalId=order-2026-0142"
         *     }
         */
        readonly PaidCharge: {
            /**
             * @description The charge's id.
             * @example 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null until then.
             */
            readonly paidAt: string | null;
            /** @description The caller's own, unique for ever. */
            readonly externalId: string;
            readonly description: string;
            /** @example XOF */
            readonly currency: string;
            /** @description Whole francs to collect. */
            readonly amount: number;
            /** @description What is not paid: amount, or 0 once paid. */
            readonly due: number;
            /** @description The company is credited amount less value; refunds give back their share. */
            readonly fees: {
                readonly currency: string;
                /** @description A share of the amount. */
                readonly rate: number;
                /** @description Whole francs, half up. */
                readonly value: number;
            };
            /**
             * @description created in the answer to the creation, never later.
             * @enum {string}
             */
            readonly status: "created" | "due" | "paid" | "dropped" | "refunded_partially" | "refunded";
            /**
             * @description Null unless dropped: its time was over, or the payer gave up.
             * @enum {string|null}
             */
            readonly droppedReason: "EXPIRED" | "CANCELED" | null;
            readonly paid: number;
            readonly refunded: number;
            /** @description Attempts to pay, failed ones included. */
            readonly attempts: number;
            /** @description As given; {} when none was. */
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            /** @description Where to send the payer. */
            readonly paymentUrl: string;
            /** @description Payments, failed ones included, and refunds, in the order they happened. */
            readonly transactions: readonly components["schemas"]["ChargeTransaction"][];
            /** @description Present when asked on behalf of a sub-company. */
            readonly subCompanyId?: string;
            /** @description Where the payer's browser would go now: the company's own address, with chargeId and externalId in the query; the payment page while the charge is due. */
            readonly webRedirectionUrl: string;
        };
        /** Notification of charge/events */
        readonly ChargeEvent: {
            readonly data: {
                /**
                 * @description The charge's id.
                 * @example 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6
                 */
                readonly id: string;
                /** @description The caller's own, unique for ever. */
                readonly externalId: string;
                readonly description: string;
                /** @example XOF */
                readonly currency: string;
                /** @description Whole francs to collect. */
                readonly amount: number;
                /** @description What is not paid: amount, or 0 once paid. */
                readonly due: number;
                /** @enum {string} */
                readonly status: "paid" | "dropped" | "refunded_partially" | "refunded";
                /**
                 * @description Null unless dropped: its time was over, or the payer gave up.
                 * @enum {string|null}
                 */
                readonly droppedReason: "EXPIRED" | "CANCELED" | null;
                readonly paid: number;
                readonly refunded: number;
                /** @description Attempts to pay, failed ones included. */
                readonly attempts: number;
                /** @description As given; {} when none was. */
                readonly metadata: {
                    readonly [key: string]: unknown;
                };
            };
            /** @enum {string} */
            readonly topic: "charge/events";
        };
        /**
         * StatementLine
         * @example {
         *       "number": 4211,
         *       "at": "2026-01-31T09:15:00.120Z",
         *       "kind": "transfer",
         *       "amount": -5050,
         *       "fee": 50,
         *       "balanceAfter": 994950,
         *       "id": "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *       "chargeId": null,
         *       "reference": "salary-2026-01-awa",
         *       "externalId": null,
         *       "serviceTransactionReference": "1JB2-K4ZQ-7M3N-VX0A",
         *       "msisdn": "2250700000000",
         *       "subCompanyId": null,
         *       "subCompanyName": null,
         *       "batchId": null,
         *       "memo": "January"
         *     }
         */
        readonly StatementLine: {
            /** @description Of the posting. Grows from line to line, with gaps. */
            readonly number: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly at: string;
            /**
             * @description What the money moved for; other is what this release does not know.
             * @enum {string}
             */
            readonly kind: "funding" | "withdrawal" | "adjustment" | "transfer" | "transfer_returned" | "payment" | "refund" | "other";
            /** @description The signed change of the balance, fee included. */
            readonly amount: number;
            /** @description How much of it was a fee: paid when positive, given back when negative. */
            readonly fee: number;
            readonly balanceAfter: number;
            /** @description Of the transaction, payment, refund or funding. */
            readonly id: string;
            readonly chargeId: string | null;
            readonly reference: string | null;
            readonly externalId: string | null;
            readonly serviceTransactionReference: string | null;
            readonly msisdn: string | null;
            readonly subCompanyId: string | null;
            readonly subCompanyName: string | null;
            readonly batchId: string | null;
            readonly memo: string | null;
        };
        /** Statement */
        readonly Statement: {
            /** @description The first moment; null: from the beginning. */
            readonly from: string | null;
            /** @description The last moment; null: up to now. */
            readonly to: string | null;
            /** @example XOF */
            readonly currency: string;
            /** @description Before the first line. Of a sub-company: what its lines before sum to. */
            readonly openingBalance: number;
            /** @description openingBalance and all lines, of every page. */
            readonly closingBalance: number;
            /** @description Of all lines, of every page, by kind. */
            readonly totals: readonly {
                /**
                 * @description What the money moved for; other is what this release does not know.
                 * @enum {string}
                 */
                readonly kind: "funding" | "withdrawal" | "adjustment" | "transfer" | "transfer_returned" | "payment" | "refund" | "other";
                readonly count: number;
                readonly amount: number;
                readonly fee: number;
            }[];
            /** @description Lines in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards earlier lines. */
                readonly prev: string | null;
                /** @description Towards later lines of the same statement, cut where this one is. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["StatementLine"][];
        };
        /** Seal */
        readonly Seal: {
            readonly companyId: string;
            /** @example 2026-01-31 */
            readonly day: string;
            /**
             * Format: date-time
             * @description When that day was over in the company's time zone.
             */
            readonly until: string;
            /** @description Of the last posting of that day. */
            readonly number: number;
            /** @description After it. */
            readonly balance: number;
            /** @description Stands for that posting and for every one before it. */
            readonly hash: string;
            /** @description How far the company's audit log was. */
            readonly trail?: {
                /** @description Of the last entry when the day was sealed. */
                readonly number: number;
                /** @description Stands for that entry and for every one before it. */
                readonly hash: string;
            };
            /** @description How far the audit log was of what concerns no company; it names those of people and customers. */
            readonly installation?: {
                /** @description Of the last entry when the day was sealed. */
                readonly number: number;
                /** @description Stands for that entry and for every one before it. */
                readonly hash: string;
            };
            /** @description Which of the operator's keys signed. */
            readonly keyId: string;
            /** @description That key: 32 bytes of Ed25519 in base64. */
            readonly publicKey: string;
            /** @description Ed25519, in base64; see docs/statements.md. */
            readonly signature: string;
        };
        /** Notification of statements/sealed */
        readonly StatementSealed: {
            readonly data: components["schemas"]["Seal"];
            /** @enum {string} */
            readonly topic: "statements/sealed";
        };
        /**
         * Webhook
         * @example {
         *       "id": "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.000Z",
         *       "topic": "transactions/completed",
         *       "url": "https://shop.example.com/hooks/cauri",
         *       "disabledAt": null,
         *       "disabledReason": null,
         *       "testEvent": {
         *         "sentAt": "2026-01-31T09:15:00.310Z",
         *         "statusCode": 204,
         *         "error": null
         *       }
         *     }
         */
        readonly Webhook: {
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            /** @enum {string} */
            readonly topic: "transactions/started" | "transactions/completed" | "transactions/failed" | "batches/completed" | "charge/events" | "statements/sealed";
            readonly url: string;
            /** @description When nothing more was sent to it; null while it is in service. */
            readonly disabledAt: string | null;
            readonly disabledReason: string | null;
            /** @description What the url answered to its last test event; null before the first answer. Whatever it is, notifications follow. */
            readonly testEvent: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly sentAt: string;
                /** @description Null when no answer came. */
                readonly statusCode: number | null;
                /** @description Why no answer came. */
                readonly error: string | null;
            } | null;
        };
        /** Test event */
        readonly WebhookTest: {
            /** @description Which webhook it is for, and when it was sent. */
            readonly data: {
                /** @description The webhook whose url is tried. */
                readonly webhookId: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
            };
            /** @enum {string} */
            readonly topic: "webhooks/test";
        };
        /**
         * Delivery
         * @example {
         *       "id": "42",
         *       "webhookId": "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
         *       "topic": "transactions/completed",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "nextAttemptAt": null,
         *       "waitingFor": null,
         *       "createdAt": "2026-01-31T09:15:00.000Z",
         *       "updatedAt": "2026-01-31T09:15:00.210Z",
         *       "log": [
         *         {
         *           "attempt": 1,
         *           "startedAt": "2026-01-31T09:15:00.120Z",
         *           "durationMs": 90,
         *           "statusCode": 200,
         *           "error": null,
         *           "response": "ok"
         *         }
         *       ]
         *     }
         */
        readonly Delivery: {
            /** @description Unique within its webhook. */
            readonly id: string;
            readonly webhookId: string;
            /** @enum {string} */
            readonly topic: "transactions/started" | "transactions/completed" | "transactions/failed" | "batches/completed" | "charge/events" | "statements/sealed";
            /**
             * @description blocked waits for an earlier event of the same object; superseded was given up because its transaction has ended.
             * @enum {string}
             */
            readonly status: "pending" | "blocked" | "delivered" | "failed" | "superseded" | "cancelled";
            readonly attempts: number;
            /** @description When it is tried next, as things stand; never in the past. */
            readonly nextAttemptAt: string | null;
            /**
             * @description Why it is not sent now. retry: the pause after its last attempt. circuit_breaker: its url failed ten times in a row and is probed. new_address: its url has never answered 2xx and gets four requests a minute. earlier_event: an earlier event of the same object comes first.
             * @enum {string|null}
             */
            readonly waitingFor: "retry" | "circuit_breaker" | "new_address" | "earlier_event" | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T09:15:00.000Z
             */
            readonly updatedAt: string;
            readonly log: readonly {
                readonly attempt: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly startedAt: string;
                readonly durationMs: number;
                readonly statusCode: number | null;
                readonly error: string | null;
                /** @description The first KB of the answer. */
                readonly response: string | null;
            }[];
        };
        /**
         * Events
         * @example {
         *       "count": 1,
         *       "lastSequence": 1042,
         *       "hasMore": false,
         *       "data": [
         *         {
         *           "sequence": 1042,
         *           "topic": "transactions/completed",
         *           "createdAt": "2026-01-31T09:15:00.120Z",
         *           "payload": {
         *             "data": {
         *               "id": "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
         *               "status": "completed"
         *             },
         *             "topic": "transactions/completed"
         *           }
         *         }
         *       ]
         *     }
         */
        readonly Events: {
            /** @description Events in data. */
            readonly count: number;
            /** @description after of the next request. It moves past events of other topics too; keep it even when data is empty. */
            readonly lastSequence: number;
            /** @description Whether more has happened already: ask again at once. */
            readonly hasMore: boolean;
            readonly data: readonly {
                /** @description 1, 2, 3 … for each account, without gaps, in the order in which it happened. */
                readonly sequence: number;
                /** @enum {string} */
                readonly topic: "transactions/started" | "transactions/completed" | "transactions/failed" | "batches/completed" | "charge/events" | "statements/sealed";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
                /** @description The body that a webhook of this topic is sent. */
                readonly payload: {
                    readonly topic: string;
                    readonly data: {
                        readonly [key: string]: unknown;
                    };
                };
            }[];
        };
        /** @description The keys. */
        readonly GetLedgerKeysAnswer: {
            /** @enum {string} */
            readonly algorithm: "Ed25519";
            /** @description Newest first: the first one signs, the others have signed before. */
            readonly keys: readonly {
                /** @description The first 32 digits of the key's SHA-256. */
                readonly id: string;
                /** @description 32 bytes in base64. */
                readonly publicKey: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                readonly createdAt: string;
            }[];
        };
        readonly CreateTransactionBody: {
            /** @enum {string} */
            readonly type: "transfer";
            /** @description Whole francs; 5 000 to 500 000 unless agreed otherwise. */
            readonly amount: number;
            /** @description 8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before. */
            readonly msisdn: string;
            /** @description 1 to 255 characters, without blanks at the ends and without control characters. Unique for ever; compared in Unicode's form NFC. */
            readonly reference: string;
            /**
             * @description May be left out: nothing else is accepted.
             * @enum {string}
             */
            readonly currency?: "XOF";
            /** @description Any names and values, returned as given; at most 16 KB. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            readonly description?: string | null;
            readonly subCompanyId?: string | null;
        };
        readonly ListTransactionsQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
            readonly reference?: string;
            /** @description What the recipient sees, with or without its hyphens, in any letter case. */
            readonly serviceTransactionReference?: string;
            /** @enum {string} */
            readonly status?: "pending" | "completed" | "failed";
            /** @description 8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before. */
            readonly msisdn?: string;
            readonly batchId?: string;
            readonly subCompanyId?: string;
            /** @description ISO 8601; this moment included. */
            readonly createdFrom?: string;
            /** @description ISO 8601; this moment included. */
            readonly createdTo?: string;
        };
        readonly ListTransactionsAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Transaction"][];
        };
        readonly CreateBatchBody: {
            readonly transactions: readonly {
                /** @enum {string} */
                readonly type?: "transfer";
                /** @description Whole francs; 5 000 to 500 000 unless agreed otherwise. */
                readonly amount: number;
                /** @description 8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before. */
                readonly msisdn: string;
                /** @description 1 to 255 characters, without blanks at the ends and without control characters. Unique for ever; compared in Unicode's form NFC. */
                readonly reference: string;
                /**
                 * @description May be left out: nothing else is accepted.
                 * @enum {string}
                 */
                readonly currency?: "XOF";
                /** @description Any names and values, returned as given; at most 16 KB. */
                readonly metadata?: {
                    readonly [key: string]: unknown;
                } | null;
                readonly description?: string | null;
                readonly subCompanyId?: string | null;
            }[];
            /**
             * @description May be left out: nothing else is accepted.
             * @enum {string}
             */
            readonly currency?: "XOF";
            readonly subCompanyId?: string | null;
        };
        readonly ListBatchTransactionsQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
            /** @enum {string} */
            readonly status?: "pending" | "completed" | "failed";
        };
        readonly ListBatchTransactionsAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Transaction"][];
        };
        readonly ListBatchesQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListBatchesAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["BatchSummary"][];
        };
        readonly LookUpTransactionsBody: {
            readonly references: readonly string[];
        };
        /** @description The transactions that there are. */
        readonly LookUpTransactionsAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly data: readonly components["schemas"]["Transaction"][];
        };
        /** @description The account's own terms. */
        readonly GetCompanyAnswer: {
            /**
             * @description The company's id.
             * @example com_019b2d5f3a7c7c0f8000a1b2c3d4e5f6
             */
            readonly id: string;
            readonly name: string;
            /** @example XOF */
            readonly currency: string;
            /** @description ISO 3166. Phone numbers of it may be written without country code. */
            readonly country: string;
            readonly timeZone: string;
            readonly transferAmount: {
                readonly min: number;
                readonly max: number;
            };
            /** @description Whole francs, half up. */
            readonly transferFee: {
                /** @description A share of the amount, such as 0.01. */
                readonly rate: number;
                /** @description Added to each. */
                readonly flat: number;
                /** @description The least that a fee is. */
                readonly min: number;
                /** @description The most that a fee is. */
                readonly max: number | null;
            };
            /** @description What answers: in staging no money is real. */
            readonly service: {
                readonly version: string;
                /** @enum {string} */
                readonly environment: "staging" | "production";
                /** @description The word in the names of the headers of notifications. */
                readonly brand: string;
                /** @description Whose transfers and payments are completed, and whose fail; null in production. */
                readonly testNumbers: {
                    readonly success: string;
                    readonly failure: string;
                } | null;
            };
        };
        readonly CreateChargeBody: {
            /** @description Whole francs; 1 to 200 000 000 unless agreed otherwise. */
            readonly amount: number;
            /**
             * @description May be left out: nothing else is accepted.
             * @enum {string}
             */
            readonly currency?: "XOF";
            /** @description 1 to 255 characters, without blanks at the ends and without control characters. Unique for ever; compared in Unicode's form NFC. */
            readonly externalId: string;
            /** @description 1 to 1000 characters. */
            readonly description: string;
            /** @description An http or https URL of at most 2048 characters; localhost only outside production. */
            readonly onCanceledRedirectionUrl: string;
            /** @description An http or https URL of at most 2048 characters; localhost only outside production. */
            readonly onCompletedRedirectionUrl: string;
            /** @description Any names and values, returned as given; at most 16 KB. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            readonly subCompanyId?: string | null;
        };
        readonly ListChargesQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
            readonly externalId?: string;
            readonly subCompanyId?: string;
            /** @enum {string} */
            readonly status?: "due" | "paid" | "dropped" | "refunded_partially" | "refunded";
            /** @description ISO 8601; this moment included. */
            readonly createdFrom?: string;
            /** @description ISO 8601; this moment included. */
            readonly createdTo?: string;
        };
        readonly ListChargesAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Charge"][];
        };
        readonly RefundChargeBody: {
            /** @description Whole francs; all that is left when absent. */
            readonly amount?: number;
            /** @description Why, at most 255 characters: kept, and shown with the refund. */
            readonly reason?: string;
        };
        readonly PayChargeBody: {
            /** @description 8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before. */
            readonly recipientMsisdn: string;
        };
        readonly CheckCustomerQuery: {
            /** @description 8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before. */
            readonly msisdn: string;
            readonly subCompanyId?: string;
        };
        /** @description Who it is; every field says unknown when there is nobody. */
        readonly CheckCustomerAnswer: {
            /**
             * @description complete means identified; unknown means that there is nobody.
             * @enum {string}
             */
            readonly kycStatus: "complete" | "pending" | "incomplete" | "rejected" | "unknown";
            readonly firstName: string;
            readonly lastName: string;
        };
        readonly CheckCustomersBody: {
            readonly msisdns: readonly string[];
        };
        /** @description Who they are; every field says unknown where there is nobody. */
        readonly CheckCustomersAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly data: readonly {
                /** @description As the caller wrote it. */
                readonly msisdn: string;
                /**
                 * @description complete means identified; unknown means that there is nobody.
                 * @enum {string}
                 */
                readonly kycStatus: "complete" | "pending" | "incomplete" | "rejected" | "unknown";
                readonly firstName: string;
                readonly lastName: string;
                /** @description The most that this account may ever hold, so that more can never be sent to it: 0 while it can receive nothing, null for any amount. What it holds now is not told. */
                readonly amountMax: number | null;
            }[];
        };
        /** @description What can be spent now. */
        readonly GetBalanceAnswer: {
            readonly balance: number;
            /** @example XOF */
            readonly currency: string;
        };
        readonly CreateSubCompanyBody: {
            /** @description 1 to 100 characters. */
            readonly name: string;
            /** @description An http or https URL. */
            readonly logoUrl: string;
        };
        readonly ListSubCompaniesQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListSubCompaniesAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["SubCompany"][];
        };
        readonly UpdateSubCompanyBody: {
            /** @description 1 to 100 characters. */
            readonly name?: string;
            /** @description An http or https URL. */
            readonly logoUrl?: string;
            readonly isActive?: boolean;
        };
        readonly GetStatementQuery: {
            /** @description A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent. */
            readonly from?: string;
            /** @description A day or a moment, included. Up to now when absent. */
            readonly to?: string;
            /** @description Its lines alone, and what they sum to. */
            readonly subCompanyId?: string;
            /** @description Lines per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListSealsQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListSealsAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Seal"][];
        };
        readonly ExportStatementAsCsvQuery: {
            /** @description A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent. */
            readonly from?: string;
            /** @description A day or a moment, included. Up to now when absent. */
            readonly to?: string;
            /** @description Its lines alone, and what they sum to. */
            readonly subCompanyId?: string;
            /**
             * @description machine has commas; excel-fr has semicolons, a mark that it is UTF-8, and headings for people.
             * @enum {string}
             */
            readonly dialect?: "machine" | "excel-fr";
            /**
             * @description Of headings and pages; when absent, that of Accept-Language, else French.
             * @enum {string}
             */
            readonly lang?: "fr" | "en";
        };
        readonly ExportStatementAsXlsxQuery: {
            /** @description A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent. */
            readonly from?: string;
            /** @description A day or a moment, included. Up to now when absent. */
            readonly to?: string;
            /** @description Its lines alone, and what they sum to. */
            readonly subCompanyId?: string;
            /**
             * @description Of headings and pages; when absent, that of Accept-Language, else French.
             * @enum {string}
             */
            readonly lang?: "fr" | "en";
        };
        readonly ExportStatementAsPdfQuery: {
            /** @description A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent. */
            readonly from?: string;
            /** @description A day or a moment, included. Up to now when absent. */
            readonly to?: string;
            /** @description Its lines alone, and what they sum to. */
            readonly subCompanyId?: string;
            /**
             * @description Of headings and pages; when absent, that of Accept-Language, else French.
             * @enum {string}
             */
            readonly lang?: "fr" | "en";
        };
        readonly CreateWebhookBody: {
            /**
             * @description What to be told of. The spellings transaction/… and charges/… are read as these.
             * @enum {string}
             */
            readonly topic: "transactions/started" | "transactions/completed" | "transactions/failed" | "batches/completed" | "charge/events" | "statements/sealed";
            /** @description https in production. */
            readonly url: string;
        };
        readonly ListWebhooksQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListWebhooksAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Webhook"][];
        };
        readonly ListDeliveriesQuery: {
            /** @description Rows per page; 15 when absent. */
            readonly limit?: number;
            /** @description cursor.next or cursor.prev of another page. */
            readonly cursor?: string;
        };
        readonly ListDeliveriesAnswer: {
            /** @description Rows in data. */
            readonly count: number;
            readonly limit: number;
            readonly cursor: {
                /** @description Towards newer rows; null on the first page. */
                readonly prev: string | null;
                /** @description Towards older rows; null on the last page. */
                readonly next: string | null;
            };
            readonly data: readonly components["schemas"]["Delivery"][];
        };
        readonly ListEventsQuery: {
            /** @description lastSequence of the answer before. Absent: from the first event that is kept. latest: only what happens from now on. */
            readonly after?: string;
            /** @description Of transactions/started, transactions/completed, transactions/failed, batches/completed, charge/events, statements/sealed, with commas between them. Absent: all. */
            readonly topics?: string;
            /** @description Events in one answer; 100 when absent. */
            readonly limit?: number;
            /** @description Seconds to wait for an event when there is none. Absent or 0: the answer comes at once. */
            readonly wait?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ErrorBody = components['schemas']['ErrorBody'];
export type SubCompany = components['schemas']['SubCompany'];
export type Transaction = components['schemas']['Transaction'];
export type Batch = components['schemas']['Batch'];
export type BatchSummary = components['schemas']['BatchSummary'];
export type TransactionStarted = components['schemas']['TransactionStarted'];
export type TransactionCompleted = components['schemas']['TransactionCompleted'];
export type TransactionFailed = components['schemas']['TransactionFailed'];
export type BatchCompleted = components['schemas']['BatchCompleted'];
export type ChargeTransaction = components['schemas']['ChargeTransaction'];
export type Charge = components['schemas']['Charge'];
export type PaidCharge = components['schemas']['PaidCharge'];
export type ChargeEvent = components['schemas']['ChargeEvent'];
export type StatementLine = components['schemas']['StatementLine'];
export type Statement = components['schemas']['Statement'];
export type Seal = components['schemas']['Seal'];
export type StatementSealed = components['schemas']['StatementSealed'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type Delivery = components['schemas']['Delivery'];
export type Events = components['schemas']['Events'];
export type GetLedgerKeysAnswer = components['schemas']['GetLedgerKeysAnswer'];
export type CreateTransactionBody = components['schemas']['CreateTransactionBody'];
export type ListTransactionsQuery = components['schemas']['ListTransactionsQuery'];
export type ListTransactionsAnswer = components['schemas']['ListTransactionsAnswer'];
export type CreateBatchBody = components['schemas']['CreateBatchBody'];
export type ListBatchTransactionsQuery = components['schemas']['ListBatchTransactionsQuery'];
export type ListBatchTransactionsAnswer = components['schemas']['ListBatchTransactionsAnswer'];
export type ListBatchesQuery = components['schemas']['ListBatchesQuery'];
export type ListBatchesAnswer = components['schemas']['ListBatchesAnswer'];
export type LookUpTransactionsBody = components['schemas']['LookUpTransactionsBody'];
export type LookUpTransactionsAnswer = components['schemas']['LookUpTransactionsAnswer'];
export type GetCompanyAnswer = components['schemas']['GetCompanyAnswer'];
export type CreateChargeBody = components['schemas']['CreateChargeBody'];
export type ListChargesQuery = components['schemas']['ListChargesQuery'];
export type ListChargesAnswer = components['schemas']['ListChargesAnswer'];
export type RefundChargeBody = components['schemas']['RefundChargeBody'];
export type PayChargeBody = components['schemas']['PayChargeBody'];
export type CheckCustomerQuery = components['schemas']['CheckCustomerQuery'];
export type CheckCustomerAnswer = components['schemas']['CheckCustomerAnswer'];
export type CheckCustomersBody = components['schemas']['CheckCustomersBody'];
export type CheckCustomersAnswer = components['schemas']['CheckCustomersAnswer'];
export type GetBalanceAnswer = components['schemas']['GetBalanceAnswer'];
export type CreateSubCompanyBody = components['schemas']['CreateSubCompanyBody'];
export type ListSubCompaniesQuery = components['schemas']['ListSubCompaniesQuery'];
export type ListSubCompaniesAnswer = components['schemas']['ListSubCompaniesAnswer'];
export type UpdateSubCompanyBody = components['schemas']['UpdateSubCompanyBody'];
export type GetStatementQuery = components['schemas']['GetStatementQuery'];
export type ListSealsQuery = components['schemas']['ListSealsQuery'];
export type ListSealsAnswer = components['schemas']['ListSealsAnswer'];
export type ExportStatementAsCsvQuery = components['schemas']['ExportStatementAsCsvQuery'];
export type ExportStatementAsXlsxQuery = components['schemas']['ExportStatementAsXlsxQuery'];
export type ExportStatementAsPdfQuery = components['schemas']['ExportStatementAsPdfQuery'];
export type CreateWebhookBody = components['schemas']['CreateWebhookBody'];
export type ListWebhooksQuery = components['schemas']['ListWebhooksQuery'];
export type ListWebhooksAnswer = components['schemas']['ListWebhooksAnswer'];
export type ListDeliveriesQuery = components['schemas']['ListDeliveriesQuery'];
export type ListDeliveriesAnswer = components['schemas']['ListDeliveriesAnswer'];
export type ListEventsQuery = components['schemas']['ListEventsQuery'];
export type ErrorCode =
  | "invalid_request"
  | "unknown_parameter"
  | "invalid_json"
  | "malformed_request"
  | "invalid_cursor"
  | "invalid_idempotency_key"
  | "refund_exceeds_paid"
  | "invalid_token"
  | "insufficient_funds"
  | "company_mismatch"
  | "company_frozen"
  | "transaction_not_found"
  | "batch_not_found"
  | "charge_not_found"
  | "sub_company_not_found"
  | "webhook_not_found"
  | "delivery_not_found"
  | "route_not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "duplicate_reference"
  | "duplicate_external_id"
  | "body_too_large"
  | "unsupported_media_type"
  | "expectation_failed"
  | "sub_company_inactive"
  | "charge_not_payable"
  | "charge_not_refundable"
  | "wallet_frozen"
  | "idempotency_key_reused"
  | "events_unknown"
  | "events_forgotten"
  | "too_many_webhooks"
  | "too_many_sub_companies"
  | "too_many_refunds"
  | "webhook_disabled"
  | "rate_limited"
  | "quota_exceeded"
  | "too_many_exports"
  | "too_many_waiting"
  | "internal_error"
  | "overloaded"
  | "shutting_down"
  | "price_changed"
  | "statement_not_ready"
  | "database_unavailable"
  | "database_waiting"
  | "outcome_unknown";
