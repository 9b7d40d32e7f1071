import { constantTimeEqual, newToken, type Vault } from '../../../lib/crypto/crypto.ts'

/** What a browser brings and is given: whose session it is in, and what tells its own forms from other people's. */
export interface Browser {
  readonly session: string | null
  /** Known to this browser alone; made where it has none. */
  readonly visit: string
  readonly isNew: boolean
}

const TOKEN = /^\w{3,80}$/
const names = (isSecure: boolean) => ({
  session: `${isSecure ? '__Host-' : ''}serai_session`,
  visit: `${isSecure ? '__Host-' : ''}serai_visit`,
})

/** `isSecure`: the world comes by https, and cookies say so. */
export function browserOf(request: Request, isSecure: boolean): Browser {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '')
  const { session, visit } = names(isSecure)
  const known = (name: string) => {
    const value = cookies.get(name)
    return value && TOKEN.test(value) ? value : null
  }
  const before = known(visit)
  return { session: known(session), visit: before ?? newToken('vis'), isNew: before === null }
}

/** What a form of this browser, in this session, carries: who cannot read our pages cannot send it. */
export const formToken = (vault: Vault, { visit, session }: Browser) => vault.fingerprint(`oauth form ${visit} ${session ?? ''}`)

export const isOwnForm = (vault: Vault, browser: Browser, token: string | undefined) =>
  token !== undefined && !browser.isNew && constantTimeEqual(formToken(vault, browser), token)

const attributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export const visitCookie = ({ visit }: Browser, isSecure: boolean) => `${names(isSecure).visit}=${visit}; ${attributes(isSecure)}`
/** Ends with the browser; null ends it now. */
export const sessionCookie = (token: string | null, isSecure: boolean) =>
  `${names(isSecure).session}=${token ?? ''}; ${attributes(isSecure)}${token === null ? '; Max-Age=0' : ''}`
