import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../../../plugins/carrier/contract.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { parseAmount } from '../../../http/body/amount.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import { type CarrierConnection, openNamedConnection } from '../../../integrations/connections/connection.ts'
import { withCarrierCityName } from '../../../integrations/connections/places/sync-places.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { decimalText } from '../../../lib/money/decimal.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { resolveAddress } from '../../../platform/geo/resolve/resolve-address.ts'
import { parseParcelAmount } from '../amounts.ts'
import { recordBatchOutcome } from '../batch/record-outcomes.ts'
import { type ChangeLease, editUnknownError, resolvesUnknownEdit, withChangeLease } from '../change-lease.ts'
import { assertReferenceFree, parcelRecipientOf, readCarrierColumns } from '../create.ts'
import { followCollected } from '../declared-value.ts'
import { parcelErrors } from '../parcels.errors.ts'
import type { ParcelChange, ParcelResponse } from '../parcels.model.ts'
import { findParcel, lockParcel, type ParcelKey, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'
import { presentParcelResponse } from '../present.ts'
import { shipmentOf } from '../submission/shipment.ts'
import { type AdaptedDestination, adaptDestination } from './adapt.ts'
import { selectCarrierFields } from './carrier-fields.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when the amount that a carrier collects for a parcel changed. */
    'parcel.cod_amount_changed': { parcel: ParcelRow }
  }
}

/** Maximum number of attempts when the parcel changes concurrently. */
const ATTEMPTS_MAX = 5

/** Edits a parcel: freely while it is `created`, later as far as its carrier allows. The carrier accepts the change before it is stored. */
export async function editParcel(
  context: Context,
  owner: { projectId: string; tenantId: number },
  id: string,
  change: ParcelChange,
): Promise<ParcelResponse> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const parcel = await findParcel(context.sql, { projectId: owner.projectId, id })
    if (!parcel) throw notFound('The parcel')
    const answer =
      parcel.status === 'created' ? await editUnsent(context, owner, parcel, change) : await editAtCarrier(context, parcel, change)
    if (answer) return answer
  }
  throw parcelErrors.parcelKeepsChanging()
}

/** Batch result of a parcel that waited for its carrier when the carrier was changed or removed. */
const carrierChangedError = { code: 'conflict', message: 'The carrier of the parcel was changed or removed before it was sent.' }

/** Edits a parcel that no carrier has. Returns undefined when its status, carrier or destination changed meanwhile. */
async function editUnsent(
  context: Context,
  owner: { projectId: string; tenantId: number },
  before: ParcelRow,
  asked: ParcelChange,
): Promise<ParcelResponse | undefined> {
  const { change, warnings } = followCollected(before, asked)
  const carrier: ParcelValues =
    change.carrierAccountId === undefined ? {} : await readCarrierColumns(context.sql, owner, change.carrierAccountId)
  const connectionId = carrier.carrierAccountId === undefined ? before.carrierAccountId : carrier.carrierAccountId
  const connection =
    change.destination && connectionId
      ? await openNamedConnection(context, 'carrier', { projectId: before.projectId, id: connectionId }).catch(() => null)
      : null
  const wanted = changedValues(context, before, change, carrier.courierId)
  const adapted = connection ? await adaptOrThrow(context, connection, wanted.destination ?? before.destination) : unchanged
  return transaction(context.sql, async (tx) => {
    const now = await lockParcel(tx, before)
    if (!now) throw notFound('The parcel')
    const isSame = now.carrierAccountId === before.carrierAccountId && isDeepStrictEqual(now.destination, before.destination)
    if (now.status !== 'created' || !isSame) return undefined
    const { reference = now.reference } = change
    if (reference !== now.reference) await assertReferenceFree(tx, now.projectId, reference)
    const values = {
      ...changedValues(context, now, change, carrier.courierId),
      ...carrier,
      reference,
      ...(adapted.destination && { destination: adapted.destination }),
      // A queued submission was for the previous carrier, as was the last error; both are cleared.
      ...(connectionId !== now.carrierAccountId && { submitAt: null, lastError: null }),
    }
    if (connectionId !== now.carrierAccountId) await recordBatchOutcome(tx, now, 'failed', carrierChangedError)
    const edited = await updateParcel(tx, now, values)
    await auditChange(tx, edited, change)
    return presentParcelResponse(edited, withWarnings(adapted, warnings))
  })
}

/** Edits a parcel at its carrier, and stores what the carrier accepted whatever status changes arrived meanwhile. */
async function editAtCarrier(context: Context, key: ParcelKey, asked: ParcelChange): Promise<ParcelResponse | undefined> {
  const { metadata, ...told } = asked
  const fields = Object.keys(told)
  if (fields.length === 0) return updateOwnFields(context, key, { ...(metadata && { metadata }) })
  return withChangeLease(context, key, fields, async ({ parcel, conclude }) => {
    if (parcel.status === 'created') return undefined
    const connection = parcel.carrierAccountId
      ? await openNamedConnection(context, 'carrier', { projectId: parcel.projectId, id: parcel.carrierAccountId }).catch(() => null)
      : null
    const there = readEditable(connection, parcel, asked)
    const { change, warnings } = followCollected(parcel, asked, there.connection.mounted.carrier)
    const wanted = changedValues(context, parcel, change)
    const carrierFields = selectCarrierFields(there.connection.mounted.carrier, parcel, change, wanted)
    const adapted = wanted.destination ? await adaptOrThrow(context, there.connection, wanted.destination) : unchanged
    const values = { ...wanted, ...(adapted.destination && { destination: adapted.destination }) }
    await sendChange(context, there, carrierFields, { ...parcel, ...values }).catch((failure) => markEditUnknown(conclude, fields, failure))
    return conclude(async (tx, now) => {
      const edited = await updateParcel(tx, now, { ...values, ...(resolvesUnknownEdit(now.lastError, fields) && { lastError: null }) })
      await auditChange(tx, edited, change)
      if (values.codAmount !== undefined) await publish(tx, 'parcel.cod_amount_changed', { parcel: edited })
      return presentParcelResponse(edited, withWarnings(adapted, warnings))
    })
  })
}

/** Records which fields were edited, without their values, which are personal data. */
const auditChange = (tx: Tx, { projectId, id: thing, courierId: carrier }: ParcelRow, change: object) =>
  recordAudit(tx, { projectId }, { what: 'parcel.changed', thing, after: { fields: Object.keys(change), carrier } })

const unchanged: AdaptedDestination = { warnings: [] }
const withWarnings = (adapted: AdaptedDestination, more: AdaptedDestination['warnings']): AdaptedDestination => ({
  ...adapted,
  warnings: [...adapted.warnings, ...more],
})

const adaptOrThrow = (
  context: Context,
  connection: CarrierConnection,
  destination: ParcelRow['destination'],
): Promise<AdaptedDestination> =>
  adaptDestination(context, connection, destination).catch((failure) => Promise.reject(toDomainError(failure)))

/** Updates fields that carriers do not have; these can always change. */
async function updateOwnFields(context: Context, key: ParcelKey, values: ParcelValues): Promise<ParcelResponse> {
  return transaction(context.sql, async (tx) => {
    if (!(await lockParcel(tx, key))) throw notFound('The parcel')
    const edited = await updateParcel(tx, key, values)
    await auditChange(tx, edited, values)
    return presentParcelResponse(edited, unchanged)
  })
}

/**
 * Marks the edited fields as unknown when the carrier did not respond, then throws the failure. Throws `not_found` when the parcel was
 * deleted meanwhile.
 */
async function markEditUnknown(conclude: ChangeLease['conclude'], fields: readonly string[], failure: unknown): Promise<never> {
  if (failure instanceof AdapterFailure && failure.wasSent)
    await conclude((tx, now) => updateParcel(tx, now, { lastError: editUnknownError(fields, now.lastError) }))
  throw toDomainError(failure)
}

function changedValues({ plugins }: Context, parcel: ParcelRow, change: ParcelChange, courierId = parcel.courierId): ParcelValues {
  const { recipient, codAmount, declaredValue, weightKg, dimensions, contents, notes, metadata } = change
  const destination = changedDestination(parcel, change)
  const { country } = destination ?? parcel.destination
  const going = { courierId, country }
  const exact = (value: number, field: string) => decimalText(parseParcelAmount(plugins, going, value, [field]))
  return {
    ...(recipient && { recipient: parcelRecipientOf({ ...parcel.recipient, ...recipient }, country, parcel.recipient) }),
    ...(destination && { destination }),
    ...(codAmount !== undefined && { codAmount: exact(codAmount, 'codAmount') }),
    ...(declaredValue !== undefined && { declaredValue: exact(declaredValue, 'declaredValue') }),
    ...(weightKg !== undefined && { weightKg: decimalText(parseAmount(weightKg, ['weightKg'], 4)) }),
    ...(dimensions !== undefined && { dimensions }),
    ...(contents !== undefined && { contents }),
    ...(notes !== undefined && { notes }),
    ...(metadata && { metadata }),
  }
}

/**
 * Changed destination; undefined when it stays. A pickup point belongs to its city and its carrier: a change of either removes it, unless a
 * new one is named.
 */
function changedDestination(
  { carrierAccountId, destination: before }: ParcelRow,
  change: ParcelChange,
): ParcelRow['destination'] | undefined {
  const { country, stateCode, cityName, address, deliveryType, pickupId } = before
  const { destination: asked, carrierAccountId: next = carrierAccountId } = change
  const place = asked ? resolveAddress({ country, stateCode, cityName, address, deliveryType, pickupId, ...asked }) : before
  const isElsewhere = place.country !== country || place.stateCode !== stateCode || place.cityName !== cityName
  // A pickup point set before the first carrier belongs to that carrier.
  const isLeft = isElsewhere || (carrierAccountId !== null && next !== carrierAccountId)
  if (isLeft && pickupId !== null && asked?.pickupId === undefined) return { ...place, pickupId: null }
  return asked && place
}

/** Parcel at a carrier that accepts changes. */
interface EditableParcel {
  readonly connection: CarrierConnection
  readonly trackingId: string
}

function readEditable(
  connection: CarrierConnection | null,
  parcel: ParcelRow,
  { carrierAccountId, reference }: ParcelChange,
): EditableParcel {
  if (reference !== undefined && reference !== parcel.reference) throw parcelErrors.referenceFixed({ status: parcel.status })
  if (carrierAccountId !== undefined && carrierAccountId !== parcel.carrierAccountId)
    throw parcelErrors.carrierFixed({ field: ['carrierAccountId'] })
  const carrier = connection?.mounted.carrier
  const { trackingId } = parcel
  if (connection && carrier?.edit && carrier.editableIn.includes(parcel.status) && trackingId) return { connection, trackingId }
  throw parcelErrors.parcelNotEditable({ status: parcel.status, label: carrier?.label ?? 'its carrier' })
}

async function sendChange(
  context: Context,
  { connection, trackingId }: EditableParcel,
  fields: readonly (keyof Change)[],
  after: ParcelRow,
) {
  if (fields.length === 0) return
  const shipment = await withCarrierCityName(context, connection, shipmentOf(after))
  const change: Change = Object.fromEntries(fields.map((field) => [field, shipment[field]]))
  await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'edit').edit(adapter, trackingId, change), {
    operation: 'edit',
    parcelIds: [after.id],
  })
}
