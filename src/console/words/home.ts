import { inBoth } from "../in-words.ts";
import { countedEn, countedFr } from "./counts.ts";

const nbsp = "\u00a0";

const fr = {
  title: "Accueil",
  available: "Solde disponible",
  readAt: (time: string) => `À ${time}`,
  inFlight: "En cours d’envoi",
  inFlightHint: "Réservé pour des virements qui ne sont pas encore terminés.",
  noneInFlight: "Aucun virement en cours.",
  inFlightCount: (count: number, isMore: boolean) =>
    isMore ? `Au moins ${countedFr(count, "virement")}` : countedFr(count, "virement"),
  todayIn: "Encaissé aujourd’hui",
  todayOut: "Envoyé aujourd’hui",
  payments: (count: number) => countedFr(count, "paiement"),
  transfers: (count: number) => countedFr(count, "virement"),
  failedToday: (count: number) => `, et ${countedFr(count, "échec")} rendu${count < 2 ? "" : "s"}`,
  action: "À traiter",
  nothingToDo: "Rien n’attend votre intervention.",
  failures: (count: number, isMore: boolean) =>
    `${isMore ? "Au moins " : ""}${countedFr(count, "virement échoué", "virements échoués")} ces 7${nbsp}derniers jours`,
  failuresHint: "L’argent est revenu sur votre solde. Voyez le motif, puis refaites-les.",
  seeFailures: "Voir les échecs",
  webhookOff: (url: string) => `Webhook désactivé${nbsp}: ${url}`,
  webhookFailing: (url: string) => `Webhook en échec${nbsp}: ${url}`,
  webhookHint:
    "Vos systèmes ne sont plus prévenus à cette adresse. Rien n’est perdu : l’envoi peut être rejoué.",
  failingSince: (moment: string) => `Sans réponse valable depuis le ${moment}.`,
  approvals: (count: number) => `${countedFr(count, "paiement")} en attente d’approbation`,
  approvalsHint: (count: number): string =>
    count < 2
      ? "Une autre personne que celle qui l’a préparé doit l’approuver."
      : "Une autre personne que celle qui les a préparés doit les approuver.",
  seeApprovals: "Voir les approbations",
  held: (count: number, isMore: boolean) =>
    `${isMore ? "Au moins " : ""}${countedFr(count, "paiement")} par clé d’API à vérifier`,
  heldHint: "L’argent est réservé. Rien ne part avant qu’une personne ait décidé.",
  seeHeld: "Vérifier et décider",
  frozen: "Ce compte est gelé",
  frozenHint: "Aucun argent ne peut bouger. Contactez l’opérateur.",
  batches: "Lots en cours",
  batch: (count: number, amount: string) => `${countedFr(count, "virement")}, ${amount}`,
  batchProgress: (done: number, size: number) => `${countedFr(done, "terminé")} sur ${size}`,
  batchFailed: (count: number) => countedFr(count, "échec"),
  noBatches: "Aucun lot n’est en cours.",
  activity: "Activité",
  period: "Période des graphiques",
  days: (count: number) => `${count}${nbsp}jours`,
  notReady:
    "Les chiffres du jour sont en cours de calcul, car de très nombreuses écritures viennent d’être passées. Rechargez la page dans quelques secondes.",
  showTable: "Voir les chiffres",
  csv: "CSV",
  csvOf: (title: string) => `${title}${nbsp}: télécharger en CSV`,
  day: "Jour",
  unknownDay: "non calculé",
  balance: {
    title: "Solde en fin de journée",
    column: "Solde",
    summary: (last: string, low: string) =>
      `${last} maintenant, au plus bas ${low} sur la période.`,
    none: "Pas encore de mouvement sur la période.",
  },
  volume: {
    title: "Volume par jour",
    in: "Encaissé",
    out: "Envoyé",
    summary: (paidIn: string, sentOut: string) =>
      `${paidIn} encaissés et ${sentOut} envoyés sur la période, hors frais.`,
    none: "Rien d’encaissé ni d’envoyé sur la période.",
  },
  success: {
    title: "Virements réussis",
    column: "Réussite",
    count: "Virements",
    failed: "Échecs",
    summary: (rate: string, count: number) =>
      `${rate} de ${countedFr(count, "virement")} sur la période.`,
    none: "Aucun virement sur la période.",
    few: "En pointillé : moins de 20 virements dans la journée.",
  },
  start: {
    title: "Bienvenue. Votre compte est prêt.",
    noMoney:
      "Votre solde est vide. Pour envoyer, approvisionnez-le : déposez l’argent auprès de votre opérateur en donnant l’identifiant ci-dessous, et il apparaîtra ici. Ou faites-vous payer par un lien.",
    fundingId: "Identifiant à donner",
    send: "Faire un premier virement",
    collect: "Créer un lien de paiement",
    import: "Payer plusieurs personnes depuis un fichier",
    hint: "Les graphiques se rempliront avec vos premiers mouvements.",
  },
};

export type HomeWords = typeof fr;

const en: HomeWords = {
  title: "Home",
  available: "Available balance",
  readAt: (time) => `At ${time}`,
  inFlight: "On its way",
  inFlightHint: "Set aside for transfers that have not ended yet.",
  noneInFlight: "No transfer is on its way.",
  inFlightCount: (count, isMore) =>
    isMore ? `At least ${countedEn(count, "transfer")}` : countedEn(count, "transfer"),
  todayIn: "Collected today",
  todayOut: "Sent today",
  payments: (count) => countedEn(count, "payment"),
  transfers: (count) => countedEn(count, "transfer"),
  failedToday: (count) => `, and ${count} that failed and came back`,
  action: "To do",
  nothingToDo: "Nothing is waiting for you.",
  failures: (count, isMore) =>
    `${isMore ? "At least " : ""}${countedEn(count, "failed transfer")} in the last 7${nbsp}days`,
  failuresHint: "The money came back to your balance. See the reason, then send them again.",
  seeFailures: "See what failed",
  webhookOff: (url) => `Webhook disabled: ${url}`,
  webhookFailing: (url) => `Webhook failing: ${url}`,
  webhookHint:
    "Your systems are no longer told at this address. Nothing is lost: it can be replayed.",
  failingSince: (moment) => `No good answer since ${moment}.`,
  approvals: (count) => `${countedEn(count, "payment")} waiting for approval`,
  approvalsHint: (count) =>
    `Somebody other than who prepared ${count === 1 ? "it" : "them"} has to approve ${count === 1 ? "it" : "them"}.`,
  seeApprovals: "See approvals",
  held: (count, isMore) =>
    `${isMore ? "At least " : ""}${countedEn(count, "payment")} by API key to review`,
  heldHint: "The money is set aside. Nothing leaves before a person has decided.",
  seeHeld: "Review and decide",
  frozen: "This account is frozen",
  frozenHint: "No money can move. Please contact the operator.",
  batches: "Batches under way",
  batch: (count, amount) => `${countedEn(count, "transfer")}, ${amount}`,
  batchProgress: (done, size) => `${done} of ${size} ended`,
  batchFailed: (count) => `${count} failed`,
  noBatches: "No batch is under way.",
  activity: "Activity",
  period: "Period of the charts",
  days: (count) => `${count}${nbsp}days`,
  notReady:
    "Today’s figures are still being summed, because very much was posted lately. Reload the page in a few seconds.",
  showTable: "Show the figures",
  csv: "CSV",
  csvOf: (title) => `${title}: download as CSV`,
  day: "Day",
  unknownDay: "not summed",
  balance: {
    title: "Balance at the end of each day",
    column: "Balance",
    summary: (last, low) => `${last} now, ${low} at the lowest.`,
    none: "Nothing has moved in this period yet.",
  },
  volume: {
    title: "Volume by day",
    in: "Collected",
    out: "Sent",
    summary: (paidIn, sentOut) =>
      `${paidIn} collected and ${sentOut} sent in this period, without fees.`,
    none: "Nothing was collected or sent in this period.",
  },
  success: {
    title: "Transfers that arrived",
    column: "Arrived",
    count: "Transfers",
    failed: "Failed",
    summary: (rate, count) => `${rate} of ${countedEn(count, "transfer")} in this period.`,
    none: "No transfers in this period.",
    few: "Dashed: fewer than 20 transfers on that day.",
  },
  start: {
    title: "Welcome. Your account is ready.",
    noMoney:
      "Your balance is empty. To send, fund it: deposit money with your operator, giving the id below, and it will appear here. Or get paid by a link.",
    fundingId: "Id to give",
    send: "Send a first transfer",
    collect: "Create a payment link",
    import: "Pay several people from a file",
    hint: "The charts fill up with your first movements.",
  },
};

export const homeWords = inBoth(fr, en);
