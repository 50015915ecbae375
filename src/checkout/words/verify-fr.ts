const nb = "\u00a0";

/** What the page says on which statements are verified. */
export const verifyFr = {
  title: "Vérifier un relevé",
  what: (operator: string) =>
    `Envoyez un relevé exporté par ${operator} (CSV, XLSX ou PDF). Le fichier est lu et n’est pas conservé.`,
  file: "Le fichier",
  kept: "Clés ou scellés que vous avez conservés (facultatif)",
  keptHint: `Du JSON${nb}: le contenu de cauri-ledger.json, ou de vos scellés. Sans eux, la clé publiée à cette adresse fait foi.`,
  submit: "Vérifier",
  another: "Vérifier un autre fichier",
  home: "Vérifier un relevé",
  states: {
    verified: "Vérifié",
    rows: "Lignes vérifiées, pas ce que le fichier montre",
    consistent: "Cohérent, mais non authentifié",
    wrong: "Non vérifié",
  },
  signedHere: (operator: string, address: string) =>
    `Signé par ${operator} à l’adresse ${address}. Comparez cette adresse avec celle de votre navigateur${nb}: un faux fichier peut mener à une fausse page.`,
  signedByKept:
    "Signé avec une clé que vous avez fournie, et conforme à ce que vous avez conservé.",
  signedFile: "La signature couvre tout le fichier, octet par octet.",
  signedRows:
    "Ce fichier vient d’une version antérieure, qui signait les lignes et non le fichier. Ce qu’un programme en montre n’a pas été comparé. Demandez un nouvel export.",
  notAuthenticated:
    "Le fichier est cohérent, mais rien de ce que vous avez fourni ne dit de qui il est, ou aucun de vos scellés ne s’applique à ses jours.",
  company: "Compte",
  period: "Période (UTC)",
  format: "Format",
  lines: "Lignes",
  opening: "Solde d’ouverture",
  closing: "Solde de clôture",
  code: "Code de vérification",
  key: "Clé",
  compare: "Comparez ces valeurs avec ce que le fichier vous montre.",
  row: (row: number) => `Ligne ${row} sous l’en-tête${nb}: `,
  problems: {
    changed: "elle a été modifiée.",
    removed: "une ou plusieurs lignes ont été retirées ici.",
    added: "elle a été ajoutée.",
    moved: "elle a été déplacée.",
    cut: "la suite manque.",
    untrue: "elle contredit le reste du fichier, ou un scellé n’est pas de l’opérateur.",
    forked: "un scellé que vous avez conservé, ou du fichier, est d’un autre historique.",
    truncated: "le fichier s’arrête avant un scellé que vous avez conservé.",
    unsigned:
      "Le fichier n’est pas celui que l’opérateur a signé. Il a été modifié ou enregistré par un autre programme, il est incomplet, ou une autre clé l’a signé.",
    renamed:
      "Le nom du fichier finit comme celui d’un autre format que son contenu. Rendez-lui son vrai nom et vérifiez de nouveau.",
  },
  refused: {
    file: "Ce fichier n’est pas un relevé exporté par Cauri, ou il est endommagé.",
    kept: "Ce que vous avez fourni n’est ni des clés ni des scellés.",
    work: "Le fichier est trop long pour cette page. Vérifiez-le avec la commande cauri verify.",
    none: "Choisissez un fichier.",
    size: "Le fichier dépasse 10 Mo. Vérifiez-le avec la commande cauri verify.",
    busy: "D’autres fichiers sont en cours de vérification. Réessayez dans quelques secondes.",
  },
};
