import { CarrierError, type Change, isRow, refuse, text, unreadable, yes } from 'serai/carrier'
import { call, label } from './api.ts'
import type { Context } from './fields.ts'
import { parcelAt } from './parcels.ts'
import { amountOf, personOf, placeOf } from './shipment.ts'
import { stateWord } from './statuses.ts'
import { isDraft, makeReady, readyStateId } from './workflow.ts'

interface Patch {
  readonly what: string
  readonly path: 'amount' | 'customer' | 'deliveryAddress'
  readonly json: Readonly<Record<string, unknown>>
}

async function findParcel(context: Context, trackingId: string) {
  const row = await parcelAt(context, trackingId)
  const id = text(row.id)
  if (!id) throw unreadable(label, 'a parcel without id')
  return { row, id }
}

/** Edits amount, recipient and address, one call each. Everything is translated before the first call. */
export async function edit(context: Context, trackingId: string, change: Change): Promise<void> {
  if (change.contents !== undefined || change.weightKg !== undefined || change.declaredValue !== undefined) {
    refuse('not_editable', `${label} changes the amount, the recipient and the address only. Cancel the parcel and send it anew.`)
  }
  const patches = await patchesOf(context, change)
  if (patches.length === 0) return
  const { row, id } = await findParcel(context, trackingId)
  const { deliveryType } = patches.find(({ path }) => path === 'deliveryAddress')?.json ?? {}
  if (deliveryType !== undefined && text(row.deliveryType) !== undefined && row.deliveryType !== deliveryType) {
    refuse('not_editable', `${label} does not turn a parcel to a home into one to a hub, or back. Cancel it and send it anew.`)
  }
  const told: Record<'done' | 'requested', string[]> = { done: [], requested: [] }
  for (const patch of patches) {
    const outcome = await applyPatch(context, id, patch).catch((error: unknown) => Promise.reject(withDoneChanges(error, patch, told.done)))
    told[outcome].push(patch.what)
  }
  if (told.requested.length === 0) return
  const changed = told.done.length > 0 ? ` Changed already: ${told.done.join(', ')}.` : ''
  refuse(
    'change_requested',
    `${label} has locked the parcel; a change of ${told.requested.join(', ')} was asked for and is not made until the carrier agrees.${changed}`,
  )
}

async function patchesOf(context: Context, { codAmount, recipient, destination }: Change): Promise<Patch[]> {
  const person = recipient && personOf(recipient).person
  const amount = codAmount === undefined ? undefined : amountOf(codAmount)
  const place = destination && (await placeOf(context, destination))
  const patches: Patch[] = []
  if (place) {
    const { deliveryAddress, deliveryType, hubId } = place
    patches.push({ what: 'the address', path: 'deliveryAddress', json: { ...deliveryAddress, deliveryType, ...(hubId && { hubId }) } })
  }
  if (person) patches.push({ what: 'the recipient', path: 'customer', json: { ...person } })
  if (amount !== undefined) patches.push({ what: 'the amount', path: 'amount', json: { amount } })
  return patches
}

async function applyPatch(context: Context, parcelId: string, { path, json }: Patch): Promise<'done' | 'requested'> {
  const { deliveryType: _, ...fields } = json
  const body = { json: { parcelId, ...fields } }
  try {
    await call(context, 'PATCH', `parcels/${encodeURIComponent(parcelId)}/${path}`, body)
    return 'done'
  } catch (error) {
    const isRefused = error instanceof CarrierError && error.reason === 'refused'
    if (!isRefused || !context.settings.requestChanges) throw error
    await call(context, 'POST', path === 'customer' ? 'parcel-modification-requests/phone' : 'parcel-modification-requests', body)
    return 'requested'
  }
}

/** Adds the changes already made to the error of a later one. */
function withDoneChanges(error: unknown, { what }: Patch, done: readonly string[]): unknown {
  if (done.length === 0 || !(error instanceof CarrierError)) return error
  const message = `${error.message} That was the change of ${what}; changed already: ${done.join(', ')}.`
  return new CarrierError(error.reason, message, error.upstream, { cause: error })
}

/** Deletes a parcel by the carrier's own id. The carrier refuses once it is on its way. */
export async function cancel(context: Context, trackingId: string): Promise<void> {
  const { id } = await findParcel(context, trackingId)
  await call(context, 'DELETE', `parcels/${encodeURIComponent(id)}`)
}

/** Makes a draft ready for the hubs. Has no effect on one that is ready; refuses one that moves. */
export async function validate(context: Context, trackingId: string): Promise<void> {
  const { row, id } = await findParcel(context, trackingId)
  if (isDraft(row)) return makeReady(context, id)
  if (isRow(row.state) && row.state.id === (await readyStateId(context))) return
  const word = stateWord(row.state, { isReturn: yes(row.isReturn) }) ?? 'unknown'
  refuse('not_a_draft', `At ${label} the parcel is no draft but in the state "${word}". Move it in the carrier’s dashboard.`)
}
