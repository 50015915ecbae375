import type { Static } from "typebox";
import type { Company } from "../companies/company.ts";
import { readSubCompanyId } from "../companies/find-company.ts";
import { InvalidRequest, joinMessages } from "../http/errors.ts";
import { metadataText, metadataTooLarge } from "../http/metadata.ts";
import { amountOutOfRange, invalidRequest } from "../http/validation.ts";
import type { ErrorDetail } from "../kernel/domain-error.ts";
import { composeSentence, inLanguage } from "../kernel/language.ts";
import type { ChargeRequest } from "./create-charge.ts";
import { readRedirectionUrl } from "./redirection-url.ts";
import type { NewChargeSchema, RefundSchema } from "./schemas.ts";

type ChargeBody = Static<typeof NewChargeSchema>;
type RefundBody = Static<typeof RefundSchema>;

/**
 * Adds what the schema cannot know (this company's bounds, what a URL is, how much metadata is too much) to
 * what it found, so that one answer names everything that is wrong.
 */
export function readCharge(
  company: Company,
  isProduction: boolean,
  body: ChargeBody,
  found: readonly ErrorDetail[],
): ChargeRequest {
  const problems = [...found, ...amountProblems(company, body)];
  const urlOf = (field: "onCanceledRedirectionUrl" | "onCompletedRedirectionUrl"): string => {
    const text: unknown = body?.[field];
    // What is missing or too long, the schema has already found.
    if (typeof text !== "string" || problems.some((problem) => problem.field === field)) return "";
    const read = readRedirectionUrl(text, isProduction);
    if ("href" in read) return read.href;
    problems.push({
      field,
      code: "invalid",
      message: composeSentence((language) => `${field} ${read.problem[language]}.`),
    });
    return "";
  };
  const onCanceledRedirectionUrl = urlOf("onCanceledRedirectionUrl");
  const onCompletedRedirectionUrl = urlOf("onCompletedRedirectionUrl");
  const metadata = metadataText(body?.metadata);
  problems.push(...metadataTooLarge(metadata));
  if (problems.length > 0) throw invalidRequest(problems, body);

  return {
    externalId: body.externalId,
    description: body.description,
    amount: body.amount,
    metadata,
    subCompanyId: readSubCompanyId(body.subCompanyId),
    onCanceledRedirectionUrl,
    onCompletedRedirectionUrl,
  };
}

function amountProblems(company: Company, body: ChargeBody): ErrorDetail[] {
  const { min, max } = company.chargeAmount;
  const amount: unknown = body?.amount;
  if (!Number.isInteger(amount) || ((amount as number) >= min && (amount as number) <= max))
    return [];
  return [amountOutOfRange(amount as number, min, max)];
}

const nothingRefunded = {
  en: "Nothing was refunded. Without amount, all that is left is refunded.",
  fr: "Rien n’a été remboursé. Sans amount, tout ce qui reste est remboursé.",
};

/** Throws what is wrong with the body of a refund, and says what leaving the amount out means. */
export function readRefund(
  body: RefundBody | undefined,
  found: readonly ErrorDetail[],
): { readonly amount: number | undefined; readonly reason: string | undefined } {
  if (found.length > 0) {
    const problems = joinMessages(found);
    const said = composeSentence(
      (language) => `${problems[language]} ${inLanguage(language, nothingRefunded)}`,
    );
    throw new InvalidRequest(said, found);
  }
  return { amount: body?.amount, reason: body?.reason === "" ? undefined : body?.reason };
}
