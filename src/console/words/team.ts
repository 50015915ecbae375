import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  title: "Équipe et sécurité",
  people: "Personnes",
  email: "Adresse",
  role: "Rôle",
  factor: "Second facteur",
  factorOn: "Actif",
  factorOff: "Absent",
  since: "Depuis",
  actions: "Actions",
  you: "vous",
  change: "Gérer",
  invite: "Inviter une personne",
  inviteHint:
    "Vous recevez un lien à remettre à cette personne. Il sert une seule fois, pendant sept jours. Tout rôle autre que lecture attend ensuite qu’un second propriétaire ou l’opérateur confirme.",
  inviteSubmit: "Créer le lien",
  inviteProblem: "Indiquez une adresse e-mail valide et un rôle.",
  linkTitle: "Lien d’invitation",
  linkWhat: (email: string) =>
    `Remettez ce lien à ${email}, et à personne d’autre${nb}: celui qui l’ouvre entre. Il n’est affiché qu’une fois.`,
  back: "Revenir à l’équipe",
  waiting: "Invitations en attente",
  until: "Valable jusqu’au",
  withdraw: "Retirer",
  withdrawn: "L’invitation est retirée.",
  gone: "Cela n’existe plus. Rien n’a été changé.",
  memberTitle: (email: string) => `Gérer ${email}`,
  roleLegend: "Rôle",
  roleSubmit: "Changer le rôle",
  roleChanged: (email: string) => `Le rôle de ${email} est changé. Ses sessions sont terminées.`,
  remove: "Retirer de la société",
  removeWhat:
    "Cette personne ne pourra plus ouvrir la console de cette société. Ses sessions, ses invitations, ses demandes et les paiements qu’elle a demandés sans qu’ils soient approuvés se terminent à l’instant. Les clés qu’elle a créées restent valables : révoquez-les si besoin. Ce qu’elle a fait reste dans la trace.",
  removed: (email: string) => `${email} ne fait plus partie de l’équipe.`,
  lastOwner:
    "C’est le dernier propriétaire. Donnez d’abord ce rôle à une autre personne. Rien n’a été changé.",
  onlyOwner:
    "Vous êtes le seul propriétaire : pour donner un rôle qui peut agir, c’est l’opérateur qui confirme. Invitez un second propriétaire pour décider à deux dans votre société.",
  own: "Votre compte",
  sessions: "Vos sessions",
  device: "Navigateur",
  address: "Adresse IP",
  opened: "Ouverte",
  seen: "Dernière activité",
  thisSession: "Cette session",
  end: "Terminer",
  ended: "La session est terminée, partout et à l’instant.",
  endOthers: "Terminer toutes les autres",
  othersEnded: "Toutes les autres sessions sont terminées.",
  password: "Changer de mot de passe",
  current: "Mot de passe actuel",
  passwordSubmit: "Changer",
  passwordChanged: "Le mot de passe est changé. Vos autres sessions sont terminées.",
  factorSet: "Activer un second facteur",
  factorChange: "Changer de second facteur",
  factorWhat:
    "Un second facteur protège votre compte même si quelqu’un connaît votre mot de passe. Il est obligatoire pour les propriétaires et les approbateurs.",
  roleWhat: {
    owner:
      "Tout, dont l’équipe, les clés et les approbations. Ne peut pas approuver seul ce qu’il a préparé.",
    preparer: "Prépare virements, paies, liens de paiement et remboursements.",
    approver: "Approuve ou refuse ce que d’autres ont préparé.",
    reader: "Regarde le solde, les virements, les encaissements et les relevés.",
    developer: "Gère les clés et les webhooks, regarde virements et encaissements.",
  },
};

const en: typeof fr = {
  title: "Team and security",
  people: "People",
  email: "Address",
  role: "Role",
  factor: "Second factor",
  factorOn: "On",
  factorOff: "Missing",
  since: "Since",
  actions: "Actions",
  you: "you",
  change: "Manage",
  invite: "Invite somebody",
  inviteHint:
    "You get a link to hand over to this person. It is good once, for seven days. Every role but reader then waits until a second owner or the operator confirms.",
  inviteSubmit: "Make the link",
  inviteProblem: "Give a valid e-mail address and a role.",
  linkTitle: "Invitation link",
  linkWhat: (email: string) =>
    `Hand this link over to ${email}, and to nobody else: whoever opens it gets in. It is shown only once.`,
  back: "Back to the team",
  waiting: "Invitations waiting",
  until: "Good until",
  withdraw: "Withdraw",
  withdrawn: "The invitation is withdrawn.",
  gone: "It does not exist any more. Nothing was changed.",
  memberTitle: (email: string) => `Manage ${email}`,
  roleLegend: "Role",
  roleSubmit: "Change the role",
  roleChanged: (email: string) => `The role of ${email} is changed. Their sessions are ended.`,
  remove: "Remove from the company",
  removeWhat:
    "This person will not be able to open this company’s console. Their sessions, invitations, requests, and payments that they asked for and nobody has approved end at once. Keys that they made stay good: revoke them if need be. What they did stays in the trail.",
  removed: (email: string) => `${email} is not in the team any more.`,
  lastOwner: "This is the last owner. Give the role to somebody else first. Nothing was changed.",
  onlyOwner:
    "You are the only owner: when you give a role that can act, the operator confirms. Invite a second owner to decide by two within your company.",
  own: "Your account",
  sessions: "Your sessions",
  device: "Browser",
  address: "IP address",
  opened: "Opened",
  seen: "Last active",
  thisSession: "This session",
  end: "End",
  ended: "The session is ended, everywhere and at once.",
  endOthers: "End all others",
  othersEnded: "All other sessions are ended.",
  password: "Change your password",
  current: "Current password",
  passwordSubmit: "Change",
  passwordChanged: "The password is changed. Your other sessions are ended.",
  factorSet: "Turn on a second factor",
  factorChange: "Change your second factor",
  factorWhat:
    "A second factor protects your account even if somebody knows your password. Owners and approvers need one.",
  roleWhat: {
    owner:
      "Everything, including team, keys and approvals. Cannot approve alone what they prepared.",
    preparer: "Prepares transfers, payrolls, payment links and refunds.",
    approver: "Approves or refuses what others have prepared.",
    reader: "Sees the balance, transfers, collections and statements.",
    developer: "Manages keys and webhooks, sees transfers and collections.",
  },
};

export type TeamWords = typeof fr;
export const teamWords = inBoth(fr, en);
