import {
  CarrierError,
  isRow,
  number,
  type Row,
  refusedRow,
  rows,
  type Sent,
  type SentRow,
  type Shipment,
  sentMoreThanOnce,
  text,
  unreadable,
} from 'serai/carrier'
import { all, call, label } from './api.ts'
import { customerIdOf, forgetCustomer } from './customers.ts'
import type { Context } from './fields.ts'
import { hubsKey } from './hubs.ts'
import { parcelAt } from './parcels.ts'
import { type Translated, translate } from './shipment.ts'
import { territoriesKey } from './territories.ts'
import { isDraft, makeReady, readyKey, readyStateId } from './workflow.ts'

/** Parcels per call. The carrier takes 100, but each may need a customer first, and the quota must allow that. */
export const sendManyMax = 20

export async function send(context: Context, shipment: Shipment): Promise<Sent> {
  const translated = await translate(context, shipment)
  const answer = await create(context, 'parcels', await bodyOf(context, translated), [translated])
  const id = isRow(answer) ? text(answer.id) : undefined
  if (id === undefined) throw unreadable(label, 'no id of the new parcel')
  return readCreated(context, id, translated)
}

/** Builds the body. Without a state the parcel stays in the first one, which hubs do not pick up. */
async function bodyOf(context: Context, { person, fields }: Translated): Promise<Row> {
  const stateId = context.settings.shipAtOnce ? await readyStateId(context) : undefined
  const customerId = await customerIdOf(context, person)
  return { customer: { customerId, ...person }, ...fields, ...(stateId !== undefined && { stateId }) }
}

async function create(context: Context, path: string, json: Row, parcels: readonly Translated[]): Promise<unknown> {
  try {
    return await call(context, 'POST', path, { json })
  } catch (error) {
    if (error instanceof CarrierError && error.reason === 'refused')
      for (const parcel of parcels) await deleteCachedIds(context, parcel, error.message)
    throw error
  }
}

/** Deletes cached ids after a refusal that they may have caused. */
async function deleteCachedIds(context: Context, { person, place: { wilayaId, hubId } }: Translated, said: string): Promise<void> {
  const keys = [readyKey(context)]
  if (hubId !== undefined) keys.push(hubsKey(wilayaId))
  // Territories are many, so they are dropped only when the refusal names them.
  if (/territor/i.test(said)) keys.push(territoriesKey(wilayaId))
  await Promise.all([forgetCustomer(context, person), ...keys.map((key) => context.storage.delete(key))])
}

/** Reads a created parcel, of which only the id is known. Failures are an unknown outcome, which only a lookup resolves. */
async function readCreated(context: Context, id: string, { warnings }: Translated): Promise<Sent> {
  try {
    const sent = await shipParcel(context, await parcelAt(context, id))
    return { ...sent, ...(warnings.length > 0 && { warnings }) }
  } catch (error) {
    throw new CarrierError('unavailable', `${label} accepted the parcel, but gave no tracking number.`, {}, { cause: error })
  }
}

/** Makes a draft ready if it should ship. */
async function shipParcel(context: Context, row: Row): Promise<Sent> {
  const [id, trackingId] = [text(row.id), text(row.trackingNumber)]
  if (!id || !trackingId) throw unreadable(label, 'a parcel without tracking number')
  if (context.settings.shipAtOnce && isDraft(row)) await makeReady(context, id)
  return { trackingId, carrierData: { id } }
}

/** Sends parcels in one call; untranslatable ones are refused here. */
export async function sendMany(context: Context, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const attempts = await Promise.all(shipments.map((shipment) => prepareShipment(context, shipment)))
  const ready = attempts.filter((attempt) => 'body' in attempt)
  const refused = attempts.filter((attempt) => 'refused' in attempt)
  if (ready.length === 0) return refused
  const translated = ready.map((one) => one.translated)
  const answer = await create(context, 'parcels/bulk', { parcels: ready.map(({ body }) => body) }, translated)
  if (!isRow(answer) || !(Array.isArray(answer.successes) || Array.isArray(answer.failures))) throw unreadable(label, 'no outcomes')
  return [...refused, ...(await readOutcomes(context, answer, translated))]
}

async function prepareShipment(
  context: Context,
  shipment: Shipment,
): Promise<(SentRow & { refused: object }) | { translated: Translated; body: Row }> {
  try {
    const translated = await translate(context, shipment)
    return { translated, body: await bodyOf(context, translated) }
  } catch (error) {
    return refusedRow(shipment.reference, error)
  }
}

/**
 * Reads a 207 answer: successes and failures by position; a parcel may have several failures. A parcel in neither has an unknown outcome.
 */
async function readOutcomes(context: Context, { successes, failures }: Row, parcels: readonly Translated[]): Promise<SentRow[]> {
  const references = parcels.map(({ reference }) => reference)
  const byReference = (found: unknown) =>
    Map.groupBy(rows(found), ({ externalId, index }) =>
      references.includes(String(externalId)) ? String(externalId) : references[number(index) ?? -1],
    )
  const [taken, declined] = [byReference(successes), byReference(failures)]
  const found: SentRow[] = []
  for (const parcel of parcels) {
    const { reference, warnings } = parcel
    const [success] = taken.get(reference) ?? []
    const trackingId = text(success?.trackingNumber)
    const reasons = declined.get(reference)
    if (trackingId !== undefined) {
      const sent = { trackingId, carrierData: { id: success?.parcelId ?? null }, ...(warnings.length > 0 && { warnings }) }
      found.push({ reference, sent })
    } else if (!success && reasons) {
      const refused = refusalOf(reasons)
      await deleteCachedIds(context, parcel, `${refused.code} ${refused.message}`)
      found.push({ reference, refused })
    }
  }
  return found
}

function refusalOf(reasons: readonly Row[]): { code: string; message: string } {
  const messages = new Set(reasons.map(({ errorMessage, errorCode }) => text(errorMessage) ?? text(errorCode) ?? 'it gave no reason'))
  return { code: text(reasons[0]?.errorCode) ?? 'refused', message: [...messages].join(' – ').slice(0, 500) }
}

/**
 * Finds a parcel by reference; null only when the carrier clearly has none. A search that returns other parcels ignored the filter, and
 * throws.
 */
export async function findByReference(context: Context, reference: string): Promise<Sent | null> {
  const found = await all(context, 'parcels', { advancedSearch: { fields: ['externalId'], keyword: reference } })
  const [first, ...others] = found.filter((row) => row.externalId === reference)
  if (!first) {
    const looked = found.every((row) =>
      String(row.externalId ?? '')
        .toLowerCase()
        .includes(reference.toLowerCase()),
    )
    if (looked) return null
    throw unreadable(label, `the look-up of ${reference} showed other parcels`)
  }
  const id = text(first.id) ?? text(first.trackingNumber)
  if (id === undefined) throw unreadable(label, `the parcel of ${reference} has no id`)
  const isWhole = first.trackingNumber !== undefined && first.state !== undefined
  const sent = await shipParcel(context, isWhole ? first : await parcelAt(context, id))
  return others.length === 0 ? sent : { ...sent, warnings: [sentMoreThanOnce(label, others.length + 1, reference)] }
}
