import type { Context } from '../context.ts'
import type { PersonalData } from '../data/personal-data/personal-data.ts'
import { projectIdOf } from '../data/project-ids.ts'
import { expectOne, type Queryable, type Sql, type Tx, transaction } from '../data/sql.ts'
import { yieldEvery } from '../lib/async/yield-every.ts'
import type { Vault } from '../lib/crypto/crypto.ts'
import type { PersonMatcher } from '../lib/person/person-matcher.ts'
import { ownerOf, type Principal } from './auth/principal.ts'
import { fingerprintOf } from './body/canonical.ts'
import { ApiError, invalidValue } from './errors/errors.ts'

const KEY_MAX = 255

type IdempotencyStore = Pick<Context, 'sql' | 'vault'>

/** Request of a creating handler. */
export interface CreationRequest {
  readonly request: Request
  readonly body: unknown
  readonly caller: Principal | null
  /** Address of a caller without a credential. */
  readonly address?: string
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/** Seconds after the commit in which the first request may still complete its response. */
const COMPLETION_SECONDS = 20

/**
 * Runs a creation in one transaction and responds 201. With an `Idempotency-Key`, the response is stored in the same transaction. A repeat
 * with the same body gets it again, even if the first connection or the process died. `complete` finishes a response that depends on work
 * after the commit; its first result is final. Throws `idempotency_in_progress` and `idempotency_key_reused`.
 */
export async function createOnce<Answer extends object>(
  { sql, vault }: IdempotencyStore,
  creation: CreationRequest,
  work: (tx: Tx) => Promise<Answer>,
  complete?: (created: Answer) => Promise<Answer>,
): Promise<Answer> {
  const { set } = creation
  const key = creation.request.headers.get('idempotency-key')
  set.status = 201
  if (key === null) {
    const created = await transaction(sql, work)
    return complete ? complete(created) : created
  }
  if (key.length === 0 || key.length > KEY_MAX) throw invalidValue('/headers/idempotency-key', `1 to ${KEY_MAX} characters.`)
  const requestHash = await hashOf(vault, creation)
  const owner = keyOwnerOf(creation)
  const open = (sealed: string) => vault.open(sealed, owner)
  const seal = (answer: Answer) => vault.seal(JSON.stringify(answer), owner)
  const { answer, isFinal } = await transaction(sql, async (tx) => {
    await lockKey(tx, owner, key)
    const stored = await findResponse(tx, owner, key)
    if (stored) return { answer: replay<Answer>(stored, requestHash, set, open), isFinal: stored.settling === null }
    const answer = await work(tx)
    await insertResponse(tx, { owner, key, requestHash, body: seal(answer) }, { settles: complete !== undefined })
    return { answer, isFinal: complete === undefined }
  })
  if (isFinal || !complete) return answer
  const completed = await complete(answer)
  if (await completeResponse(sql, owner, key, seal(completed))) return completed
  const first = await findResponse(sql, owner, key)
  return first ? (JSON.parse(open(first.body)) as Answer) : completed
}

/**
 * Runs a change like {@link createOnce}, and responds 200. For changes that a caller repeats when the answer was lost, and that must count
 * once.
 */
export async function changeOnce<Answer extends object>(
  store: IdempotencyStore,
  change: CreationRequest,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const answer = await createOnce(store, change, work)
  change.set.status = 200
  return answer
}

/**
 * Returns the stored response of this request's `Idempotency-Key`. For creations that cost money before anything is written. Undefined if
 * there is none; `createOnce` then decides between concurrent requests.
 */
export async function findPreviousResponse<Answer extends object>(
  { sql, vault }: IdempotencyStore,
  creation: CreationRequest,
): Promise<Answer | undefined> {
  const key = creation.request.headers.get('idempotency-key')
  if (key === null) return undefined
  const owner = keyOwnerOf(creation)
  const stored = await findResponse(sql, owner, key)
  return stored && replay<Answer>(stored, await hashOf(vault, creation), creation.set, (sealed) => vault.open(sealed, owner))
}

function replay<Answer>(
  stored: StoredResponse,
  requestHash: string,
  set: CreationRequest['set'],
  open: (sealed: string) => string,
): Answer {
  if (stored.requestHash !== requestHash) {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another request. Use a new key for a new write.')
  }
  if (stored.settling) throw inProgress()
  set.headers['idempotent-replayed'] = 'true'
  set.status = stored.status
  return JSON.parse(open(stored.body)) as Answer
}

interface StoredResponse {
  readonly requestHash: string
  readonly status: number
  /** Encrypted response, since some contain a secret that is shown once. */
  readonly body: string
  /** True while the first request completes its response, false if it died meanwhile, null if the response is final. */
  readonly settling: boolean | null
}

const inProgress = () =>
  new ApiError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running. Ask again in a moment.', {
    headers: { 'retry-after': '1' },
  })

/** Returns a keyed hash of the request, since the body may contain a password. Users may send one key for several stores. */
function hashOf(vault: Vault, { request, body }: CreationRequest) {
  const { pathname, searchParams } = new URL(request.url)
  const storeId = searchParams.get('storeId')
  return fingerprintOf(vault, `${request.method} ${pathname}${storeId === null ? '' : `?storeId=${storeId}`}\n`, body)
}

/** Returns the owner of an idempotency key. For callers without a credential, it consists of their address, the path and the store. */
function keyOwnerOf({ caller, address = '', request, body }: CreationRequest): string {
  // Includes user and project, since a user may authorize one app for several projects, and several users one app for the same project.
  if (caller?.app) return `app:${caller.app.id}:${caller.project?.id ?? ''}:${caller.personId}`
  if (caller) return ownerOf(caller)
  const { storeId = '' } = (body ?? {}) as { storeId?: string }
  return `public:${address} ${new URL(request.url).pathname} ${storeId}`
}

/** Locks an idempotency key until the transaction ends, so that a crash cannot leave it locked. Throws `idempotency_in_progress`. */
async function lockKey(tx: Tx, owner: string, key: string) {
  const rows = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(hashtextextended(${`${owner} ${key}`}, 0)) as mine`
  if (!expectOne(rows).mine) throw inProgress()
}

const insertResponse = (
  tx: Tx,
  stored: Pick<StoredResponse, 'requestHash' | 'body'> & { owner: string; key: string },
  { settles }: { readonly settles: boolean },
  seconds = COMPLETION_SECONDS,
) =>
  tx`insert into idempotency_keys (owner, key, request_hash, status, body, settles_until)
    values (${stored.owner}, ${stored.key}, ${stored.requestHash}, 201, ${stored.body}, ${settles ? tx`now() + ${seconds} * interval '1 second'` : null})`

/** Stores the completed response. Returns false if another response was stored first. */
const completeResponse = async (sql: Sql, owner: string, key: string, body: string) =>
  (
    await sql`update idempotency_keys set body = ${body}, settles_until = null
      where owner = ${owner} and key = ${key} and settles_until is not null and ${isRetained(sql)}`
  ).count > 0

async function findResponse(tx: Queryable, owner: string, key: string) {
  const [stored] = await tx<StoredResponse[]>`
    select request_hash, status, body, settles_until > now() as settling from idempotency_keys
    where owner = ${owner} and key = ${key} and ${isRetained(tx)}`
  return stored
}

/** Restricts responses to the last 7 days. Older ones remain until their partition is dropped. Future dates are excluded. */
const isRetained = (sql: Queryable) => sql`created_at > now() - interval '7 days' and created_at <= now() + interval '1 day'`

const RESPONSES_PER_BATCH = 200

interface StoredRow {
  readonly owner: string
  readonly key: string
  readonly createdAt: string
  readonly body: string
}

/**
 * Erasure of stored responses that contain a person's data. They are decrypted for it; those of callers without a credential are deleted.
 */
export const personalResponses: PersonalData = {
  table: 'idempotency_keys',
  async erase({ sql, vault }, { storeId, projectId, requestedAt: askedAt, matcher }, after) {
    const [owner, key] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
    const rows = await sql<StoredRow[]>`select owner, key, created_at::text, body from idempotency_keys
      where (owner = ${projectId} or owner in (${peopleOf(sql, storeId)})
          or (owner like 'public:%' and owner like ${`% ${storeId}`}) or owner like ${`app:%:${projectId}:%`})
        and created_at <= ${askedAt} and (owner, key) > (${owner ?? ''}, ${key ?? ''}) order by owner, key limit ${RESPONSES_PER_BATCH}`
    const pause = yieldEvery()
    for (const row of rows) {
      const text = decryptOrNull(vault, row)
      if (text !== null && matcher.isConnected(text) && isOfStore(text, storeId)) await eraseAnswer(sql, vault, row, matcher)
      await pause()
    }
    const last = rows.at(-1)
    return rows.length < RESPONSES_PER_BATCH || !last ? null : JSON.stringify([last.owner, last.key])
  },
}

/** Selects users whose responses may concern a store: its members, and everyone who changed something in it recently. */
const peopleOf = (sql: Queryable, storeId: string) => sql`select user_id from store_members where store_id = ${storeId}
  union select owner_id from stores where id = ${storeId}
  union select by_id from audit_entries where project_id = ${projectIdOf(storeId)} and by_kind = 'person' and created_at > now() - interval '9 days'
  union select admin_id from audit_entries where project_id = ${projectIdOf(storeId)} and admin_id is not null and created_at > now() - interval '9 days'`

/** Decrypts a response. Null if its key no longer exists; then no one can read it. */
function decryptOrNull(vault: Vault, { body, owner }: StoredRow): string | null {
  try {
    return vault.open(body, owner)
  } catch {
    return null
  }
}

/** Returns true if the response concerns this store. Users may have several stores with the same customer. */
function isOfStore(text: string, storeId: string): boolean {
  const { data } = JSON.parse(text) as { data?: { storeId?: unknown } | null }
  return data?.storeId === undefined || data.storeId === storeId
}

async function eraseAnswer(sql: Sql, vault: Vault, { owner, key, createdAt }: StoredRow, matcher: PersonMatcher) {
  await transaction(sql, async (tx) => {
    const where = tx`owner = ${owner} and key = ${key} and created_at = ${createdAt}::text::timestamptz`
    const [row] = await tx<Pick<StoredRow, 'body'>[]>`select body from idempotency_keys where ${where} for update`
    if (!row) return
    if (owner.startsWith('public:')) return void (await tx`delete from idempotency_keys where ${where}`)
    const answer = matcher.scrubJson(JSON.parse(vault.open(row.body, owner)), { isAbout: true })
    await tx`update idempotency_keys set body = ${vault.seal(JSON.stringify(answer), owner)} where ${where}`
  })
}

/** Seconds that a creation may take. No external call lasts longer. */
const EXTERNAL_SECONDS = 120

/**
 * Runs a creation that calls external services or has transactions of its own, and responds 201. Claims the `Idempotency-Key` first, in its
 * own transaction, and stores the response at the end. A creation that failed, or whose process died, may be repeated with its key.
 */
export async function createOnceExternally<Answer extends object>(
  { sql, vault }: IdempotencyStore,
  creation: CreationRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { set } = creation
  const key = creation.request.headers.get('idempotency-key')
  set.status = 201
  if (key === null) return work()
  if (key.length === 0 || key.length > KEY_MAX) throw invalidValue('/headers/idempotency-key', `1 to ${KEY_MAX} characters.`)
  const [requestHash, owner] = [await hashOf(vault, creation), keyOwnerOf(creation)]
  const open = (sealed: string) => vault.open(sealed, owner)
  const before = await transaction(sql, async (tx) => {
    await lockKey(tx, owner, key)
    const stored = await findResponse(tx, owner, key)
    if (stored && (stored.settling !== false || stored.requestHash !== requestHash)) return replay<Answer>(stored, requestHash, set, open)
    if (stored) await deletePending(tx, owner, key)
    await insertResponse(tx, { owner, key, requestHash, body: vault.seal('{}', owner) }, { settles: true }, EXTERNAL_SECONDS)
    return undefined
  })
  if (before) return before
  try {
    const answer = await work()
    await completeResponse(sql, owner, key, vault.seal(JSON.stringify(answer), owner))
    return answer
  } catch (error) {
    await deletePending(sql, owner, key)
    throw error
  }
}

/** Deletes a key whose response never arrived. */
const deletePending = (sql: Queryable, owner: string, key: string) =>
  sql`delete from idempotency_keys where owner = ${owner} and key = ${key} and settles_until is not null`
