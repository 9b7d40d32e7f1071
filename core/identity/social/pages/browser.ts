import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'

/** Cookie that identifies a browser between the redirect to a provider and its return. */
export interface BrowserCookie {
  readonly value: string
  /** Digest under which the browser is stored. */
  readonly digest: string
}

const TOKEN = /^\w{3,80}$/
const LIFE_SECONDS = 20 * 60
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}serai_social`

/**
 * Reads the cookie of a request, or generates a value. `isSecure` is true when the public address is https; the cookie name then carries
 * the `__Host-` prefix.
 */
export function readBrowserCookie(request: Request, { isSecure }: { readonly isSecure: boolean }): BrowserCookie {
  const before = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(nameOf(isSecure))
  const value = before && TOKEN.test(before) ? before : newToken('sov')
  return { value, digest: sha256(value) }
}

/**
 * Builds the `Set-Cookie` value. It needs `SameSite=None`, because a provider may return with a cross-site form post; without https it is
 * `Lax`.
 */
export const browserCookieHeader = ({ value }: BrowserCookie, { isSecure }: { readonly isSecure: boolean }): string =>
  `${nameOf(isSecure)}=${value}; Path=/; HttpOnly; Max-Age=${LIFE_SECONDS}; ${isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax'}`
