/** The numbers by which deliveries are told, given up and paused. SQL gets them as parameters and has none of its own. */

/** After an event can be seen by us it was committed; a caller gets this long to read its own answer. */
export const firstAttemptDelayMs = 120;

/** What a node has claimed or taken is its own for so long; if it dies, others go on after that. */
export const claimedForMs = 30_000;

/** What has waited so long in a node is given back: well before its claim runs out and it is another's. */
export const heldMaxMs = 15_000;

/** Events taken in one turn. */
export const eventsMax = 500;

/** News of a start is given up after so many attempts once the end is known. */
export const supersededAfter = 3;

/** So many failures in a row open the circuit breaker of a receiver. */
export const breakerAfter = 10;

/** So many failed tries of one delivery make its endpoint be probed: the delivery's own next pause is longer than a probe's. */
export const probeTries = 3;

const second = 1_000;

/** How long the breaker is open at first, or a probe waited for; after that half as long as the outage has lasted, at most five minutes. */
export const breakerPauseMinMs = 30 * second;
export const breakerPauseMaxMs = 300 * second;

/** An address that has never answered 2xx gets four requests a minute, from a bucket that one more drips into after so long. */
export const tryPauseMs = 15_000;

/** Requests a minute to all such addresses of a company together. */
export const triesPerMinute = 30;

/** A webhook whose receiver has done nothing but fail for so long is disabled. */
export const disableAfterDays = 5;
export const reasonFailing = `Every attempt has failed for ${disableAfterDays} days.`;
export const reasonByPerson = "Somebody of the company has disabled it.";
export const reasonGone = "The receiver answered 410 Gone.";

/** Nobody waits longer for the lock of a company's deliveries: whoever is held up tries again. */
export const patienceMs = 1_000;

/** Test events that the people of a company may have sent in a minute. */
export const testsPerMinute = 10;

/** Ranges of deliveries that the people of a company may ask for again in an hour. */
export const replaysPerHour = 20;
