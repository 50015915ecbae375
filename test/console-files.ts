import type { PageAnswer, SignedIn } from "./console.ts";
import type { TestService } from "./fixtures.ts";

const boundary = "----file-of-a-test";

/** Sends a file as a browser's form does. */
export async function sendFile(
  { app }: Pick<TestService, "app">,
  who: SignedIn,
  path: string,
  file: { readonly name: string; readonly text: string | Buffer },
): Promise<PageAnswer> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: text/csv\r\n\r\n`;
  const joint = path.includes("?") ? "&" : "?";
  const answer = await app.inject({
    method: "POST",
    url: `${path}${joint}token=${encodeURIComponent(who.formToken)}`,
    headers: {
      "accept-language": "fr",
      cookie: `cauri_console=${who.sessionToken}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([
      Buffer.from(head),
      Buffer.from(file.text),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  return {
    status: answer.statusCode,
    text: answer.body,
    location: answer.headers.location ?? "",
    headers: answer.headers,
  };
}
