import { spaced } from "./translate.ts";

/** Everything the reference says itself, in French. It is the type of every other language. */
export const fr = {
  lang: "fr",
  otherLanguage: { lang: "en", name: "English" },
  title: "Référence de l’API",
  skip: "Aller au contenu",
  staging: spaced("Mode test : pas d’argent réel"),
  version: (version: string) => `Version ${version}`,
  contents: "Sommaire",
  search: "Chercher",
  searchHint: "Opération, champ, erreur…",
  found: (count: string) => spaced(`Résultats : ${count}`),
  samples: "Langage des exemples",
  sample: (language: string) => `Exemple en ${language}`,
  copy: "Copier",
  copied: "Copié",
  openapi: "Description OpenAPI 3.1",
  home: "Accueil",
  console: "Console",
  guides: {
    title: "Guides",
    what: spaced(
      "Une tâche par guide, du premier virement à la production. Ils sont en anglais ; chaque commande y est exécutée par un test, et affiche ce qui est écrit dessous.",
    ),
    inEnglish: "Ce guide est en anglais.",
  },

  start: {
    title: "Pour commencer",
    address: spaced("Adresse de base :"),
    token: "Authentification",
    tokenWhat: spaced(
      "Chaque requête sous /v1 porte le jeton d’accès de votre société. Gardez-le côté serveur : qui l’a peut dépenser.",
    ),
    key: "Ne rien faire deux fois",
    keyWhat: spaced(
      "Envoyez une Idempotency-Key avec ce qui crée ou déplace quelque chose. Si la réponse se perd, renvoyez la même requête avec la même clé : vous recevez la première réponse, et rien n’a lieu deux fois. Les clés sont gardées 30 jours. La référence d’un virement et l’externalId d’une demande de paiement protègent de la même façon, pour toujours.",
    ),
    clients: "Bibliothèques",
    clientsWhat:
      "Les exemples emploient ces bibliothèques. Elles répètent un appel sous la même clé, disent quand une issue n'est pas connue, et vérifient les notifications. Dans un projet à côté du clone de ce service :",
    lists: "Listes",
    listsWhat: spaced(
      "Une liste vient par pages, la ligne la plus récente d’abord. Renvoyez cursor.next tel quel pour la suite ; null veut dire qu’il n’y a plus rien.",
    ),
    failures: "Quand cela échoue",
    failuresWhat: spaced(
      "Toute réponse qui n’est pas un succès a la même forme. Fiez-vous à code, montrez message, et citez correlationId à qui vous aide. Après un 503 ou sans réponse, renvoyez la même requête avec la même clé.",
    ),
    numbers: "Numéros de test",
    numbersWhat: spaced("En mode test, ces numéros ont toujours la même issue :"),
    succeeds: "aboutit",
    fails: "échoue",
  },

  groups: {
    Transfers: "Virements",
    Charges: "Encaissements",
    "Sub-companies": "Sous-sociétés",
    Webhooks: "Webhooks",
    Statements: "Relevés",
    Account: "Compte",
    Operation: "Exploitation",
  } as Readonly<Record<string, string>>,

  operation: {
    needsToken: "Jeton d’accès requis",
    isPublic: "Sans jeton",
    takesKey: "Accepte une Idempotency-Key",
    path: "Dans l’adresse",
    query: "Paramètres de requête",
    header: "En-têtes",
    body: "Corps de la requête",
    bodyOptional: "Corps de la requête (facultatif)",
    answers: "Réponses",
    answer: "Exemple de réponse",
    none: "Sans corps.",
  },

  types: {
    string: "texte",
    integer: "entier",
    number: "nombre",
    boolean: "booléen",
    object: "objet",
    null: "null",
    any: "valeur",
    listOf: (item: string) => (/^[aeo]/.test(item) ? `liste d’${item}` : `liste de ${item}`),
    or: " ou ",
    date: "date et heure",
  },
  required: "obligatoire",
  optional: "facultatif",
  sometimes: "parfois absent",
  oneOf: spaced("Valeurs :"),
  from: (min: string, max: string) => `de ${min} à ${max}`,
  least: (min: string) => `au moins ${min}`,
  most: (max: string) => `au plus ${max}`,
  characters: (range: string) => `${range} caractères`,
  items: (range: string) => `${range} éléments`,
  shape: spaced("Forme :"),

  topics: {
    title: "Événements",
    what: "Un POST à votre adresse pour chacun, avec un corps JSON signé. Répondez 2xx une fois que vous l’avez noté.",
    headers: "En-têtes de chaque envoi",
    ownHeaders: "En-tête de plus",
    payload: "Exemple de corps",
    verify: "Vérifier la signature",
    verifyWhat: spaced(
      "N’importe qui peut envoyer un POST à votre adresse. Calculez la signature sur les octets du corps tels qu’ils sont arrivés, avant toute lecture du JSON : un corps relu puis réécrit n’a plus la même signature. Comparez en temps constant, avec votre clé secrète (sk_…) entière.",
    ),
  },
  states: {
    title: "États",
    what: "Les numéros des diagrammes renvoient à la liste dessous.",
    diagram: (name: string) => spaced(`Diagramme d’états : ${name}`),
    transfer: "Transaction",
    batch: "Lot",
    charge: "Demande de paiement",
    delivery: "Envoi à un webhook",
    begins: "début",
  },
  objects: { title: "Objets", what: "Ce que les opérations répondent.", example: "Exemple" },
  errors: {
    title: "Erreurs",
    what: "Tous les codes, avec ce que dit leur message. Les codes ne changent jamais, les phrases peuvent changer.",
    example: "Forme de toute erreur",
  },

  tryIt: {
    open: "Essayer",
    title: "Essayer en mode test",
    token: "Jeton d’accès",
    tokenHint:
      "Reste sur cette page jusqu’à ce que vous la quittiez, et n’est enregistré nulle part.",
    send: "Envoyer",
    sending: "Envoi…",
    answer: "Réponse",
    noAnswer: "Aucune réponse. Vérifiez la connexion, puis réessayez.",
    badJson: "Ce n’est pas du JSON valable.",
    badPath: "Remplissez les champs de l’adresse.",
    bytes: "octets",
    leaveOut: "(ne pas envoyer)",
  },
};

export type Words = typeof fr;
