import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { transaction } from '../../../data/sql.ts'
import { retry } from '../../../lib/async/retry.ts'
import { newId } from '../../../lib/ids.ts'
import { signInNeededError } from '../failure.ts'
import { mcpErrors } from '../mcp.errors.ts'
import { claimRenewal, deleteSecret, lockServer, type McpServerRow, releaseRenewal } from '../mcp.queries.ts'
import { type FoundTokens, findTokens, McpOAuthProvider, type SecretServices, storeTokens, truncateIssuer } from './oauth-provider.ts'
import type { Sdk } from './sdk.ts'

/** Deadline of all requests of one renewal. */
const RENEWAL_MS = 20_000
/** Duration of the lease on a renewal; longer than its deadline. */
const LEASE_SECONDS = (1.5 * RENEWAL_MS) / 1000
/** Time for which a call waits for the renewal of another one. */
const WAIT_MS = 25_000
/** Interval of checks during that wait. */
const POLL_MS = 100

/** Fetch that records the `Authorization` header of each request, to tell which token a response refused. */
export interface RecordingFetch {
  readonly fetch: FetchLike
  readonly authorizationOf: (answer: Response) => string | undefined
}

/**
 * Renews tokens that a server has refused. One process renews under a lease, because most refresh tokens work once; the others wait for its
 * result. No lock is held meanwhile; when a process dies, its lease expires. Throws `mcp_sign_in_needed` when the user has to sign in
 * again.
 */
export async function renewTokens(
  library: Sdk,
  needs: SecretServices,
  server: McpServerRow,
  userId: string,
  way: RecordingFetch,
  refusal: Response,
): Promise<void> {
  const by = newId('ren')
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(POLL_MS)) {
    const found = await findTokens(needs, server, userId)
    // Another call has renewed them.
    if (found && way.authorizationOf(refusal) !== `Bearer ${found.tokens.access_token}`) return
    if (!found?.tokens.refresh_token) throw signInNeededError(server)
    if (!(await claimRenewal(needs.sql, found, by, LEASE_SECONDS))) continue
    try {
      return await requestRenewal(library, new Renewal(needs, server, userId, found), server, way, refusal)
    } catch (error) {
      await releaseRenewal(needs.sql, found, by)
      const now = await findTokens(needs, server, userId)
      // A sign-in has replaced the tokens meanwhile, so that the failure does not matter.
      if (!now || now.id === found.id) throw error
    }
  }
  throw mcpErrors.tokenRenewing({ name: server.name })
}

async function requestRenewal(
  library: Sdk,
  provider: Renewal,
  server: McpServerRow,
  { fetch }: RecordingFetch,
  refusal: Response,
): Promise<void> {
  const stop = AbortSignal.timeout(RENEWAL_MS)
  const { resourceMetadataUrl } = library.extractWWWAuthenticateParams(refusal)
  const outcome = await library.auth(provider, {
    serverUrl: server.url,
    fetchFn: (url, init) => fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  })
  if (outcome !== 'AUTHORIZED') throw signInNeededError(server)
}

/**
 * Provider for one renewal: uses, replaces and deletes exactly the tokens that were found, and none that a sign-in has stored meanwhile.
 */
class Renewal extends McpOAuthProvider {
  #isRefused = false

  constructor(
    needs: SecretServices,
    server: McpServerRow,
    userId: string,
    private readonly found: FoundTokens,
  ) {
    super(needs, server, userId, null, () => (this.#isRefused ? signInNeededError(server) : noTokenError(server)))
  }

  override async tokens(of?: { issuer: string }): Promise<StoredOAuthTokens | undefined> {
    const { issuer, tokens } = this.found
    return this.#isRefused || (of && truncateIssuer(of.issuer) !== issuer) ? undefined : tokens
  }

  override async saveTokens(tokens: StoredOAuthTokens, of?: { issuer: string }): Promise<void> {
    const { needs, server, userId, found } = this
    // Retried, because the new tokens exist nowhere else.
    await retry(() =>
      transaction(needs.sql, async (tx) => {
        await lockServer(tx, server)
        if (await deleteSecret(tx, found)) await storeTokens(needs, tx, server, userId, tokens, of?.issuer)
      }),
    )
  }

  override async invalidateCredentials(what: Parameters<McpOAuthProvider['invalidateCredentials']>[0]): Promise<void> {
    if (what !== 'tokens') return
    this.#isRefused = true
    await deleteSecret(this.needs.sql, this.found)
  }
}

/** Error for an authorization server that neither gave nor refused a token. */
const noTokenError = ({ name }: McpServerRow) => mcpErrors.tokenRefused({ name })
