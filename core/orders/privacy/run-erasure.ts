import type { Context } from '../../context.ts'
import { type Erasure, listPersonalData } from '../../data/personal-data/personal-data.ts'
import { matcherOf } from '../../lib/person/person-matcher.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import {
  completeErasure,
  completeFirstPass,
  type ErasureRow,
  findErasure,
  listOpenErasures,
  updateErasureProgress,
} from './erasures.queries.ts'
import { type ErasureSubject, enqueueErasure } from './request-erasure.ts'

/** Delay of the second pass, which erases data that was in flight; calls from carriers and shops have ended by then. */
const SECOND_PASS_MS = 10 * 60_000
const STALLED_MINUTES = 15
const RESUMED_AT_ONCE = 100

/**
 * Erases the people of an erasure from all tables with personal data, in slices. After an interruption, continues with the unfinished
 * slice.
 */
export async function runErasure(context: Context, { storeId, erasureId }: { storeId: string; erasureId: string }, signal: AbortSignal) {
  const row = await findErasure(context.sql, storeId, erasureId)
  const store = await findStore(context.sql, storeId)
  if (!row?.people || !store) return
  const people = JSON.parse(context.vault.open(row.people, row.id)) as ErasureSubject
  const erasure = {
    id: row.id,
    storeId,
    projectId: store.projectId,
    requestedAt: row.askedAt,
    ...people,
    matcher: matcherOf(people.terms),
  }
  await eraseTables(context, erasure, row, signal)
  if (row.pass === 2) return void (await completeErasure(context.sql, storeId, row.id))
  await completeFirstPass(context.sql, storeId, row.id)
  await enqueueErasure(context.sql, storeId, row.id, new Date(Date.now() + SECOND_PASS_MS))
}

async function eraseTables(context: Context, erasure: Erasure, row: ErasureRow, signal: AbortSignal) {
  const tables = listPersonalData()
  for (let step = row.step; step < tables.length; step += 1) {
    const table = tables[step]
    let place = step === row.step ? row.place : null
    do {
      signal.throwIfAborted()
      place = (await table?.erase(context, erasure, place)) ?? null
      await updateErasureProgress(context.sql, row, { pass: row.pass, step, place })
    } while (place !== null)
  }
}

/** Enqueues stalled erasures again, for example after their job was lost. */
export async function resumeErasures({ sql }: Context): Promise<void> {
  for (const { storeId, id } of await listOpenErasures(sql, STALLED_MINUTES, RESUMED_AT_ONCE)) await enqueueErasure(sql, storeId, id)
}
