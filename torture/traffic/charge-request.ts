/** The body of a request to be paid. */
export function chargeRequest(externalId: string, amount: number) {
  return {
    amount,
    externalId,
    description: "An order",
    onCanceledRedirectionUrl: "https://shop.example/cart",
    onCompletedRedirectionUrl: "https://shop.example/thanks",
  };
}
