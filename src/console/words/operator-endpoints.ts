import { inBoth } from "../in-words.ts";

const fr = {
  endpoints: {
    title: "Webhooks en panne",
    what: "Les adresses de toutes les sociétés qui ont échoué trois fois de suite ou plus. On essaie pendant 75 heures ; après cinq jours d’échecs un webhook est désactivé.",
    empty: {
      title: "Tous les webhooks répondent",
      text: "Une adresse qui échoue trois fois de suite paraît ici. Si plusieurs échouent ensemble, regardez d’abord notre propre réseau.",
    },
    url: "Adresse",
    topic: "Sujet",
    failures: "Échecs de suite",
    state: "État",
    tried: "On essaie encore",
    inService: "En service",
    disabled: "Désactivé",
    open: "Voir",
    view: (url: string) => `Webhook ${url}`,
    id: "Identifiant",
    lastAnswers: "Derniers envois",
    delivery: "Envoi",
    attempts: "Essais",
    answer: "Dernière réponse",
    noAnswer: "aucune",
    statuses: {
      pending: "En attente",
      blocked: "Attend le précédent",
      delivered: "Remis",
      failed: "Échoué",
      superseded: "Remplacé",
      cancelled: "Annulé",
    } as Readonly<Record<string, string>>,
    enable: "Remettre en service",
    enableWhat:
      "Il entend ce qui se passe à partir de maintenant. Ce qu’il a manqué peut être renvoyé ensuite.",
    enabled: "Le webhook est de nouveau en service.",
    wasEnabled: "Le webhook était déjà en service. Rien n’a été changé.",
    replay: "Renvoyer ce qui a échoué",
    replayWhat:
      "Ce qui n’a jamais été remis dans cette période part à nouveau, dans l’ordre. Ce qui a été remis n’est pas renvoyé : on peut recommencer.",
    hours: "Période",
    periods: { "24": "24 heures", "72": "3 jours", "168": "7 jours" } as Readonly<
      Record<string, string>
    >,
    replayed: (count: number) =>
      count === 0
        ? "Il n’y avait rien à renvoyer."
        : `${count} envoi${count > 1 ? "s" : ""} à nouveau en attente.`,
    more: "Il en reste peut-être : recommencez.",
    replayOff: "Remettez d’abord le webhook en service.",
  },
};

const en: typeof fr = {
  endpoints: {
    title: "Failing webhooks",
    what: "Addresses of all companies that have failed three times in a row or more. They are tried for 75 hours; after five days of failures a webhook is disabled.",
    empty: {
      title: "Every webhook answers",
      text: "An address that fails three times in a row appears here. If several fail together, look at our own network first.",
    },
    url: "Address",
    topic: "Topic",
    failures: "Failures in a row",
    state: "State",
    tried: "Still tried",
    inService: "In service",
    disabled: "Disabled",
    open: "See",
    view: (url: string) => `Webhook ${url}`,
    id: "Id",
    lastAnswers: "Last deliveries",
    delivery: "Delivery",
    attempts: "Attempts",
    answer: "Last answer",
    noAnswer: "none",
    statuses: {
      pending: "Pending",
      blocked: "Waits for the one before",
      delivered: "Delivered",
      failed: "Failed",
      superseded: "Superseded",
      cancelled: "Cancelled",
    },
    enable: "Take into service again",
    enableWhat:
      "It hears of what happens from now on. What it missed can be sent again afterwards.",
    enabled: "The webhook is in service again.",
    wasEnabled: "The webhook was in service already. Nothing was changed.",
    replay: "Send again what failed",
    replayWhat:
      "What was never delivered in this period is sent again, in order. What was delivered is not: it can be repeated.",
    hours: "Period",
    periods: { "24": "24 hours", "72": "3 days", "168": "7 days" },
    replayed: (count: number) =>
      count === 0
        ? "There was nothing to send again."
        : `${count} ${count === 1 ? "delivery is" : "deliveries are"} pending again.`,
    more: "There may be more: repeat it.",
    replayOff: "Take the webhook into service first.",
  },
};

export type OperatorEndpointWords = typeof fr;

export const operatorEndpointWords = inBoth(fr, en);
