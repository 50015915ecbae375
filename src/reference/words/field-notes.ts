import type { Sentence } from "../../kernel/language.ts";

const francs: Sentence = { en: "Whole francs (XOF).", fr: "Francs entiers (XOF)." };
const notified: Sentence = {
  en: "What became of the object, as it was at that moment.",
  fr: "Ce que l’objet est devenu, tel qu’il était à ce moment.",
};
const ofLine = (en: string, fr: string): Sentence => ({
  en: `${en} Null where there is none.`,
  fr: `${fr} Null s’il n’y en a pas.`,
});

/**
 * What fields are of which the document says no more than their type: by their name, or by their name within something
 * where it means something else there.
 */
export const fieldNotes: Readonly<Record<string, Sentence>> = {
  algorithm: { en: "Of the signatures.", fr: "Celui des signatures." },
  amount: francs,
  attempt: { en: "Which attempt, from 1.", fr: "Quelle tentative, à partir de 1." },
  attempts: { en: "Attempts made so far.", fr: "Tentatives faites jusqu’ici." },
  balance: francs,
  balanceAfter: { en: "The balance after this line.", fr: "Le solde après cette ligne." },
  batchId: { en: "The batch's id.", fr: "L’identifiant du lot." },
  "ChargeTransaction.status": {
    en: "failed leaves the charge due.",
    fr: "failed laisse la demande de paiement due.",
  },
  "ChargeTransaction.type": {
    en: "Money of the payer's, or money given back.",
    fr: "De l’argent du payeur, ou de l’argent rendu.",
  },
  companyId: { en: "The company's id.", fr: "L’identifiant de la société." },
  completedCount: { en: "Transactions that were paid out.", fr: "Transactions exécutées." },
  currency: { en: "Always XOF.", fr: "Toujours XOF." },
  cursor: { en: "Where the other pages are.", fr: "Où sont les autres pages." },
  data: { en: "The rows.", fr: "Les lignes." },
  "BatchCompleted.data": notified,
  "ChargeEvent.data": notified,
  "TransactionCompleted.data": notified,
  "TransactionFailed.data": notified,
  "TransactionStarted.data": notified,
  "StatementSealed.data": notified,
  "payload.data": notified,
  day: { en: "The day that was sealed.", fr: "Le jour scellé." },
  description: { en: "Free text.", fr: "Texte libre." },
  details: {
    en: "One entry for each problem, where there is more to say.",
    fr: "Une entrée par problème, quand il y a plus à dire.",
  },
  "details.code": { en: "A stable word for this problem.", fr: "Un mot stable pour ce problème." },
  "details.message": { en: "The same for a person.", fr: "La même chose pour une personne." },
  durationMs: { en: "How long it took, in milliseconds.", fr: "Sa durée, en millisecondes." },
  error: {
    en: "Why no complete answer came; null when one came.",
    fr: "Pourquoi aucune réponse complète n’est venue ; null s’il en est venu une.",
  },
  failedCount: { en: "Transactions that failed.", fr: "Transactions échouées." },
  failureReason: {
    en: "Why it failed; null otherwise.",
    fr: "Pourquoi elle a échoué ; null sinon.",
  },
  fee: { en: "Whole francs, beside amount.", fr: "Francs entiers, en plus de amount." },
  field: { en: "Which field is meant.", fr: "Le champ en cause." },
  firstName: { en: "unknown when there is nobody.", fr: "unknown s’il n’y a personne." },
  id: { en: "Its id.", fr: "Son identifiant." },
  isActive: {
    en: "false: it cannot be used until it is active again.",
    fr: "false : elle ne peut plus servir jusqu’à ce qu’elle soit réactivée.",
  },
  lastName: { en: "unknown when there is nobody.", fr: "unknown s’il n’y a personne." },
  limit: { en: "Rows that a page has at most.", fr: "Nombre maximal de lignes d’une page." },
  log: { en: "Every attempt of the last 30 days.", fr: "Chaque tentative des 30 derniers jours." },
  logoUrl: { en: "Where its logo was fetched from.", fr: "D’où vient son logo." },
  "log.statusCode": {
    en: "What the receiver answered; null when nothing came.",
    fr: "Ce que le récepteur a répondu ; null si rien n’est venu.",
  },
  max: francs,
  min: francs,
  metadata: {
    en: "As given; null when none was.",
    fr: "Telles que données ; null s’il n’y en avait pas.",
  },
  msisdns: { en: "The numbers to be checked.", fr: "Les numéros à vérifier." },
  name: {
    en: "As recipients and payers see it.",
    fr: "Tel que le voient bénéficiaires et payeurs.",
  },
  paid: { en: "Whole francs paid.", fr: "Francs entiers payés." },
  path: {
    en: "Of the request, without its query.",
    fr: "Celui de la requête, sans ses paramètres.",
  },
  problem: { en: "What is missing.", fr: "Ce qui manque." },
  reference: { en: "Your own.", fr: "La vôtre." },
  references: {
    en: "Your own, as you sent them.",
    fr: "Les vôtres, telles que vous les avez envoyées.",
  },
  externalId: { en: "Your own reference.", fr: "Votre propre référence." },
  refunded: { en: "Whole francs given back.", fr: "Francs entiers remboursés." },
  status: { en: "Where it stands; see the diagrams.", fr: "Son état ; voir les diagrammes." },
  "getHealth.status": { en: "ok.", fr: "ok." },
  "getReadiness.reason": {
    en: "What is missing, in one word: unreachable, not_committing, disk_full, read_only, connections_exhausted, left_behind, not_durable or schema.",
    fr: "Ce qui manque, en un mot : unreachable, not_committing, disk_full, read_only, connections_exhausted, left_behind, not_durable ou schema.",
  },
  "getReadiness.status": { en: "ok or unavailable.", fr: "ok ou unavailable." },
  statusCode: { en: "The HTTP status.", fr: "Le statut HTTP." },
  subCompanyId: {
    en: "On whose behalf: the sub-company's id.",
    fr: "Au nom de qui : l’identifiant de la sous-société.",
  },
  "StatementLine.batchId": ofLine("The batch's id.", "L’identifiant du lot."),
  "StatementLine.chargeId": ofLine("The charge's id.", "L’identifiant de la demande de paiement."),
  "StatementLine.externalId": ofLine("The charge's externalId.", "L’externalId de la demande."),
  "StatementLine.memo": ofLine("What the operator noted.", "Ce que l’opérateur a noté."),
  "StatementLine.msisdn": ofLine("Whose phone number.", "Le numéro de téléphone."),
  "StatementLine.reference": ofLine(
    "The transaction's reference.",
    "La référence de la transaction.",
  ),
  "StatementLine.serviceTransactionReference": ofLine(
    "What the recipient or payer sees.",
    "Ce que voit le bénéficiaire ou le payeur.",
  ),
  "StatementLine.subCompanyId": ofLine(
    "The sub-company's id.",
    "L’identifiant de la sous-société.",
  ),
  "StatementLine.subCompanyName": ofLine("The sub-company's name.", "Le nom de la sous-société."),
  "service.version": { en: "The release that runs.", fr: "La version en service." },
  "service.environment": {
    en: "Whether money is real.",
    fr: "Dit si l’argent est réel.",
  },
  timeZone: { en: "By which its days are counted.", fr: "Celui de ses jours." },
  topic: { en: "What happened.", fr: "Ce qui s’est passé." },
  "Webhook.topic": { en: "What it is told of.", fr: "Ce dont il est averti." },
  totalAmount: { en: "Whole francs, without fees.", fr: "Francs entiers, hors frais." },
  "totals.amount": { en: "The sum of their changes.", fr: "La somme de leurs variations." },
  "totals.count": { en: "How many lines.", fr: "Le nombre de lignes." },
  "totals.fee": { en: "The sum of their fees.", fr: "La somme de leurs frais." },
  totalFee: { en: "Whole francs.", fr: "Francs entiers." },
  transactions: { en: "One for each person.", fr: "Une par personne." },
  transferAmount: { en: "What one transaction may be.", fr: "Ce que peut être une transaction." },
  type: { en: "Always transfer.", fr: "Toujours transfer." },
  url: { en: "Where it is told.", fr: "Où il est averti." },
  disabledReason: { en: "Why nothing more is sent.", fr: "Pourquoi plus rien n’est envoyé." },
  webhookId: { en: "The webhook's id.", fr: "L’identifiant du webhook." },
};
