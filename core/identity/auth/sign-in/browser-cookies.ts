import { constantTimeEqual, newToken, type Vault } from '../../../lib/crypto/crypto.ts'

/** Cookies of a browser: its session, and the random value that protects its forms against CSRF. */
export interface BrowserCookies {
  readonly session: string | null
  /** Random value that only this browser knows; generated when the request has none. */
  readonly visit: string
  readonly isNew: boolean
}

const TOKEN = /^\w{3,80}$/
const cookieNames = (isSecure: boolean) => ({
  session: `${isSecure ? '__Host-' : ''}serai_session`,
  visit: `${isSecure ? '__Host-' : ''}serai_visit`,
})

/**
 * Reads the cookies of a request. `isSecure` is true when the public address is https; the cookie names then carry the `__Host-` prefix.
 */
export function readBrowserCookies(request: Request, { isSecure }: { readonly isSecure: boolean }): BrowserCookies {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '')
  const { session, visit } = cookieNames(isSecure)
  const known = (name: string) => {
    const value = cookies.get(name)
    return value && TOKEN.test(value) ? value : null
  }
  const before = known(visit)
  return { session: known(session), visit: before ?? newToken('vis'), isNew: before === null }
}

/** Builds the CSRF token of a browser and its session. Other sites cannot read our pages and so cannot send it. */
export const csrfTokenOf = (vault: Vault, { visit, session }: BrowserCookies) => vault.fingerprint(`oauth form ${visit} ${session ?? ''}`)

/** Tells if a form carries the CSRF token of this browser. */
export const isCsrfTokenValid = (vault: Vault, browser: BrowserCookies, token: string | undefined) =>
  token !== undefined && !browser.isNew && constantTimeEqual(csrfTokenOf(vault, browser), token)

const attributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** Builds the `Set-Cookie` value that identifies the browser. */
export const visitCookie = ({ visit }: BrowserCookies, { isSecure }: { readonly isSecure: boolean }) =>
  `${cookieNames(isSecure).visit}=${visit}; ${attributes(isSecure)}`
/** Builds the `Set-Cookie` value of the session, which lasts until the browser closes. With null it deletes the cookie. */
export const sessionCookie = (token: string | null, { isSecure }: { readonly isSecure: boolean }) =>
  `${cookieNames(isSecure).session}=${token ?? ''}; ${attributes(isSecure)}${token === null ? '; Max-Age=0' : ''}`
