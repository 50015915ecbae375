import { inBoth } from "../in-words.ts";
import { countedEn, countedFr } from "./counts.ts";

const nb = "\u00a0";

const fr = {
  title: "Sous-sociétés",
  lead: "Au nom de qui vous envoyez et encaissez. Bénéficiaires et payeurs voient leur nom et leur logo.",
  empty: "Aucune sous-société",
  emptyHint:
    "Une sous-société est une entreprise au nom de laquelle vous envoyez et encaissez. Créez la première par l’API, avec son nom et l’adresse de son logo : elle apparaîtra ici.",
  volumeOf: (month: string) => `Volume de ${month}, hors frais.`,
  notReady:
    "Les volumes du mois sont en cours de calcul, car de très nombreuses écritures viennent d’être passées. Rechargez la page dans quelques secondes.",
  pageSize: "Lignes par page",
  columns: {
    name: "Nom",
    state: "État",
    sent: "Envoyé",
    collected: "Encaissé",
    createdAt: "Créée le",
    updatedAt: "Modifiée le",
    logoUrl: "Adresse du logo",
    id: "Identifiant",
  },
  states: { active: "Active", inactive: "Désactivée" },
  transfers: (count: number) => countedFr(count, "virement"),
  payments: (count: number) => countedFr(count, "paiement"),
  refunds: (amount: string) => `dont ${amount} remboursés`,
  volume: (month: string) => `Volume de ${month}`,
  facts: "Détails",
  seeTransfers: "Ses virements",
  seeCollections: "Ses encaissements",
  seeStatement: "Son relevé",
  preview: "Ce que voient les clients",
  payerSees: "Sur la page de paiement",
  recipientSees: "Dans l’historique du bénéficiaire",
  asks: "vous demande de payer",
  sample: "Exemple de virement",
  logo: {
    waiting: `Le logo est en cours de téléchargement${nb}: ses initiales le remplacent.`,
    failed:
      "Le logo n’a pas pu être téléchargé : ses initiales le remplacent. Vérifiez son adresse, puis renvoyez-la par l’API.",
    large:
      "Le logo pèse trop lourd pour la page de paiement (plus de 8 Ko) : ses initiales le remplacent.",
  },
  disable: "Désactiver",
  disableEffect: (name: string) =>
    `Plus aucun virement ni lien de paiement ne pourra être créé au nom de ${name}. Ce qui est en cours se termine, les liens ouverts restent payables, et l’historique reste. Vous pourrez la réactiver.`,
  enable: "Réactiver",
  enableEffect: (name: string) =>
    `Virements et liens de paiement pourront de nouveau être créés au nom de ${name}.`,
  disabled: (name: string) => `${name} est désactivée. Aucun argent n’a bougé.`,
  enabled: (name: string) => `${name} est active.`,
};

export type SubCompanyWords = typeof fr;

const en: SubCompanyWords = {
  title: "Sub-companies",
  lead: "On whose behalf you send and collect. Recipients and payers see their name and logo.",
  empty: "No sub-companies",
  emptyHint:
    "A sub-company is a business on whose behalf you send and collect. Create the first one through the API, with its name and the address of its logo: it will appear here.",
  volumeOf: (month) => `Volume of ${month}, without fees.`,
  notReady:
    "This month’s volumes are still being summed, because very much was posted lately. Reload the page in a few seconds.",
  pageSize: "Rows per page",
  columns: {
    name: "Name",
    state: "State",
    sent: "Sent",
    collected: "Collected",
    createdAt: "Created",
    updatedAt: "Changed",
    logoUrl: "Address of the logo",
    id: "Id",
  },
  states: { active: "Active", inactive: "Disabled" },
  transfers: (count) => countedEn(count, "transfer"),
  payments: (count) => countedEn(count, "payment"),
  refunds: (amount) => `of which ${amount} refunded`,
  volume: (month) => `Volume of ${month}`,
  facts: "Details",
  seeTransfers: "Its transfers",
  seeCollections: "Its collections",
  seeStatement: "Its statement",
  preview: "What customers see",
  payerSees: "On the payment page",
  recipientSees: "In the recipient’s history",
  asks: "asks you to pay",
  sample: "Example of a transfer",
  logo: {
    waiting: "The logo is being fetched: initials take its place.",
    failed:
      "The logo could not be fetched: initials take its place. Check its address, then send it again through the API.",
    large: "The logo is too heavy for the payment page (more than 8 KB): initials take its place.",
  },
  disable: "Disable",
  disableEffect: (name) =>
    `No transfer and no payment link can be created on behalf of ${name} any more. What is under way ends, open links can still be paid, and the history stays. You can enable it again.`,
  enable: "Enable",
  enableEffect: (name) => `Transfers and payment links can be created on behalf of ${name} again.`,
  disabled: (name) => `${name} is disabled. No money moved.`,
  enabled: (name) => `${name} is active.`,
};

export const subCompanyWords = inBoth(fr, en);
