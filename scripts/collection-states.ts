import { type ConsoleStage, formOpener, type Seat, sendForm } from "./console-seats.ts";
import { opener, type PageState } from "./page-states.ts";
import { api } from "./stage.ts";

/** Every screen of collections: a link that waits, one that was tried, a payment, a refund on its way. */
export async function makeCollectionStates(
  stage: ConsoleStage,
  { owner, preparer, newcomer }: Readonly<Record<"owner" | "preparer" | "newcomer", Seat>>,
): Promise<PageState[]> {
  const at = (path: string, seat: Seat = owner) => opener(stage, path, seat.cookies);
  const charge = async (externalId: string, amount: number, description: string) => {
    const { id } = await api(stage, "/v1/charges", {
      externalId,
      amount,
      description,
      subCompanyId: stage.subCompanyId,
      onCanceledRedirectionUrl: "https://boutique.example/panier",
      onCompletedRedirectionUrl: "https://boutique.example/merci",
    });
    return `/console/collections/${String(id)}`;
  };
  const pay = (path: string, recipientMsisdn: string) =>
    api(stage, `/v1/charges/${path.split("/").at(-1)}/pay`, { recipientMsisdn });
  const tried = await charge("commande-418", 75_000, "Commande 418, deux sacs de riz");
  await pay(tried, stage.people.poor);
  const paid = await charge("commande-417", 45_500, "Commande 417, tissu bazin");
  await pay(paid, stage.people.rich);
  await api(stage, `/v1/charges/${paid.split("/").at(-1)}/refund`, { amount: 5_500 });
  const link = await sendForm(
    stage,
    preparer,
    "/console/collections/new",
    new URLSearchParams({
      amount: "15000",
      description: "Consultation du 17 novembre",
      reference: "consultation-17-11",
      subCompany: "",
    }),
  );
  const review = reviewRefund(stage, preparer, paid);
  const asked = new URLSearchParams({ amount: "10000", refunded: "5500" });
  await sendForm(stage, preparer, `${paid}/refund`, asked);
  return [
    { name: "console-collections", open: at("/console/collections") },
    { name: "console-collections-none", open: at("/console/collections?min=900000") },
    { name: "console-collections-empty", open: at("/console/collections", newcomer) },
    { name: "console-collection-link", open: at(link) },
    { name: "console-collection-tried", open: at(tried) },
    { name: "console-collection-paid", open: at(paid) },
    { name: "console-link-new", open: at("/console/collections/new") },
    { name: "console-link-sheet-a4", open: at(`${link}/print`) },
    { name: "console-link-sheet-a6", open: at(`${link}/print?size=a6`) },
    { name: "console-refund", open: at(`${paid}/refund`) },
    { name: "console-refund-review", isAnswer: true, open: review },
  ];
}

/** What a refund does, seen by the one who typed it. */
function reviewRefund(stage: ConsoleStage, seat: Seat, charge: string): PageState["open"] {
  return async (page, lang) => {
    await formOpener(stage, `${charge}/refund`, seat)(page, lang);
    await page.locator("#amount").fill("10 000");
    await page.locator("main form button").first().click();
    await page.locator("main .large").waitFor();
  };
}
