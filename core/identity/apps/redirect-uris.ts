/** A scheme that somebody owns as he owns a domain (RFC 8252): nothing that a browser would run. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/
/** A program on the person's own device listens on whatever port was free (RFC 8252, 7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/
const LOOPBACK_NAMES = ['127.0.0.1', '[::1]', 'localhost']
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
const UNPRINTABLE = /[\u0000-\u0020\u007f-\uffff\\<>"]/

/** Why people cannot be sent back there; null where they can. */
export function problemOfRedirectUri(uri: string): string | null {
  const url = URL.parse(uri)
  if (!url || UNPRINTABLE.test(uri)) return 'Give a whole address in ASCII, such as https://app.example/callback.'
  if (uri.includes('#')) return 'An address to be sent back to has no fragment.'
  if (url.username || url.password) return 'An address to be sent back to has no user name or password.'
  if (url.protocol === 'https:' || OWN_SCHEME.test(url.protocol)) return null
  if (url.protocol === 'http:' && LOOPBACK_NAMES.includes(url.hostname)) return null
  return 'Use https, a scheme of your own with a dot in it (com.example.app:/callback), or http on 127.0.0.1 or [::1].'
}

/** Whether the app has this address: to the letter, but for the port of a program on the person's own device. */
export const hasRedirectUri = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => one === uri || (isLoopback(one) && isLoopback(uri) && withoutPort(one) === withoutPort(uri)))

const isLoopback = (uri: string) => LOOPBACK.test(uri) && URL.canParse(uri)
const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1$2')
