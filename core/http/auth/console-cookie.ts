import { ApiError } from '../errors/errors.ts'

/** Header that a request of the console must carry to change something. Other sites cannot send it without CORS. */
const CONSOLE_HEADER = 'x-serai-console'
const SESSION_TOKEN = /^st_\w{1,100}$/
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

const isSecure = (origin: string) => origin.startsWith('https://')
/** The prefix binds a cookie to this host; browsers accept it over HTTPS only. */
const prefixOf = (origin: string) => (isSecure(origin) ? '__Host-' : '')
const cookieName = (origin: string) => `${prefixOf(origin)}serai_console`
const adminCookieName = (origin: string) => `${prefixOf(origin)}serai_console_admin`

/** Session token of the cookie, or the error of a cookie that does not count for this request. */
type ConsoleCookie = { readonly credential: string } | { readonly credential: null; readonly refusal: ApiError }

/**
 * Reads the session cookie of the console. Returns null without one. For requests that change something, it counts only if
 * {@link assertFromConsole} accepts them. `origin` is our address as callers know it.
 */
export function readConsoleCookie(request: Request, origin: string): ConsoleCookie | null {
  const token = readToken(request, cookieName(origin))
  if (token === null) return null
  const refusal = SAFE_METHODS.includes(request.method) ? null : consoleRefusal(request, origin)
  return refusal ? { credential: null, refusal } : { credential: token }
}

/**
 * Reads the cookie that keeps the own session of an administrator while they act as a user. Returns null without one. It authenticates no
 * request: only the end of acting and a sign-out read it.
 */
export const readAdminCookie = (request: Request, origin: string): string | null => readToken(request, adminCookieName(origin))

function readToken(request: Request, name: string): string | null {
  const header = request.headers.get('cookie')
  if (header === null) return null
  const token = new Bun.CookieMap(header).get(name)
  return token && SESSION_TOKEN.test(token) ? token : null
}

/** Throws `forbidden` unless a request comes from a page of ours: it has the header `X-Serai-Console: 1` and our own `Origin`. */
export function assertFromConsole(request: Request, origin: string): void {
  const refusal = consoleRefusal(request, origin)
  if (refusal) throw refusal
}

function consoleRefusal(request: Request, origin: string): ApiError | null {
  if (request.headers.get(CONSOLE_HEADER) !== '1')
    return new ApiError('forbidden', 'With a session cookie, a request that changes something needs the header "X-Serai-Console: 1".')
  if (request.headers.get('origin') !== new URL(origin).origin)
    return new ApiError('forbidden', 'With a session cookie, a request that changes something must come from a page of this server.')
  return null
}

/**
 * Builds the `Set-Cookie` value of a session. Without `maxAgeSeconds` the cookie lasts until the browser closes. A null token deletes it.
 */
export const consoleCookie = (token: string | null, origin: string, maxAgeSeconds?: number): string =>
  setCookie(cookieName(origin), token, origin, maxAgeSeconds)

/** Builds the `Set-Cookie` value of the cookie that {@link readAdminCookie} reads, with the same attributes. A null token deletes it. */
export const adminCookie = (token: string | null, origin: string, maxAgeSeconds?: number): string =>
  setCookie(adminCookieName(origin), token, origin, maxAgeSeconds)

function setCookie(name: string, token: string | null, origin: string, maxAgeSeconds: number | undefined): string {
  const age = token === null ? 0 : maxAgeSeconds
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure(origin) ? ['Secure'] : [])]
  return [`${name}=${token ?? ''}`, ...attributes, ...(age === undefined ? [] : [`Max-Age=${age}`])].join('; ')
}
