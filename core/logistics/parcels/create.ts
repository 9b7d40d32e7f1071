import { randomBytes } from 'node:crypto'
import type { AdapterRegistry } from '../../../plugins/host/registry.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { parseAmount } from '../../http/body/amount.ts'
import { parseContactPhones } from '../../http/body/phone.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { newId } from '../../lib/ids.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { resolveAddress } from '../../platform/geo/resolve/resolve-address.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { parseParcelAmount } from './amounts.ts'
import { parcelErrors } from './parcels.errors.ts'
import type { NewParcel } from './parcels.model.ts'
import { insertParcel, insertParcelEvents, insertParcels, isReferenceTaken, type ParcelRow, type ParcelValues } from './parcels.queries.ts'
import { presentParcel } from './present.ts'

/** Project and tenant of a new parcel. */
export interface ParcelOwner {
  readonly projectId: string
  readonly tenantId: number
}

/** Creates a parcel from a request. Throws `conflict` for a reference in use, `invalid_phone`, `carrier_not_enabled`. */
export async function createParcel(
  tx: Tx,
  { plugins, ...owner }: ParcelOwner & { readonly plugins: AdapterRegistry },
  input: NewParcel,
  batchId: string | null = null,
): Promise<ParcelRow> {
  const reference = input.reference ?? randomBytes(8).toString('hex').toUpperCase()
  if (input.reference) await assertReferenceFree(tx, owner.projectId, reference)
  if (input.submit && !input.carrierAccountId) throw parcelErrors.requiredToSubmit({ field: ['carrierAccountId'] })
  const { deliveryType = 'home' } = input.destination
  const destination = resolveAddress({ ...input.destination, deliveryType })
  const { projectId, tenantId } = owner
  const carrier = await readCarrierColumns(tx, owner, input.carrierAccountId ?? null)
  const going = { courierId: carrier.courierId, country: destination.country }
  const exact = (value: number, field: string) => decimalText(parseParcelAmount(plugins, going, value, [field]))
  const cod = exact(input.codAmount ?? 0, 'codAmount')
  const parcel = await insertNewParcel(tx, {
    projectId,
    tenantId,
    reference,
    batchId,
    ...carrier,
    recipient: parcelRecipientOf(input.recipient, destination.country),
    destination,
    codAmount: cod,
    declaredValue: input.declaredValue === undefined ? cod : exact(input.declaredValue, 'declaredValue'),
    weightKg: decimalText(parseAmount(input.weightKg ?? 0, ['weightKg'], 4)),
    dimensions: input.dimensions ?? null,
    contents: input.contents ?? '',
    notes: input.notes ?? '',
    metadata: input.metadata ?? {},
  })
  const after = { reference, carrier: parcel.courierId, ...(batchId !== null && { batchId }) }
  await recordAudit(tx, { projectId }, { what: 'parcel.created', thing: parcel.id, after })
  return parcel
}

/** Throws `conflict` when another parcel of the project has this reference. */
export async function assertReferenceFree(tx: Tx, projectId: string, reference: string) {
  if (!(await isReferenceTaken(tx, projectId, reference))) return
  throw parcelErrors.referenceTaken(
    { reference },
    {
      issues: [{ field: ['reference'], message: 'Taken.' }],
    },
  )
}

/** Inserts a new parcel with its timeline entry, and emits `parcel.created`. */
export async function insertNewParcel(tx: Tx, values: ParcelValues & ParcelOwner): Promise<ParcelRow> {
  const parcel = await insertParcel(tx, { ...values, ...initialValues() })
  await recordCreation(tx, [parcel])
  return parcel
}

/** Inserts many new parcels with few statements; all must set the same columns. */
export async function insertNewParcels(tx: Tx, values: readonly (ParcelValues & ParcelOwner)[]): Promise<ParcelRow[]> {
  const parcels = await insertParcels(
    tx,
    values.map((each) => ({ ...each, ...initialValues() })),
  )
  await recordCreation(tx, parcels)
  return parcels
}

const initialValues = () => ({ id: newId('par'), status: 'created', sequence: 1 }) as const

async function recordCreation(tx: Tx, parcels: readonly ParcelRow[]) {
  const entries = parcels.map(({ projectId, id: parcelId, createdAt: at }) => ({
    projectId,
    parcelId,
    id: newId('evt'),
    type: 'created',
    source: 'api',
    at,
    fromStatus: null,
    toStatus: null,
    payload: {},
  }))
  const events = parcels.map((parcel) => ({
    projectId: parcel.projectId,
    type: 'parcel.created' as const,
    data: { parcel: presentParcel(parcel), sequence: 1 },
    orderKey: parcel.id,
  }))
  await Promise.all([insertParcelEvents(tx, entries), emitWebhook(tx, events)])
}

/** Carrier columns for a connection of the project's store. Throws `invalid_request`, `carrier_not_enabled`. */
export async function readCarrierColumns(
  tx: Queryable,
  owner: ParcelOwner,
  connectionId: string | null,
): Promise<Pick<ParcelRow, 'carrierAccountId' | 'courierId'>> {
  if (connectionId === null) return { carrierAccountId: null, courierId: null }
  const connection = await findConnection(tx, { projectId: owner.projectId, id: connectionId })
  if (connection?.kind !== 'carrier') throw parcelErrors.accountUnknown({ field: ['carrierAccountId'] })
  if (!connection.enabled) throw parcelErrors.carrierNotEnabled({ key: connection.key })
  return { carrierAccountId: connection.id, courierId: connection.key }
}

/** Recipient of a parcel with normalized phone numbers. `kept` is its current recipient, whose numbers are not validated again. */
export function parcelRecipientOf(input: NewParcel['recipient'], country: string, kept?: ParcelRow['recipient']): ParcelRow['recipient'] {
  const numbers = parseContactPhones(input, country, { at: ['recipient'], kept: kept ? [kept.phone, kept.phoneAlt] : [] })
  return { name: input.name, ...numbers }
}
