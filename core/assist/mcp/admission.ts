import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { Context } from '../../context.ts'
import { signInNeeded } from './failure.ts'
import { listSecrets, type McpServerRow } from './mcp.queries.ts'
import { type KeptTokens, Person } from './oauth-client.ts'
import type { Sdk } from './sdk.ts'
import { keepSecret, opened } from './secrets.ts'

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
  const { storeId, serverId, kind, issuer } = kept
  await keepSecret(needs, needs.sql, { storeId, serverId, kind, userId, issuer }, { ...opened<KeptTokens>(needs, kept), wanted: scope })
}

/** The way to a server, which remembers what each answer was the answer to: which token was refused. */
interface Way {
  readonly fetch: FetchLike
  readonly shownTo: (answer: Response) => string | undefined
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

/** The tokens of a person, renewed by one at a time: what renews mostly works once. */
async function tokenHolder(
  library: Sdk,
  needs: Needs,
  server: McpServerRow,
  userId: string,
  { fetch, shownTo }: Way,
): Promise<AuthProvider> {
  const person = new Person(needs, server, userId, null, () => new library.UnauthorizedError())
  if (!(await person.tokens())) throw signInNeeded(server)
  let renewing: Promise<void> | null = null
  const renew = async (response: Response) => {
    const kept = await person.tokens()
    // Somebody else has renewed them.
    if (kept && shownTo(response) !== `Bearer ${kept.access_token}`) return
    if (!kept?.refresh_token) throw signInNeeded(server)
    const { resourceMetadataUrl } = library.extractWWWAuthenticateParams(response)
    const options = { serverUrl: server.url, fetchFn: fetch, ...(resourceMetadataUrl && { resourceMetadataUrl }) }
    if ((await library.auth(person, options)) !== 'AUTHORIZED') throw signInNeeded(server)
  }
  return {
    token: async () => (await person.tokens())?.access_token,
    onUnauthorized({ response }) {
      renewing ??= renew(response).finally(() => {
        renewing = null
      })
      return renewing
    },
  }
}
