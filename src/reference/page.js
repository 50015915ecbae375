// What the page does beyond what it shows. It stands right after the contents, so that a phone folds them before it draws.
(() => {
  const contents = document.querySelector("nav details");
  const wide = matchMedia("(min-width: 64rem)");
  const fold = () => {
    contents.open = wide.matches;
  };
  wide.addEventListener("change", fold);
  fold();

  const plain = (text) =>
    text
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase();

  addEventListener("DOMContentLoaded", () => {
    addCopyButtons();
    rememberSample();
    offerSearch();
  });

  function addCopyButtons() {
    const { copy, copied } = document.body.dataset;
    for (const caption of document.querySelectorAll(".code figcaption")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = copy;
      button.setAttribute("aria-label", `${copy} : ${caption.textContent}`);
      const copyText = async () => {
        const text = caption.parentElement.querySelector("pre").textContent;
        await navigator.clipboard.writeText(text);
        button.textContent = copied;
        setTimeout(() => {
          button.textContent = copy;
        }, 2000);
      };
      // Where it is not allowed to, the text is there to be marked by hand.
      button.addEventListener("click", () => void copyText().catch(() => {}));
      caption.append(button);
    }
  }

  // A browser that keeps nothing asks again; that is all.
  function rememberSample() {
    const name = "cauri-docs-sample";
    try {
      const input = document.getElementById(`in-${localStorage.getItem(name)}`);
      if (input !== null) input.checked = true;
      document
        .getElementById("choice")
        .addEventListener("change", (event) => localStorage.setItem(name, event.target.value));
    } catch {}
  }

  function offerSearch() {
    const box = document.getElementById("search");
    const query = document.getElementById("query");
    const found = document.getElementById("found");
    const entries = [...contents.querySelectorAll("ul ul li")].map((item) => ({
      item,
      link: item.firstElementChild,
      part: item.parentElement.parentElement,
    }));
    box.hidden = false;
    const textOf = (entry) => {
      const section = document.getElementById(entry.link.hash.slice(1));
      entry.text ??= plain(`${entry.link.textContent} ${section ? section.textContent : ""}`);
      return entry.text;
    };
    const search = () => {
      const words = plain(query.value).split(/\s+/).filter(Boolean);
      let count = 0;
      for (const entry of entries) {
        const isFound = words.every((word) => textOf(entry).includes(word));
        entry.item.hidden = !isFound;
        count += isFound ? 1 : 0;
      }
      for (const { part } of entries) part.hidden = !part.querySelector("ul li:not([hidden])");
      found.textContent = words.length === 0 ? "" : found.dataset.said.replace("{}", count);
    };
    query.addEventListener("input", search);
    query.addEventListener("keydown", (event) => {
      if (event.key === "Enter") contents.querySelector("ul ul li:not([hidden]) a")?.click();
      if (event.key === "Escape") {
        query.value = "";
        search();
      }
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "/" || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      event.preventDefault();
      contents.open = true;
      query.focus();
    });
  }

  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") !== null) fold();
  });
})();
