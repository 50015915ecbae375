import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  title: "Rembourser",
  of: "Encaissement",
  amount: "Montant à rembourser en F CFA",
  amountHint: (max: string) => `De 1 F${nb}CFA à ${max}, ce qui reste à rembourser.`,
  review: "Voir l’effet",
  effectTitle: "Effet du remboursement",
  payerGets: "Le client reçoit",
  inWords: "En lettres",
  feeBack: "Frais qui vous sont rendus",
  fromBalance: "Débité de votre solde",
  balanceAfter: "Solde après",
  left: "Restera remboursable",
  tooLow: (missing: string) =>
    `Il manque ${missing} sur votre solde : le remboursement ne partirait pas.`,
  approval: "Ce remboursement attendra l’approbation d’une autre personne.",
  alone: "Ce remboursement part dès votre confirmation. Il ne peut pas être annulé.",
  confirm: (amount: string) => `Rembourser ${amount}`,
  ask: (amount: string) => `Demander le remboursement de ${amount}`,
  back: "Modifier",
  done: {
    made: (amount: string) => `${amount} remboursés au client.`,
    waiting: (amount: string) =>
      `Remboursement de ${amount} en attente d’approbation. Rien n’est encore parti.`,
    stopped:
      "Le remboursement n’a pas pu partir. Rien n’a été débité. Voyez ci-dessous ce qui manque.",
  },
  problems: {
    missing: "Écrivez le montant à rembourser.",
    unreadable: "Ce montant n’est pas lisible. Écrivez un nombre entier, par exemple 25000.",
    ambiguous: (text: string) =>
      `«${nb}${text}${nb}» peut se lire de deux façons. Écrivez le montant sans point ni virgule.`,
    outside: (max: string) =>
      `Le montant doit être compris entre 1 et ${max}. Rien n’a été remboursé.`,
    lastPart: (max: number, left: string) =>
      `C’est le dernier remboursement possible (${max} fois au plus) : il doit porter sur tout ce qui reste, ${left}. Rien n’a été remboursé.`,
    changed:
      "Cet encaissement a changé depuis que vous avez vu l’effet. Regardez de nouveau. Rien n’a été remboursé par ce formulaire.",
  },
  notPossible: "Cet encaissement ne peut pas être remboursé. Rien n’a bougé.",
};

export type RefundWords = typeof fr;

const en: RefundWords = {
  title: "Refund",
  of: "Collection",
  amount: "Amount to refund in XOF",
  amountHint: (max) => `From XOF${nb}1 to ${max}, which is what is left to refund.`,
  review: "See the effect",
  effectTitle: "Effect of the refund",
  payerGets: "The customer gets",
  inWords: "In words",
  feeBack: "Fees given back to you",
  fromBalance: "Taken from your balance",
  balanceAfter: "Balance afterwards",
  left: "Still refundable afterwards",
  tooLow: (missing) => `Your balance lacks ${missing}: the refund would not leave.`,
  approval: "This refund will wait for another person’s approval.",
  alone: "This refund leaves as soon as you confirm. It cannot be undone.",
  confirm: (amount) => `Refund ${amount}`,
  ask: (amount) => `Ask to refund ${amount}`,
  back: "Change",
  done: {
    made: (amount) => `${amount} refunded to the customer.`,
    waiting: (amount) => `A refund of ${amount} waits for approval. Nothing has left yet.`,
    stopped: "The refund could not leave. Nothing was debited. See below what stands in its way.",
  },
  problems: {
    missing: "Write the amount to refund.",
    unreadable: "This amount cannot be read. Write a whole number, such as 25000.",
    ambiguous: (text) =>
      `“${text}” can be read in two ways. Write the amount without a point or a comma.`,
    outside: (max) => `The amount has to be from 1 to ${max}. Nothing was refunded.`,
    lastPart: (max, left) =>
      `This is the last refund that is possible (at most ${max}): it has to be of all that is left, ${left}. Nothing was refunded.`,
    changed:
      "This collection has changed since you saw the effect. Look again. Nothing was refunded by this form.",
  },
  notPossible: "This collection cannot be refunded. Nothing has moved.",
};

export const refundWords = inBoth(fr, en);
