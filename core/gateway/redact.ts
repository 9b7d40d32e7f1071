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
const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase())

/** What base64 of anything that contains the secret shows of it, by where it begins: `user:secret` as well as the secret alone. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.toString('base64').replaceAll('=', '')
    const ours = whole.slice([0, 2, 3][before], bytes.length % 3 === 0 ? undefined : -1)
    return ours.length < SHORTEST_BASE64 ? [] : [ours, ours.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

const formsOf = (secret: string) => {
  const [inAddress, inForm] = [encodeURIComponent(secret.toWellFormed()), new URLSearchParams([['', secret]]).toString().slice(1)]
  return [
    ...[secret, escaped(secret), escaped(escaped(secret)), escapedToAscii(secret)],
    ...[inAddress, lowerEscapes(inAddress), inForm, lowerEscapes(inForm)],
    ...base64Of(secret),
  ]
}

/** What takes a connection's secrets out of texts, as they are and as addresses, forms, JSON and base64 write them, and whatever is called a secret. */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf))
  // The longest first: one secret may be a part of another.
  const ordered = [...forms].sort((a, b) => b.length - a.length)
  return (text) => {
    const known = ordered.reduce((clean, secret) => clean.replaceAll(secret, MASK), text)
    return known.replace(IN_JSON, `$1$2"${MASK}$2"`).replace(IN_FORM, `$1${MASK}`).replace(IN_HEADER, `$1 ${MASK}`).replace(WEB_TOKEN, MASK)
  }
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
