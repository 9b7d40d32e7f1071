import { CarrierError, type Change, foldName, number, type Row, refuse, wholeDinars } from 'serai/carrier'
import { LABEL, write } from './api.ts'
import { type Feed, feedsOf, stageOf } from './feed.ts'
import type { Context } from './fields.ts'
import { kilograms, personOf, placeOf } from './shipment.ts'

/** Fields of a parcel that can be edited. */
export const editable = [
  'recipient',
  'destination',
  'codAmount',
  'weightKg',
  'contents',
  'notes',
] as const satisfies readonly (keyof Change)[]

/** Edits a draft, or requests a change of a validated order, which allows fewer fields. Refuses a change that cannot be sent as a whole. */
export async function edit(context: Context, trackingId: string, change: Change): Promise<void> {
  if (!editable.some((name) => change[name] !== undefined)) return
  const [feed] = await feedsOf(context, [trackingId])
  if (!feed) throw new CarrierError('not_found', `${LABEL} has no parcel ${trackingId}.`)
  const stage = stageOf(feed)
  if (stage === 'away') refuse('on_its_way', 'NOEST has picked the parcel up; ask its hub for changes.')
  const [path, row] =
    stage === 'draft'
      ? ['update/order/before/expedition', await draftChange(context, change)]
      : ['update/order', await changeRequest(context, feed, change)]
  await write(context, path, { tracking: trackingId, ...row })
}

/** Builds the edit of a draft. Its field names differ from those of a creation, and a desk cannot be changed. */
async function draftChange(context: Context, { recipient, destination, codAmount, weightKg, contents, notes }: Change): Promise<Row> {
  if (destination?.deliveryType === 'pickup')
    refuse('bad_change', 'NOEST’s edit of a draft cannot name a desk. Cancel the parcel and send it again.')
  const person = recipient && personOf(recipient)
  const place = destination && (await placeOf(context, destination))
  return {
    ...(person && { client: person.name, tel: person.phone, ...(person.phone2 !== undefined && { tel2: person.phone2 }) }),
    ...(place && { adresse: place.address, wilaya: place.wilayaId, commune: place.commune, stop_desk: 0 }),
    ...(codAmount !== undefined && { montant: wholeDinars(codAmount, 'amount to collect') }),
    ...(weightKg !== undefined && { poids: kilograms(context, weightKg) }),
    ...(contents?.trim() && { product: contents.trim() }),
    ...(notes !== undefined && { remarque: notes.trim() }),
  }
}

/** Builds a change request: phone, address within the wilaya, desk and amount. The second phone cannot be changed. */
async function changeRequest(
  context: Context,
  feed: Feed,
  { recipient, destination, codAmount, weightKg, contents, notes }: Change,
): Promise<Row> {
  if (weightKg !== undefined || contents !== undefined || notes !== undefined)
    refuse('bad_change', 'Once an order is validated, NOEST changes neither weight nor contents nor notes.')
  return {
    ...(recipient && phoneOf(context, feed, recipient)),
    ...(destination && (await newPlace(context, feed, destination))),
    ...(codAmount !== undefined && { montant: wholeDinars(codAmount, 'amount to collect') }),
  }
}

function phoneOf(context: Context, { recipientName = '' }: Feed, recipient: NonNullable<Change['recipient']>): Row {
  const { name, phone, phone2 } = personOf(recipient)
  if (foldName(name) !== foldName(recipientName)) refuse('bad_change', 'Once an order is validated, NOEST changes no recipient’s name.')
  if (phone2 !== undefined) context.log('a second telephone number is no part of a request for changes')
  return { tel: phone }
}

async function newPlace(context: Context, { order }: Feed, destination: NonNullable<Change['destination']>): Promise<Row> {
  const { wilayaId, address, commune, desk } = await placeOf(context, destination)
  const before = number(order.wilaya_id) ?? number(order.wilaya)
  if (before !== wilayaId)
    refuse(
      'bad_change',
      before === undefined
        ? 'NOEST does not say in which wilaya this parcel goes, and cannot change it once validated. Ask its hub.'
        : 'Once an order is validated, NOEST cannot send it to another wilaya. Ask its hub.',
    )
  return desk ? { stop_desk: 1, code_station: desk.code } : { stop_desk: 0, adresse: address, commune }
}
