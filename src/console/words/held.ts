import { inBoth } from "../in-words.ts";
import { countedEn, countedFr } from "./counts.ts";

const nb = "\u00a0";

const fr = {
  section: "Paiements par clé d’API",
  lead: "Acceptés et réservés sur votre solde, ils ne partent pas avant qu’une personne les ait vérifiés.",
  leadOfOne:
    "Accepté et réservé sur votre solde, il ne part pas avant qu’une personne l’ait vérifié.",
  review: "Vérifier et décider",
  groups: "Retenus",
  groupsShown: (shown: number, total: number) => `Les ${shown} plus anciens sur ${total}`,
  batch: (id: string) => `Lot ${id}`,
  first: "Le plus ancien",
  last: "Le plus récent",
  accepted: "Accepté le",
  count: "Paiements",
  decisions: "Dernières décisions sur les paiements par clé d’API",
  decidedAt: "Décidé le",
  decidedBy: "Par",
  verdict: "Décision",
  verdicts: { approved: "Approuvé", refused: "Refusé" },
  title: "Paiements par clé d’API à décider",
  titleOfBatch: "Lot par clé d’API à décider",
  titleOfOne: (reference: string) => `Virement par clé d’API${nb}: ${reference}`,
  none: "Aucun paiement par clé n’est retenu",
  noneText:
    "Ce que vos programmes envoient au-delà de ce que l’opérateur a convenu avec vous attend ici qu’une personne le vérifie.",
  back: "Toutes les approbations",
  more: (max: string) =>
    `Une décision porte sur ${max} paiements au plus${nb}: voici les plus anciens. Les autres restent retenus.`,
  ownKey: (one: boolean): string =>
    one
      ? "Vous avez créé une clé par laquelle ce paiement a pu venir : une autre personne doit décider."
      : "Vous avez créé une clé par laquelle ces paiements ont pu venir : une autre personne doit décider.",
  mayNot: "Votre rôle permet de voir ces paiements, pas d’en décider.",
  commentHint: "Ces mots restent à côté de chaque virement refusé.",
  refuseHint: "Les virements échouent et l’argent revient sur votre solde.",
  approved: (count: number) =>
    `Approuvé${nb}: ${countedFr(count, "paiement")} ${count < 2 ? "part" : "partent"} maintenant.`,
  refused: (count: number) =>
    `Refusé${nb}: ${countedFr(count, "virement")} ${count < 2 ? "a échoué" : "ont échoué"} et l’argent est revenu sur votre solde.`,
};

const en: typeof fr = {
  section: "Payments by API key",
  lead: "Accepted and set aside from your balance, they do not leave before a person has reviewed them.",
  leadOfOne:
    "Accepted and set aside from your balance, it does not leave before a person has reviewed it.",
  review: "Review and decide",
  groups: "Held",
  groupsShown: (shown, total) => `The ${shown} oldest of ${total}`,
  batch: (id) => `Batch ${id}`,
  first: "The oldest",
  last: "The newest",
  accepted: "Accepted on",
  count: "Payments",
  decisions: "Last decisions about payments by API key",
  decidedAt: "Decided on",
  decidedBy: "By",
  verdict: "Decision",
  verdicts: { approved: "Approved", refused: "Refused" },
  title: "Payments by API key to decide",
  titleOfBatch: "Batch by API key to decide",
  titleOfOne: (reference) => `Transfer by API key: ${reference}`,
  none: "No payment by a key is held",
  noneText:
    "What your programs send beyond what the operator has agreed with you waits here until a person has reviewed it.",
  back: "All approvals",
  more: (max) =>
    `A decision is about ${max} payments at the most: these are the oldest. The others stay held.`,
  ownKey: (one) =>
    `You made a key by which ${one ? "this payment" : "these payments"} could have come: another person has to decide.`,
  mayNot: "Your role lets you see these payments, not decide about them.",
  commentHint: "These words stay beside each transfer that is refused.",
  refuseHint: "The transfers fail and the money comes back to your balance.",
  approved: (count) =>
    `Approved: ${countedEn(count, "payment")} ${count === 1 ? "leaves" : "leave"} now.`,
  refused: (count) =>
    `Refused: ${countedEn(count, "transfer")} failed, and the money is back on your balance.`,
};

export type HeldWords = typeof fr;
export const heldWords = inBoth(fr, en);
