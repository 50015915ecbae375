import { inBoth } from "../in-words.ts";

/** A non-breaking space: before French punctuation, and inside amounts. */
const nb = "\u00a0";

const plural = (count: number, one: string, many: string): string =>
  `${count}${nb}${count < 2 ? one : many}`;

/** What every page of the console says, in French. It is the type of the other language. */
const fr = {
  lang: "fr",
  locale: "fr-FR",
  currency: (francs: string) => `${francs.replaceAll(",", nb)}${nb}F${nb}CFA`,
  at: (date: string, time: string) => `${date} à ${time}`,
  lessThanAMinute: "moins d’une minute",
  seconds: (count: number) => plural(count, "seconde", "secondes"),
  minutes: (count: number) => plural(count, "minute", "minutes"),
  hours: (count: number) => plural(count, "heure", "heures"),
  days: (count: number) => plural(count, "jour", "jours"),

  console: "Console",
  title: (page: string, company: string) => `${page} – ${company}`,
  skip: "Aller au contenu",
  test: `TEST${nb}: pas d’argent réel`,
  live: "RÉEL",
  menu: "Rubriques",
  balance: "Solde disponible",
  balanceAt: (time: string) => `à ${time}`,
  otherLanguage: { lang: "en", name: "English" },
  signOut: "Se déconnecter",
  change: "Changer",
  company: "Société",
  operations: "Opérations",
  sessionEnds: (time: string) =>
    `Sans activité, votre session se termine à ${time}. Chaque page ouverte la prolonge.`,
  sessionEndsSoon: (time: string) =>
    `Votre session se termine à ${time} et ne peut plus être prolongée. Terminez ce que vous faites, puis reconnectez-vous.`,
  problem: "Il y a un problème",
  problemTitle: (title: string) => `Erreur${nb}: ${title}`,
  incident: `Numéro de l’incident${nb}:`,
  backHome: "Revenir à l’accueil",
  busy: "Envoi en cours…",
  optional: "facultatif",
  times: (timeZone: string) => `Heures de ${timeZone}.`,
  older: "Plus anciens",
  newer: "Plus récents",
  pages: "Pages",
  help: `Aide${nb}:`,
  removeFilter: (filter: string) => `Retirer le filtre${nb}: ${filter}`,

  changes: (count: number): string =>
    count === 1
      ? "Un changement de personnes, de rôles, de clés ou de règles depuis votre dernier regard"
      : `${count} changements de personnes, de rôles, de clés ou de règles depuis votre dernier regard`,
  sections: {
    home: "Accueil",
    transfers: "Virements",
    payroll: "Paie",
    approvals: "Approbations",
    collections: "Encaissements",
    statements: "Relevés",
    subCompanies: "Sous-sociétés",
    developers: "Développeurs",
    team: "Équipe et sécurité",
    trail: "Trace",
    health: "État",
    companies: "Sociétés",
    requests: "Demandes à confirmer",
    work: "Travaux bloqués",
    endpoints: "Webhooks en panne",
    banner: "Bandeau",
  },
  formMax: (size: string) => `Le maximum est de ${size}.`,
  severities: { info: "Information", warning: "Perturbation", outage: "Panne" },
  roles: {
    owner: "Propriétaire",
    preparer: "Préparateur",
    approver: "Approbateur",
    reader: "Lecture",
    developer: "Développeur",
    operator: "Opérateur",
  },
  problems: {
    forbidden: {
      title: "Vous n’avez pas ce droit",
      what: "Votre rôle ne permet pas cette action. Rien n’a été changé. Demandez à un propriétaire de la société.",
    },
    foreign: {
      title: "Demande refusée",
      what: "Cette demande vient d’un autre site. Rien n’a été changé.",
    },
    stale: {
      title: "Cette page n’est plus à jour",
      what: "Le formulaire a été ouvert dans une autre session. Rien n’a été changé. Rouvrez la page, puis recommencez.",
    },
    otherCompany: {
      title: "Vous travaillez maintenant pour une autre société",
      what: "Cette page était celle d’une autre société, et vous en avez changé depuis, dans un autre onglet par exemple. Rien n’a été changé. Revenez à la bonne société, puis recommencez.",
    },
    notFound: { title: "Page introuvable", what: "Il n’y a rien à cette adresse." },
    method: { title: "Demande impossible", what: "Cette page ne s’ouvre pas de cette façon." },
    invalid: {
      title: "Demande impossible",
      what: "Nous n’avons pas compris cette demande. Rien n’a été changé.",
    },
    frozen: {
      title: "Société gelée",
      what: "L’opérateur a gelé cette société. Rien n’a été changé, et aucun argent ne bouge. Adressez-vous à lui.",
    },
    tooLarge: {
      title: "Trop de données",
      what: "Le formulaire contient plus que ce qu’il peut porter. Rien n’a été changé.",
    },
    tooManyMembers: {
      title: "Trop de personnes",
      what: "Cette société, ou cette personne, en compte déjà autant que possible. Rien n’a été changé.",
    },
    tooManyCodes: {
      title: "Trop de codes incorrects",
      what: "Votre session est terminée. Reconnectez-vous avec votre mot de passe et un nouveau code. Rien n’a été changé.",
    },
    tooMany: { title: "Trop de demandes", what: "Réessayez dans une minute. Rien n’a été changé." },
    unavailable: {
      title: "Le service ne répond pas",
      what: "Nous ne savons pas si votre demande est passée. Rouvrez la page dans un moment et regardez avant de recommencer.",
    },
    internal: {
      title: "Une panne de notre côté",
      what: "Rouvrez la page et regardez ce qui a été fait avant de recommencer. Si la panne dure, indiquez le numéro de l’incident.",
    },
  },
};

const en: typeof fr = {
  lang: "en",
  locale: "en-GB",
  currency: (francs: string) => `XOF${nb}${francs}`,
  at: (date: string, time: string) => `${date} at ${time}`,
  lessThanAMinute: "less than a minute",
  seconds: (count: number) => `${count}${nb}${count === 1 ? "second" : "seconds"}`,
  minutes: (count: number) => `${count}${nb}${count === 1 ? "minute" : "minutes"}`,
  hours: (count: number) => `${count}${nb}${count === 1 ? "hour" : "hours"}`,
  days: (count: number) => `${count}${nb}${count === 1 ? "day" : "days"}`,

  console: "Console",
  title: (page: string, company: string) => `${page} – ${company}`,
  skip: "Skip to content",
  test: "TEST: no real money",
  live: "LIVE",
  menu: "Sections",
  balance: "Available balance",
  balanceAt: (time: string) => `at ${time}`,
  otherLanguage: { lang: "fr", name: "Français" },
  signOut: "Sign out",
  change: "Change",
  company: "Company",
  operations: "Operations",
  sessionEnds: (time: string) =>
    `Without activity your session ends at ${time}. Every page you open extends it.`,
  sessionEndsSoon: (time: string) =>
    `Your session ends at ${time} and cannot be extended any more. Finish what you are doing, then sign in again.`,
  problem: "There is a problem",
  problemTitle: (title: string) => `Error: ${title}`,
  incident: "Incident number:",
  backHome: "Back to the home page",
  busy: "Sending…",
  optional: "optional",
  times: (timeZone: string) => `Times of ${timeZone}.`,
  older: "Older",
  newer: "Newer",
  pages: "Pages",
  help: "Help:",
  removeFilter: (filter: string) => `Remove the filter: ${filter}`,

  changes: (count) =>
    count === 1
      ? "One change of people, roles, keys or rules since you last looked"
      : `${count} changes of people, roles, keys or rules since you last looked`,
  sections: {
    home: "Home",
    transfers: "Transfers",
    payroll: "Payroll",
    approvals: "Approvals",
    collections: "Collections",
    statements: "Statements",
    subCompanies: "Sub-companies",
    developers: "Developers",
    team: "Team and security",
    trail: "Trail",
    health: "Health",
    companies: "Companies",
    requests: "Requests to confirm",
    work: "Stuck work",
    endpoints: "Failing webhooks",
    banner: "Banner",
  },
  formMax: (size: string) => `The most is ${size}.`,
  severities: { info: "Information", warning: "Disturbance", outage: "Outage" },
  roles: {
    owner: "Owner",
    preparer: "Preparer",
    approver: "Approver",
    reader: "Reader",
    developer: "Developer",
    operator: "Operator",
  },
  problems: {
    forbidden: {
      title: "You may not do this",
      what: "Your role does not allow it. Nothing was changed. Ask an owner of the company.",
    },
    foreign: {
      title: "Request refused",
      what: "This request comes from another site. Nothing was changed.",
    },
    stale: {
      title: "This page is out of date",
      what: "The form was opened in another session. Nothing was changed. Open the page again, then repeat it.",
    },
    otherCompany: {
      title: "You work for another company now",
      what: "This page was of another company, and you have changed to this one since, in another tab for example. Nothing was changed. Go back to the right company, then repeat it.",
    },
    notFound: { title: "Page not found", what: "There is nothing at this address." },
    method: { title: "Not possible", what: "This page cannot be opened in this way." },
    invalid: {
      title: "Not possible",
      what: "We did not understand this request. Nothing was changed.",
    },
    frozen: {
      title: "Company frozen",
      what: "The operator has frozen this company. Nothing was changed, and no money moves. Please contact them.",
    },
    tooLarge: {
      title: "Too much data",
      what: "The form holds more than it can carry. Nothing was changed.",
    },
    tooManyMembers: {
      title: "Too many people",
      what: "This company, or this person, has as many as there can be. Nothing was changed.",
    },
    tooManyCodes: {
      title: "Too many wrong codes",
      what: "You were signed out. Sign in again with your password and a new code. Nothing was changed.",
    },
    tooMany: { title: "Too many requests", what: "Try again in a minute. Nothing was changed." },
    unavailable: {
      title: "The service does not answer",
      what: "We do not know whether your request went through. Open the page again in a moment, and look before you repeat it.",
    },
    internal: {
      title: "A failure on our side",
      what: "Open the page again and look what was done before you repeat it. If the failure lasts, give the incident number.",
    },
  },
};

export type FrameWords = typeof fr;

export const frameWords = inBoth(fr, en);
