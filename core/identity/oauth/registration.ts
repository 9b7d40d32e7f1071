import type { Context } from '../../context.ts'
import { readJson } from '../../http/body/body.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { registerApp } from '../apps/register.ts'
import { Refusal } from './refusal.ts'

/** Maximum number of registrations per hour from one network. */
const PER_NETWORK = 20
/** Maximum number of registrations per hour from all networks. */
const IN_ALL = 1_000
/** Maximum number of metadata documents per minute that one network causes to be fetched. */
const DOCUMENTS_PER_NETWORK = 20

/** Registers a client (RFC 7591). Throws {@link ClientMetadataError}, and `slow_down` over the limits. */
export async function registerClient(context: Context, request: Request, address: string): Promise<object> {
  const body = await readJson(request)
  await assertBelowLimit(context, `register@${networkOf(address)}`, PER_NETWORK, HOUR_MS)
  await assertBelowLimit(context, 'register', IN_ALL, HOUR_MS)
  const registered = await registerApp(context, body)
  if (!registered) throw slowDown('Too many registered clients are unused.', HOUR_MS)
  const { app, secret, method } = registered
  return {
    client_id: app.id,
    client_id_issued_at: Math.floor(Date.parse(app.createdAt) / 1000),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: app.name,
    ...(app.website !== null && { client_uri: app.website }),
    redirect_uris: app.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    scope: app.scopes.join(' '),
  }
}

/** Counts a fetch of a metadata document for a network. Throws `slow_down` over the limit. */
export const throttleDocumentFetch = (context: Pick<Context, 'shared'>, address: string): Promise<void> =>
  assertBelowLimit(context, `documents@${networkOf(address)}`, DOCUMENTS_PER_NETWORK, MINUTE_MS)

async function assertBelowLimit({ shared }: Pick<Context, 'shared'>, what: string, most: number, windowMs: number): Promise<void> {
  const { count, resetMs } = await shared.countHit(`oauth:${what}`, windowMs)
  if (count > most) throw slowDown('Too many of these requests.', resetMs)
}

function slowDown(why: string, waitMs: number): Refusal {
  const wait = String(Math.max(1, Math.ceil(waitMs / 1000)))
  return new Refusal('slow_down', `${why} Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}
