import type { OAuth } from '../../../plugins/adapter.ts'
import { withDefaults } from '../../../plugins/fields.ts'
import type { Mounted } from '../../../plugins/host/registry.ts'
import type { SocialAdapter } from '../../../plugins/social/members.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { ProviderCode, ProviderTokens, SocialClient, SocialClientFinder } from '../../identity/social/providers/clients.ts'
import { AdapterFailure, type FailureReason } from '../egress/failure.ts'
import { asApiError, callAdapter } from './calls/call.ts'
import { type Connection, notEnabled, openConnection } from './connection.ts'
import { listByKey } from './connections.queries.ts'
import { askForTokens, giveUp } from './oauth-client/ask.ts'
import type { Client } from './oauth-client/client.ts'

type SocialConnection = Connection<Mounted<'social'>>

const ASK_MS = 10_000

/** The platform's client at a provider, as those who sign people in need it. */
export const socialClient: SocialClientFinder = async (context, slug) => {
  const mounted = context.plugins.find('social', slug)
  if (!mounted) return undefined
  const [row] = await listByKey(context.sql, null, slug, 1)
  if (!row?.enabled) throw notEnabled('social', `Nobody can sign in with ${mounted.adapter.label} here: it is not set up, or switched off.`)
  return clientOf(context, openConnection(context, 'social', row))
}

function clientOf(context: Context, connection: SocialConnection): SocialClient {
  const { row, mounted, credentials } = connection
  const ask: SocialClient['callAdapter'] = (operation, work, schema) =>
    callAdapter(context, connection, work, { operation, deadlineMs: ASK_MS, ...(schema && { schema }) }).catch((error) =>
      Promise.reject(asRefusal(error, OF_TOKENS)),
    )
  const secretNow = () => ask('clientSecret', (adapter, own) => adapter.clientSecret?.(own) ?? String(own.credentials.clientSecret))
  const values = withDefaults(mounted.adapter.settings, row.settings)
  return {
    adapter: mounted.adapter,
    clientId: String(credentials.clientId),
    authorizeUrl: filledIn(mounted.adapter.authorizeUrl, values),
    settings: values,
    callAdapter: ask,
    exchange: async (code) => exchange(context, connection, await secretNow(), code),
    async revoke(token) {
      const client = oauthClientOf(connection, await secretNow())
      if (client.revokeUrl !== undefined) await giveUp(context, connection, client, client.revokeUrl, token)
    },
  }
}

/** As connections of stores are asked for tokens: past the breaker, to declared hosts, and nothing of it traced that is secret. */
async function exchange(context: Context, connection: SocialConnection, secret: string, given: ProviderCode): Promise<ProviderTokens> {
  const { code, redirectUri, verifier } = given
  const client = oauthClientOf(connection, secret)
  try {
    const { accessToken, refreshToken, filled } = await askForTokens(context, connection, client, {
      operation: 'oauth.code',
      url: client.tokenUrl,
      parameters: {
        grant_type: 'authorization_code',
        code,
        ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
        ...(verifier !== undefined && { code_verifier: verifier }),
      },
      secrets: [code, ...(verifier === undefined ? [] : [verifier])],
    })
    return {
      accessToken,
      ...(filled.idToken !== undefined && { idToken: filled.idToken }),
      ...(client.revokeUrl !== undefined && refreshToken !== null && { refreshToken }),
    }
  } catch (error) {
    throw asRefusal(error, OF_CODES)
  }
}

function oauthClientOf({ row, mounted: { adapter }, credentials }: SocialConnection, secret: string): Client {
  const values = withDefaults(adapter.settings, row.settings)
  const [authorizeUrl, tokenUrl] = [filledIn(adapter.authorizeUrl, values), filledIn(adapter.tokenUrl, values)]
  const { revokeUrl } = adapter
  // That the client itself is refused is for the operator to know, not for whoever signs in.
  return {
    oauth: oauthOf(adapter),
    id: String(credentials.clientId),
    secret,
    isLent: true,
    authorizeUrl,
    tokenUrl,
    revokeUrl: revokeUrl && filledIn(revokeUrl, values),
    credentials,
  }
}

const oauthOf = ({ authorizeUrl, tokenUrl, scopes, clientIdName }: SocialAdapter): OAuth => ({
  authorizeUrl,
  tokenUrl,
  scopes,
  client: { id: 'clientId' },
  refresh: 'none',
  fills: { idToken: 'id_token' },
  ...(clientIdName !== undefined && { names: { clientId: clientIdName } }),
})

const filledIn = (address: string, values: Readonly<Record<string, unknown>>) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

/** What says no to what somebody showed: of a code an `unauthorized` too, which of an adapter says that the platform's client is refused. */
const OF_TOKENS: readonly FailureReason[] = ['refused', 'not_found']
const OF_CODES: readonly FailureReason[] = [...OF_TOKENS, 'unauthorized']

/** All that is no such no is the provider's failure, or ours. */
function asRefusal(error: unknown, noes: readonly FailureReason[]): unknown {
  const isNo = error instanceof AdapterFailure && noes.includes(error.reason)
  return isNo ? new ApiError('invalid_credentials', error.message, { cause: error }) : asApiError(error)
}
