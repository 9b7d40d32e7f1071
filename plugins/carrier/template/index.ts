import {
  ask,
  type CarrierContext,
  CarrierError,
  type CarrierParcel,
  carrier,
  isRow,
  problemOf,
  type Row,
  type Shipment,
  text,
  unreadable,
  type Warning,
} from 'serai/carrier'
import { credentials, label, type settings } from './fields.ts'
import { statuses } from './statuses.ts'
import { webhook } from './webhook.ts'

type Context = CarrierContext<typeof credentials, typeof settings>

const host = 'api.example.com'

export default carrier({
  slug: 'example',
  label,
  countries: ['DZ'],
  currency: 'DZD',
  net: [host], // the only hosts that it can reach
  credentials,
  settings: {},
  exactlyOnce: 'findByReference', // how a second parcel is prevented
  settleSeconds: 10,
  rateWindows: [{ calls: 60, seconds: 60 }],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: ['submitted'],
  statuses,

  async testConnection(context) {
    await call(context, 'GET', 'me')
    return {}
  },

  async send(context, shipment) {
    return sentIn(await call(context, 'POST', 'parcels', bodyOf(shipment)), shipment.recipient.phoneAlt ? [phoneAltDropped] : [])
  },

  async findByReference(context, reference) {
    const found = await list(context, { reference })
    return found[0] ? sentIn(found[0]) : null
  },

  async cancel(context, trackingId) {
    await call(context, 'DELETE', `parcels/${encodeURIComponent(trackingId)}`)
  },

  async track(context, trackingIds) {
    if (trackingIds.length === 0) return []
    return (await list(context, { tracking: trackingIds.join(',') })).map(parcelIn)
  },
  trackMax: 50,

  webhook,
})

/** Returns warnings for data that the carrier has no field for. A warning stops no parcel. */
const phoneAltDropped = { code: 'phone_alt_dropped', message: `${label} takes one telephone number; the second was not sent.` }

/** Converts a shipment to the carrier's fields. */
const bodyOf = ({ reference, recipient, destination, codAmount, contents, notes }: Shipment) => ({
  reference,
  name: recipient.name,
  phone: recipient.phone,
  state: destination.stateCode,
  city: destination.cityName,
  address: destination.address,
  cash: codAmount,
  contents: contents || reference,
  notes,
})

/** Makes one call and returns the JSON of the answer. Throws by the carrier's meaning of any other answer. */
async function call(context: Context, method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<unknown> {
  const answer = await ask(context, label, `https://${host}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${context.credentials.token}` },
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, label, answer, { method })
  if (answer.value === undefined) throw unreadable(label, 'no JSON')
  return answer.value
}

async function list(context: Context, query: Readonly<Record<string, string>>): Promise<Row[]> {
  const value = await call(context, 'GET', `parcels?${new URLSearchParams(query)}`)
  if (!isRow(value) || !Array.isArray(value.parcels)) throw unreadable(label, 'no list of parcels')
  return value.parcels.filter(isRow)
}

function sentIn(value: unknown, warnings: Warning[] = []) {
  const trackingId = isRow(value) ? text(value.tracking) : undefined
  // An unreadable answer leaves the outcome unknown: the server looks the parcel up.
  if (!trackingId) throw unreadable(label, 'no tracking number')
  return { trackingId, ...(warnings.length > 0 && { warnings }) }
}

function parcelIn(row: Row): CarrierParcel {
  const [trackingId, carrierStatus, at, reference] = [text(row.tracking), text(row.status), text(row.at), text(row.reference)]
  if (!trackingId || !carrierStatus || !at) throw new CarrierError('unavailable', `${label} answered a parcel without its status.`)
  return { trackingId, carrierStatus, at, codAmount: Number(row.cash), ...(reference !== undefined && { reference }) }
}
