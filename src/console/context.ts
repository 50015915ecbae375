import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Language } from "../kernel/language.ts";
import type { CompanyRole, Permission } from "../staff/roles.ts";
import type { FoundSession } from "../staff/sessions.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import type { FrameWords } from "./words/frame.ts";

/** The company a person works for in this session. */
export interface ConsoleCompany {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly country: string;
  readonly isFrozen: boolean;
}

/** What a page says once, after something was done. */
export interface Notice {
  readonly kind: "good" | "bad";
  readonly text: string;
}

/** What a page shows; the frame around it is the same everywhere. */
export interface View {
  readonly title: string;
  readonly content: VNode;
  readonly status?: number;
  /** Screen readers read the title first: that of a page with a problem begins with the word. */
  readonly isProblem?: boolean;
  /** Its script may ask our own address; others ask nobody. */
  readonly mayAsk?: boolean;
}

/** What every address of ours is made with. */
type Href = (path: string, query?: Readonly<Record<string, string>>) => string;

/** What a page has that knows nobody: signing in, and what went wrong. */
export interface Bare {
  readonly language: Language;
  readonly words: FrameWords;
  readonly nonce: string;
  readonly href: Href;
}

/** Which forms of this session take another proof of who sends them. */
export interface StepUp {
  /** code: a passkey cannot stand in for it, because the form cannot be kept meanwhile. */
  readonly asks: (path: string) => "code" | "any" | undefined;
  readonly hasPasskey: boolean;
  readonly language: Language;
}

/** What a page, or what a form is sent to, is handed of whoever is signed in, and how to answer. */
export interface VisitContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly person: FoundSession["person"];
  readonly session: FoundSession;
  /** Of the session: what proves who it is, for whoever ends all others. */
  readonly sessionToken: string;
  readonly language: Language;
  readonly words: FrameWords;
  readonly query: URLSearchParams;
  /** The parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Whom the trail names. */
  readonly by: ConsolePerson;
  readonly nonce: string;
  readonly href: Href;
  /** Goes into every form: `<Form>` does it. */
  readonly formToken: string;
  /** So does a field for a code, where the form takes one. */
  readonly stepUp: StepUp;
  readonly send: (view: View) => Promise<FastifyReply>;
  /** After a form: to the page that shows what became of it, with a sentence to say there once. */
  readonly seeOther: (path: string, notice?: Notice) => Promise<FastifyReply>;
}

/** The same on the pages of a company: for whom, and as what. */
export interface ScreenContext extends VisitContext {
  readonly company: ConsoleCompany;
  readonly role: CompanyRole;
  readonly may: (permission: Permission) => boolean;
}

/** The same for what a form is sent to. */
export interface ActionContext extends ScreenContext {
  readonly form: URLSearchParams;
}
