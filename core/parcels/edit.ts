import type { Change } from '../../plugins/carrier/contract.ts'
import type { Center, DeliveryType } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { CarrierFailure } from '../gateway/failure.ts'
import { placeOf } from '../geo/place.ts'
import { amount } from '../http/amount.ts'
import { ApiError, invalid, notFound } from '../http/errors.ts'
import { type Account, accountById, asApiError, callCarrier } from '../integrations/call-carrier.ts'
import { inCarrierWords } from '../integrations/sync-places.ts'
import { decimalText } from '../lib/decimal.ts'
import { carrierOf, recipientOf } from './create.ts'
import { distanceToCity } from './nearest.ts'
import type { ParcelAnswer, ParcelChange, Rewritten, Warning } from './parcels.model.ts'
import { findParcelOf, lockParcel, type ParcelRow, type ParcelValues, updateParcel } from './parcels.queries.ts'
import { present } from './present.ts'

/** Edits a parcel: freely while it is `created`, afterwards as far as the carrier can, which is told first. */
export async function editParcel(
  context: Context,
  owner: { projectId: string; tenantId: number },
  id: string,
  change: ParcelChange,
): Promise<ParcelAnswer> {
  const parcel = await findParcelOf(context.sql, owner.projectId, id)
  if (!parcel) throw notFound('The parcel')
  const values = {
    ...valuesOf(parcel, change),
    ...(change.carrierAccountId !== undefined && (await carrierOf(context.sql, owner, change.carrierAccountId, '/body'))),
  }
  const accountId = values.carrierAccountId === undefined ? parcel.carrierAccountId : values.carrierAccountId
  const account = accountId ? await accountById(context, accountId).catch(() => null) : null
  const adapted = change.destination && account ? await adaptDestination(context, account, { ...parcel, ...values }) : { warnings: [] }
  if (adapted.destination) values.destination = adapted.destination
  if (parcel.status !== 'created') await tellCarrier(context, account, parcel, change, values)
  const changed = await transaction(context.sql, async (tx) => {
    const now = await lockParcel(tx, id)
    if (now?.status !== parcel.status) throw new ApiError('conflict', 'The parcel moved meanwhile. Read it again.')
    return updateParcel(tx, id, values)
  })
  const { warnings, rewritten } = adapted
  return { data: present(changed), ...(warnings.length > 0 && { warnings }), ...(rewritten && { destinationRewritten: rewritten }) }
}

function valuesOf(parcel: ParcelRow, change: ParcelChange): ParcelValues {
  const { recipient, destination, codAmount, declaredValue, weightKg, dimensions, contents, notes, metadata } = change
  const { country, stateCode, cityName, address, deliveryType, pickupId } = parcel.destination
  const place = destination
    ? placeOf({ country, stateCode, cityName, address, deliveryType, pickupId, ...destination })
    : parcel.destination
  return {
    ...(recipient && { recipient: recipientOf({ ...parcel.recipient, ...recipient }, place.country, '/body') }),
    ...(destination && { destination: place }),
    ...(codAmount !== undefined && { codAmount: decimalText(amount(codAmount, '/body/codAmount')) }),
    ...(declaredValue !== undefined && { declaredValue: decimalText(amount(declaredValue, '/body/declaredValue')) }),
    ...(weightKg !== undefined && { weightKg: decimalText(amount(weightKg, '/body/weightKg', 4)) }),
    ...(dimensions && { dimensions }),
    ...(contents !== undefined && { contents }),
    ...(notes !== undefined && { notes }),
    ...(metadata && { metadata }),
  }
}

/** After the carrier has it, an edit is an edit there. What is ours alone (metadata) always may change. */
async function tellCarrier(context: Context, account: Account | null, parcel: ParcelRow, change: ParcelChange, values: ParcelValues) {
  const { metadata: _, carrierAccountId, ...told } = change
  if (carrierAccountId !== undefined && carrierAccountId !== parcel.carrierAccountId)
    throw invalid('/body/carrierAccountId', 'Another carrier only while the parcel is created.')
  if (Object.keys(told).length === 0) return
  const carrier = account?.mounted.carrier
  if (!account || !carrier?.edit || !carrier.editableIn.includes(parcel.status) || !parcel.trackingId) {
    throw new ApiError(
      'parcel_not_editable',
      `The parcel is ${parcel.status}; ${carrier?.label ?? 'its carrier'} takes no changes any more.`,
    )
  }
  const after = { ...parcel, ...values }
  const { phoneAlt, ...person } = after.recipient
  const { resolved: _r, stateName, cityCode, pickupId, ...place } = after.destination
  const unified: Change = {
    ...(told.recipient && { recipient: { ...person, ...(phoneAlt && { phoneAlt }) } }),
    ...(told.destination && {
      destination: { ...place, stateName: stateName ?? place.stateCode, ...(cityCode && { cityCode }), ...(pickupId && { pickupId }) },
    }),
    ...(told.codAmount !== undefined && { codAmount: told.codAmount }),
    ...(told.declaredValue !== undefined && { declaredValue: told.declaredValue }),
    ...(told.weightKg !== undefined && { weightKg: told.weightKg }),
    ...(told.contents !== undefined && { contents: told.contents }),
    ...(told.notes !== undefined && { notes: told.notes }),
  }
  const { destination } = unified
  const inItsWords = destination ? await inCarrierWords(context, account, { ...unified, destination }) : unified
  await callCarrier(context, account, (_carrier, adapter) => carrier.edit!(adapter, parcel.trackingId!, inItsWords), {
    operation: 'edit',
    parcelIds: [parcel.id],
  }).catch((error) => Promise.reject(asApiError(error)))
}

export interface Adapted {
  readonly warnings: Warning[]
  readonly destination?: ParcelRow['destination']
  readonly rewritten?: Rewritten
}

/** What the carrier cannot deliver as asked becomes the nearest thing that it can: another delivery type, or the nearest centre. */
export async function adaptDestination(context: Context, account: Account, parcel: Pick<ParcelRow, 'destination'>): Promise<Adapted> {
  const { carrier } = account.mounted
  const { destination } = parcel
  const wanted = destination.deliveryType
  if (carrier.deliveryTypes.includes(wanted) && (wanted !== 'pickup' || destination.pickupId)) return { warnings: [] }
  const warnings: Warning[] = []
  let deliveryType: DeliveryType = wanted
  if (!carrier.deliveryTypes.includes(wanted)) {
    deliveryType = carrier.deliveryTypes[0] ?? 'home'
    warnings.push({
      code: 'delivery_type_unsupported',
      message: `${carrier.label} does not deliver by ${wanted}; the parcel goes by ${deliveryType}.`,
    })
  }
  if (deliveryType !== 'pickup') return { warnings, destination: { ...destination, deliveryType, pickupId: null } }
  const nearest = await nearestCenter(context, account, destination)
  if (!nearest) return { warnings, destination: { ...destination, deliveryType } }
  const from = { stateCode: destination.stateCode, cityName: destination.cityName }
  const to = { stateCode: destination.stateCode, cityName: nearest.center.cityName, pickupId: nearest.center.id }
  return {
    warnings,
    destination: { ...destination, deliveryType, pickupId: nearest.center.id },
    rewritten: { from, to, distanceKm: nearest.distanceKm },
  }
}

async function nearestCenter(context: Context, account: Account, destination: ParcelRow['destination']) {
  const { carrier } = account.mounted
  if (!carrier.centers) return null
  const centers = await callCarrier(
    context,
    account,
    (_carrier, adapter) => carrier.centers!(adapter, { stateId: destination.stateCode }),
    {
      operation: 'centers',
    },
  ).catch((error) => {
    // Only the carrier's own "none" is none; one that cannot be asked now is asked again later.
    if (error instanceof CarrierFailure && (error.reason === 'refused' || error.reason === 'not_found')) return [] as Center[]
    throw asApiError(error)
  })
  const measured = centers.map((center) => ({ center, distanceKm: distanceToCity(destination.cityCode, center) }))
  return measured.sort((a, b) => (a.distanceKm ?? Number.POSITIVE_INFINITY) - (b.distanceKm ?? Number.POSITIVE_INFINITY))[0] ?? null
}
