import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'

/** What a browser is known by between leaving for a provider and coming back. */
export interface Visitor {
  readonly value: string
  /** All that is kept of it. */
  readonly digest: string
}

const TOKEN = /^\w{3,80}$/
const LIFE_SECONDS = 20 * 60
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}serai_social`

/** `isSecure`: the world comes by https, and the cookie says so. */
export function visitorOf(request: Request, isSecure: boolean): Visitor {
  const before = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(nameOf(isSecure))
  const value = before && TOKEN.test(before) ? before : newToken('sov')
  return { value, digest: sha256(value) }
}

/** A provider may send people back by a form of its own page, with which no stricter cookie comes. Without https none of them does. */
export const visitorCookie = ({ value }: Visitor, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${value}; Path=/; HttpOnly; Max-Age=${LIFE_SECONDS}; ${isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax'}`
