/** What the document says of groups, operations and topics, in French, by what it says in English. */
export const frenchOperations: Readonly<Record<string, string>> = {
  "Money sent to people. The API's word for a transfer is transaction.":
    "De l’argent envoyé à des personnes. L’API appelle un virement « transaction ».",
  "Requests to be paid, the page they are paid on, and refunds.":
    "Des demandes de paiement, la page où l’on paie, et les remboursements.",
  "On whose behalf a transfer is sent or a charge is made.":
    "Au nom de qui un virement est envoyé ou un paiement demandé.",
  "Being told of what happens, by signed HTTP requests.":
    "Être averti de ce qui se passe, par des requêtes HTTP signées.",
  "What changed the balance, and how to prove it later.":
    "Ce qui a changé le solde, et comment le prouver plus tard.",
  "The business account.": "Le compte professionnel.",
  "For whoever runs the service.": "Pour qui exploite le service.",
  "Send money to people known by their phone number, one or ten thousand at a time, and be paid by them. Amounts are whole francs (XOF). Messages of errors are in French when Accept-Language prefers it, else in English; their codes are always the same.":
    "Envoyez de l’argent à des personnes connues par leur numéro de téléphone, à une ou à dix mille à la fois, et soyez payé par elles. Les montants sont des francs entiers (XOF). Les messages d’erreur sont en français quand Accept-Language le préfère, sinon en anglais ; leurs codes ne changent jamais.",
  "This document": "Ce document",
  "Made from the routes themselves, so it is always true of this installation.":
    "Fait à partir des routes elles-mêmes, donc toujours vrai de cette installation.",
  "The process is alive": "Le processus est en vie",
  "Answers also when other requests are refused. It does not look at the database.":
    "Répond aussi quand d’autres requêtes sont refusées. Ne consulte pas la base de données.",
  "The database commits, and its schema is current":
    "La base de données valide, et son schéma est à jour",
  "For whoever decides where requests are sent: found out by a commit. What is missing is in the log, and for whoever may read /metrics in reason, a word such as disk_full, and in problem, a sentence.":
    "Pour qui décide où envoyer les requêtes : vérifié par une validation réelle. Ce qui manque est dans le journal, et pour qui peut lire /metrics dans reason, un mot comme disk_full, et dans problem, une phrase.",
  "Prometheus text": "Texte Prometheus",
  "Counters, gauges and histograms, for whoever sends METRICS_TOKEN as a bearer token. Without it there is nothing here; in staging it need not be set.":
    "Compteurs, jauges et histogrammes, pour qui envoie METRICS_TOKEN comme jeton bearer. Sans lui, il n’y a rien ici ; en staging, il peut rester vide.",
  "The public keys that the books are sealed with":
    "Les clés publiques dont les livres sont scellés",
  "For whoever verifies a statement or a seal; no token is needed.":
    "Pour qui vérifie un relevé ou un sceau ; aucun jeton n’est nécessaire.",
  "Send money to one person": "Envoyer de l’argent à une personne",
  "Reserves amount and fee and answers at once; the transfer is carried out right after.":
    "Réserve le montant et les frais, et répond aussitôt ; le virement est exécuté juste après.",
  "Transactions, newest first": "Les transactions, la plus récente d’abord",
  "Filters may be combined; unknown query parameters are refused. Follow cursor.next for older rows, cursor.prev for newer ones.":
    "Les filtres se combinent ; un paramètre inconnu est refusé. Suivez cursor.next pour les lignes plus anciennes, cursor.prev pour les plus récentes.",
  "Send money to many people": "Envoyer de l’argent à beaucoup de personnes",
  "All or nothing: one bad row, one used reference or one franc too little, and nothing is sent.":
    "Tout ou rien : une ligne fautive, une référence déjà utilisée ou un franc qui manque, et rien n’est envoyé.",
  "One transaction": "Une transaction",
  "Answers what has become of it: pending, completed or failed.":
    "Dit ce qu’elle est devenue : pending, completed ou failed.",
  "One batch with its transactions, in the order they were sent":
    "Un lot avec ses transactions, dans l’ordre d’envoi",
  "Every transaction as it is now, and how many have completed and failed. Of a batch of more than 1000 the first 1000 are shown, and transactionsTruncated says so.":
    "Chaque transaction telle qu’elle est maintenant, et combien ont abouti ou échoué. D’un lot de plus de 1000, les 1000 premières sont montrées, et transactionsTruncated le dit.",
  "The transactions of a batch, newest first": "Les transactions d’un lot, la plus récente d’abord",
  "All of them, or those in one state. Follow cursor.next for older rows, cursor.prev for newer ones.":
    "Toutes, ou celles d’un état. Suivez cursor.next pour les lignes plus anciennes, cursor.prev pour les plus récentes.",
  "Batches, newest first, without their transactions":
    "Les lots, le plus récent d’abord, sans leurs transactions",
  "Follow cursor.next for older rows, cursor.prev for newer ones.":
    "Suivez cursor.next pour les lignes plus anciennes, cursor.prev pour les plus récentes.",
  "The transactions that have these references": "Les transactions qui portent ces références",
  "Answers for up to 1 000 references; those that no transaction has are left out. The order is that of creation.":
    "Répond pour 1 000 références au plus ; celles qu’aucune transaction ne porte sont omises. L’ordre est celui de la création.",
  "The account's own terms": "Les conditions du compte",
  "Its name and country, what one transaction may be, what it costs, and what answers: staging or production.":
    "Son nom et son pays, ce que peut être une transaction, ce qu’elle coûte, et qui répond : le service de test ou celui de production.",
  "Ask to be paid": "Demander un paiement",
  "Answers with paymentUrl, where the payer pays. A charge that nobody pays is dropped after an hour.":
    "Répond avec paymentUrl, où le payeur paie. Une demande que personne ne paie est abandonnée après une heure.",
  "Charges, newest first": "Les demandes de paiement, la plus récente d’abord",
  "One charge": "Une demande de paiement",
  "With its payments, failed ones included, and its refunds.":
    "Avec ses paiements, échecs compris, et ses remboursements.",
  "Give back what was paid, or a part of it": "Rembourser ce qui a été payé, en tout ou en partie",
  "No body, an empty object or a reason alone gives back all that is left; an amount gives back a part. An amount of null and fields that are not known are refused. Send an Idempotency-Key: a refund has no reference of its own.":
    "Sans corps, avec un objet vide ou un motif seul, tout ce qui reste est remboursé ; un montant en rembourse une partie. Un montant null et les champs inconnus sont refusés. Envoyez une Idempotency-Key : un remboursement n’a pas de référence à lui.",
  "Simulate a payment (staging only)": "Simuler un paiement (staging seulement)",
  "The two test numbers pay and fail; other numbers pay from their wallets. A failed payment is a 200 too: the charge stays due and has one attempt more.":
    "Les deux numéros de test paient et échouent ; les autres paient de leur portefeuille. Un paiement échoué est aussi un 200 : la demande reste due et compte une tentative de plus.",
  "Does this phone number belong to somebody?": "Ce numéro de téléphone est-il à quelqu’un ?",
  "Tells who would receive the money and whether that person was identified. Nobody is no error: every field says unknown.":
    "Dit qui recevrait l’argent et si cette personne a été identifiée. Personne n’est pas une erreur : chaque champ dit alors unknown.",
  "Do these phone numbers belong to somebody?": "Ces numéros de téléphone sont-ils à quelqu’un ?",
  "Answers for up to 1 000 numbers, in their order, and counts as that many checks. Ask before you pay many people.":
    "Répond pour 1 000 numéros au plus, dans leur ordre, et compte pour autant de vérifications. À demander avant de payer beaucoup de personnes.",
  "Account balance": "Le solde du compte",
  "What can be spent now: without what is reserved for pending transactions.":
    "Ce qui peut être dépensé maintenant : sans ce qui est réservé pour les transactions en attente.",
  "Create a sub-company": "Créer une sous-société",
  "Its name and logo are shown to recipients and payers. It is active at once.":
    "Son nom et son logo sont montrés aux bénéficiaires et aux payeurs. Elle est active aussitôt.",
  "Sub-companies, newest first": "Les sous-sociétés, la plus récente d’abord",
  "Inactive ones included. Follow cursor.next for older rows, cursor.prev for newer ones.":
    "Inactives comprises. Suivez cursor.next pour les lignes plus anciennes, cursor.prev pour les plus récentes.",
  "One sub-company": "Une sous-société",
  "Its name, its logo, and whether it can be used.": "Son nom, son logo, et si elle peut servir.",
  "Change a sub-company": "Modifier une sous-société",
  "Fields left out stay unchanged. A sub-company is never deleted, only made inactive.":
    "Les champs omis restent inchangés. Une sous-société n’est jamais supprimée, seulement désactivée.",
  "What changed the balance, in order": "Ce qui a changé le solde, dans l’ordre",
  "openingBalance and the lines make closingBalance, always: a statement is cut at a posting, and its pages stay cut there while money moves on. Follow cursor.next for later lines.":
    "openingBalance et les lignes font closingBalance, toujours : un relevé est arrêté à une écriture, et ses pages y restent arrêtées pendant que l’argent continue de bouger. Suivez cursor.next pour les lignes suivantes.",
  "The operator's seals of days that are over, newest first":
    "Les sceaux de l’opérateur pour les jours passés, le plus récent d’abord",
  "Keep them: with them, a history that was rewritten later can be told from the one that was sealed.":
    "Gardez-les : avec eux, une histoire réécrite après coup se distingue de celle qui fut scellée.",
  "The statement as CSV, signed": "Le relevé en CSV, signé",
  "All lines of the period, written as they are read. Whoever has the file can verify it without a connection: cauri verify.":
    "Toutes les lignes de la période, écrites au fil de la lecture. Qui a le fichier peut le vérifier sans connexion : cauri verify.",
  "The statement as XLSX, signed": "Le relevé en XLSX, signé",
  "The statement as PDF, signed": "Le relevé en PDF, signé",
  "Be told of a topic": "Être averti d’un sujet",
  "The address hears of what happens from here on. A new one is sent a signed test event first, with the topic webhooks/test and the header x-<brand>-webhook-test. Until it has answered one request with 2xx it gets a few a minute, and the rest waits.":
    "L’adresse est avertie de ce qui se passe à partir de maintenant. Une nouvelle adresse reçoit d’abord un événement de test signé, avec le sujet webhooks/test et l’en-tête x-<brand>-webhook-test. Tant qu’elle n’a pas répondu 2xx à une requête, elle en reçoit quelques-unes par minute, et le reste attend.",
  "Webhooks, newest first": "Les webhooks, le plus récent d’abord",
  "Disabled ones included, deleted ones not. Follow cursor.next for older rows, cursor.prev for newer ones.":
    "Désactivés compris, supprimés exclus. Suivez cursor.next pour les lignes plus anciennes, cursor.prev pour les plus récentes.",
  "One webhook": "Un webhook",
  "Its topic, its address, what that answered to its test event, and whether it was disabled.":
    "Son sujet, son adresse, ce qu’elle a répondu à l’événement d’essai, et s’il a été désactivé.",
  "Stop being told": "Ne plus être averti",
  "What it still had to deliver is cancelled.": "Ce qu’il lui restait à recevoir est annulé.",
  "What was sent to a webhook, newest first, with every attempt of the last 30 days":
    "Ce qui a été envoyé à un webhook, le plus récent d’abord, avec chaque tentative des 30 derniers jours",
  "Each delivery with its status, what it waits for and until when, and what the receiver answered.":
    "Chaque envoi avec son état, ce qu’il attend et jusqu’à quand, et ce que le récepteur a répondu.",
  "Send a delivery again": "Renvoyer un envoi",
  "From the start of its schedule; one that waits, for its next try or for its url to answer, is tried now. It keeps its webhook-id, so a receiver that has it already can tell.":
    "Depuis le début de ses essais ; celui qui attend, son prochain essai ou que son url réponde, est essayé maintenant. Il garde son webhook-id, pour qu’un récepteur qui l’a déjà le reconnaisse.",
  "What happened, in order": "Ce qui s’est passé, dans l’ordre",
  "The same events that webhooks are told of, for those who would rather ask. Ask with after=<lastSequence of the answer before> and wait=30, again and again: nothing is missed and nothing comes twice. Events are kept for 30 days.":
    "Les mêmes événements que ceux des webhooks, pour qui préfère demander. Demandez avec after=<lastSequence de la réponse précédente> et wait=30, encore et encore : rien ne manque et rien ne vient deux fois. Les événements sont gardés 30 jours.",
  "A transaction was accepted": "Une transaction a été acceptée",
  "Its money is reserved, and it is queued to be carried out.":
    "Son argent est réservé, et elle attend d’être exécutée.",
  "A transaction was carried out": "Une transaction a été exécutée",
  "The recipient has the money.": "Le bénéficiaire a l’argent.",
  "A transaction could not be carried out": "Une transaction n’a pas pu être exécutée",
  "Amount and fee are back on the account; failureReason says why.":
    "Le montant et les frais sont revenus sur le compte ; failureReason dit pourquoi.",
  "All transactions of a batch have ended": "Toutes les transactions d’un lot sont terminées",
  "How many of them completed and failed, and what that comes to. Sent once.":
    "Combien ont abouti et échoué, et pour quels montants. Envoyé une seule fois.",
  "The status of a charge changed": "L’état d’une demande de paiement a changé",
  "It was paid, dropped, or refunded in part or whole.":
    "Elle a été payée, abandonnée, ou remboursée en partie ou en entier.",
  "A day of the books was sealed": "Un jour des livres a été scellé",
  "Keep it: whoever has it can tell when that day's history, or any before it, is another later.":
    "Gardez-le : qui l’a peut dire quand l’histoire de ce jour, ou d’avant, a changé après coup.",
  "A test event": "Un événement d’essai",
  "Sent once to a url that none of your webhooks had before, and when somebody asks for one in the console. It tells of nothing, and nobody subscribes to it.":
    "Envoyé une fois à une url qu’aucun de vos webhooks n’avait, et quand quelqu’un le demande dans la console. Il n’apprend rien, et personne ne s’y abonne.",
};
