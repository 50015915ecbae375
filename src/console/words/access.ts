import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  title: "Demandes à confirmer",
  lead: "Ce qui donne un pouvoir sur l’argent, les personnes ou les clés tient à deux : un propriétaire le demande, un second propriétaire ou l’opérateur le confirme.",
  what: "Demande",
  company: "Société",
  by: "Demandé par",
  at: "Demandé le",
  until: "Expire le",
  id: "Numéro",
  look: "Regarder",
  membership: (person: string, role: string) => `${person} rejoint l’équipe${nb}: ${role}`,
  role: (person: string, from: string, to: string) =>
    `${person} change de rôle${nb}: de ${from} à ${to}`,
  rules: {
    alone_max: "Payable seul par jour, depuis la console",
    keys_alone_max: "Payable par jour par les clés, sans une personne",
  },
  rule: (name: string, from: string, to: string) => `${name}${nb}: de ${from} à ${to}`,
  noLimit: "sans limite",
  somebody: "une personne inconnue",
  states: {
    open: "En attente",
    confirmed: "Confirmée",
    refused: "Refusée",
    withdrawn: "Annulée",
    expired: "Expirée",
  },
  state: "État",
  check:
    "Assurez-vous par un autre moyen, par exemple par téléphone, que c’est bien la personne que vous croyez. Vous répondez de cette confirmation.",
  confirm: "Confirmer",
  refuse: "Refuser",
  withdraw: "Annuler la demande",
  confirmed: "C’est confirmé, et en vigueur.",
  refused: "La demande est refusée. Rien n’a changé.",
  withdrawn: "La demande est annulée. Rien n’a changé.",
  own: "C’est votre demande, ou elle vous concerne : un second propriétaire ou l’opérateur doit la confirmer.",
  ofIntroducer: (person: string) =>
    `${person}, qui est partie à cette demande, vous a fait entrer dans la société : un autre propriétaire ou l’opérateur doit la confirmer.`,
  onlyOwner:
    "Vous êtes le seul propriétaire : l’opérateur confirme vos demandes. Envoyez-lui le numéro de la demande ; il la confirme dans sa console, ou par cette commande :",
  onlyOwnerLater:
    "Vous êtes le seul propriétaire. Quand cette personne aura accepté, l’opérateur devra confirmer, dans sa console ou par cette commande. Envoyez-la-lui :",
  secondOwner:
    "Quand cette personne aura accepté, un autre propriétaire ou l’opérateur devra confirmer avant qu’elle puisse agir.",
  asked:
    "La demande attend un second propriétaire ou l’opérateur. Jusque-là, ce qui était reste en vigueur.",
  back: "Revenir à l’équipe",
  waitingTitle: (company: string) => `${company}${nb}: en attente`,
  waiting: (role: string) =>
    `Vous avez accepté l’invitation, avec le rôle${nb}: ${role}. Un second propriétaire ou l’opérateur doit encore confirmer. Jusque-là vous ne pouvez rien voir ni faire pour cette société.`,
  waitingId: (id: string) => `Numéro de la demande${nb}: ${id}`,
  none: "Aucune demande n’attend.",
  changesTitle: "Ce qui a changé",
  changesLead:
    "Ce que d’autres ont changé de personnes, de rôles, de clés ou de règles. Si quelque chose vous surprend, parlez-en à l’opérateur.",
  changesNone: "Rien n’a changé depuis votre dernier regard.",
  changesSeen: "J’ai vu ces changements",
  changesAcknowledged: "C’est noté.",
  ruleTitle: "Règles de paiement",
  ruleLead:
    "Ce qui peut sortir sans une seconde personne. Moins vaut aussitôt ; plus attend un second propriétaire ou l’opérateur.",
  now: (amount: string) => `En vigueur${nb}: ${amount}`,
  amount: "Nouvelle valeur, en F CFA par jour",
  amountHint: "0 : tout attend une seconde personne.",
  keysHint: "0 : tout attend une personne. Vide : les clés paient sans limite.",
  amountProblem: "Indiquez un montant entier en F CFA, 0 ou plus.",
  ruleSubmit: "Demander",
  ruleDone: "La règle est changée.",
};

const en: typeof fr = {
  title: "Requests to confirm",
  lead: "What gives power over money, people or keys takes two: an owner asks for it, a second owner or the operator confirms it.",
  what: "Request",
  company: "Company",
  by: "Asked for by",
  at: "Asked for at",
  until: "Expires",
  id: "Number",
  look: "Look at it",
  membership: (person, role) => `${person} joins the team: ${role}`,
  role: (person, from, to) => `${person} changes role: from ${from} to ${to}`,
  rules: {
    alone_max: "Payable alone a day, from the console",
    keys_alone_max: "Payable a day by keys, without a person",
  },
  rule: (name, from, to) => `${name}: from ${from} to ${to}`,
  noLimit: "no limit",
  somebody: "somebody unknown",
  states: {
    open: "Waiting",
    confirmed: "Confirmed",
    refused: "Refused",
    withdrawn: "Withdrawn",
    expired: "Expired",
  },
  state: "State",
  check:
    "Make sure by another way, by telephone for example, that it is the person you believe. You answer for this confirmation.",
  confirm: "Confirm",
  refuse: "Refuse",
  withdraw: "Withdraw the request",
  confirmed: "It is confirmed, and in force.",
  refused: "The request is refused. Nothing has changed.",
  withdrawn: "The request is withdrawn. Nothing has changed.",
  own: "This is your request, or it concerns you: a second owner or the operator has to confirm it.",
  ofIntroducer: (person) =>
    `${person}, who is part of this request, let you into the company: another owner or the operator has to confirm it.`,
  onlyOwner:
    "You are the only owner: the operator confirms your requests. Send the operator the number of the request, to be confirmed in the operator’s console or by this command:",
  onlyOwnerLater:
    "You are the only owner. Once this person has accepted, the operator has to confirm, in the operator’s console or by this command. Send it to the operator:",
  secondOwner:
    "Once this person has accepted, another owner or the operator has to confirm before they can do anything.",
  asked: "The request waits for a second owner or the operator. Until then what was holds.",
  back: "Back to the team",
  waitingTitle: (company) => `${company}: waiting`,
  waiting: (role) =>
    `You have accepted the invitation. Your role there: ${role}. A second owner or the operator still has to confirm. Until then you can neither see nor do anything for this company.`,
  waitingId: (id) => `Number of the request: ${id}`,
  none: "No request is waiting.",
  changesTitle: "What has changed",
  changesLead:
    "What others have changed of people, roles, keys or rules. If anything surprises you, talk to the operator.",
  changesNone: "Nothing has changed since you last looked.",
  changesSeen: "I have seen these changes",
  changesAcknowledged: "Noted.",
  ruleTitle: "Rules for payments",
  ruleLead:
    "What may go out without a second person. Less holds at once; more waits for a second owner or the operator.",
  now: (amount) => `In force: ${amount}`,
  amount: "New value, in XOF a day",
  amountHint: "0: everything waits for a second person.",
  keysHint: "0: everything waits for a person. Empty: keys pay without a limit.",
  amountProblem: "Give a whole amount in XOF, 0 or more.",
  ruleSubmit: "Ask for it",
  ruleDone: "The rule is changed.",
};

export type AccessWords = typeof fr;
export const accessWords = inBoth(fr, en);
