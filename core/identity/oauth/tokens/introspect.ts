import type { Context } from '../../../context.ts'
import { evictCredentials, evictGrantCredentials } from '../../auth/credentials/authenticate.ts'
import { type FormParameters, requireParameter } from '../authorize/form.ts'
import type { OAuthClient } from '../client.ts'
import { revokeGrant } from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { tokenLocation } from './issue.ts'
import { deleteAccessToken, findRefreshToken, type TokenRow } from './tokens.queries.ts'

type Dependencies = Pick<Context, 'sql' | 'shared' | 'tokenStore'>

/**
 * Revokes a token of the app (RFC 7009). A refresh token ends its whole grant, an access token only itself. Unknown tokens count as
 * revoked. Throws `invalid_request` for a token of another app.
 */
export async function revokeToken({ sql, shared, tokenStore }: Dependencies, { app }: OAuthClient, form: FormParameters): Promise<object> {
  const token = requireParameter(form, 'token')
  const [access, refresh] = [tokenLocation(token, 'at'), tokenLocation(token, 'rt')]
  const row = access ? await tokenStore.findAccessToken(access) : refresh && (await findRefreshToken(sql, refresh))
  if (!row) return {}
  if (row.appId !== app.id) throw invalidRequest('This token was given to another app.')
  if (access) {
    await deleteAccessToken(sql, access)
    await evictCredentials(shared, [access.digest])
  } else {
    await revokeGrant(sql, row.grantId)
    await evictGrantCredentials(shared, [row.grantId])
  }
  return {}
}

/**
 * Introspects a token of the app (RFC 7662). Tokens of other apps are reported as inactive. Throws `invalid_client` for an app that did not
 * prove a secret.
 */
export async function introspectToken(
  { sql, tokenStore }: Dependencies,
  { app, isProven }: OAuthClient,
  form: FormParameters,
  issuer: string,
): Promise<object> {
  if (!isProven) throw new Refusal('invalid_client', 'An app without a secret cannot introspect tokens.')
  const token = requireParameter(form, 'token')
  const [access, refresh] = [tokenLocation(token, 'at'), tokenLocation(token, 'rt')]
  if (access) {
    const row = await tokenStore.findAccessToken(access)
    const type = row?.thumbprint == null ? 'Bearer' : 'DPoP'
    return row && row.appId === app.id && !row.isOver ? { ...presentToken(row, issuer), token_type: type } : { active: false }
  }
  const row = refresh && (await findRefreshToken(sql, refresh))
  return row && row.appId === app.id && !row.isOver && row.usedAt === null ? presentToken(row, issuer) : { active: false }
}

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000)

const presentToken = ({ scopes, appId, userId, createdAt, expiresAt, thumbprint }: TokenRow, issuer: string) => ({
  active: true,
  scope: scopes.join(' '),
  client_id: appId,
  sub: userId,
  iss: issuer,
  iat: seconds(createdAt),
  exp: seconds(expiresAt),
  ...(thumbprint !== null && { cnf: { jkt: thumbprint } }),
})
