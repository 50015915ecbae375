import { verifyFr } from "./verify-fr.ts";

/** A non-breaking space: before French punctuation, and inside amounts. */
const nb = "\u00a0";

const plural = (count: number, one: string, many: string): string =>
  `${count}${nb}${count < 2 ? one : many}`;

/** Everything the pages say, in French. It is the type of every other language. */
export const fr = {
  lang: "fr",
  currency: (francs: string) => `${francs.replaceAll(",", nb)}${nb}F${nb}CFA`,
  locale: "fr-FR",
  named: (name: string, value: string) => `${name}${nb}: ${value}`,
  at: (date: string, time: string) => `${date} à ${time}`,

  otherLanguage: { lang: "en", name: "English" },
  testMode: `Mode test${nb}: pas d’argent réel`,
  operatedBy: (operator: string) => `Service de paiement${nb}: ${operator}`,
  terms: "Conditions d’utilisation",
  neverPin: (operator: string) => `${operator} ne demande jamais votre code secret (PIN).`,
  helpFromMerchant: (merchant: string) => `Une question${nb}? Adressez-vous à ${merchant}.`,
  help: `Aide${nb}:`,
  problem: "Il y a un problème",
  problemTitle: (title: string) => `Erreur${nb}: ${title}`,
  busy: "Envoi en cours…",

  minutes: (count: number) => plural(count, "minute", "minutes"),
  seconds: (count: number) => plural(count, "seconde", "secondes"),
  days: (count: number) => plural(count, "jour", "jours"),
  hours: (count: number) => plural(count, "heure", "heures"),
  expires: (time: string, left: string) => `Expire à ${time} (dans ${left})`,
  expiresLater: (date: string, time: string) => `Expire le ${date} à ${time}`,
  lessThanAMinute: "moins d’une minute",

  pay: {
    title: (merchant: string) => `Payer ${merchant}`,
    asks: "vous demande de payer",
    phone: "Votre numéro de téléphone",
    phoneHint: ({ local, country, whole }: PhoneExample) =>
      `Par exemple ${local} (${country}), ou avec l’indicatif${nb}: ${whole}.`,
    next: (operator: string) =>
      `Vous recevrez un code sur ce téléphone. Rien ne sera débité de votre compte ${operator} avant que vous l’ayez saisi.`,
    submit: (amount: string) => `Payer ${amount}`,
    cancel: (merchant: string) => `Annuler et revenir à ${merchant}`,
    cancelHere: "Annuler ce paiement",
    reference: "Référence du marchand",
    qr: "Payer avec votre téléphone",
    qrHint: "Scannez ce code avec l’appareil photo.",
    qrLabel: "Code QR qui mène à cette page",
    qrLink: "Lien de cette page",
  },
  phoneProblems: {
    missing: (_example: PhoneExample) => "Indiquez votre numéro de téléphone.",
    wrong: ({ whole }: PhoneExample) =>
      `Ce numéro n’est pas valide. Écrivez-le en chiffres, par exemple ${whole}.`,
    withoutCountry: ({ country, whole }: PhoneExample) =>
      `Ce n’est pas un numéro complet pour ce pays (${country}). Écrivez-le en entier, avec l’indicatif, par exemple ${whole}.`,
    oldBenin: (_example: PhoneExample) =>
      `Les numéros du Bénin ont dix chiffres. Écrivez 01 devant les huit, par exemple +229 01 97 12 34 56.`,
    oldIvoryCoast: (_example: PhoneExample) =>
      `Les numéros de Côte d’Ivoire ont dix chiffres. Écrivez 01, 05 ou 07 devant les huit, par exemple +225 07 01 02 03 04.`,
    noAccount: ({ operator }: PhoneExample) =>
      `Ce numéro n’a pas de compte chez ${operator}. Aucun code n’a été envoyé. Vérifiez le numéro ou utilisez-en un autre.`,
  },
  completed: {
    title: `Est-ce bien votre numéro${nb}?`,
    what: (country: string) => `Nous avons ajouté l’indicatif du pays (${country}).`,
  },
  cancel: {
    title: `Annuler ce paiement${nb}?`,
    what: "Ce lien ne pourra plus servir à payer. Rien n’a été débité.",
    yes: (merchant: string) => `Oui, annuler et revenir à ${merchant}`,
    yesHere: "Oui, annuler",
    no: "Non, continuer le paiement",
  },

  code: {
    title: "Confirmez avec le code reçu",
    sent: "Nous avons envoyé un code à six chiffres au téléphone",
    label: "Code à six chiffres",
    valid: (time: string) => `Valable jusqu’à ${time}.`,
    submit: (amount: string) => `Confirmer ${amount}`,
    submitWallet: "Ouvrir mon compte",
    test: `Code de test${nb}:`,
    testHint: "Affiché parce qu’en mode test aucun SMS n’est envoyé à ce numéro.",
    nothingReceived: "Je n’ai rien reçu",
    resend: "Renvoyer un code",
    sendsLeft: (left: number) => `Encore ${plural(left, "envoi possible", "envois possibles")}.`,
    resendIn: (wait: string) => `Un nouveau code est possible dans ${wait}.`,
    resendNever: (wait: string) =>
      `Trois codes ont été envoyés à ce numéro. Un autre est possible dans ${wait}.`,
    newCode: "Recevoir un nouveau code",
    change: "Changer de numéro",
  },
  codeProblems: {
    malformed: "Saisissez les six chiffres du code.",
    wrong: (left: number) =>
      `Ce code n’est pas le bon. Il vous reste ${plural(left, "essai", "essais")}.`,
    expired: "Ce code n’est plus valable. Demandez-en un nouveau.",
    exhausted: "Trop d’essais avec ce code. Demandez-en un nouveau.",
  },
  refusals: {
    pause: (wait: string) => `Un code vient d’être envoyé. Un nouveau est possible dans ${wait}.`,
    purpose: (wait: string) =>
      `Trois codes ont déjà été envoyés à ce numéro. Réessayez dans ${wait} ou utilisez un autre numéro.`,
    phone: (wait: string) =>
      `Ce numéro a reçu trop de codes. Réessayez dans ${wait} ou utilisez un autre numéro.`,
    guesses: (wait: string) =>
      `Trop de codes faux ou non confirmés pour ce numéro. Réessayez dans ${wait} ou utilisez un autre numéro.`,
    busy: (wait: string) =>
      `Trop de codes sont demandés en ce moment. Réessayez dans ${wait}. Rien n’a été débité.`,
    abroad: (_wait: string) =>
      "Nous n’envoyons pas de code aux numéros de ce pays. Utilisez un autre numéro.",
    charge: (_wait: string) =>
      "Trop de codes ont été demandés pour ce paiement. Adressez-vous au marchand.",
    cookies: (_wait: string) =>
      "Votre navigateur n’accepte pas les cookies, et un code ne vaut que dans le navigateur qui l’a demandé. Autorisez-les pour ce site, puis réessayez.",
    unsent: (_wait: string) =>
      `Le code n’a pas pu être envoyé. Réessayez dans un moment${nb}; si cela dure, demandez de l’aide.`,
  },

  failed: {
    title: "Le paiement n’a pas abouti",
    stillPayable: "Rien n’a été débité. Vous pouvez réessayer jusqu’à l’expiration.",
    again: (phone: string) => `Réessayer avec le ${phone}`,
    other: "Utiliser un autre numéro",
    reasons: {
      INSUFFICIENT_FUNDS: "Le solde de votre compte ne suffit pas. Rechargez-le, puis réessayez.",
      ACCOUNT_NOT_FOUND: "Ce numéro n’a pas de compte. Vérifiez le numéro.",
      TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT:
        "Votre compte a atteint son plafond. Utilisez un autre numéro.",
      DECLINED: "Le paiement a été refusé. Réessayez ou utilisez un autre numéro.",
      INTERNAL_ERROR: "Une panne de notre côté a arrêté le paiement. Réessayez.",
    },
  },

  receipt: {
    title: "Paiement effectué",
    refunded: "Paiement remboursé",
    refundedPartly: "Paiement remboursé en partie",
    amount: "Montant payé",
    what: "Objet",
    date: "Date",
    reference: "Référence",
    merchantReference: "Référence du marchand",
    payer: "Payé avec le numéro",
    refundDate: "Dernier remboursement",
    remaining: "Net payé",
    back: (merchant: string) => `Retour à ${merchant}`,
    keep: `Cette page est votre reçu${nb}: gardez son adresse.`,
    print: "Imprimer le reçu",
  },

  ended: {
    expired: "Ce paiement a expiré",
    expiredWhat: "Le délai pour payer est passé. Rien n’a été débité.",
    canceled: "Paiement annulé",
    canceledWhat: "Ce paiement a été annulé. Rien n’a été débité.",
    amount: "Montant",
    again: "Pour payer quand même, recommencez chez le marchand.",
  },

  checking: {
    title: "Nous vérifions votre paiement",
    what: "Nous ne savons pas encore si le paiement a abouti. Ne payez pas une deuxième fois ailleurs.",
    reload: "Actualiser",
    resume: "Revenir au paiement",
    automatic: "La page s’actualise toutes les dix secondes.",
    stop: "Ne plus actualiser",
  },

  unknownLink: {
    title: "Ce lien ne mène à aucun paiement",
    what: "Vérifiez que vous avez ouvert le lien en entier, ou demandez-en un nouveau au marchand.",
  },

  frozenMerchant: {
    title: "Paiement impossible pour le moment",
    what: (merchant: string) =>
      `${merchant} ne peut pas recevoir de paiement pour le moment. Rien n’a été débité. Pour toute question, adressez-vous à ce marchand.`,
  },

  problems: {
    incident: `Numéro de l’incident${nb}:`,
    back: "Revenir à la page",
    forbidden: {
      title: "Demande refusée",
      what: "Cette demande vient d’un autre site. Rouvrez le lien de paiement.",
    },
    notFound: { title: "Page introuvable", what: "Il n’y a rien à cette adresse." },
    method: { title: "Demande impossible", what: "Cette page ne s’ouvre pas de cette façon." },
    invalid: { title: "Demande impossible", what: "Nous n’avons pas compris cette demande." },
    tooMany: {
      title: "Trop de demandes",
      what: "Trop de demandes viennent de votre connexion. Réessayez dans une minute.",
    },
    unavailable: {
      title: "Le service ne répond pas",
      what: `Rechargez la page dans un moment${nb}: elle dira où vous en êtes.`,
    },
    internal: {
      title: "Une panne de notre côté",
      what: "Rechargez la page\u00a0: elle dira où vous en êtes. Si la panne dure, indiquez le numéro de l’incident.",
    },
  },

  wallet: {
    title: "Votre compte",
    signIn: (operator: string) =>
      `Consultez le solde et les opérations de votre compte ${operator}. Vous recevrez un code sur votre téléphone.`,
    submit: "Recevoir un code",
    hello: (name: string) => `Bonjour ${name}`,
    balance: "Solde",
    history: "Opérations",
    none: "Aucune opération pour le moment.",
    noAccount: "Ce numéro n’a pas de compte.",
    frozen: `Votre compte est bloqué${nb}: il ne peut ni recevoir ni payer. Adressez-vous au service qui tient votre compte.`,
    reference: "Réf.",
    events: {
      "transfer.completed": "Argent reçu",
      "charge.paid": "Paiement",
      "charge.refunded": "Remboursement",
    },
    newer: "Plus récentes",
    older: "Plus anciennes",
    pages: "Pages des opérations",
    signOut: "Se déconnecter",
  },

  messages: {
    pay: (operator: string, code: string, amount: string, merchant: string, lasts: string) =>
      `${operator}${nb}: ${code} est votre code pour payer ${amount}${merchant === "" ? "" : ` à ${merchant}`}. Valable ${lasts}. Ne le donnez à personne.`,
    wallet: (operator: string, code: string, lasts: string) =>
      `${operator}${nb}: ${code} est votre code pour ouvrir votre compte. Valable ${lasts}. Ne le donnez à personne.`,
  },

  home: {
    what: (operator: string) =>
      `${operator} reçoit des paiements pour des commerçants et envoie de l’argent à des personnes, en F${nb}CFA (XOF).`,
    people: "Pour tout le monde",
    wallet: "Voir mon compte",
    link: "Pour payer, ouvrez le lien que le marchand vous a donné.",
    businesses: "Pour les entreprises",
    console: "Ouvrir la console",
    developers: "Pour les développeurs",
    guide: "Guide de démarrage",
    reference: "Référence de l’API",
    guides: "Guides pas à pas (en anglais)",
    api: "Description de l’API (OpenAPI)",
  },

  verify: verifyFr,

  guide: {
    title: "Guide pour les développeurs",
    token: "Le jeton",
    tokenWhat: `L’opérateur vous donne un jeton d’accès et une clé secrète. Chaque requête porte le jeton${nb}:`,
    charge: "Être payé",
    chargeWhat: `Créez un encaissement, puis envoyez le payeur à l’adresse paymentUrl de la réponse${nb}:`,
    transfer: "Envoyer de l’argent",
    transferWhat: `Une référence n’est payée qu’une fois. Sans réponse claire, renvoyez la même requête${nb}:`,
    webhook: "Être informé",
    webhookWhat: `Livrez sur cette notification, jamais parce qu’un navigateur est revenu. Sa signature est le HMAC-SHA256 du corps avec votre clé secrète${nb}:`,
    more: "Tous les champs, filtres et erreurs sont dans la description de l’API.",
  },
};

/** A phone number of the reader's country, as an example of what may be typed. */
export interface PhoneExample {
  readonly local: string;
  readonly whole: string;
  readonly country: string;
  readonly operator: string;
}

export type Words = typeof fr;
