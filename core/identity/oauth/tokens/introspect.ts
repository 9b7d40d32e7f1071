import type { Context } from '../../../context.ts'
import { forgetCredentials, forgetGrants } from '../../auth/credentials/authenticate.ts'
import { type Parameters, required } from '../authorize/form.ts'
import type { Client } from '../client.ts'
import { revokeGrant } from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { placeOf } from './issue.ts'
import { deleteAccessToken, findRefreshToken, type TokenRow } from './tokens.queries.ts'

type Reads = Pick<Context, 'sql' | 'shared' | 'tokens'>

/**
 * Revokes a token (RFC 7009) and answers an empty object. An access token ends alone, a refresh token with everything of its grant. What is unknown is as good as revoked; what is another
 * app's stays.
 */
export async function revoke({ sql, shared, tokens }: Reads, { app }: Client, form: Parameters): Promise<object> {
  const token = required(form, 'token')
  const [access, refresh] = [placeOf(token, 'at'), placeOf(token, 'rt')]
  const row = access ? await tokens.findAccess(access) : refresh && (await findRefreshToken(sql, refresh))
  if (!row) return {}
  if (row.appId !== app.id) throw invalidRequest('This token was given to another app.')
  if (access) {
    await deleteAccessToken(sql, access)
    await forgetCredentials(shared, [access.digest])
  } else {
    await revokeGrant(sql, row.grantId)
    await forgetGrants(shared, [row.grantId])
  }
  return {}
}

/** RFC 7662, for an app that can prove itself, of its own tokens: what is another's is not active for it. */
export async function introspect({ sql, tokens }: Reads, { app, isProven }: Client, form: Parameters, issuer: string): Promise<object> {
  if (!isProven) throw new Refusal('invalid_client', 'An app without a secret has no tokens looked into.')
  const token = required(form, 'token')
  const [access, refresh] = [placeOf(token, 'at'), placeOf(token, 'rt')]
  if (access) {
    const row = await tokens.findAccess(access)
    const type = row?.thumbprint == null ? 'Bearer' : 'DPoP'
    return row && row.appId === app.id && !row.isOver ? { ...told(row, issuer), token_type: type } : { active: false }
  }
  const row = refresh && (await findRefreshToken(sql, refresh))
  return row && row.appId === app.id && !row.isOver && row.usedAt === null ? told(row, issuer) : { active: false }
}

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000)

const told = ({ scopes, appId, userId, createdAt, expiresAt, thumbprint }: TokenRow, issuer: string) => ({
  active: true,
  scope: scopes.join(' '),
  client_id: appId,
  sub: userId,
  iss: issuer,
  iat: seconds(createdAt),
  exp: seconds(expiresAt),
  ...(thumbprint !== null && { cnf: { jkt: thumbprint } }),
})
