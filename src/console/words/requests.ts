import { inBoth } from "../in-words.ts";

const fr = {
  title: "Requêtes de l’API",
  what: "Les requêtes des 7 derniers jours, quelques secondes après la réponse. Ni corps, ni jeton, ni paramètre n’y figure. Jusqu’à 50 par seconde sont inscrites par serveur.",
  at: "Heure (UTC)",
  method: "Méthode",
  path: "Chemin",
  pathHint: "contient",
  ignored: (fields: string) => `Champs inconnus, ignorés\u00a0: ${fields}`,
  status: "Statut",
  statuses: { "2": "2xx : réussies", "4": "4xx : refusées", "5": "5xx : pannes" },
  key: "Clé",
  ms: "ms",
  correlation: "Identifiant de corrélation",
  all: "Toutes",
  filter: "Filtrer",
  filterProblem: "Ce filtre ne se lit pas. Choisissez parmi les valeurs proposées.",
  empty: {
    title: "Aucune requête",
    text: "Aucune requête de cette partie du journal ne correspond. Une page en regarde cinq mille et mène à la suite ; un refus se retrouve par son identifiant de corrélation.",
  },
};

const en: typeof fr = {
  title: "API requests",
  what: "The requests of the last 7 days, some seconds after the answer. No body, no token and no parameter is in it. Up to 50 a second are recorded by each server.",
  at: "Time (UTC)",
  method: "Method",
  path: "Path",
  pathHint: "contains",
  ignored: (fields) => `Unknown fields, ignored: ${fields}`,
  status: "Status",
  statuses: { "2": "2xx: done", "4": "4xx: refused", "5": "5xx: failures" },
  key: "Key",
  ms: "ms",
  correlation: "Correlation id",
  all: "All",
  filter: "Filter",
  filterProblem: "This filter cannot be read. Choose among the values that are offered.",
  empty: {
    title: "No request",
    text: "No request in this part of the log matches. A page looks at five thousand and leads on from there; a refusal is found by its correlation id.",
  },
};

export type RequestWords = typeof fr;
export const requestWords = inBoth(fr, en);
