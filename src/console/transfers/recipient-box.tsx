/** The fewest digits that a number has: fewer are not asked about. */
const digitsMin = 8;
/** Whoever has not typed for so long has probably finished. */
const pauseMs = 700;

/**
 * Asks about the number once its writer pauses, and shows the answer below it. Only the newest answer counts. Whatever goes
 * wrong is not shown: the next page checks the number in any case.
 */
const script = `(() => {
  const box = document.getElementById("recipient");
  const form = box.closest("form");
  const { phone, amount } = form.elements;
  let timer, asked = "", turn = 0;
  const show = (notes) => box.replaceChildren(...notes.map(({ kind, text }) => {
    const note = document.createElement("p");
    note.className = "notice " + kind;
    note.textContent = text;
    return note;
  }));
  const ask = () => {
    clearTimeout(timer);
    const typed = phone.value + " " + amount.value;
    if (typed === asked) return;
    asked = typed;
    const mine = ++turn;
    if (phone.value.replace(/\\D/g, "").length < ${digitsMin}) return show([]);
    fetch(box.dataset.ask, { method: "POST", body: new URLSearchParams(new FormData(form)) })
      .then((answer) => (answer.ok ? answer.json() : []))
      .then((notes) => mine === turn && show(notes))
      .catch(() => mine === turn && show([]));
  };
  for (const field of [phone, amount]) {
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, ${pauseMs});
    });
    field.addEventListener("change", ask);
  }
})()`;

/** Where it is said who has the number that is being typed. Without script it stays empty. */
export function RecipientBox({ ask }: { readonly ask: string }) {
  return <div id="recipient" class="stack" role="status" data-ask={ask} />;
}

/** Behind the fields that it listens to. */
export function RecipientScript({ nonce }: { readonly nonce: string }) {
  // oxlint-disable-next-line react/no-danger -- the script is a constant of this file, without any value from a request.
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
}
