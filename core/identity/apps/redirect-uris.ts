/** Private-use scheme that is based on a domain name (RFC 8252, section 7.1). Browsers execute none of these. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/
/** Loopback address of a native app, which listens on any free port of the device (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/
const LOOPBACK_NAMES = ['127.0.0.1', '[::1]', 'localhost']
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
const UNPRINTABLE = /[\u0000-\u0020\u007f-\uffff\\<>"]/

/** Explains why an address cannot be a redirect URI. Returns null when it can. */
export function problemOfRedirectUri(uri: string): string | null {
  const url = URL.parse(uri)
  if (!url || UNPRINTABLE.test(uri)) return 'Send a complete address in ASCII, such as https://app.example/callback.'
  if (uri.includes('#')) return 'A redirect URI must not have a fragment.'
  if (url.username || url.password) return 'A redirect URI must not have a user name or a password.'
  if (url.protocol === 'https:' || OWN_SCHEME.test(url.protocol)) return null
  if (url.protocol === 'http:' && LOOPBACK_NAMES.includes(url.hostname)) return null
  return 'Use https, a scheme of your own with a dot in it (com.example.app:/callback), or http on 127.0.0.1 or [::1].'
}

/**
 * Tells if an app registered a redirect URI. The comparison is exact, except for the port of a loopback address (RFC 8252, section 7.3).
 */
export const hasRedirectUri = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => one === uri || (isLoopback(one) && isLoopback(uri) && withoutPort(one) === withoutPort(uri)))

const isLoopback = (uri: string) => LOOPBACK.test(uri) && URL.canParse(uri)
const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1$2')
