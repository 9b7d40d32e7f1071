import { badCursor, CarrierError, type CarrierParcel, type Change, type Sent, type SentRow, type Shipment } from 'serai/carrier'
import { cashOf, confirmedPayouts } from './cash.ts'
import type { Sandbox } from './fields.ts'
import { centerId, wilayaOf } from './places.ts'
import { billable, deliveryFee } from './pricing.ts'
import { allParcels, change, current, type Kept, readParcel, storeNew, trackingOf, withStep } from './store.ts'

// Prefixes of the recipient's name that trigger failures.
const refusing = 'FAIL '
const slow = 'SLOW '
const silent = 'TIMEOUT '
const slowMs = 5_000
const open = ['draft', 'submitted']

export async function send(context: Sandbox, shipment: Shipment): Promise<Sent> {
  const { parcel, isNew } = await storeParcel(context, shipment)
  const { name } = shipment.recipient
  if (isNew && name.startsWith(slow)) await pause(context, slowMs)
  if (isNew && name.startsWith(silent)) await pause(context, Number.POSITIVE_INFINITY)
  return sentOf(parcel)
}

/** Sends row by row. A parcel with the prefix `TIMEOUT` has no row, as in an incomplete answer. */
export async function sendMany(context: Sandbox, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const rows: SentRow[] = []
  for (const shipment of shipments) {
    const row = await sendRow(context, shipment)
    if (!shipment.recipient.name.startsWith(silent)) rows.push(row)
  }
  return rows
}

async function sendRow(context: Sandbox, shipment: Shipment): Promise<SentRow> {
  const { reference } = shipment
  try {
    return { reference, sent: sentOf((await storeParcel(context, shipment)).parcel) }
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    return { reference, refused: { code: error.upstream.code ?? error.reason, message: error.message } }
  }
}

async function storeParcel(context: Sandbox, shipment: Shipment): Promise<{ parcel: Kept; isNew: boolean }> {
  const fee = feeOf(context, shipment)
  const tracking = await trackingOf(context, shipment.reference)
  const first = { status: context.settings.drafts ? 'draft' : 'submitted', at: new Date(context.now()).toISOString() }
  const parcel: Kept = { tracking, shipment, fee, history: [first] }
  if (await storeNew(context, parcel)) return { parcel, isNew: true }
  return { parcel: (await readParcel(context, tracking)) ?? parcel, isNew: false }
}

/** Returns the delivery fee; refuses a shipment that this carrier does not accept. */
function feeOf(context: Sandbox, { recipient, destination, weightKg, dimensions }: Shipment): number {
  const wilaya = destination.country === 'DZ' ? wilayaOf(destination.stateCode) : undefined
  if (recipient.name.startsWith(refusing)) refuse('rehearsed', 'The sandbox refuses recipients whose name begins with FAIL.')
  if (!wilaya) return refuse('bad_state', `The sandbox does not deliver to ${destination.country} ${destination.stateCode}.`)
  if (destination.deliveryType === 'return_point') refuse('bad_type', 'The sandbox delivers to homes and to its centres.')
  if (destination.deliveryType === 'pickup' && destination.pickupId !== centerId(wilaya.code)) {
    refuse('bad_center', `Name the centre of ${wilaya.name} as pickupId: ${centerId(wilaya.code)}.`)
  }
  return deliveryFee(context, wilaya, destination.deliveryType, billable(weightKg, dimensions))
}

function refuse(code: string, message: string): never {
  throw new CarrierError('refused', message, { code })
}

function pause({ signal }: Sandbox, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new CarrierError('unavailable', 'The sandbox did not answer.'))
    if (signal.aborted) return gone()
    signal.addEventListener('abort', gone, { once: true })
    if (Number.isFinite(ms)) setTimeout(resolve, ms)
  })
}

const sentOf = ({ tracking }: Kept): Sent => ({ trackingId: tracking })

export async function findByReference(context: Sandbox, reference: string): Promise<Sent | null> {
  const parcel = await readParcel(context, await trackingOf(context, reference))
  return parcel ? sentOf(parcel) : null
}

/** Changes a parcel that has not left; refuses one that is unknown or has left. */
async function changeOpen(context: Sandbox, trackingId: string, toDo: string, to: (parcel: Kept) => Kept): Promise<void> {
  const changed = await change(context, trackingId, (parcel) => {
    const { status } = current(parcel)
    return open.includes(status) ? to(parcel) : refuse('too_late', `Parcel ${trackingId} is ${status}; it is too late to ${toDo} it.`)
  })
  if (!changed) throw new CarrierError('not_found', `The sandbox has no parcel ${trackingId}.`)
}

export async function edit(context: Sandbox, trackingId: string, asked: Change): Promise<void> {
  await changeOpen(context, trackingId, 'edit', (parcel) => {
    const shipment = { ...parcel.shipment, ...asked }
    return { ...parcel, shipment, fee: feeOf(context, shipment) }
  })
}

const withStatus = (context: Sandbox, parcel: Kept, status: string) =>
  withStep(parcel, { status, at: new Date(context.now()).toISOString() })

export async function cancel(context: Sandbox, trackingId: string): Promise<void> {
  await changeOpen(context, trackingId, 'cancel', (parcel) => withStatus(context, parcel, 'cancelled'))
}

export async function validate(context: Sandbox, trackingId: string): Promise<void> {
  await changeOpen(context, trackingId, 'validate', (parcel) =>
    current(parcel).status === 'draft' ? withStatus(context, parcel, 'submitted') : parcel,
  )
}

export async function track(context: Sandbox, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  const confirmed = await confirmedPayouts(context)
  const parcels = await Promise.all(trackingIds.map((trackingId) => readParcel(context, trackingId)))
  return parcels.filter((parcel) => parcel !== undefined).map((parcel) => parcelOf(context, parcel, confirmed))
}

export async function list(context: Sandbox, query: { cursor?: string; limit: number; status?: string; since?: string }) {
  if (query.cursor !== undefined && !/^SBX\d{18}$/.test(query.cursor)) badCursor()
  const confirmed = await confirmedPayouts(context)
  const since = query.since ? Date.parse(query.since) : 0
  const rows: CarrierParcel[] = []
  for await (const parcel of allParcels(context, query.cursor)) {
    const { status, at } = current(parcel)
    if ((query.status && status !== query.status) || Date.parse(at) < since) continue
    if (rows.length === query.limit) return { rows, nextCursor: rows.at(-1)!.trackingId }
    rows.push(parcelOf(context, parcel, confirmed))
  }
  return { rows, nextCursor: null }
}

function parcelOf(context: Sandbox, parcel: Kept, confirmed: ReadonlySet<string>): CarrierParcel {
  const { tracking: trackingId, shipment, history, fee } = parcel
  const { status, at } = current(parcel)
  return {
    trackingId,
    reference: shipment.reference,
    carrierStatus: status,
    at,
    codAmount: shipment.codAmount,
    deliveryFee: fee,
    stateName: shipment.destination.stateName,
    cityName: shipment.destination.cityName,
    cash: cashOf(context, parcel, confirmed),
    history: history.map((step) => ({
      trackingId,
      carrierStatus: step.status,
      at: step.at,
      ...(step.eventId !== undefined && { eventId: step.eventId }),
    })),
  }
}
