const MASK = '••••'
const SHORTEST = 4
const SHORTEST_BASE64 = 5

/** Endings of the names under which services send secrets in URLs, forms and bodies. */
const NAMED =
  'token|secret|password|passwd|passphrase|signature|authorization|credentials?|guid|bearer|session[-_]?id|(?:api|access|private|secret|client|auth|x)[-_]?key'
/** Secrets in JSON, including JSON inside a JSON string, whose quotes are escaped by backslashes. */
const IN_JSON = new RegExp(`((\\\\{0,7})"[\\w.-]*(?:${NAMED})\\2"\\s*:\\s*)(?:\\2"[\\s\\S]*?(?<!\\\\)\\2"|-?\\d[\\d.]*)`, 'gi')
/** Secrets in URLs and forms, which also use shorter names. */
const IN_FORM = new RegExp(`((?:^|[?&;\\s"'])[\\w.%[\\]-]*(?:${NAMED}|(?<![a-z0-9])(?:key|sig|pass|auth))=)[^&;\\s"'\\\\<>]+`, 'gi')
const IN_HEADER = /\b(Bearer|Basic)\s+[\w.~+/=-]{12,}/gi
const WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1)
/** Escapes a text as services do that write JSON in ASCII and escape the slash of `</script>`. */
const escapeToAscii = (text: string) =>
  escapeJson(text)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
/** Returns the base64 forms of a secret at each of the three alignments, so that `user:secret` is found as well as the secret alone. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.toString('base64').replaceAll('=', '')
    const ours = whole.slice([0, 2, 3][before], bytes.length % 3 === 0 ? undefined : -1)
    return ours.length < SHORTEST_BASE64 ? [] : [ours, ours.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Returns a pattern of the secret's bytes in hexadecimal, as one number or pair by pair: `6f:70`, `6f 70`, `%6f%70`, `\x6f\x70`. */
const hexOf = (secret: string) => [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('(?:[:% -]|\\\\x)?')

/** Returns patterns of a secret's written forms. They are matched in any case, since services may echo a secret in capitals. */
const writtenFormsOf = (secret: string) =>
  [
    ...[secret, escapeJson(secret), escapeJson(escapeJson(secret)), escapeToAscii(secret)],
    ...[encodeURIComponent(secret.toWellFormed()), new URLSearchParams([['', secret]]).toString().slice(1)],
  ].map(escapePattern)

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Combines patterns into one, the longest first, since one secret may be part of another. Undefined if there are none. */
const anyOf = (patterns: readonly string[], flags: string) =>
  patterns.length > 0 ? new RegExp([...new Set(patterns)].sort((a, b) => b.length - a.length).join('|'), flags) : undefined

/**
 * Returns a function that masks a connection's secrets in a text. It finds them plain, and as URLs, forms, JSON, hexadecimal and base64
 * encode them, in any case. It also masks values whose name says that they are secret.
 */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const maskable = secrets.filter((secret) => secret.length >= SHORTEST)
  const known = [
    anyOf([...maskable.flatMap(writtenFormsOf), ...maskable.map(hexOf)], 'giu'),
    anyOf(maskable.flatMap(base64Of).map(escapePattern), 'g'),
  ].filter((pattern) => pattern !== undefined)
  return (text) =>
    known
      .reduce((clean, pattern) => clean.replace(pattern, MASK), text)
      .replace(IN_JSON, `$1$2"${MASK}$2"`)
      .replace(IN_FORM, `$1${MASK}`)
      .replace(IN_HEADER, `$1 ${MASK}`)
      .replace(WEB_TOKEN, MASK)
}

/** Redacts a URL: removes its user name and password, and masks secret parameters. */
export function redactUrl(address: string, redact: (text: string) => string): string {
  const url = URL.parse(address)
  if (!url) return redact(address)
  ;[url.username, url.password] = ['', '']
  return redact(url.href)
}

/** Truncates a text to `max` characters and makes it valid for the database: without NUL and without lone surrogates. */
export const toStorableText = (text: string, max: number) =>
  (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed().replaceAll('\u0000', '')
