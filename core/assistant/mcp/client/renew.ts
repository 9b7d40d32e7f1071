import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import { newId } from '../../../lib/ids.ts'
import { signInNeeded } from '../failure.ts'
import { claimSecret, deleteSecret, lockServer, type McpServerRow, releaseSecret } from '../mcp.queries.ts'
import { cutIssuer, type FoundTokens, findTokens, keepTokens, Person, type SealsSecrets } from './oauth-client.ts'
import type { Sdk } from './sdk.ts'

/** For all that a renewal asks of others; nobody else begins one for longer than that. */
const ASK_MS = 20_000
const LEASE_SECONDS = (1.5 * ASK_MS) / 1000
/** How long others wait for what comes of it. */
const WAIT_MS = 25_000
const LOOK_MS = 100

/** The way to a server, which remembers what each answer was the answer to: which token was refused. */
export interface Way {
  readonly fetch: FetchLike
  readonly shownTo: (answer: Response) => string | undefined
}

/**
 * Has the tokens renewed that a server did not take: by one process alone, since what renews mostly works once, while others wait for what
 * comes of it. No lock is held meanwhile; whoever dies at it is followed by the next when his time is over. Throws where somebody has to sign
 * in again.
 */
export async function renewTokens(
  library: Sdk,
  needs: SealsSecrets,
  server: McpServerRow,
  userId: string,
  way: Way,
  refusal: Response,
): Promise<void> {
  const by = newId('ren')
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(LOOK_MS)) {
    const found = await findTokens(needs, server, userId)
    // Somebody else has renewed them.
    if (found && way.shownTo(refusal) !== `Bearer ${found.tokens.access_token}`) return
    if (!found?.tokens.refresh_token) throw signInNeeded(server)
    if (!(await claimSecret(needs.sql, found.id, by, LEASE_SECONDS))) continue
    try {
      return await ask(library, new Renewal(needs, server, userId, found), server, way, refusal)
    } catch (error) {
      await releaseSecret(needs.sql, found.id, by)
      const now = await findTokens(needs, server, userId)
      // Nobody needs these any more: somebody has signed in meanwhile.
      if (!now || now.id === found.id) throw error
    }
  }
  throw new ApiError('mcp_server_failed', `${server.name} is being asked for a new token. Try again in a moment.`)
}

async function ask(library: Sdk, person: Renewal, server: McpServerRow, { fetch }: Way, refusal: Response): Promise<void> {
  const stop = AbortSignal.timeout(ASK_MS)
  const { resourceMetadataUrl } = library.extractWWWAuthenticateParams(refusal)
  const outcome = await library.auth(person, {
    serverUrl: server.url,
    fetchFn: (url, init) => fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  })
  if (outcome !== 'AUTHORIZED') throw signInNeeded(server)
}

/** A person whose tokens this process renews: these are used up, replaced and given up, and none that somebody has brought meanwhile. */
class Renewal extends Person {
  #isRefused = false

  constructor(
    needs: SealsSecrets,
    server: McpServerRow,
    userId: string,
    private readonly found: FoundTokens,
  ) {
    super(needs, server, userId, null, () => (this.#isRefused ? signInNeeded(server) : noToken(server)))
  }

  override async tokens(of?: { issuer: string }): Promise<StoredOAuthTokens | undefined> {
    const { issuer, tokens } = this.found
    return this.#isRefused || (of && cutIssuer(of.issuer) !== issuer) ? undefined : tokens
  }

  override async saveTokens(tokens: StoredOAuthTokens, of?: { issuer: string }): Promise<void> {
    const { needs, server, userId, found } = this
    // What was answered exists nowhere else.
    await retry(() =>
      transaction(needs.sql, async (tx) => {
        await lockServer(tx, server.id)
        if (await deleteSecret(tx, found.id)) await keepTokens(needs, tx, server, userId, tokens, of?.issuer)
      }),
    )
  }

  override async invalidateCredentials(what: Parameters<Person['invalidateCredentials']>[0]): Promise<void> {
    if (what !== 'tokens') return
    this.#isRefused = true
    await deleteSecret(this.needs.sql, this.found.id)
  }
}

/** It was asked, and said neither yes nor no. */
const noToken = ({ name }: McpServerRow) =>
  new ApiError('mcp_server_failed', `Who gives tokens for ${name} gave no new one; it is asked again with the next call.`)
