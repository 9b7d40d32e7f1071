import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { holdsSession } from '../../auth/account.ts'
import type { Session } from '../../auth/sign-in/sign-in.ts'
import type { Client } from '../client.ts'
import { findSteered, insertCode, insertGrant, insertRequest, listSteered, takeRequest } from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { type Authorization, addressBack, REQUEST_URI } from './authorization.ts'

const CODE_MS = 60_000
const REQUEST_MS = 600_000
const PROJECTS_MAX = 500

/** Projects that the page offers a person to let an app into, the oldest first. */
export const projectsFor = ({ sql }: Pick<Context, 'sql'>, userId: string) => listSteered(sql, userId, PROJECTS_MAX)

/** The project that a person named, or his oldest; undefined where there is none that he may steer. */
export const projectFor = ({ sql }: Pick<Context, 'sql'>, userId: string, named: string | undefined) => findSteered(sql, userId, named)

/** Who says yes, in which session, and in which of his projects; null where he has none. */
export interface Consent {
  readonly session: Session
  readonly projectId: string | null
}

/** The person allows it: gives where his browser goes with the code. Throws `access_denied` where his session ended meanwhile. */
export async function allow(
  { sql }: Pick<Context, 'sql'>,
  asked: Authorization,
  { session, projectId }: Consent,
  issuer: string,
): Promise<string> {
  const [code, grantId] = [newToken('ac'), newId('gra')]
  const expiresAt = new Date(Date.now() + CODE_MS)
  const { app, namedUri: redirectUri, challenge, thumbprint, scopes } = asked
  await transaction(sql, async (tx) => {
    if (!(await holdsSession(tx, session))) throw new Refusal('access_denied', 'The session is over. Sign in again.')
    if (asked.pushed !== null && !(await takeRequest(tx, asked.pushed)))
      throw invalidRequest('This was answered already. Begin again in the app.')
    await insertGrant(tx, { id: grantId, appId: app.id, userId: session.userId, projectId, scopes, expiresAt })
    await insertCode(tx, { digest: sha256(code), grantId, redirectUri, challenge, thumbprint, expiresAt })
  })
  return addressBack(asked.back, issuer, { code })
}

/** The person says no: gives where his browser goes. */
export async function deny({ sql }: Pick<Context, 'sql'>, asked: Authorization, issuer: string): Promise<string> {
  if (asked.pushed !== null) await takeRequest(sql, asked.pushed)
  return addressBack(asked.back, issuer, { error: 'access_denied', error_description: 'The person said no.' })
}

/** Keeps what an app will ask (RFC 9126), and gives the name that its person's browser brings. */
export async function pushRequest({ sql }: Pick<Context, 'sql'>, { app }: Client, parameters: ReadonlyMap<string, string>) {
  const name = REQUEST_URI + newToken('par').slice(-43)
  await insertRequest(sql, {
    digest: sha256(name),
    appId: app.id,
    parameters: Object.fromEntries([...parameters].filter(([key]) => key !== 'client_secret')),
    expiresAt: new Date(Date.now() + REQUEST_MS),
  })
  return { request_uri: name, expires_in: REQUEST_MS / 1000 }
}
