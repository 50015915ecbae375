import { ensureChromium } from "../scripts/chromium.ts";

/** Before any test runs, so that two workers do not install one browser at the same time. */
export default function setup(): void {
  try {
    ensureChromium();
  } catch {
    // Only the tests that need a browser fail for it, and they say what to install.
  }
}
