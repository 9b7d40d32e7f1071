import type { Context } from '../context.ts'
import type { PersonalData } from '../data/personal-data/personal-data.ts'
import { expectOne, type Queryable, type Sql, type Tx, transaction } from '../data/sql.ts'
import { yieldEvery } from '../lib/async/yield-every.ts'
import type { Vault } from '../lib/crypto/crypto.ts'
import type { PersonMatcher } from '../lib/person/person-matcher.ts'
import { ownerOf, type Principal } from './auth/principal.ts'
import { fingerprintOf } from './body/canonical.ts'
import { ApiError, invalid } from './errors/errors.ts'

const KEY_MAX = 255

type Keeper = Pick<Context, 'sql' | 'vault'>

/** What a creating handler has of its request. */
export interface Creation {
  readonly request: Request
  readonly body: unknown
  readonly caller: Principal | null
  /** Where a caller without a credential asks from. */
  readonly address?: string
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/** So long the first request may still be working on its answer after it committed. */
const SETTLES_SECONDS = 20

/**
 * Runs a creation in one transaction and answers 201. Under an `Idempotency-Key` the answer is kept in that very transaction:
 * a repeat with the same body gets it again, whatever happened to the first connection or the process. `settle`: for an answer that
 * waits for what goes on after the commit; what it gives first is the answer for good.
 */
export async function createOnce<Answer extends object>(
  { sql, vault }: Keeper,
  creation: Creation,
  work: (tx: Tx) => Promise<Answer>,
  settle?: (created: Answer) => Promise<Answer>,
): Promise<Answer> {
  const { set } = creation
  const key = creation.request.headers.get('idempotency-key')
  set.status = 201
  if (key === null) {
    const created = await transaction(sql, work)
    return settle ? settle(created) : created
  }
  if (key.length === 0 || key.length > KEY_MAX) throw invalid('/headers/idempotency-key', `1 to ${KEY_MAX} characters.`)
  const requestHash = await hashOf(vault, creation)
  const owner = keeperOf(creation)
  const open = (sealed: string) => vault.open(sealed, owner)
  const seal = (answer: Answer) => vault.seal(JSON.stringify(answer), owner)
  const { answer, isFinal } = await transaction(sql, async (tx) => {
    await claim(tx, owner, key)
    const kept = await readKept(tx, owner, key)
    if (kept) return { answer: replay<Answer>(kept, requestHash, set, open), isFinal: kept.settling === null }
    const answer = await work(tx)
    await insertKept(tx, { owner, key, requestHash, body: seal(answer) }, settle !== undefined)
    return { answer, isFinal: settle === undefined }
  })
  if (isFinal || !settle) return answer
  const settled = await settle(answer)
  if (await keepSettled(sql, owner, key, seal(settled))) return settled
  const first = await readKept(sql, owner, key)
  return first ? (JSON.parse(open(first.body)) as Answer) : settled
}

/**
 * The answer that was given before under the `Idempotency-Key` of this request, for what costs money before there is anything to write.
 * Undefined where there is none yet: then `createOnce` decides which of several counts.
 */
export async function answeredBefore<Answer extends object>({ sql, vault }: Keeper, creation: Creation): Promise<Answer | undefined> {
  const key = creation.request.headers.get('idempotency-key')
  if (key === null) return undefined
  const owner = keeperOf(creation)
  const kept = await readKept(sql, owner, key)
  return kept && replay<Answer>(kept, await hashOf(vault, creation), creation.set, (sealed) => vault.open(sealed, owner))
}

function replay<Answer>(kept: Kept, requestHash: string, set: Creation['set'], open: (sealed: string) => string): Answer {
  if (kept.requestHash !== requestHash) {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another request. Use a new key for a new write.')
  }
  if (kept.settling) throw inProgress()
  set.headers['idempotent-replayed'] = 'true'
  set.status = kept.status
  return JSON.parse(open(kept.body)) as Answer
}

interface Kept {
  readonly requestHash: string
  readonly status: number
  /** Sealed: some answers hold a secret that is shown once. */
  readonly body: string
  /** Whether the first request is still working on its answer; false where it died over it, null where the answer is there. */
  readonly settling: boolean | null
}

const inProgress = () =>
  new ApiError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running. Ask again in a moment.', {
    headers: { 'retry-after': '1' },
  })

/** Keyed, since a body may hold a password. */
const hashOf = (vault: Vault, { request, body }: Creation) =>
  fingerprintOf(vault, `${request.method} ${new URL(request.url).pathname}\n`, body)

/** Whose keys they are. Strangers have no name: theirs are kept by what they ask of, and from where. */
function keeperOf({ caller, address = '', request, body }: Creation): string {
  // A person may have let the same app into several projects, several apps into one, and several people one app into the same.
  if (caller?.app) return `app:${caller.app.id}:${caller.project?.id ?? ''}:${caller.personId}`
  if (caller) return ownerOf(caller)
  const { storeId = '' } = (body ?? {}) as { storeId?: string }
  return `public:${address} ${new URL(request.url).pathname} ${storeId}`
}

/** The claim is a lock of the transaction: it cannot be left behind by a crash. */
async function claim(tx: Tx, owner: string, key: string) {
  const rows = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(hashtextextended(${`${owner} ${key}`}, 0)) as mine`
  if (!expectOne(rows).mine) throw inProgress()
}

const insertKept = (
  tx: Tx,
  kept: Pick<Kept, 'requestHash' | 'body'> & { owner: string; key: string },
  settles: boolean,
  seconds = SETTLES_SECONDS,
) =>
  tx`insert into idempotency_keys (owner, key, request_hash, status, body, settles_until)
    values (${kept.owner}, ${kept.key}, ${kept.requestHash}, 201, ${kept.body}, ${settles ? tx`now() + ${seconds} * interval '1 second'` : null})`

/** Whether this is the answer now, and not another that came first. */
const keepSettled = async (sql: Sql, owner: string, key: string, body: string) =>
  (
    await sql`update idempotency_keys set body = ${body}, settles_until = null
      where owner = ${owner} and key = ${key} and settles_until is not null and ${isKept(sql)}`
  ).count > 0

async function readKept(tx: Queryable, owner: string, key: string) {
  const [kept] = await tx<Kept[]>`
    select request_hash, status, body, settles_until > now() as settling from idempotency_keys
    where owner = ${owner} and key = ${key} and ${isKept(tx)}`
  return kept
}

/** Older ones are forgotten, though some lie there until all of their partition goes. None is of a time to come. */
const isKept = (sql: Queryable) => sql`created_at > now() - interval '7 days' and created_at <= now() + interval '1 day'`

const ANSWERS_AT_ONCE = 200

interface KeptPlace {
  readonly owner: string
  readonly key: string
  readonly createdAt: string
  readonly body: string
}

/** Answers that hold data of a person: read with the key that sealed them. A stranger's are kept by their address, and go. */
export const personalAnswers: PersonalData = {
  table: 'idempotency_keys',
  async erase({ sql, vault }, { storeId, projectId, askedAt, matcher }, after) {
    const [owner, key] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
    const rows = await sql<KeptPlace[]>`select owner, key, created_at::text, body from idempotency_keys
      where (owner = ${projectId} or owner in (${peopleOf(sql, storeId)})
          or (owner like 'public:%' and owner like ${`% ${storeId}`}) or owner like ${`app:%:${projectId}:%`})
        and created_at <= ${askedAt} and (owner, key) > (${owner ?? ''}, ${key ?? ''}) order by owner, key limit ${ANSWERS_AT_ONCE}`
    const pause = yieldEvery()
    for (const row of rows) {
      const text = openedOrNull(vault, row)
      if (text !== null && matcher.isConnected(text) && isOfStore(text, storeId)) await eraseAnswer(sql, vault, row, matcher)
      await pause()
    }
    const last = rows.at(-1)
    return rows.length < ANSWERS_AT_ONCE || !last ? null : JSON.stringify([last.owner, last.key])
  },
}

/** People whose answers may be about a store: its members, and all who changed something in it while answers are kept. */
const peopleOf = (sql: Queryable, storeId: string) => sql`select user_id from store_members where store_id = ${storeId}
  union select owner_id from stores where id = ${storeId}
  union select by_id from audit_entries where store_id = ${storeId} and by_kind = 'person' and created_at > now() - interval '9 days'
  union select admin_id from audit_entries where store_id = ${storeId} and admin_id is not null and created_at > now() - interval '9 days'`

/** What an earlier key sealed may not be readable any more; then nobody reads it. */
function openedOrNull(vault: Vault, { body, owner }: KeptPlace): string | null {
  try {
    return vault.open(body, owner)
  } catch {
    return null
  }
}

/** People may have several stores with the same customer. */
function isOfStore(text: string, storeId: string): boolean {
  const { data } = JSON.parse(text) as { data?: { storeId?: unknown } | null }
  return data?.storeId === undefined || data.storeId === storeId
}

async function eraseAnswer(sql: Sql, vault: Vault, { owner, key, createdAt }: KeptPlace, matcher: PersonMatcher) {
  await transaction(sql, async (tx) => {
    const where = tx`owner = ${owner} and key = ${key} and created_at = ${createdAt}::text::timestamptz`
    const [row] = await tx<Pick<KeptPlace, 'body'>[]>`select body from idempotency_keys where ${where} for update`
    if (!row) return
    if (owner.startsWith('public:')) return void (await tx`delete from idempotency_keys where ${where}`)
    const answer = matcher.scrubJson(JSON.parse(vault.open(row.body, owner)), true)
    await tx`update idempotency_keys set body = ${vault.seal(JSON.stringify(answer), owner)} where ${where}`
  })
}

/** Longer than anything outside is waited for. */
const BEYOND_SECONDS = 120

/**
 * Runs a creation that asks the outside, or has transactions of its own, and answers 201. Under an `Idempotency-Key` the key is taken first, in a
 * transaction of its own, and the answer is kept once it is there. A creation that failed, or whose process died, may be repeated with its key.
 */
export async function createOnceBeyond<Answer extends object>(
  { sql, vault }: Keeper,
  creation: Creation,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { set } = creation
  const key = creation.request.headers.get('idempotency-key')
  set.status = 201
  if (key === null) return work()
  if (key.length === 0 || key.length > KEY_MAX) throw invalid('/headers/idempotency-key', `1 to ${KEY_MAX} characters.`)
  const [requestHash, owner] = [await hashOf(vault, creation), keeperOf(creation)]
  const open = (sealed: string) => vault.open(sealed, owner)
  const before = await transaction(sql, async (tx) => {
    await claim(tx, owner, key)
    const kept = await readKept(tx, owner, key)
    if (kept && (kept.settling !== false || kept.requestHash !== requestHash)) return replay<Answer>(kept, requestHash, set, open)
    if (kept) await forgetKept(tx, owner, key)
    await insertKept(tx, { owner, key, requestHash, body: vault.seal('{}', owner) }, true, BEYOND_SECONDS)
    return undefined
  })
  if (before) return before
  try {
    const answer = await work()
    await keepSettled(sql, owner, key, vault.seal(JSON.stringify(answer), owner))
    return answer
  } catch (error) {
    await forgetKept(sql, owner, key)
    throw error
  }
}

/** One whose answer never came. */
const forgetKept = (sql: Queryable, owner: string, key: string) =>
  sql`delete from idempotency_keys where owner = ${owner} and key = ${key} and settles_until is not null`
