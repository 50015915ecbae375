/** What the document says of answers, in French, by what it says in English. */
export const frenchAnswers: Readonly<Record<string, string>> = {
  "OpenAPI 3.1.": "OpenAPI 3.1.",
  "The request is not valid HTTP.": "La requête n’est pas du HTTP valable.",
  "Not able to serve right now; Retry-After says when to try again.":
    "Ne peut pas répondre maintenant ; Retry-After dit quand réessayer.",
  "ok.": "ok.",
  "Not ready.": "Pas prêt.",
  "Prometheus text format.": "Format texte de Prometheus.",
  "The keys.": "Les clés.",
  "Accepted.": "Accepté.",
  "Something in the request is missing or not valid.":
    "Quelque chose manque dans la requête ou n’est pas valable.",
  "The access token is missing or not valid.": "Le jeton d’accès manque ou n’est pas valable.",
  "The account balance is too low.": "Le solde du compte est insuffisant.",
  "X-Company-Id is not the token's company.": "X-Company-Id n’est pas la société du jeton.",
  "The reference was used before; details has the id of what is there.":
    "La référence a déjà servi ; details donne l’identifiant de ce qui existe.",
  "The body is too large.": "Le corps est trop grand.",
  "The body is not JSON.": "Le corps n’est pas du JSON.",
  "The request was understood but cannot be carried out.":
    "La requête est comprise mais ne peut pas être exécutée.",
  "Too many requests.": "Trop de requêtes.",
  "Our mistake.": "Une erreur de notre part.",
  "A page of the list.": "Une page de la liste.",
  "The transaction.": "La transaction.",
  "There is nothing with this id.": "Il n’y a rien avec cet identifiant.",
  "The batch.": "Le lot.",
  "The transactions that there are.": "Les transactions qui existent.",
  "The account's own terms.": "Les conditions du compte.",
  "Created.": "Créé.",
  "The charge.": "La demande de paiement.",
  "The charge with its refund.": "La demande de paiement avec son remboursement.",
  "The charge after the attempt.": "La demande de paiement après la tentative.",
  "Who it is; every field says unknown when there is nobody.":
    "Qui c’est ; chaque champ dit unknown s’il n’y a personne.",
  "Who they are; every field says unknown where there is nobody.":
    "Qui ils sont ; chaque champ dit unknown là où il n’y a personne.",
  "What can be spent now.": "Ce qui peut être dépensé maintenant.",
  "The sub-company.": "La sous-société.",
  "A page of it.": "Une page du relevé.",
  "The file.": "Le fichier.",
  "Registered.": "Enregistré.",
  "The webhook.": "Le webhook.",
  "Deleted.": "Supprimé.",
  "The delivery.": "L’envoi.",
  "Events, oldest first.": "Les événements, le plus ancien d’abord.",
  "It was there, and is kept no longer.": "C’était là, et n’est plus conservé.",
  "Gone: the webhook is disabled and nothing more is sent to it.":
    "Terminé : le webhook est désactivé et plus rien ne lui est envoyé.",
  "Received. Anything else, or nothing, and it is sent again.":
    "Reçu. Toute autre réponse, ou aucune, et il est renvoyé.",
  "The url is proved: notifications follow as they happen.":
    "L’adresse est éprouvée : les notifications suivent à mesure qu’elles surviennent.",
  "It is not sent again. Four notifications a minute follow until one is received.":
    "Il n’est pas renvoyé. Quatre notifications par minute suivent jusqu’à ce que l’une soit reçue.",
};
