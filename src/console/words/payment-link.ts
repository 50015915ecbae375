import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  make: {
    title: "Nouveau lien de paiement",
    redoOf: (reference: string) => `D’après ${reference}. La référence est nouvelle.`,
    amount: "Montant en F CFA",
    amountHint: (min: string, max: string) => `De ${min} à ${max}.`,
    fees: (percent: string) => `${percent} de frais sont retenus quand le client paie.`,
    noFees: "Sans frais.",
    description: "Objet",
    descriptionHint: "Le client le lit avant de payer.",
    reference: "Référence",
    referenceHint: "Unique chez vous. Celle-ci est proposée, vous pouvez la changer.",
    subCompany: "Au nom de",
    ownName: (company: string) => `${company} (votre société)`,
    inactive: "désactivée",
    lifetime: (duration: string) =>
      `Le lien est valable ${duration}. Il se paie une seule fois, pour le montant exact.`,
    create: "Créer le lien",
    problems: {
      amount: {
        missing: "Écrivez le montant.",
        unreadable: "Ce montant n’est pas lisible. Écrivez un nombre entier, par exemple 25000.",
        ambiguous: (text: string) =>
          `«${nb}${text}${nb}» peut se lire de deux façons. Écrivez le montant sans point ni virgule.`,
        outside: (min: string, max: string) =>
          `Le montant doit être compris entre ${min} et ${max}.`,
      },
      description: {
        missing: "Écrivez ce que le client paie.",
        long: "L’objet a au plus 255 caractères.",
      },
      reference: {
        missing: "Écrivez une référence.",
        long: "La référence a au plus 255 caractères.",
        used: "Un encaissement porte déjà cette référence. Aucun lien n’a été créé. Choisissez-en une autre.",
        sent: "Ce formulaire a déjà créé un lien, avec un autre contenu. Pour en créer un second, changez la référence.",
      },
      subCompany: "Cette sous-société ne peut pas être utilisée.",
    },
  },
  created: "Lien créé. Envoyez-le ou montrez le code QR.",
  share: {
    title: "Faire payer",
    until: (moment: string) => `Valable jusqu’au ${moment}. Il se paie une seule fois.`,
    address: "Adresse à partager",
    qr: (amount: string) => `Code QR de la page où payer ${amount}`,
    open: "Ouvrir la page de paiement",
    whatsApp: "Envoyer par WhatsApp",
    sms: "Envoyer par SMS",
    text: "Message à copier",
    message: (who: string, amount: string, what: string, until: string, url: string) =>
      `${who} vous demande ${amount}${nb}: ${what}. Payez ici avant le ${until}${nb}: ${url}`,
    print: "Imprimer",
    sizes: { a4: "Feuille A4", a6: "Carte A6" },
  },
  print: {
    title: (reference: string) => `Code QR, ${reference}`,
    hint: "Imprimez cette page avec le menu de votre navigateur (Ctrl + P). Seule la feuille est imprimée.",
    until: (moment: string) => `Ce code ne peut plus être payé après le ${moment}.`,
    back: "Revenir à l’encaissement",
    over: "Ce lien ne peut plus être payé : il n’y a rien à imprimer.",
  },
};

export type LinkWords = typeof fr;

const en: LinkWords = {
  make: {
    title: "New payment link",
    redoOf: (reference) => `Made from ${reference}. The reference is new.`,
    amount: "Amount in XOF",
    amountHint: (min, max) => `From ${min} to ${max}.`,
    fees: (percent) => `A fee of ${percent} is kept when the customer pays.`,
    noFees: "Without fees.",
    description: "Description",
    descriptionHint: "The customer reads it before paying.",
    reference: "Reference",
    referenceHint: "Unique with you. This one is suggested; you can change it.",
    subCompany: "In the name of",
    ownName: (company) => `${company} (your company)`,
    inactive: "disabled",
    lifetime: (duration) =>
      `The link is good for ${duration}. It is paid once, with the exact amount.`,
    create: "Create the link",
    problems: {
      amount: {
        missing: "Write the amount.",
        unreadable: "This amount cannot be read. Write a whole number, such as 25000.",
        ambiguous: (text) =>
          `“${text}” can be read in two ways. Write the amount without a point or a comma.`,
        outside: (min, max) => `The amount has to be from ${min} to ${max}.`,
      },
      description: {
        missing: "Write what the customer pays for.",
        long: "A description has at most 255 characters.",
      },
      reference: {
        missing: "Write a reference.",
        long: "A reference has at most 255 characters.",
        used: "A collection has this reference already. No link was created. Choose another.",
        sent: "This form has created a link already, with another content. To create a second one, change the reference.",
      },
      subCompany: "This sub-company cannot be used.",
    },
  },
  created: "Link created. Send it, or show the QR code.",
  share: {
    title: "Get paid",
    until: (moment) => `Good until ${moment}. It is paid once.`,
    address: "Address to share",
    qr: (amount) => `QR code of the page where ${amount} is paid`,
    open: "Open the payment page",
    whatsApp: "Send by WhatsApp",
    sms: "Send by SMS",
    text: "Message to copy",
    message: (who, amount, what, until, url) =>
      `${who} asks you for ${amount}: ${what}. Pay here before ${until}: ${url}`,
    print: "Print",
    sizes: { a4: "A4 sheet", a6: "A6 card" },
  },
  print: {
    title: (reference) => `QR code, ${reference}`,
    hint: "Print this page with your browser’s menu (Ctrl + P). Only the sheet is printed.",
    until: (moment) => `This code cannot be paid after ${moment}.`,
    back: "Back to the collection",
    over: "This link cannot be paid any more: there is nothing to print.",
  },
};

export const linkWords = inBoth(fr, en);
