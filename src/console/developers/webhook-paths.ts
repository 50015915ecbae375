export const webhooksPath = "/console/developers/webhooks";
export const deliveriesPath = "/console/developers/deliveries";

export function webhookPath(webhookId: string): string {
  return `${webhooksPath}/${webhookId}`;
}

export function deliveryPath(webhookId: string, eventNumber: number): string {
  return `${webhookPath(webhookId)}/deliveries/${eventNumber}`;
}

export function replayPath(webhookId: string, replayId: string): string {
  return `${webhookPath(webhookId)}/replays/${replayId}`;
}
