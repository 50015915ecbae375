import { inBoth } from "../in-words.ts";

const fr = {
  waitsFor: "Attend",
  waitsForWhat: {
    retry: "la fin de la pause après son dernier essai",
    circuit_breaker:
      "que l’adresse réponde de nouveau : elle a échoué dix fois de suite, un seul envoi la sonde",
    new_address: "que l’adresse réponde une première fois : d’ici là, quatre envois par minute",
    earlier_event: "un événement antérieur du même objet",
  },
  tryNow: "Essayer maintenant",
  tryNowWhat: "La pause prend fin et l’envoi repart du début de ses essais.",
};

const en: typeof fr = {
  waitsFor: "Waits for",
  waitsForWhat: {
    retry: "the end of the pause after its last attempt",
    circuit_breaker:
      "the address to answer again: it failed ten times in a row, and one request at a time probes it",
    new_address:
      "the address to answer for the first time: until then it gets four requests a minute",
    earlier_event: "an earlier event of the same object",
  },
  tryNow: "Try now",
  tryNowWhat: "The pause ends, and the delivery starts its attempts anew.",
};

/** Why a delivery is not sent at this moment. */
export const waitingWords = inBoth(fr, en);
