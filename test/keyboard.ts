import type { Page } from "playwright-core";

/** Where the focus is, as somebody sees it who has no mouse. */
interface Stop {
  readonly name: string;
  readonly tag: string;
  readonly fault: string | null;
}

/** More stops than any page has: whoever has not been everywhere by then is caught somewhere. */
const stopsMax = 400;

const readStop = `(() => {
  const part = document.activeElement;
  if (part === null || part === document.body || part === document.documentElement) return null;
  const label = part.labels?.[0]?.textContent ?? "";
  const name = (part.getAttribute("aria-label") ?? (label || part.textContent)).replace(/\\s+/g, " ").trim();
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(part);
  const box = part.getBoundingClientRect();
  const isOutlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2
    && !/^(?:transparent|rgba\\(0, 0, 0, 0\\))$/.test(outlineColor);
  const isOnScreen = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0
    && box.top < innerHeight && box.left < innerWidth;
  const fault = !isOutlined ? "the focus cannot be seen" : !isOnScreen ? "the focus is off the screen" : null;
  return { name, tag: part.localName, fault: fault && fault + ": " + part.outerHTML.slice(0, 160) };
})()`;

/** A person at a keyboard: nothing here points at anything. */
export class Keyboard {
  readonly #page: Page;
  readonly #walked = new Set<string>();
  readonly faults: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes on to what has this name, and looks at everything on the way. */
  async reach(name: string | RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<Stop> {
    const isIt = (stop: Stop | null) =>
      stop !== null && (typeof name === "string" ? stop.name === name : name.test(stop.name));
    const passed: string[] = [];
    let ends = 0;
    for (let count = 0; count < stopsMax; count += 1) {
      const stop = await this.#step(key);
      if (isIt(stop)) return stop as Stop;
      passed.push(stop?.name ?? "—");
      // Once around: what is before the place where the page put the focus is seen as well.
      if (stop === null && (ends += 1) > 2) break;
    }
    throw new Error(
      `no key leads to ${String(name)} on ${this.#page.url()}: ${passed.join(" | ")}`,
    );
  }

  async press(name: string | RegExp, key: "Enter" | "Space" = "Enter"): Promise<void> {
    await this.reach(name);
    await this.#page.keyboard.press(key);
  }

  /** Presses what leads to another page, and waits for it. */
  async follow(name: string | RegExp, key: "Enter" | "Space" = "Enter"): Promise<void> {
    await this.reach(name);
    await Promise.all([this.#page.waitForEvent("load"), this.#page.keyboard.press(key)]);
  }

  async type(name: string | RegExp, text: string): Promise<void> {
    await this.reach(name);
    await this.#page.keyboard.press("Control+A");
    await this.#page.keyboard.type(text);
  }

  /** Sends the form whose field has the focus. */
  async send(): Promise<void> {
    await Promise.all([this.#page.waitForEvent("load"), this.#page.keyboard.press("Enter")]);
  }

  /** From the beginning of a page to its end, once for each address: the way around the menu comes first, and nothing holds the focus. */
  async walk(hasMenu = true): Promise<void> {
    const where = new URL(this.#page.url()).pathname.replaceAll(/[a-z]+_[0-9a-f]{32}/g, "…");
    if (this.#walked.has(where)) return;
    this.#walked.add(where);
    await this.#page.reload();
    const first = await this.#step("Tab");
    const second = await this.#step("Tab");
    const back = await this.#step("Shift+Tab");
    if (back?.name !== first?.name) this.faults.push(`${where}: Shift+Tab does not lead back`);
    const skip = await this.#page.evaluate<string | null>(
      "document.activeElement.getAttribute('href')",
    );
    if (hasMenu && skip !== "#main") this.faults.push(`${where}: begins with ${first?.name}`);
    let last: Stop | null = second;
    let count = 0;
    while (last !== null && count < stopsMax) {
      last = await this.#step("Tab");
      count += 1;
    }
    if (last !== null) this.faults.push(`${where}: the focus never leaves the page`);
    if (!hasMenu) return;
    await this.#page.reload();
    await this.#page.keyboard.press("Tab");
    await this.#page.keyboard.press("Enter");
    await this.#page.keyboard.press("Tab");
    const isBehind = await this.#page.evaluate<boolean>(
      `document.activeElement.closest("main, footer") !== null`,
    );
    if (!isBehind) this.faults.push(`${where}: the way around the menu leads into it`);
    await this.#page.reload();
  }

  async #step(key: "Tab" | "Shift+Tab"): Promise<Stop | null> {
    await this.#page.keyboard.press(key);
    const stop = await this.#page.evaluate<Stop | null>(readStop);
    if (stop?.fault != null) this.faults.push(`${this.#page.url()}: ${stop.fault}`);
    return stop;
  }
}
