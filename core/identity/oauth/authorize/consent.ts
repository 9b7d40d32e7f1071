import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { tryLockSession } from '../../auth/account.ts'
import type { Session } from '../../auth/sign-in/sign-in.ts'
import type { OAuthClient } from '../client.ts'
import {
  consumePushedRequest,
  findManageableProject,
  insertAuthorizationCode,
  insertGrant,
  insertPushedRequest,
  listManageableProjects,
} from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { type AuthorizationRequest, buildRedirectUrl, REQUEST_URI_PREFIX } from './authorization.ts'

const CODE_MS = 60_000
const REQUEST_MS = 600_000
const PROJECTS_MAX = 500

/** Lists the projects that a user may manage, oldest first, at most 500. */
export const listConsentProjects = ({ sql }: Pick<Context, 'sql'>, userId: string) => listManageableProjects(sql, userId, PROJECTS_MAX)

/** Finds the named project of a user, or their oldest one. Returns undefined when they may not manage it, or have none. */
export const findConsentProject = ({ sql }: Pick<Context, 'sql'>, userId: string, named: string | undefined) =>
  findManageableProject(sql, userId, named)

/** Session in which a user consents, and the project that the app may access; null without a project. */
export interface Consent {
  readonly session: Session
  readonly projectId: string | null
}

/**
 * Grants the request of an app. Returns the address to redirect to, with the code. Throws `access_denied` when the session has ended,
 * `invalid_request` when the request was answered before.
 */
export async function grantConsent(
  { sql }: Pick<Context, 'sql'>,
  authorization: AuthorizationRequest,
  { session, projectId }: Consent,
  issuer: string,
): Promise<string> {
  const [code, grantId] = [newToken('ac'), newId('gra')]
  const expiresAt = new Date(Date.now() + CODE_MS)
  const { app, requestedRedirectUri: redirectUri, challenge, thumbprint, scopes } = authorization
  await transaction(sql, async (tx) => {
    if (!(await tryLockSession(tx, session))) throw new Refusal('access_denied', 'The session has ended. Sign in again.')
    if (authorization.pushedDigest !== null && !(await consumePushedRequest(tx, authorization.pushedDigest)))
      throw invalidRequest('This request was answered already. Start again in the app.')
    await insertGrant(tx, { id: grantId, appId: app.id, userId: session.userId, projectId, scopes, expiresAt })
    await insertAuthorizationCode(tx, { digest: sha256(code), grantId, redirectUri, challenge, thumbprint, expiresAt })
  })
  return buildRedirectUrl(authorization.redirectTarget, issuer, { code })
}

/** Denies the request of an app. Returns the address to redirect to, with the error `access_denied`. */
export async function denyConsent({ sql }: Pick<Context, 'sql'>, authorization: AuthorizationRequest, issuer: string): Promise<string> {
  if (authorization.pushedDigest !== null) await consumePushedRequest(sql, authorization.pushedDigest)
  return buildRedirectUrl(authorization.redirectTarget, issuer, {
    error: 'access_denied',
    error_description: 'The user denied the request.',
  })
}

/** Stores a pushed authorization request (RFC 9126) and returns its `request_uri`, which is valid for ten minutes. */
export async function pushAuthorizationRequest(
  { sql }: Pick<Context, 'sql'>,
  { app }: OAuthClient,
  parameters: ReadonlyMap<string, string>,
) {
  const name = REQUEST_URI_PREFIX + newToken('par').slice(-43)
  await insertPushedRequest(sql, {
    digest: sha256(name),
    appId: app.id,
    parameters: Object.fromEntries([...parameters].filter(([key]) => key !== 'client_secret')),
    expiresAt: new Date(Date.now() + REQUEST_MS),
  })
  return { request_uri: name, expires_in: REQUEST_MS / 1000 }
}
