const MASK = '••••'
const SHORTEST = 4
const SHORTEST_BASE64 = 5

/** How the names end under which services put secrets into addresses, forms and bodies. */
const NAMED =
  'token|secret|password|passwd|passphrase|signature|authorization|credentials?|guid|bearer|session[-_]?id|(?:api|access|private|secret|client|auth|x)[-_]?key'
/** In JSON, also in JSON that stands in a text of other JSON, where quotes wear backslashes. */
const IN_JSON = new RegExp(`((\\\\{0,7})"[\\w.-]*(?:${NAMED})\\2"\\s*:\\s*)(?:\\2"[\\s\\S]*?(?<!\\\\)\\2"|-?\\d[\\d.]*)`, 'gi')
/** In addresses and forms, where shorter names are in use too. */
const IN_FORM = new RegExp(`((?:^|[?&;\\s"'])[\\w.%[\\]-]*(?:${NAMED}|(?<![a-z0-9])(?:key|sig|pass|auth))=)[^&;\\s"'\\\\<>]+`, 'gi')
const IN_HEADER = /\b(Bearer|Basic)\s+[\w.~+/=-]{12,}/gi
const WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
/** As services write JSON that keep to ASCII and fear `</script>`. */
const escapedToAscii = (text: string) =>
  escaped(text)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
/** What base64 of anything that contains the secret shows of it, by where it begins: `user:secret` as well as the secret alone. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.toString('base64').replaceAll('=', '')
    const ours = whole.slice([0, 2, 3][before], bytes.length % 3 === 0 ? undefined : -1)
    return ours.length < SHORTEST_BASE64 ? [] : [ours, ours.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Its bytes in hexadecimal, as one number or pair by pair: `6f:70`, `6f 70`, `%6f%70`, `\x6f\x70`. */
const hexOf = (secret: string) => [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('(?:[:% -]|\\\\x)?')

/** Whatever the letters' case: services echo what they read in capitals. */
const writtenForms = (secret: string) =>
  [
    ...[secret, escaped(secret), escaped(escaped(secret)), escapedToAscii(secret)],
    ...[encodeURIComponent(secret.toWellFormed()), new URLSearchParams([['', secret]]).toString().slice(1)],
  ].map(literal)

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Any of these, the longest first: one secret may be a part of another. */
const anyOf = (patterns: readonly string[], flags: string) =>
  patterns.length > 0 ? new RegExp([...new Set(patterns)].sort((a, b) => b.length - a.length).join('|'), flags) : undefined

/**
 * What takes a connection's secrets out of texts, as they are and as addresses, forms, JSON, hexadecimal and base64 write them, in
 * letters of any case, and whatever is called a secret.
 */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const kept = secrets.filter((secret) => secret.length >= SHORTEST)
  const known = [anyOf([...kept.flatMap(writtenForms), ...kept.map(hexOf)], 'giu'), anyOf(kept.flatMap(base64Of).map(literal), 'g')].filter(
    (pattern) => pattern !== undefined,
  )
  return (text) =>
    known
      .reduce((clean, pattern) => clean.replace(pattern, MASK), text)
      .replace(IN_JSON, `$1$2"${MASK}$2"`)
      .replace(IN_FORM, `$1${MASK}`)
      .replace(IN_HEADER, `$1 ${MASK}`)
      .replace(WEB_TOKEN, MASK)
}

/** An address without who asks and the values of what looks like a secret. */
export function redactUrl(address: string, redact: (text: string) => string): string {
  const url = URL.parse(address)
  if (!url) return redact(address)
  ;[url.username, url.password] = ['', '']
  return redact(url.href)
}

/** The beginning of a text, as the database can keep it: no NUL, no half of a surrogate pair. */
export const storable = (text: string, max: number) =>
  (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed().replaceAll('\u0000', '')
