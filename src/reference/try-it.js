// Requests that a reader makes from the page, in test mode only. Whatever comes back is shown as text, never as markup.
addEventListener("DOMContentLoaded", () => {
  const { base, words, operations } = JSON.parse(document.getElementById("trials").textContent);
  const headersShown = [
    "content-type",
    "x-correlation-id",
    "idempotency-replayed",
    "ratelimit-remaining",
    "retry-after",
  ];
  const shownMax = 20000;
  // In this page's memory alone: what a browser stores, every other page of this address could read, and a disk would keep.
  let lastToken = "";

  for (const [id, operation] of Object.entries(operations)) {
    const side = document.querySelector(`#${id} .side`);
    const button = make("button", { type: "button", className: "try", textContent: words.open });
    button.setAttribute("aria-label", `${words.open} : ${operation.method} ${operation.path}`);
    button.addEventListener("click", () => {
      const form = makeForm(operation);
      button.replaceWith(form);
      form.querySelector("input").focus();
    });
    side.prepend(button);
  }

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function makeForm(operation) {
    const token = make("input", { type: "password", autocomplete: "off", value: lastToken });
    const fields = operation.inputs.map((input) => ({ input, control: makeControl(input) }));
    const submit = make("button", { type: "submit", className: "try", textContent: words.send });
    const output = make("div");
    output.setAttribute("role", "status");
    const form = make(
      "form",
      { className: "trial", noValidate: true },
      make("strong", { textContent: words.title }),
      make(
        "label",
        {},
        make("span", { textContent: words.token }),
        token,
        make("small", { textContent: words.tokenHint }),
      ),
      ...fields.map(({ input, control }) =>
        make("label", {}, make("span", { textContent: labelOf(input) }), control),
      ),
      make("div", {}, submit),
      output,
    );
    const sendAndShow = async () => {
      lastToken = token.value.trim();
      submit.disabled = true;
      submit.textContent = words.sending;
      output.replaceChildren(...(await send(operation, lastToken, fields)));
      submit.textContent = words.send;
      submit.disabled = false;
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void sendAndShow();
    });
    return form;
  }

  function labelOf({ name, required }) {
    return required ? `${name} *` : name;
  }

  function makeControl({ type, choices, example, required }) {
    if (type === "json") return make("textarea", { value: example ?? "", spellcheck: false });
    if (type !== "choice")
      return make("input", { value: example ?? "", inputMode: type === "number" ? "numeric" : "" });
    const empty = required ? [] : [make("option", { value: "", textContent: words.leaveOut })];
    const options = choices.map((choice) => make("option", { value: choice, textContent: choice }));
    const select = make("select", {}, ...empty, ...options);
    select.value = example ?? (required ? choices[0] : "");
    return select;
  }

  async function send(operation, token, fields) {
    let request;
    try {
      request = toRequest(operation, token, fields);
    } catch (error) {
      return [make("p", { className: "bad", textContent: error.message })];
    }
    const start = performance.now();
    try {
      const response = await fetch(request.url, request.options);
      const bytes = await response.arrayBuffer();
      return showAnswer(response, bytes, Math.round(performance.now() - start));
    } catch {
      return [make("p", { className: "bad", textContent: words.noAnswer })];
    }
  }

  function toRequest({ method, path, inputs }, token, fields) {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const query = new URLSearchParams();
    const body = {};
    let address = path;
    for (const { input, control } of fields) {
      const text = control.value.trim();
      if (input.in === "path") {
        // A browser takes dots for steps through folders, and would ask for another address.
        if (/^\.{0,2}$/.test(text)) throw new Error(words.badPath);
        address = address.replace(`{${input.name}}`, encodeURIComponent(text));
      } else if (text !== "") {
        if (input.in === "query") query.set(input.name, text);
        else if (input.in === "header") headers[input.name] = text;
        else body[input.name] = toValue(input, text);
      }
    }
    const hasBody = inputs.some((input) => input.in === "body");
    if (hasBody) headers["content-type"] = "application/json";
    const search = query.size === 0 ? "" : `?${query}`;
    return {
      url: `${base}${address}${search}`,
      options: {
        method,
        headers,
        ...(hasBody ? { body: JSON.stringify(body) } : {}),
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
      },
    };
  }

  // A number that is none is sent as it was typed: what the service says of it is worth reading.
  function toValue({ type, choices }, text) {
    if (type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
    if (type === "choice") return choices.includes("true") ? text === "true" : text;
    if (type !== "json") return text;
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(words.badJson);
    }
  }

  function showAnswer(response, bytes, ms) {
    const facts = make("dl");
    for (const name of headersShown)
      if (response.headers.has(name))
        facts.append(
          make("dt", { textContent: name }),
          make("dd", { textContent: response.headers.get(name) }),
        );
    const line = make("p", {}, make("strong", { textContent: words.answer }), " ");
    line.append(
      make("b", { className: response.ok ? "good" : "bad", textContent: response.status }),
      ` ${ms} ms`,
    );
    const code = make("pre", { tabIndex: 0, textContent: textOf(response, bytes) });
    return [line, facts, make("figure", { className: "code" }, code)];
  }

  function textOf(response, bytes) {
    const type = response.headers.get("content-type") ?? "";
    if (!/json|^text\//.test(type)) return `${bytes.byteLength} ${words.bytes}`;
    const text = new TextDecoder().decode(bytes);
    try {
      return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownMax);
    } catch {
      return text.slice(0, shownMax);
    }
  }
});
