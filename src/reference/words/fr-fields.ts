/** What the document says of parameters and fields, in French, by what it says in English. */
export const frenchFields: Readonly<Record<string, string>> = {
  "The HTTP reason phrase.": "Le nom HTTP du statut.",
  "What answers: in staging no money is real.":
    "Qui répond : dans le service de test (staging), l’argent n’est pas réel.",
  "The word in the names of the headers of notifications.":
    "Le mot dans les noms des en-têtes des notifications.",
  "Whose transfers and payments are completed, and whose fail; null in production.":
    "Celui dont les transferts et paiements réussissent, et celui dont ils échouent ; null en production.",
  "For a person: what was wrong and what is allowed. French when Accept-Language prefers it, else English.":
    "Pour une personne : ce qui n’allait pas et ce qui est admis. En français quand Accept-Language le préfère, sinon en anglais.",
  "A stable word for programs; see docs/errors.md.":
    "Un mot stable, pour les programmes ; voir la liste des erreurs.",
  "Names this request in the service's log.": "Désigne cette requête dans le journal du service.",
  "ISO 8601, UTC, milliseconds.": "ISO 8601, UTC, avec les millisecondes.",
  "Row of a batch, from 0.": "Ligne du lot, à partir de 0.",
  "What is already there, on a conflict.": "Ce qui existe déjà, en cas de conflit.",
  "The sub-company's id.": "L’identifiant de la sous-société.",
  "Only active sub-companies can be used in transactions.":
    "Seules les sous-sociétés actives peuvent servir dans des transactions.",
  "The transaction's id.": "L’identifiant de la transaction.",
  "Whole francs (XOF).": "Francs entiers (XOF).",
  "amount + fee.": "amount + fee.",
  "As the caller wrote it.": "Tel que vous l’avez écrit.",
  "The caller's own, unique for ever.": "La vôtre, unique pour toujours.",
  "What the recipient sees.": "Ce que voit le bénéficiaire.",
  "Present when sent as part of a batch.": "Présent si elle a été envoyée dans un lot.",
  "Null unless failed.": "Null, sauf en cas d’échec.",
  "Present when sent on behalf of a sub-company.":
    "Présent si elle a été envoyée au nom d’une sous-société.",
  "The batch's id.": "L’identifiant du lot.",
  "Transactions in the batch.": "Nombre de transactions du lot.",
  "Whole francs paid out so far, without fees.": "Francs entiers déjà versés, hors frais.",
  "Whole francs that failed so far, without fees.":
    "Francs entiers des transactions échouées jusqu’ici, hors frais.",
  "Fees of what was paid out so far.": "Frais de ce qui a déjà été versé.",
  "Present and true when there are more transactions than are shown here.":
    "Présent et vrai quand il y a plus de transactions que celles montrées ici.",
  "The payer, as written when paying.": "Le payeur, tel qu’écrit lors du paiement.",
  "What the payer sees.": "Ce que voit le payeur.",
  "What was paid with.": "Le moyen de paiement.",
  "The charge's id.": "L’identifiant de la demande de paiement.",
  "When it was paid; null until then.": "Quand elle a été payée ; null jusque-là.",
  "Whole francs to collect.": "Francs entiers à encaisser.",
  "What is not paid: amount, or 0 once paid.":
    "Ce qui n’est pas payé : amount, ou 0 une fois payé.",
  "The company is credited amount less value; refunds give back their share.":
    "La société est créditée de amount moins value ; un remboursement en rend sa part.",
  "A share of the amount.": "Une part du montant.",
  "Whole francs, half up.": "Francs entiers, arrondis au plus proche.",
  "created in the answer to the creation, never later.":
    "created dans la réponse à la création, jamais ensuite.",
  "Null unless dropped: its time was over, or the payer gave up.":
    "Null, sauf si elle a été abandonnée : son délai était passé, ou le payeur a renoncé.",
  "Attempts to pay, failed ones included.": "Tentatives de paiement, échecs compris.",
  "As given; {} when none was.": "Telles que données ; {} s’il n’y en avait pas.",
  "Where to send the payer.": "Où envoyer le payeur.",
  "Payments, failed ones included, and refunds, in the order they happened.":
    "Les paiements, échecs compris, et les remboursements, dans l’ordre où ils ont eu lieu.",
  "Present when asked on behalf of a sub-company.":
    "Présent si le paiement est demandé au nom d’une sous-société.",
  "Where the payer's browser would go now: the company's own address, with chargeId and externalId in the query; the payment page while the charge is due.":
    "Où irait maintenant le navigateur du payeur : à l’adresse de la société, avec chargeId et externalId dans la requête ; à la page de paiement tant que la demande est due.",
  "Of the posting. Grows from line to line, with gaps.":
    "Celui de l’écriture. Il croît de ligne en ligne, avec des trous.",
  "What the money moved for; other is what this release does not know.":
    "Pourquoi l’argent a bougé ; other : ce que cette version ne connaît pas.",
  "The signed change of the balance, fee included.":
    "La variation du solde, avec son signe, frais compris.",
  "How much of it was a fee: paid when positive, given back when negative.":
    "La part de frais : payés si positifs, rendus si négatifs.",
  "Of the transaction, payment, refund or funding.":
    "Celui de la transaction, du paiement, du remboursement ou de l’approvisionnement.",
  "The first moment; null: from the beginning.": "Le premier instant ; null : depuis le début.",
  "The last moment; null: up to now.": "Le dernier instant ; null : jusqu’à maintenant.",
  "Before the first line. Of a sub-company: what its lines before sum to.":
    "Avant la première ligne. Pour une sous-société : la somme de ses lignes précédentes.",
  "openingBalance and all lines, of every page.":
    "openingBalance et toutes les lignes, de toutes les pages.",
  "Of all lines, of every page, by kind.": "De toutes les lignes, de toutes les pages, par nature.",
  "Lines in data.": "Nombre de lignes dans data.",
  "Towards earlier lines.": "Vers les lignes précédentes.",
  "Towards later lines of the same statement, cut where this one is.":
    "Vers les lignes suivantes du même relevé, arrêté au même endroit.",
  "When that day was over in the company's time zone.":
    "Quand ce jour s’est achevé, dans le fuseau horaire de la société.",
  "Of the last posting of that day.": "Celui de la dernière écriture de ce jour.",
  "After it.": "Après elle.",
  "Stands for that posting and for every one before it.":
    "Vaut pour cette écriture et pour toutes celles d’avant.",
  "How far the company's audit log was.": "Où en était le journal d’audit de la société.",
  "How far the audit log was of what concerns no company; it names those of people and customers.":
    "Où en était le journal d’audit de ce qui ne concerne aucune société ; il nomme ceux des personnes et des clients.",
  "Of the last entry when the day was sealed.":
    "Celui de la dernière entrée quand le jour a été scellé.",
  "Stands for that entry and for every one before it.":
    "Vaut pour cette entrée et pour toutes celles d’avant.",
  "Which of the operator's keys signed.": "Laquelle des clés de l’opérateur a signé.",
  "That key: 32 bytes of Ed25519 in base64.": "Cette clé : 32 octets d’Ed25519 en base64.",
  "Ed25519, in base64; see docs/statements.md.": "Ed25519, en base64 ; voir docs/statements.md.",
  "When nothing more was sent to it; null while it is in service.":
    "Depuis quand rien ne lui est plus envoyé ; null tant qu’il est en service.",
  "Unique within its webhook.": "Unique au sein de son webhook.",
  "blocked waits for an earlier event of the same object; superseded was given up because its transaction has ended.":
    "blocked attend un événement antérieur du même objet ; superseded a été abandonné car sa transaction est terminée.",
  "The first KB of the answer.": "Le premier Ko de la réponse.",
  "Events in data.": "Nombre d’événements dans data.",
  "after of the next request. It moves past events of other topics too; keep it even when data is empty.":
    "Le after de la requête suivante. Il avance aussi au-delà des événements d’autres sujets ; gardez-le même quand data est vide.",
  "Whether more has happened already: ask again at once.":
    "S’il s’est déjà passé autre chose : redemandez aussitôt.",
  "1, 2, 3 … for each account, without gaps, in the order in which it happened.":
    "1, 2, 3 … pour chaque compte, sans trou, dans l’ordre des faits.",
  "The body that a webhook of this topic is sent.": "Le corps qu’un webhook de ce sujet reçoit.",
  "Newest first: the first one signs, the others have signed before.":
    "La plus récente d’abord : la première signe, les autres ont signé auparavant.",
  "The first 32 digits of the key's SHA-256.": "Les 32 premiers chiffres du SHA-256 de la clé.",
  "32 bytes in base64.": "32 octets en base64.",
  "Optional; when sent, it must be the id of the token's company.":
    "Facultatif ; s’il est envoyé, il doit être l’identifiant de la société du jeton.",
  "The same key with the same body answers the first answer again, for 30 days.":
    "La même clé avec le même corps redonne la première réponse, pendant 30 jours.",
  "Whole francs; 5 000 to 500 000 unless agreed otherwise.":
    "Francs entiers ; de 5 000 à 500 000, sauf accord particulier.",
  "8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before.":
    "8 à 15 chiffres avec l’indicatif du pays, avec ou sans + devant. Aucun ne commence par 0 ; après 225 et 229 viennent dix chiffres, et non huit comme avant.",
  "1 to 255 characters, without blanks at the ends and without control characters. Unique for ever; compared in Unicode's form NFC.":
    "1 à 255 caractères, sans blanc au début ni à la fin et sans caractère de contrôle. Unique pour toujours ; comparé sous la forme NFC d’Unicode.",
  "May be left out: nothing else is accepted.":
    "Peut être omise : aucune autre valeur n’est acceptée.",
  "Any names and values, returned as given; at most 16 KB.":
    "Noms et valeurs libres, rendus tels quels ; 16 Ko au plus.",
  "Rows per page; 15 when absent.": "Lignes par page ; 15 par défaut.",
  "cursor.next or cursor.prev of another page.": "Le cursor.next ou cursor.prev d’une autre page.",
  "What the recipient sees, with or without its hyphens, in any letter case.":
    "Ce que voit le bénéficiaire, avec ou sans tirets, en majuscules ou minuscules.",
  "ISO 8601; this moment included.": "ISO 8601 ; cet instant compris.",
  "Rows in data.": "Nombre de lignes dans data.",
  "Towards newer rows; null on the first page.":
    "Vers les lignes plus récentes ; null sur la première page.",
  "Towards older rows; null on the last page.":
    "Vers les lignes plus anciennes ; null sur la dernière page.",
  "The company's id.": "L’identifiant de la société.",
  "ISO 3166. Phone numbers of it may be written without country code.":
    "ISO 3166. Les numéros de téléphone de ce pays peuvent s’écrire sans indicatif.",
  "A share of the amount, such as 0.01.": "Une part du montant, par exemple 0,01.",
  "Added to each.": "Ajouté à chacune.",
  "The least that a fee is.": "Le minimum des frais.",
  "The most that a fee is.": "Le maximum des frais.",
  "Whole francs; 1 to 200 000 000 unless agreed otherwise.":
    "Francs entiers ; de 1 à 200 000 000, sauf accord particulier.",
  "1 to 1000 characters.": "1 à 1000 caractères.",
  "An http or https URL of at most 2048 characters; localhost only outside production.":
    "Une URL http ou https de 2048 caractères au plus ; localhost seulement hors production.",
  "Whole francs; all that is left when absent.":
    "Francs entiers ; tout ce qui reste en son absence.",
  "Why, at most 255 characters: kept, and shown with the refund.":
    "Le motif, 255 caractères au plus : conservé, et montré avec le remboursement.",
  "The reason of a refund, as the caller wrote it. Absent when none was given.":
    "Pour un remboursement : le motif, tel que donné. Absent si personne ne l’a dit.",
  "Where the reference of this installation tells of this error.":
    "L’endroit où la référence de cette installation parle de cette erreur.",
  "complete means identified; unknown means that there is nobody.":
    "complete : identifié ; unknown : il n’y a personne.",
  "The most that this account may ever hold, so that more can never be sent to it: 0 while it can receive nothing, null for any amount. What it holds now is not told.":
    "Le plus que ce compte puisse jamais contenir, donc rien de plus ne peut lui être envoyé : 0 tant qu’il ne peut rien recevoir, null pour tout montant. Ce qu’il contient maintenant n’est pas dit.",
  "1 to 100 characters.": "1 à 100 caractères.",
  "An http or https URL.": "Une URL http ou https.",
  "A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent.":
    "Un jour dans le fuseau horaire de la société, ou un instant ISO 8601, compris. Depuis le début si absent.",
  "A day or a moment, included. Up to now when absent.":
    "Un jour ou un instant, compris. Jusqu’à maintenant si absent.",
  "Its lines alone, and what they sum to.": "Ses lignes seules, et leur somme.",
  "Lines per page; 15 when absent.": "Lignes par page ; 15 par défaut.",
  "machine has commas; excel-fr has semicolons, a mark that it is UTF-8, and headings for people.":
    "machine a des virgules ; excel-fr a des points-virgules, une marque UTF-8 et des en-têtes lisibles.",
  "Of headings and pages; when absent, that of Accept-Language, else French.":
    "Celle des en-têtes et des pages ; si absent, celle d’Accept-Language, sinon le français.",
  "What to be told of. The spellings transaction/… and charges/… are read as these.":
    "De quoi être averti. Les graphies transaction/… et charges/… sont lues comme celles-ci.",
  "https in production.": "https en production.",
  "The webhook's id.": "L’identifiant du webhook.",
  "The delivery's id.": "L’identifiant de l’envoi.",
  "lastSequence of the answer before. Absent: from the first event that is kept. latest: only what happens from now on.":
    "Le lastSequence de la réponse précédente. Absent : depuis le premier événement gardé. latest : seulement ce qui se passe à partir de maintenant.",
  "Of transactions/started, transactions/completed, transactions/failed, batches/completed, charge/events, statements/sealed, with commas between them. Absent: all.":
    "Parmi transactions/started, transactions/completed, transactions/failed, batches/completed, charge/events, statements/sealed, séparés par des virgules. Absent : tous.",
  "Events in one answer; 100 when absent.": "Événements par réponse ; 100 par défaut.",
  "Seconds to wait for an event when there is none. Absent or 0: the answer comes at once.":
    "Secondes à attendre un événement quand il n’y en a pas. Absent ou 0 : la réponse vient aussitôt.",
  "The same in every attempt: what a repetition is recognised by.":
    "Le même à chaque tentative : ce qui fait reconnaître une répétition.",
  "When this attempt was made, in seconds since 1970.":
    "Quand cette tentative a été faite, en secondes depuis 1970.",
  "Standard Webhooks 1.0: v1, and a signature, for each secret key in use.":
    "Standard Webhooks 1.0 : v1, et une signature, pour chaque clé secrète en usage.",
  "Base64 of HMAC-SHA256 over the raw body, with the secret key.":
    "Base64 du HMAC-SHA256 du corps brut, avec la clé secrète.",
  "The topic, which is in the body too.": "Le sujet, qui est aussi dans le corps.",
  "W3C Trace Context, of requests that are recorded in a trace. Not signed, and often missing.":
    "W3C Trace Context, pour les requêtes enregistrées dans une trace. Non signé, et souvent absent.",
  "true, on test events and on nothing else.":
    "true, sur les événements d’essai et sur rien d’autre.",
  "Which webhook it is for, and when it was sent.":
    "Pour quel webhook il est, et quand il a été envoyé.",
  "The webhook whose url is tried.": "Le webhook dont l’url est essayée.",
  "What the url answered to its last test event; null before the first answer. Whatever it is, notifications follow.":
    "Ce que l’url a répondu à son dernier événement d’essai ; null avant la première réponse. Quelle qu’elle soit, les notifications suivent.",
  "When it is tried next, as things stand; never in the past.":
    "Quand il sera essayé, en l’état ; jamais dans le passé.",
  "Why it is not sent now. retry: the pause after its last attempt. circuit_breaker: its url failed ten times in a row and is probed. new_address: its url has never answered 2xx and gets four requests a minute. earlier_event: an earlier event of the same object comes first.":
    "Pourquoi il ne part pas maintenant. retry : la pause après son dernier essai. circuit_breaker : son url a échoué dix fois de suite et est sondée. new_address : son url n’a jamais répondu 2xx et reçoit quatre requêtes par minute. earlier_event : un événement antérieur du même objet passe d’abord.",
};
