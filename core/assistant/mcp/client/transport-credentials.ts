import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { signInNeededError } from '../failure.ts'
import { listSecrets, type McpServerRow } from '../mcp.queries.ts'
import { findTokens, type StoredTokens } from './oauth-provider.ts'
import { type RecordingFetch, renewTokens } from './renew-tokens.ts'
import type { Sdk } from './sdk.ts'
import { openSecret, replaceSecret } from './secrets.ts'

type Needs = Pick<Context, 'sql' | 'vault'>

/** Headers as stored. They are sent to this origin only. */
export interface StoredHeaders {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

/** Characters of a scope that is stored. */
const SCOPE_MAX = 2000

/** Stores with the tokens the scope that a server found missing, so that the next sign-in requests it too. */
export async function recordMissingScope(
  needs: Needs,
  { projectId, id }: McpServerRow,
  userId: string,
  scope: string | undefined,
): Promise<void> {
  const storedTokens = (await listSecrets(needs.sql, projectId, [id], userId)).find(({ kind }) => kind === 'tokens')
  if (!storedTokens || !scope || scope.length > SCOPE_MAX) return
  await replaceSecret(needs, needs.sql, storedTokens, { ...openSecret<StoredTokens>(needs, storedTokens), wanted: scope })
}

/** Wraps a fetch so that it records the `Authorization` header of the request of each response. */
export function recordAuthorization(fetch: FetchLike): RecordingFetch {
  const headers = new WeakMap<Response, string>()
  return {
    authorizationOf: (answer) => headers.get(answer),
    async fetch(url, init) {
      const answer = await fetch(url, init)
      headers.set(answer, new Headers(init?.headers).get('authorization') ?? '')
      return answer
    },
  }
}

/** Returns the transport options with the credentials of a server: an OAuth token provider, fixed headers, or nothing. */
export async function transportCredentials(library: Sdk, needs: Needs, server: McpServerRow, userId: string, way: RecordingFetch) {
  if (server.auth === 'none') return {}
  if (server.auth === 'oauth') return { authProvider: await tokenProvider(library, needs, server, userId, way) }
  const storedHeaders = (await listSecrets(needs.sql, server.projectId, [server.id], userId)).find(({ kind }) => kind === 'headers')
  const { origin, headers } = storedHeaders ? openSecret<StoredHeaders>(needs, storedHeaders) : { origin: null, headers: {} }
  // Sent only to the origin for which they were entered.
  return { requestInit: { headers: origin === new URL(server.url).origin ? headers : {} } }
}

/** Provides the tokens of a user, and renews them when the server refuses them. Throws `mcp_sign_in_needed` without tokens. */
async function tokenProvider(library: Sdk, needs: Needs, server: McpServerRow, userId: string, way: RecordingFetch): Promise<AuthProvider> {
  const tokens = async () => (await findTokens(needs, server, userId))?.tokens
  if (!(await tokens())) throw signInNeededError(server)
  let renewing: Promise<void> | null = null
  return {
    token: async () => (await tokens())?.access_token,
    onUnauthorized({ response }) {
      renewing ??= renewTokens(library, needs, server, userId, way, response).finally(() => {
        renewing = null
      })
      return renewing
    },
  }
}
