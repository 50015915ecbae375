import { inBoth } from "../in-words.ts";

const nb = "\u00a0";

const fr = {
  make: {
    title: "Nouveau virement",
    redoOf: (reference: string) =>
      `D’après le virement échoué ${reference}. La référence est nouvelle.`,
    phone: "Numéro du bénéficiaire",
    phoneHint: (example: string) => `Avec ou sans indicatif, par exemple ${example}.`,
    amount: "Montant en F CFA",
    amountHint: (min: string, max: string) => `De ${min} à ${max}.`,
    fees: (rule: string) => `Frais${nb}: ${rule}.`,
    noFees: "Sans frais.",
    feeRate: (percent: string) => `${percent} du montant`,
    feeFlat: (amount: string) => `${amount} fixes`,
    feeMin: (amount: string) => `au moins ${amount}`,
    feeMax: (amount: string) => `au plus ${amount}`,
    reference: "Référence",
    referenceHint:
      "Unique chez vous : elle empêche de payer deux fois. Celle-ci est proposée, vous pouvez la changer.",
    description: "Motif (facultatif)",
    descriptionHint: "Le bénéficiaire le voit.",
    subCompany: "Au nom de",
    ownName: (company: string) => `${company} (votre société)`,
    inactive: "désactivée",
    review: "Vérifier",
    back: "Modifier",
    problems: {
      phone: {
        missing: "Écrivez le numéro du bénéficiaire.",
        wrong:
          "Ce numéro n’est pas lisible. Écrivez seulement des chiffres, par exemple +221 77 123 45 67.",
        withoutCountry:
          "Il manque l’indicatif du pays, ou un chiffre. Écrivez par exemple +221 77 123 45 67.",
        oldBenin:
          "Les numéros du Bénin ont dix chiffres. Écrivez 01 devant les huit, par exemple +229 01 97 12 34 56.",
        oldIvoryCoast:
          "Les numéros de Côte d’Ivoire ont dix chiffres. Écrivez 01, 05 ou 07 devant les huit, selon l’opérateur, par exemple +225 07 01 02 03 04.",
      },
      amount: {
        missing: "Écrivez le montant.",
        unreadable: "Ce montant n’est pas lisible. Écrivez un nombre entier, par exemple 25000.",
        ambiguous: (text: string) =>
          `«${nb}${text}${nb}» peut se lire de deux façons. Écrivez le montant sans point ni virgule.`,
        outside: (min: string, max: string) =>
          `Le montant doit être compris entre ${min} et ${max}.`,
      },
      reference: {
        missing: "Écrivez une référence.",
        long: "La référence a au plus 255 caractères.",
        used: "Un virement porte déjà cette référence. Choisissez-en une autre, ou regardez ce virement.",
      },
      description: "Le motif a au plus 255 caractères.",
      subCompany: "Cette sous-société ne peut pas être utilisée.",
      checks:
        "Trop de numéros vérifiés en une minute. Attendez un instant, puis recommencez. Rien n’a été envoyé.",
      price:
        "Les frais de votre contrat viennent de changer. Vérifiez de nouveau. Rien n’a été envoyé.",
    },
  },
  review: {
    title: "Vérifier le virement",
    known: (name: string) => `Compte au nom de ${name}, identité vérifiée.`,
    notIdentified: (name: string) =>
      `Compte au nom de ${name}. Son identité n’est pas encore vérifiée : son plafond est plus bas.`,
    unknown:
      "Aucun compte n’existe sous ce numéro : le virement échouerait et l’argent reviendrait. Vérifiez le numéro.",
    overLimit: (max: string) =>
      `Ce compte ne peut pas recevoir plus de ${max} : le virement échouerait.`,
    completed: "L’indicatif du pays a été ajouté. Vérifiez que c’est bien le pays du bénéficiaire.",
    inWords: "En lettres",
    fee: "Frais",
    total: "Total débité",
    balanceAfter: "Solde après",
    tooLow: (missing: string) =>
      `Il manque ${missing} sur votre solde : le virement serait refusé.`,
    approval: "Ce virement attendra l’approbation d’une autre personne.",
    alone: "Ce virement part dès votre confirmation. Il ne peut pas être annulé.",
    confirm: (amount: string) => `Envoyer ${amount}`,
    ask: (amount: string) => `Demander l’envoi de ${amount}`,
  },
  done: {
    sent: (amount: string) => `Virement de ${amount} accepté.`,
    waiting: (amount: string) =>
      `Virement de ${amount} en attente d’approbation. Rien n’est encore parti.`,
    stopped: "Le virement n’a pas pu partir. Rien n’a été débité. Voyez ci-dessous ce qui manque.",
  },
};

export type NewTransferWords = typeof fr;

const en: NewTransferWords = {
  make: {
    title: "New transfer",
    redoOf: (reference) => `After the failed transfer ${reference}. The reference is new.`,
    phone: "Recipient’s number",
    phoneHint: (example) => `With or without country code, such as ${example}.`,
    amount: "Amount in XOF",
    amountHint: (min, max) => `From ${min} to ${max}.`,
    fees: (rule) => `Fees: ${rule}.`,
    noFees: "No fees.",
    feeRate: (percent) => `${percent} of the amount`,
    feeFlat: (amount) => `${amount} flat`,
    feeMin: (amount) => `at least ${amount}`,
    feeMax: (amount) => `at most ${amount}`,
    reference: "Reference",
    referenceHint:
      "Unique to you: it keeps you from paying twice. This one is a suggestion; change it if you like.",
    description: "Description (optional)",
    descriptionHint: "The recipient sees it.",
    subCompany: "On behalf of",
    ownName: (company) => `${company} (your company)`,
    inactive: "switched off",
    review: "Review",
    back: "Change",
    problems: {
      phone: {
        missing: "Write the recipient’s number.",
        wrong: "This number cannot be read. Write digits only, such as +221 77 123 45 67.",
        withoutCountry: "The country code is missing, or a digit. Write it like +221 77 123 45 67.",
        oldBenin:
          "Numbers of Benin have ten digits. Write 01 before the eight, such as +229 01 97 12 34 56.",
        oldIvoryCoast:
          "Numbers of Côte d’Ivoire have ten digits. Write 01, 05 or 07 before the eight, as the operator has it, such as +225 07 01 02 03 04.",
      },
      amount: {
        missing: "Write the amount.",
        unreadable: "This amount cannot be read. Write a whole number, such as 25000.",
        ambiguous: (text) =>
          `“${text}” can be read in two ways. Write the amount without point or comma.`,
        outside: (min, max) => `The amount must be between ${min} and ${max}.`,
      },
      reference: {
        missing: "Write a reference.",
        long: "The reference has at most 255 characters.",
        used: "A transfer has this reference already. Choose another one, or look at that transfer.",
      },
      description: "The description has at most 255 characters.",
      subCompany: "This sub-company cannot be used.",
      checks:
        "Too many numbers were checked within a minute. Wait a moment, then try again. Nothing was sent.",
      price: "The fees of your contract have just changed. Review it again. Nothing was sent.",
    },
  },
  review: {
    title: "Review the transfer",
    known: (name) => `The account of ${name}, who was identified.`,
    notIdentified: (name) =>
      `The account of ${name}, who is not identified yet: the account’s limit is lower.`,
    unknown:
      "There is no account with this number: the transfer would fail and the money come back. Check the number.",
    overLimit: (max) => `This account cannot receive more than ${max}: the transfer would fail.`,
    completed: "The country code was added. Check that it is the recipient’s country.",
    inWords: "In words",
    fee: "Fee",
    total: "Total debited",
    balanceAfter: "Balance after",
    tooLow: (missing) => `Your balance is ${missing} short: the transfer would be refused.`,
    approval: "This transfer will wait for another person’s approval.",
    alone: "This transfer leaves as soon as you confirm. It cannot be undone.",
    confirm: (amount) => `Send ${amount}`,
    ask: (amount) => `Ask to send ${amount}`,
  },
  done: {
    sent: (amount) => `Transfer of ${amount} accepted.`,
    waiting: (amount) => `Transfer of ${amount} waits for approval. Nothing has been sent yet.`,
    stopped: "The transfer could not be sent. Nothing was debited. See below what is missing.",
  },
};

export const newTransferWords = inBoth(fr, en);
