import {
  CarrierError,
  type Change,
  isRow,
  type Row,
  type Sent,
  type SentRow,
  type Shipment,
  sentMoreThanOnce,
  text,
  translateEach,
  webAddress,
  word,
  wordsIn,
  yes,
} from 'serai/carrier'
import { type Account, call, page, unreadable } from './api.ts'
import { dinars, kilograms, placeOf, recipientOf, type Translated, translate } from './shipment.ts'

export const sendManyMax = 100

export async function send(account: Account, shipment: Shipment): Promise<Sent> {
  const translated = await translate(account, shipment)
  const row = rowOf(await create(account, [translated]), translated)
  if (row?.sent) return row.sent
  if (!row?.refused) throw unreadable(account, `nothing on parcel ${shipment.reference}`)
  throw new CarrierError('refused', `${account.company.label} refused the parcel: ${row.refused.message}`, row.refused)
}

/** Sends parcels in one call; untranslatable ones are refused here. */
export async function sendMany(account: Account, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const { ready, refused } = await translateEach(shipments, (shipment) => translate(account, shipment))
  if (ready.length === 0) return refused
  const answer = await create(account, ready)
  return [...refused, ...ready.map((translated) => rowOf(answer, translated)).filter((row) => row !== undefined)]
}

async function create(account: Account, parcels: readonly Translated[]): Promise<Row> {
  const answer = await call(
    account,
    'POST',
    'parcels/',
    {},
    parcels.map(({ row }) => row),
  )
  const said = wordsIn(answer)
  const answered = isRow(answer) && parcels.some(({ row }) => Object.hasOwn(answer, String(row.order_id)))
  if (isRow(answer) && (answered || said === undefined)) return answer
  if (said === undefined) throw unreadable(account, 'no object of parcels')
  throw new CarrierError('refused', `${account.company.label} refused: ${said}`, { message: said })
}

/** Reads the outcome of one parcel, keyed by `order_id`; undefined when it is unclear. */
function rowOf(answer: Row, { row, warnings }: Translated): SentRow | undefined {
  const reference = String(row.order_id)
  const entry = Object.hasOwn(answer, reference) ? answer[reference] : undefined
  if (!isRow(entry)) return undefined
  if (entry.success === false) {
    return {
      reference,
      refused: { code: 'refused', message: text(entry.message)?.slice(0, 500) ?? 'it gave no reason' },
    }
  }
  const sent = entry.success === true ? sentOf(entry, warnings) : undefined
  return sent && { reference, sent }
}

function sentOf(row: Row, warnings: Translated['warnings'] = []): Sent | undefined {
  const trackingId = text(row.tracking)
  if (trackingId === undefined) return undefined
  const labelUrl = webAddress(row.label)
  const labels = webAddress(row.labels)
  const carrierData = {
    ...(row.import_id != null && { importId: row.import_id }),
    ...(labels !== undefined && { labels }),
  }
  return {
    trackingId,
    ...(labelUrl !== undefined && { labelUrl }),
    ...(Object.keys(carrierData).length > 0 && { carrierData }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Finds a parcel by reference; null only when the carrier clearly has none. An answer about other parcels throws. */
export async function findByReference(account: Account, reference: string): Promise<Sent | null> {
  const { rows } = await page(account, 'parcels/', { order_id: reference })
  if (rows.length === 0) return null
  const found = rows.filter((row) => word(row.order_id) === reference.trim()).map((row) => sentOf(row))
  const first = found.find((sent) => sent !== undefined)
  if (!first) throw unreadable(account, `the look-up of ${reference} showed other parcels`)
  return found.length === 1 ? first : { ...first, warnings: [sentMoreThanOnce(account.company.label, found.length, reference)] }
}

/** Edits a parcel. The carrier refuses edits after `En préparation`. */
export async function edit(account: Account, trackingId: string, change: Change): Promise<void> {
  const row = await changedRow(account, change)
  if (Object.keys(row).length === 0) return
  const answer = await call(account, 'PATCH', `parcels/${encodeURIComponent(trackingId)}`, {}, row)
  const said = wordsIn(answer)
  if (isRow(answer) && (answer.success === false || answer.error !== undefined)) {
    throw new CarrierError('refused', `${account.company.label} refused the change: ${said ?? 'it gave no reason'}`, {
      ...(said !== undefined && { message: said }),
    })
  }
  // The answer is the parcel, alone or in the envelope of lists.
  const [parcel]: unknown[] = [isRow(answer) ? (answer.data ?? answer) : answer].flat()
  if (!isRow(parcel) || !(parcel.tracking === trackingId || yes(parcel.success)))
    throw unreadable(account, `nothing on the change of ${trackingId}`)
}

async function changedRow(account: Account, change: Change): Promise<Row> {
  return {
    ...(change.recipient && recipientOf(change.recipient).row),
    ...(change.destination && (await placeOf(account, change.destination)).row),
    ...(change.codAmount !== undefined && { price: dinars(change.codAmount, 'amount to collect') }),
    ...(change.declaredValue !== undefined && { declared_value: dinars(change.declaredValue, 'declared value') }),
    ...(change.weightKg !== undefined && { weight: kilograms(account, change.weightKg) }),
    ...(change.contents?.trim() && { product_list: change.contents.trim() }),
  }
}

/** Cancels a parcel. The status is 200 even when it was not deleted. */
export async function cancel(account: Account, trackingId: string): Promise<void> {
  // A comma would make it a list, and each parcel in it would be deleted.
  if (trackingId.includes(',')) throw new CarrierError('not_found', `${account.company.label} has no parcel ${trackingId}.`)
  const answer = await call(account, 'DELETE', 'parcels/', { tracking: trackingId })
  const row = Array.isArray(answer) ? answer.filter(isRow).find(({ tracking }) => tracking === trackingId) : undefined
  if (row && yes(row.deleted)) return
  if (row) throw new CarrierError('refused', `${account.company.label} only drops parcels that are still in preparation.`)
  const said = wordsIn(answer)
  if (said === undefined) throw unreadable(account, `nothing on parcel ${trackingId}`)
  throw new CarrierError('refused', `${account.company.label} refused: ${said}`, { message: said })
}
