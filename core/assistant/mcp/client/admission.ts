import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { signInNeeded } from '../failure.ts'
import { listSecrets, type McpServerRow } from '../mcp.queries.ts'
import { findTokens, type KeptTokens } from './oauth-client.ts'
import { renewTokens, type Way } from './renew.ts'
import type { Sdk } from './sdk.ts'
import { keepInstead, opened } from './secrets.ts'

type Needs = Pick<Context, 'sql' | 'vault'>

/** Headers as they are kept: for one origin alone. */
export interface KeptHeaders {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

const SCOPE_MAX = 2000

/** Kept beside the tokens: whoever signs in again is asked for this too. */
export async function noteWanted(needs: Needs, { id }: McpServerRow, userId: string, scope: string | undefined): Promise<void> {
  const kept = (await listSecrets(needs.sql, [id], userId)).find(({ kind }) => kind === 'tokens')
  if (!kept || !scope || scope.length > SCOPE_MAX) return
  await keepInstead(needs, needs.sql, kept, { ...opened<KeptTokens>(needs, kept), wanted: scope })
}

export function remembering(fetch: FetchLike): Way {
  const shown = new WeakMap<Response, string>()
  return {
    shownTo: (answer) => shown.get(answer),
    async fetch(url, init) {
      const answer = await fetch(url, init)
      shown.set(answer, new Headers(init?.headers).get('authorization') ?? '')
      return answer
    },
  }
}

/** What a server is shown with each request. */
export async function admission(library: Sdk, needs: Needs, server: McpServerRow, userId: string, way: Way) {
  if (server.auth === 'none') return {}
  if (server.auth === 'oauth') return { authProvider: await tokenHolder(library, needs, server, userId, way) }
  const kept = (await listSecrets(needs.sql, [server.id], userId)).find(({ kind }) => kind === 'headers')
  const { origin, headers } = kept ? opened<KeptHeaders>(needs, kept) : { origin: null, headers: {} }
  // Entered for where the server has been moved to meanwhile.
  return { requestInit: { headers: origin === new URL(server.url).origin ? headers : {} } }
}

/** The tokens of a person, renewed where a server does not take them. */
async function tokenHolder(library: Sdk, needs: Needs, server: McpServerRow, userId: string, way: Way): Promise<AuthProvider> {
  const tokens = async () => (await findTokens(needs, server, userId))?.tokens
  if (!(await tokens())) throw signInNeeded(server)
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
