import type { CarrierParcel, StatusReport } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../data/jobs.ts'
import { transaction } from '../data/sql.ts'
import { recordReports } from '../parcels/record-report.ts'
import { type Account, accountById, callCarrier } from './call-carrier.ts'
import { listOpenParcels, type SyncState, updateAccount } from './integrations.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'integrations.sync': { accountId: string }
  }
}

const TRACK_MAX = 50

/** Asks, in the background, for news of all parcels on their way. Asking again while it runs starts no second run. */
export async function startSync(context: Context, { row }: Account): Promise<SyncState> {
  const sync: SyncState = { status: 'queued', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null }
  await transaction(context.sql, async (tx) => {
    await updateAccount(tx, row.id, { sync })
    await enqueue(tx, 'integrations.sync', { accountId: row.id }, { key: `sync:${row.id}`, maxAttempts: 3 })
  })
  return sync
}

export async function workSync(context: Context, accountId: string, signal: AbortSignal) {
  const account = await accountById(context, accountId)
  const startedAt = new Date().toISOString()
  const note = (state: Partial<SyncState>) =>
    updateAccount(context.sql, accountId, {
      sync: { status: 'running', startedAt, finishedAt: null, parcels: 0, changed: 0, message: null, ...state },
    })
  await note({})
  try {
    const done = await trackAll(context, account, signal)
    await note({ status: 'done', finishedAt: new Date().toISOString(), ...done })
  } catch (error) {
    await note({ status: 'failed', finishedAt: new Date().toISOString(), message: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

async function trackAll(context: Context, account: Account, signal: AbortSignal) {
  const { track, trackMax = TRACK_MAX } = account.mounted.carrier
  let parcels = 0
  let changed = 0
  for (let after = ''; track && !signal.aborted; ) {
    const open = await listOpenParcels(context.sql, account.row.id, after, trackMax)
    if (open.length === 0) break
    after = open.at(-1)!.id
    const found = await callCarrier(
      context,
      account,
      (_carrier, adapter) =>
        track(
          adapter,
          open.map(({ trackingId }) => trackingId),
        ),
      { signal },
    )
    const { applied } = await recordReports(context, account, found.flatMap(reportsOf), 'poller')
    parcels += found.length
    changed += applied
  }
  return { parcels, changed }
}

/** Each step the carrier remembers, and where the parcel is now. */
const reportsOf = ({ trackingId, carrierStatus, at, cash, history }: CarrierParcel): StatusReport[] => {
  const now = { trackingId, carrierStatus, at, ...(cash && { cash }) }
  const steps = (history ?? []).map((step) => ({ ...step, trackingId }))
  return steps.some((step) => step.carrierStatus === carrierStatus && Date.parse(step.at) === Date.parse(at)) && !cash
    ? steps
    : [...steps, now]
}

/** Takes over what the carrier says of money: lines not yet paid out, then its payouts. */
export async function syncCash(context: Context, account: Account) {
  const { cash } = account.mounted.carrier
  const lines = await callCarrier(context, account, async (_carrier, adapter) => {
    const batches = await cash!.batches(adapter)
    const details = []
    for (const { id } of batches.slice(0, 20))
      details.push(...(await cash!.batch(adapter, id)).lines.map((line) => ({ ...line, payoutId: id })))
    return [...(await cash!.preview(adapter)).map((line) => ({ ...line, payoutId: undefined })), ...details]
  })
  const at = new Date().toISOString()
  const reports = lines.map(
    ({ trackingId, status, amount, fee, payoutId }): StatusReport => ({
      trackingId,
      at,
      eventId: `cash:${status}:${payoutId ?? ''}`,
      cash: { status, amount, ...(fee !== undefined && { fee }), ...(payoutId && { payoutId }) },
    }),
  )
  const { applied } = await recordReports(context, account, reports, 'poller')
  return { parcels: lines.length, changed: applied }
}
