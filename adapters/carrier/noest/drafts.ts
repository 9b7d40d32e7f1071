import { CarrierError, forget, isRow, note, text, yes } from 'serai/carrier'
import { BULK_MAX, bodyOf, post, refusalOf, write } from './api.ts'
import { type Feed, feedsOf, stageOf } from './feed.ts'
import type { Context } from './fields.ts'

const TIMEOUT_MS = 10_000
const DRAFT = 'draft'

/** Validates a draft, which makes it a real order. Has no effect on a validated one. */
export async function validate(context: Context, trackingId: string): Promise<void> {
  try {
    await validateOne(context, trackingId)
  } catch (error) {
    if (!(error instanceof CarrierError) || error.reason !== 'refused' || !(await isReal(context, trackingId))) throw error
  }
  await forget(context, DRAFT, trackingId)
}

/** Validates one draft. A success that does not list the parcel counts as a failure. */
async function validateOne(context: Context, tracking: string, timeoutMs?: number): Promise<void> {
  const row = await write(context, 'valid/order', { tracking }, timeoutMs)
  if (row.passed !== undefined && !isPassed(row.passed, tracking)) throw refusalOf(row)
}

async function isReal(context: Context, trackingId: string): Promise<boolean> {
  const [feed] = await feedsOf(context, [trackingId])
  return feed !== undefined && stageOf(feed) !== 'draft'
}

/**
 * Validates parcels that were just created. Never fails, because they exist either way. Returns the numbers that stay drafts;
 * `finishDrafts` retries them.
 */
export async function ship(context: Context, trackingIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (!context.settings.shipAtOnce || trackingIds.length === 0) return new Set()
  const real = (await validateAll(context, trackingIds).catch(logProblem(context, trackingIds))) ?? new Set()
  const left = trackingIds.filter((trackingId) => !real.has(trackingId))
  await noteDrafts(context, left)
  return new Set(left)
}

/** Notes drafts by tracking number, or by our reference when the number is unknown. */
export async function noteDrafts(context: Context, names: readonly string[]): Promise<void> {
  if (context.settings.shipAtOnce) await Promise.all(names.map((name) => note(context, DRAFT, name, {}))).catch(logProblem(context, names))
}

const logProblem = (context: Context, names: readonly string[]) => (error: unknown) =>
  context.log('new parcels stayed drafts', { names, why: String(error) })

async function validateAll(context: Context, trackingIds: readonly string[]): Promise<ReadonlySet<string>> {
  const [only, ...others] = trackingIds
  if (only !== undefined && others.length === 0) {
    await validateOne(context, only, TIMEOUT_MS)
    return new Set([only])
  }
  const { passed } = bodyOf(context, await post(context, 'valid/orders', { trackings: trackingIds }, TIMEOUT_MS))
  return new Set(trackingIds.filter((trackingId) => isPassed(passed, trackingId)))
}

/** Reads `{tracking: true}`; the carrier writes `[]` when none passed. */
const isPassed = (passed: unknown, trackingId: string) =>
  Array.isArray(passed) ? passed.includes(trackingId) : isRow(passed) && yes(passed[trackingId])

/**
 * Validates drafts that should have shipped, when their tracking is read. A draft remains after a failed validation or a lost answer, and
 * would otherwise never ship.
 */
export async function finishDrafts(context: Context, feeds: readonly Feed[]): Promise<void> {
  if (!context.settings.shipAtOnce) return
  const noted = new Set((await context.storage.list(`${DRAFT}:`, { limit: 1000 })).map(({ key }) => key))
  const namesOf = ({ trackingId, order }: Feed) => [trackingId, text(order.reference) ?? ''].filter((name) => noted.has(`${DRAFT}:${name}`))
  const unfinished = feeds.filter((feed) => namesOf(feed).length > 0)
  const drafts = unfinished.filter((feed) => stageOf(feed) === 'draft').map(({ trackingId }) => trackingId)
  const left = await ship(context, drafts.slice(0, BULK_MAX))
  const settled = unfinished.filter(({ trackingId }) => !left.has(trackingId)).flatMap(namesOf)
  await Promise.all(settled.map((name) => forget(context, DRAFT, name)))
}

/** Deletes a draft; the carrier deletes nothing else. */
export async function cancel(context: Context, trackingId: string): Promise<void> {
  try {
    await write(context, 'delete/order', { tracking: trackingId })
  } catch (error) {
    if (!(error instanceof CarrierError) || error.reason !== 'refused') throw error
    throw new CarrierError('refused', `${error.message}. It deletes drafts only; ask NOEST to send back what is validated.`, error.upstream)
  }
  await forget(context, DRAFT, trackingId)
}
