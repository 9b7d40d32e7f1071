import type { Context } from '../context.ts'
import { type Tx, transaction } from '../data/sql.ts'
import type { Vault } from '../lib/crypto.ts'
import { type Caller, ownerOf } from './auth.ts'
import { ApiError, invalid } from './errors.ts'

const KEY_MAX = 255

type Keeper = Pick<Context, 'sql' | 'vault'>

/** What a creating handler has of its request. */
export interface Creation {
  readonly request: Request
  readonly body: unknown
  readonly caller: Caller | null
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/**
 * Runs a creation in one transaction and answers 201. Under an `Idempotency-Key` the answer is kept in that very transaction:
 * a repeat with the same body gets it again, whatever happened to the first connection or the process.
 */
export async function createOnce<Answer extends object>(
  { sql, vault }: Keeper,
  creation: Creation,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { set } = creation
  const key = creation.request.headers.get('idempotency-key')
  set.status = 201
  if (key === null) return transaction(sql, work)
  if (key.length === 0 || key.length > KEY_MAX) throw invalid('/headers/idempotency-key', `1 to ${KEY_MAX} characters.`)
  const requestHash = hashOf(vault, creation)
  const owner = keeperOf(creation, requestHash)
  return transaction(sql, async (tx) => {
    await claim(tx, owner, key)
    const kept = await readKept(tx, owner, key)
    if (kept) return replay<Answer>(kept, requestHash, set, (sealed) => vault.open(sealed, owner))
    const answer = await work(tx)
    await tx`insert into idempotency_keys ${tx({ owner, key, requestHash, status: 201, body: vault.seal(JSON.stringify(answer), owner) })}`
    return answer
  })
}

function replay<Answer>(kept: Kept, requestHash: string, set: Creation['set'], open: (sealed: string) => string): Answer {
  if (kept.requestHash !== requestHash) {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another request. Use a new key for a new write.')
  }
  set.headers['idempotent-replayed'] = 'true'
  set.status = kept.status
  return JSON.parse(open(kept.body)) as Answer
}

interface Kept {
  readonly requestHash: string
  readonly status: number
  /** Sealed: some answers hold a secret that is shown once. */
  readonly body: string
}

/** Replaces the kept answer by a later one of the same request: for work that goes on after the commit. */
export async function keepAnswer({ sql, vault }: Keeper, creation: Creation, answer: object) {
  const key = creation.request.headers.get('idempotency-key')
  if (key === null) return
  const owner = keeperOf(creation, hashOf(vault, creation))
  await sql`update idempotency_keys set body = ${vault.seal(JSON.stringify(answer), owner)} where owner = ${owner} and key = ${key}`
}

/** Keyed, since a body may hold a password. */
const hashOf = (vault: Vault, { request, body }: Creation) =>
  vault.fingerprint(`${request.method} ${new URL(request.url).pathname}\n${canonical(body)}`)

/** Whose keys they are. Strangers share no name, so theirs are told apart by what they ask: nobody gets another's answer by guessing a key. */
const keeperOf = ({ caller }: Creation, requestHash: string) => (caller ? ownerOf(caller) : `public:${requestHash}`)

/** The claim is a lock of the transaction: it cannot be left behind by a crash. */
async function claim(tx: Tx, owner: string, key: string) {
  const [row] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(hashtextextended(${`${owner} ${key}`}, 0)) as mine`
  if (!row!.mine)
    throw new ApiError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running. Ask again in a moment.', {
      headers: { 'retry-after': '1' },
    })
}

async function readKept(tx: Tx, owner: string, key: string) {
  const [kept] = await tx<Kept[]>`
    select request_hash, status, body from idempotency_keys where owner = ${owner} and key = ${key} and created_at > now() - interval '7 days'`
  if (!kept) await tx`delete from idempotency_keys where owner = ${owner} and key = ${key}`
  return kept
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
