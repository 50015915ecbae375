import type { Config } from "../../../config.ts";

/**
 * Where a link leads, and what has to be known about that. A command knows the service by its own settings alone: without
 * PUBLIC_URL it takes HOST and PORT of this shell, and the service may run with others.
 */
export function describeLink(
  { publicUrl, host, port }: Pick<Config, "publicUrl" | "host" | "port">,
  token: string,
): { readonly link: string; readonly notes: readonly string[] } {
  const isGuessed = publicUrl === `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    link: `${publicUrl}/console/join/${token}`,
    notes: isGuessed
      ? [
          `PUBLIC_URL is not set here, so the link begins with ${publicUrl}. If the service is reached elsewhere, put its address there instead, and set PUBLIC_URL.`,
        ]
      : [],
  };
}
