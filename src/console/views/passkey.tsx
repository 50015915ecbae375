import type { PasskeySite } from "../../staff/passkey-site.ts";
import type { PasskeyWords } from "../words/passkeys.ts";

/**
 * Asks the browser for a passkey and sends its form with what was signed, in place of what would be typed. What is for passkeys
 * is shown where there is script, a browser that knows them, and the address that they belong to; everywhere else pages stay as
 * they are sent.
 */
const script = `(() => {
  const known = window.PublicKeyCredential;
  if (!known || !navigator.credentials) return;
  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes || [])))
    .replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "");
  const named = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));
  const parse = (isNew, told) => {
    const own = known[isNew ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON"];
    if (own) return own.call(known, told);
    const all = { ...told, challenge: toBytes(told.challenge) };
    if (!isNew) return { ...all, allowCredentials: named(told.allowCredentials) };
    return { ...all, user: { ...told.user, id: toBytes(told.user.id) }, excludeCredentials: named(told.excludeCredentials) };
  };
  for (const one of document.querySelectorAll("[data-passkeys-at]"))
    if (one.dataset.passkeysAt === location.origin) one.hidden = !one.hidden;
  for (const box of document.querySelectorAll("[data-passkey]")) {
    const { passkey, ask, options, failed, there } = box.dataset;
    const form = box.closest("form");
    const button = box.querySelector("button");
    const said = box.querySelector("p");
    const isNew = passkey === "create";
    const put = (name, bytes) => {
      const field = form.elements[name] || form.appendChild(document.createElement("input"));
      field.type = "hidden";
      field.name = name;
      field.value = toText(bytes);
    };
    const sign = async () => {
      const told = options ? JSON.parse(options) : await (await fetch(ask, {
        method: "POST", body: new URLSearchParams(new FormData(form)),
      })).json();
      const made = await navigator.credentials[passkey]({ publicKey: parse(isNew, told) });
      const answer = made.response;
      put("credentialId", made.rawId);
      put("clientData", answer.clientDataJSON);
      if (isNew) put("attestation", answer.attestationObject);
      else {
        put("authenticatorData", answer.authenticatorData);
        put("signature", answer.signature);
        put("userHandle", answer.userHandle);
      }
      form.submit();
    };
    button.addEventListener("click", () => {
      for (const field of form.elements)
        if (field.name !== "code" && field.willValidate && !field.checkValidity()) return field.reportValidity();
      button.disabled = true;
      said.textContent = "";
      sign().catch((error) => {
        button.disabled = false;
        said.textContent = error.name === "InvalidStateError" ? there : failed;
      });
    });
    // Whoever comes back to the page finds it as it was left.
    addEventListener("pageshow", () => { button.disabled = false; });
  }
})()`;

/** A button that brings a passkey into the form around it: one that is there, or a new one. Unseen without script. */
export function PasskeyButton({
  words,
  site,
  label,
  isMain = false,
  ...asked
}: {
  readonly words: PasskeyWords;
  readonly site: PasskeySite;
  readonly label: string;
  readonly isMain?: boolean;
} & (
  | { /** Where to ask what has to be signed. */ readonly ask: string }
  | { /** What the new passkey is made with. */ readonly options: object }
)) {
  const isNew = "options" in asked;
  return (
    <div
      class="passkey"
      {...shownWithPasskeys(site)}
      data-passkey={isNew ? "create" : "get"}
      data-failed={isNew ? words.notMade : words.notUsed}
      data-there={words.alreadyThere}
      {...(isNew ? { "data-options": JSON.stringify(asked.options) } : { "data-ask": asked.ask })}
    >
      <button type="button" class={isMain ? "main" : "second"}>
        {label}
      </button>
      <p class="bad" role="alert" />
    </div>
  );
}

/** Of an element that is there only where passkeys can be used. */
export function shownWithPasskeys({ origin }: PasskeySite) {
  return { hidden: true, "data-passkeys-at": origin };
}

/** What is said where they cannot. */
export function WithoutPasskeys({
  site,
  text,
}: {
  readonly site: PasskeySite | undefined;
  readonly text: string;
}) {
  return (
    <p class="soft" data-passkeys-at={site?.origin}>
      {text}
    </p>
  );
}

/** Behind the forms that it helps with. */
export function PasskeyScript({ nonce }: { readonly nonce: string }) {
  // oxlint-disable-next-line react/no-danger -- the script is a constant of this file, without any value from a request.
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
}
