import { ApiError } from '../errors/errors.ts'

/** Header that a request of the console must carry to change something. Other sites cannot send it without CORS. */
const CONSOLE_HEADER = 'x-serai-console'
const SESSION_TOKEN = /^st_\w{1,100}$/
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

const isSecure = (origin: string) => origin.startsWith('https://')
/** The prefix binds the cookie to this host; browsers accept it over HTTPS only. */
const cookieName = (origin: string) => `${isSecure(origin) ? '__Host-' : ''}serai_console`

/** Session token of the cookie, or the error of a cookie that does not count for this request. */
type ConsoleCookie = { readonly credential: string } | { readonly credential: null; readonly refusal: ApiError }

/**
 * Reads the session cookie of the console. Returns null without one. For requests that change something, it counts only if
 * {@link assertFromConsole} accepts them. `origin` is our address as callers know it.
 */
export function readConsoleCookie(request: Request, origin: string): ConsoleCookie | null {
  const header = request.headers.get('cookie')
  if (header === null) return null
  const token = new Bun.CookieMap(header).get(cookieName(origin))
  if (!token || !SESSION_TOKEN.test(token)) return null
  const refusal = SAFE_METHODS.includes(request.method) ? null : consoleRefusal(request, origin)
  return refusal ? { credential: null, refusal } : { credential: token }
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
export function consoleCookie(token: string | null, origin: string, maxAgeSeconds?: number): string {
  const age = token === null ? 0 : maxAgeSeconds
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure(origin) ? ['Secure'] : [])]
  return [`${cookieName(origin)}=${token ?? ''}`, ...attributes, ...(age === undefined ? [] : [`Max-Age=${age}`])].join('; ')
}
