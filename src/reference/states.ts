import type { Sentence } from "../kernel/language.ts";

export interface State {
  readonly name: string;
  /** What may still change stands on the left. */
  readonly column: 0 | 1;
  readonly row: number;
}

export interface Transition {
  /** Undefined: it begins there. */
  readonly from?: string;
  readonly to: string;
  readonly when: Sentence;
}

export interface StateDiagram {
  readonly id: "transfer" | "batch" | "charge" | "delivery";
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
}

/** How the things of the API change, as they are drawn and told. A test compares the names with the document's. */
export const stateDiagrams: readonly StateDiagram[] = [
  {
    id: "transfer",
    states: [
      { name: "pending", column: 0, row: 0.5 },
      { name: "completed", column: 1, row: 0 },
      { name: "failed", column: 1, row: 1 },
    ],
    transitions: [
      {
        to: "pending",
        when: {
          en: "Accepted: amount and fee are reserved. Event transactions/started.",
          fr: "Acceptée : le montant et les frais sont réservés. Événement transactions/started.",
        },
      },
      {
        from: "pending",
        to: "completed",
        when: {
          en: "The recipient has the money. Event transactions/completed.",
          fr: "Le bénéficiaire a l’argent. Événement transactions/completed.",
        },
      },
      {
        from: "pending",
        to: "failed",
        when: {
          en: "It could not be carried out: everything is back on the account, and failureReason says why. Event transactions/failed.",
          fr: "Elle n’a pas pu être exécutée : tout est revenu sur le compte, et failureReason dit pourquoi. Événement transactions/failed.",
        },
      },
    ],
  },
  {
    id: "batch",
    states: [
      { name: "processing", column: 0, row: 1 },
      { name: "completed", column: 1, row: 0 },
      { name: "partially_completed", column: 1, row: 1 },
      { name: "failed", column: 1, row: 2 },
    ],
    transitions: [
      {
        to: "processing",
        when: {
          en: "Accepted as a whole: all of its money is reserved.",
          fr: "Accepté en entier : tout son argent est réservé.",
        },
      },
      {
        from: "processing",
        to: "completed",
        when: {
          en: "All of its transactions completed. Event batches/completed, as for the two below.",
          fr: "Toutes ses transactions ont abouti. Événement batches/completed, comme pour les deux suivants.",
        },
      },
      {
        from: "processing",
        to: "partially_completed",
        when: { en: "Some completed, some failed.", fr: "Certaines ont abouti, d’autres échoué." },
      },
      {
        from: "processing",
        to: "failed",
        when: { en: "None completed.", fr: "Aucune n’a abouti." },
      },
    ],
  },
  {
    id: "charge",
    states: [
      { name: "created", column: 0, row: 0 },
      { name: "due", column: 0, row: 1 },
      { name: "dropped", column: 1, row: 1 },
      { name: "paid", column: 0, row: 2 },
      { name: "refunded_partially", column: 1, row: 2 },
      { name: "refunded", column: 1, row: 3 },
    ],
    transitions: [
      {
        to: "created",
        when: {
          en: "The answer to the creation says created, and has paymentUrl.",
          fr: "La réponse à la création dit created, et donne paymentUrl.",
        },
      },
      {
        from: "created",
        to: "due",
        when: {
          en: "At once: the payer can pay. A failed attempt leaves it due.",
          fr: "Aussitôt : le payeur peut payer. Une tentative échouée la laisse due.",
        },
      },
      {
        from: "due",
        to: "dropped",
        when: {
          en: "Nobody paid in time, or the payer gave up. Event charge/events, as for all below.",
          fr: "Personne n’a payé à temps, ou le payeur a renoncé. Événement charge/events, comme pour tous les suivants.",
        },
      },
      {
        from: "due",
        to: "paid",
        when: {
          en: "The payer has paid: the money is on the account.",
          fr: "Le payeur a payé : l’argent est sur le compte.",
        },
      },
      {
        from: "paid",
        to: "refunded_partially",
        when: {
          en: "A part was given back; more parts can follow.",
          fr: "Une partie a été remboursée ; d’autres peuvent suivre.",
        },
      },
      {
        from: "paid",
        to: "refunded",
        when: { en: "All was given back.", fr: "Tout a été remboursé." },
      },
      {
        from: "refunded_partially",
        to: "refunded",
        when: { en: "The rest was given back.", fr: "Le reste a été remboursé." },
      },
    ],
  },
  {
    id: "delivery",
    states: [
      { name: "blocked", column: 0, row: 0 },
      { name: "pending", column: 0, row: 1.5 },
      { name: "delivered", column: 1, row: 0 },
      { name: "failed", column: 1, row: 1 },
      { name: "superseded", column: 1, row: 2 },
      { name: "cancelled", column: 1, row: 3 },
    ],
    transitions: [
      {
        to: "blocked",
        when: {
          en: "An earlier event of the same object was not delivered yet.",
          fr: "Un événement antérieur du même objet n’est pas encore livré.",
        },
      },
      { to: "pending", when: { en: "Nothing is in its way.", fr: "Rien ne le retient." } },
      {
        from: "blocked",
        to: "pending",
        when: { en: "The earlier one has ended.", fr: "L’événement antérieur est terminé." },
      },
      {
        from: "pending",
        to: "delivered",
        when: { en: "Your server answered 2xx.", fr: "Votre serveur a répondu 2xx." },
      },
      {
        from: "pending",
        to: "failed",
        when: {
          en: "Twelve attempts failed, over three days, or the answer was 410. redeliver makes it pending again.",
          fr: "Douze tentatives ont échoué, en trois jours, ou la réponse était 410. redeliver le remet en attente.",
        },
      },
      {
        from: "pending",
        to: "superseded",
        when: {
          en: "Its transaction has ended, and that it had started is no news any more.",
          fr: "Sa transaction est terminée : dire qu’elle a commencé n’apprend plus rien.",
        },
      },
      {
        from: "pending",
        to: "cancelled",
        when: {
          en: "Its webhook was disabled or deleted; from blocked too.",
          fr: "Son webhook a été désactivé ou supprimé ; depuis blocked aussi.",
        },
      },
    ],
  },
];
