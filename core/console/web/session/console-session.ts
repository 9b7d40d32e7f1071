import { errorOf, OFFLINE, RequestError } from '../api/errors.ts'
import { refreshMe } from '../api/queries.ts'
import { leaveWantedPath } from './wanted-path.ts'

/** Means of a sign-in, of which exactly one is sent. */
export type Means =
  | { readonly password: { readonly email: string; readonly password: string; readonly secondFactor?: string } }
  | { readonly passkey: { readonly id: string; readonly response: unknown } }
  | { readonly link: { readonly token: string; readonly secondFactor?: string } }
  | { readonly social: { readonly provider: string; readonly ticket: string; readonly verifier: string; readonly secondFactor?: string } }

/** Signs in with the token of a link, which works once. */
export const openSessionByLink = (token: string, secondFactor?: string): Promise<void> =>
  openSession({ link: { token, ...(secondFactor && { secondFactor }) } }, { isOwnDevice: true })

/** Offers of a server on its sign-in page. */
export interface Setup {
  /** True while this browser keeps the own session of an administrator who acts as a user. */
  readonly isActing: boolean
  readonly hasUsers: boolean
  readonly providers: readonly { readonly slug: string; readonly label: string }[]
}

/** Calls a route of the console itself, which is no part of the public API. Throws {@link RequestError}. */
export async function call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  const headers = { 'x-serai-console': '1', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(path, init).catch(() => {
    throw new RequestError(OFFLINE, 'No answer.', 0)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw errorOf(answer, response.status)
  return answer as Data
}

/** Signs in. The session comes as a cookie that no script can read. */
export async function openSession(means: Means, { isOwnDevice }: { readonly isOwnDevice: boolean }): Promise<void> {
  await call('POST', '/console/session', { ...means, isOwnDevice })
  await refreshMe()
}

/** Signs out and loads the console anew, so that nothing of the user stays in memory. */
export async function closeSession(): Promise<void> {
  await call('DELETE', '/console/session')
  leaveWantedPath()
  location.replace('/console')
}

/** Reads what the sign-in page offers. */
export const readSetup = async (): Promise<Setup> => (await call<{ readonly data: Setup }>('GET', '/console/setup')).data
