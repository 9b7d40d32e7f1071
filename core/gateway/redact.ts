const MASK = '••••'
const SHORTEST = 4
/** Names under which services put secrets into addresses and bodies. */
const SECRET_NAME = /^(?:.*[-_.])?(?:token|key|apikey|secret|password|passwd|pass|signature|sig|auth|authorization|credential|guid)$/i
const IN_JSON = /("(?:[\w-]*[_-])?(?:token|api_?key|secret|password|passwd|signature|authorization|user_guid)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** What takes a connection's secrets out of texts, as they are and as addresses, JSON and base64 write them. */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= SHORTEST)
      .flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString('base64'),
      ]),
  )
  // The longest first: one secret may be a part of another.
  const ordered = [...forms].sort((a, b) => b.length - a.length)
  return (text) => ordered.reduce((clean, secret) => clean.replaceAll(secret, MASK), text.replace(IN_JSON, `$1"${MASK}"`))
}

/** An address without the values of what looks like a secret. */
export function redactUrl(address: string, redact: (text: string) => string): string {
  const url = URL.parse(address)
  if (!url) return redact(address)
  if (url.username || url.password) [url.username, url.password] = ['', '']
  for (const name of [...url.searchParams.keys()]) if (SECRET_NAME.test(name)) url.searchParams.set(name, MASK)
  return redact(url.href.replaceAll(encodeURIComponent(MASK), MASK))
}
