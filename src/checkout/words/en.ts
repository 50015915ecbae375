import type { Words } from "./fr.ts";
import { verifyEn } from "./verify-en.ts";

const nb = "\u00a0";

const plural = (count: number, one: string, many: string): string =>
  `${count}${nb}${count === 1 ? one : many}`;

export const en = {
  lang: "en",
  currency: (francs) => `XOF${nb}${francs}`,
  locale: "en-GB",
  named: (name, value) => `${name}: ${value}`,
  at: (date, time) => `${date} at ${time}`,

  otherLanguage: { lang: "fr", name: "Français" },
  testMode: "Test mode: no real money",
  operatedBy: (operator) => `Payment service: ${operator}`,
  terms: "Terms of use",
  neverPin: (operator) => `${operator} never asks for your secret code (PIN).`,
  helpFromMerchant: (merchant) => `Any question? Ask ${merchant}.`,
  help: "Help:",
  problem: "There is a problem",
  problemTitle: (title) => `Error: ${title}`,
  busy: "Sending…",

  minutes: (count) => plural(count, "minute", "minutes"),
  seconds: (count) => plural(count, "second", "seconds"),
  days: (count) => plural(count, "day", "days"),
  hours: (count) => plural(count, "hour", "hours"),
  expires: (time, left) => `Expires at ${time} (in ${left})`,
  expiresLater: (date, time) => `Expires on ${date} at ${time}`,
  lessThanAMinute: "less than a minute",

  pay: {
    title: (merchant) => `Pay ${merchant}`,
    asks: "asks you to pay",
    phone: "Your phone number",
    phoneHint: ({ local, country, whole }) =>
      `For example ${local} (${country}), or with the country code: ${whole}.`,
    next: (operator) =>
      `You will receive a code on this phone. Nothing is debited from your ${operator} account before you have entered it.`,
    submit: (amount) => `Pay ${amount}`,
    cancel: (merchant) => `Cancel and go back to ${merchant}`,
    cancelHere: "Cancel this payment",
    reference: "Merchant’s reference",
    qr: "Pay with your phone",
    qrHint: "Scan this code with the camera.",
    qrLabel: "QR code that leads to this page",
    qrLink: "Link to this page",
  },
  phoneProblems: {
    missing: () => "Enter your phone number.",
    wrong: ({ whole }) => `This number is not valid. Write it in digits, for example ${whole}.`,
    withoutCountry: ({ country, whole }) =>
      `This is not a whole number of this country (${country}). Write it with its country code, for example ${whole}.`,
    oldBenin: () =>
      "Numbers of Benin have ten digits. Write 01 before the eight, for example +229 01 97 12 34 56.",
    oldIvoryCoast: () =>
      "Numbers of Côte d’Ivoire have ten digits. Write 01, 05 or 07 before the eight, for example +225 07 01 02 03 04.",
    noAccount: ({ operator }) =>
      `This number has no ${operator} account. No code was sent. Check the number or use another one.`,
  },
  completed: {
    title: "Is this your number?",
    what: (country) => `We added the country code (${country}).`,
  },
  cancel: {
    title: "Cancel this payment?",
    what: "This link can no longer be used to pay then. Nothing was debited.",
    yes: (merchant) => `Yes, cancel and go back to ${merchant}`,
    yesHere: "Yes, cancel",
    no: "No, go on with the payment",
  },

  code: {
    title: "Confirm with the code you received",
    sent: "We sent a six-digit code to the phone",
    label: "Six-digit code",
    valid: (time) => `Valid until ${time}.`,
    submit: (amount) => `Confirm ${amount}`,
    submitWallet: "Open my account",
    test: "Test code:",
    testHint: "Shown because in test mode no text message is sent to this number.",
    nothingReceived: "I received nothing",
    resend: "Send another code",
    sendsLeft: (left) => `${plural(left, "more code", "more codes")} can be sent.`,
    resendIn: (wait) => `Another code is possible in ${wait}.`,
    resendNever: (wait) =>
      `Three codes were sent to this number. Another one is possible in ${wait}.`,
    newCode: "Get a new code",
    change: "Change the number",
  },
  codeProblems: {
    malformed: "Enter the six digits of the code.",
    wrong: (left) => `This is not the right code. You have ${plural(left, "try", "tries")} left.`,
    expired: "This code is no longer valid. Ask for a new one.",
    exhausted: "Too many tries with this code. Ask for a new one.",
  },
  refusals: {
    pause: (wait) => `A code was sent just now. Another one is possible in ${wait}.`,
    purpose: (wait) =>
      `Three codes were already sent to this number. Try again in ${wait} or use another number.`,
    phone: (wait) =>
      `This number received too many codes. Try again in ${wait} or use another number.`,
    guesses: (wait) =>
      `Too many codes for this number were wrong or not confirmed. Try again in ${wait} or use another number.`,
    busy: (wait) =>
      `Too many codes are being asked for just now. Try again in ${wait}. Nothing was debited.`,
    abroad: () => "We do not send codes to numbers of this country. Use another number.",
    charge: () => "Too many codes were asked for with this payment. Ask the merchant.",
    cookies: () =>
      "Your browser does not accept cookies, and a code is good only in the browser that asked for it. Allow them for this site, then try again.",
    unsent: () => "The code could not be sent. Try again in a moment; if this lasts, ask for help.",
  },

  failed: {
    title: "The payment did not go through",
    stillPayable: "Nothing was debited. You can try again until the payment expires.",
    again: (phone) => `Try again with ${phone}`,
    other: "Use another number",
    reasons: {
      INSUFFICIENT_FUNDS: "Your account balance is too low. Top it up, then try again.",
      ACCOUNT_NOT_FOUND: "This number has no account. Check the number.",
      TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT:
        "Your account has reached its limit. Use another number.",
      DECLINED: "The payment was declined. Try again or use another number.",
      INTERNAL_ERROR: "A failure on our side stopped the payment. Try again.",
    },
  },

  receipt: {
    title: "Payment received",
    refunded: "Payment refunded",
    refundedPartly: "Payment refunded in part",
    amount: "Amount paid",
    what: "For",
    date: "Date",
    reference: "Reference",
    merchantReference: "Merchant’s reference",
    payer: "Paid with the number",
    refundDate: "Last refund",
    remaining: "Net paid",
    back: (merchant) => `Back to ${merchant}`,
    keep: "This page is your receipt: keep its address.",
    print: "Print the receipt",
  },

  ended: {
    expired: "This payment has expired",
    expiredWhat: "The time to pay is over. Nothing was debited.",
    canceled: "Payment cancelled",
    canceledWhat: "This payment was cancelled. Nothing was debited.",
    amount: "Amount",
    again: "To pay after all, start again at the merchant’s.",
  },

  checking: {
    title: "We are checking your payment",
    what: "We do not know yet whether the payment went through. Do not pay a second time elsewhere.",
    reload: "Refresh",
    resume: "Back to the payment",
    automatic: "The page refreshes every ten seconds.",
    stop: "Stop refreshing",
  },

  unknownLink: {
    title: "This link leads to no payment",
    what: "Check that you opened the whole link, or ask the merchant for a new one.",
  },

  frozenMerchant: {
    title: "This payment is not possible just now",
    what: (merchant: string) =>
      `${merchant} cannot receive payments just now. Nothing was debited. If you have a question, please ask this merchant.`,
  },

  problems: {
    incident: "Incident number:",
    back: "Back to the page",
    forbidden: {
      title: "Request refused",
      what: "This request comes from another site. Open the payment link again.",
    },
    notFound: { title: "Page not found", what: "There is nothing at this address." },
    method: { title: "Request not possible", what: "This page cannot be opened this way." },
    invalid: { title: "Request not possible", what: "We did not understand this request." },
    tooMany: {
      title: "Too many requests",
      what: "Too many requests come from your connection. Try again in a minute.",
    },
    unavailable: {
      title: "The service does not answer",
      what: "Reload the page in a moment: it will say where you stand.",
    },
    internal: {
      title: "A failure on our side",
      what: "Reload the page: it will say where you stand. If the failure lasts, quote the incident number.",
    },
  },

  wallet: {
    title: "Your account",
    signIn: (operator) =>
      `See the balance and the history of your ${operator} account. You will receive a code on your phone.`,
    submit: "Get a code",
    hello: (name) => `Hello ${name}`,
    balance: "Balance",
    history: "History",
    none: "Nothing here yet.",
    noAccount: "This number has no account.",
    frozen:
      "Your account is blocked: it can neither receive nor pay. Ask the service that keeps your account.",
    reference: "Ref.",
    events: {
      "transfer.completed": "Money received",
      "charge.paid": "Payment",
      "charge.refunded": "Refund",
    },
    newer: "Newer",
    older: "Older",
    pages: "Pages of the history",
    signOut: "Sign out",
  },

  messages: {
    pay: (operator, code, amount, merchant, lasts) =>
      `${operator}: ${code} is your code to pay ${amount}${merchant === "" ? "" : ` to ${merchant}`}. Valid for ${lasts}. Give it to nobody.`,
    wallet: (operator, code, lasts) =>
      `${operator}: ${code} is your code to open your account. Valid for ${lasts}. Give it to nobody.`,
  },

  home: {
    what: (operator) =>
      `${operator} collects payments for merchants and sends money to people, in CFA francs (XOF).`,
    people: "For everybody",
    wallet: "See my account",
    link: "To pay, open the link that the merchant gave you.",
    businesses: "For businesses",
    console: "Open the console",
    developers: "For developers",
    guide: "Getting started",
    reference: "API reference",
    guides: "Guides, step by step",
    api: "API description (OpenAPI)",
  },

  verify: verifyEn,

  guide: {
    title: "Guide for developers",
    token: "The token",
    tokenWhat:
      "The operator gives you an access token and a secret key. Every request carries the token:",
    charge: "Be paid",
    chargeWhat: "Create a charge, then send the payer to the paymentUrl of the answer:",
    transfer: "Send money",
    transferWhat: "A reference is paid once. Without a clear answer, send the same request again:",
    webhook: "Be told",
    webhookWhat:
      "Deliver on this notification, never because a browser came back. Its signature is the HMAC-SHA256 of the body with your secret key:",
    more: "All fields, filters and errors are in the description of the API.",
  },
} satisfies Words;
