import type { OAuth } from '../../../plugins/adapter.ts'
import { withDefaults } from '../../../plugins/fields.ts'
import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { SocialAdapter } from '../../../plugins/social/members.ts'
import type { Context } from '../../context.ts'
import type { ProviderCode, ProviderTokens, SocialClient, SocialClientFinder } from '../../identity/social/providers/clients.ts'
import { relayError } from '../../lib/errors/domain-error.ts'
import { AdapterFailure, type FailureReason } from '../egress/adapter-failure.ts'
import { toDomainError } from './calls/adapter-failures.ts'
import { callAdapter } from './calls/call-adapter.ts'
import { type Connection, notEnabledError, openConnection } from './connection.ts'
import { notEnabledSentences } from './connections.errors.ts'
import { listConnectionsByKey } from './connections.queries.ts'
import type { OAuthClient } from './oauth-client/oauth-client.ts'
import { requestTokens, revokeToken } from './oauth-client/token-request.ts'

type SocialConnection = Connection<MountedAdapter<'social'>>

const ASK_MS = 10_000

/**
 * Finds the platform's client at a social provider. Returns undefined without such an adapter; throws `adapter_not_enabled` if it is not
 * connected or is disabled.
 */
export const findSocialClient: SocialClientFinder = async (context, slug) => {
  const mounted = context.plugins.find('social', slug)
  if (!mounted) return undefined
  const [row] = await listConnectionsByKey(context.sql, null, slug, 1)
  if (!row?.enabled) throw notEnabledError('social', notEnabledSentences.signInOff(mounted.adapter.label))
  return clientOf(context, openConnection(context, 'social', row))
}

function clientOf(context: Context, connection: SocialConnection): SocialClient {
  const { row, mounted, credentials } = connection
  const ask: SocialClient['callAdapter'] = (operation, work, schema) =>
    callAdapter(context, connection, work, { operation, deadlineMs: ASK_MS, ...(schema && { schema }) }).catch((error) =>
      Promise.reject(toSignInError(error, TOKEN_REJECTIONS)),
    )
  const secretNow = () => ask('clientSecret', (adapter, own) => adapter.clientSecret?.(own) ?? String(own.credentials.clientSecret))
  const values = withDefaults(mounted.adapter.settings, row.settings)
  return {
    adapter: mounted.adapter,
    clientId: String(credentials.clientId),
    authorizeUrl: fillPlaceholders(mounted.adapter.authorizeUrl, values),
    settings: values,
    callAdapter: ask,
    exchange: async (code) => exchange(context, connection, await secretNow(), code),
    async revoke(token) {
      const client = oauthClientOf(connection, await secretNow())
      if (client.revokeUrl !== undefined) await revokeToken(context, connection, client, client.revokeUrl, token)
    },
  }
}

/** Exchanges an authorization code for tokens, through egress: circuit breaker, declared hosts, and a trace without secrets. */
async function exchange(context: Context, connection: SocialConnection, secret: string, given: ProviderCode): Promise<ProviderTokens> {
  const { code, redirectUri, verifier } = given
  const client = oauthClientOf(connection, secret)
  try {
    const { accessToken, refreshToken, filled } = await requestTokens(context, connection, client, {
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
    throw toSignInError(error, CODE_REJECTIONS)
  }
}

function oauthClientOf({ row, mounted: { adapter }, credentials }: SocialConnection, secret: string): OAuthClient {
  const values = withDefaults(adapter.settings, row.settings)
  const [authorizeUrl, tokenUrl] = [fillPlaceholders(adapter.authorizeUrl, values), fillPlaceholders(adapter.tokenUrl, values)]
  const { revokeUrl } = adapter
  // `isPlatformClient` makes a refusal of the client a failure of the provider: the operator must correct it, not the user.
  return {
    oauth: oauthOf(adapter),
    id: String(credentials.clientId),
    secret,
    isPlatformClient: true,
    authorizeUrl,
    tokenUrl,
    revokeUrl: revokeUrl && fillPlaceholders(revokeUrl, values),
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

const fillPlaceholders = (address: string, values: Readonly<Record<string, unknown>>) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

/** Failure reasons that mean that the provider rejected a token. */
const TOKEN_REJECTIONS: readonly FailureReason[] = ['refused', 'not_found']
/**
 * Failure reasons that mean that the provider rejected a code. `unauthorized` counts too; for adapters it means that the platform's client
 * was rejected.
 */
const CODE_REJECTIONS: readonly FailureReason[] = [...TOKEN_REJECTIONS, 'unauthorized']

/** Converts a rejection to `invalid_credentials`. Every other error is a failure of the provider or of this server. */
function toSignInError(error: unknown, rejections: readonly FailureReason[]): unknown {
  const isRejection = error instanceof AdapterFailure && rejections.includes(error.reason)
  return isRejection ? relayError('invalid_credentials', error.message, { cause: error }) : toDomainError(error)
}
