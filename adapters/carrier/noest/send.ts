import {
  CarrierError,
  type Row,
  rows,
  type Sent,
  type SentRow,
  type Shipment,
  text,
  translateEach,
  unreadable,
  type Warning,
  wordsIn,
} from 'serai/carrier'
import { create, expectSuccess, LABEL, refusalOf } from './api.ts'
import { noteDrafts, ship } from './drafts.ts'
import type { Context } from './fields.ts'
import { type Translated, translate } from './shipment.ts'

/** Creates a draft, then validates it. Nothing fails after the creation, because a retry would create a second parcel. */
export async function send(context: Context, shipment: Shipment): Promise<Sent> {
  const { reference } = shipment
  const translated = await translate(context, shipment)
  const sent = await validateCreated(context, translated).catch(noteIfUnknown(context, [reference]))
  const drafts = await ship(context, [sent.trackingId])
  return drafts.has(sent.trackingId) ? withDraftWarning(sent) : sent
}

async function validateCreated(context: Context, translated: Translated): Promise<Sent> {
  const sent = sentOf(expectSuccess(await create(context, 'create/order', translated.row)), translated)
  return sent ?? Promise.reject(unreadable(LABEL, `no tracking number for ${translated.row.reference}`))
}

/** For `catch`: notes drafts that may exist after an unknown outcome. */
const noteIfUnknown = (context: Context, references: readonly string[]) => async (error: unknown) => {
  if (!(error instanceof CarrierError) || error.reason === 'unavailable') await noteDrafts(context, references)
  throw error
}

/** Sends parcels: one call to create, one to validate. Untranslatable ones are refused here. */
export async function sendMany(context: Context, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const { ready, refused } = await translateEach(shipments, (shipment) => translate(context, shipment))
  if (ready.length === 0) return refused
  const byReference = new Map(ready.map((translated) => [String(translated.row.reference), translated]))
  const orders = ready.map(({ row }) => row)
  const answered = await create(context, 'create/orders', { orders })
    .then((answer) => rowsOf(answer, byReference))
    .catch(noteIfUnknown(context, [...byReference.keys()]))
  const told = new Set(answered.map(({ reference }) => reference))
  await noteDrafts(
    context,
    [...byReference.keys()].filter((reference) => !told.has(reference)),
  )
  const drafts = await ship(
    context,
    answered.flatMap(({ sent }) => sent?.trackingId ?? []),
  )
  const shipped = answered.map((row) => (row.sent && drafts.has(row.sent.trackingId) ? { ...row, sent: withDraftWarning(row.sent) } : row))
  return [...refused, ...shipped]
}

/**
 * Reads the outcome of each parcel. `passed` is an array, an object by index, or `[]`; `failed` rows name a reference and the error of each
 * field. A parcel in neither has an unknown outcome.
 */
function rowsOf(answer: Row, ready: ReadonlyMap<string, Translated>): SentRow[] {
  const [passed, failed] = [rows(answer.passed), rows(answer.failed)]
  if (passed.length + failed.length === 0) throw answer.success === false ? refusalOf(answer) : unreadable(LABEL, 'nothing on the parcels')
  const outcomes = new Map<string, SentRow>()
  for (const row of [...failed, ...passed.filter(isRefused)]) {
    const reference = String(row.reference)
    outcomes.set(reference, { reference, refused: { code: 'refused', message: wordsIn(row) ?? fieldErrors(row) } })
  }
  // Last, so that an accepted parcel stays accepted if it is also listed as failed.
  for (const row of passed) {
    const reference = String(row.reference)
    const sent = isRefused(row) ? undefined : sentOf(row, ready.get(reference))
    if (sent) outcomes.set(reference, { reference, sent })
  }
  return [...outcomes.values()].filter(({ reference }) => ready.has(reference))
}

const isRefused = (row: Row) => row.success === false

const fieldErrors = ({ reference: _, success: __, ...fields }: Row) =>
  Object.entries(fields)
    .map(([field, faults]) => `${field}: ${[faults].flat().map(String).join(' ')}`)
    .join(' – ')
    .slice(0, 500) || 'it gave no reason'

function sentOf(row: Row, translated?: Translated): Sent | undefined {
  const trackingId = text(row.tracking)
  if (trackingId === undefined) return undefined
  const hub = text(row.regional_hub_name)
  const carrierData = { ...(hub !== undefined && { hub }), ...(row.wilaya_rank != null && { wilayaRank: row.wilaya_rank }) }
  const warnings = translated?.warnings ?? []
  return {
    trackingId,
    ...(Object.keys(carrierData).length > 0 && { carrierData }),
    ...(warnings.length > 0 && { warnings }),
  }
}

const stillDraft: Warning = {
  code: 'still_a_draft',
  message:
    'NOEST has the parcel as a draft, which nobody picks up: it could not be validated. Validate it; the next synchronisation tries too.',
}

const withDraftWarning = (sent: Sent): Sent => ({
  ...sent,
  carrierData: { ...sent.carrierData, draft: true },
  warnings: [...(sent.warnings ?? []), stillDraft],
})
