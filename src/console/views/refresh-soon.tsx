const refreshSeconds = 4;

/** With script the page comes again while somebody looks at it; without, the browser is asked to. */
export function RefreshSoon({ nonce }: { readonly nonce: string }) {
  const script = `setTimeout(function again(){document.hidden?setTimeout(again,1000):location.reload()},${refreshSeconds * 1_000})`;
  return (
    <>
      <noscript>
        <meta http-equiv="refresh" content={String(2 * refreshSeconds)} />
      </noscript>
      {/* oxlint-disable-next-line react/no-danger -- the script is built from a constant, without any value from a request. */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
    </>
  );
}
