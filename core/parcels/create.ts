import { randomBytes } from 'node:crypto'
import { enqueue } from '../data/jobs.ts'
import type { Queryable } from '../data/sql.ts'
import { placeOf } from '../geo/place.ts'
import { amount } from '../http/amount.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { phoneNumber } from '../http/phone.ts'
import { findAccount } from '../integrations/integrations.queries.ts'
import { decimalText } from '../lib/decimal.ts'
import { newId } from '../lib/ids.ts'
import { emit } from '../webhooks/emit.ts'
import type { NewParcel } from './parcels.model.ts'
import { clearErrors, insertEvent, insertParcel, type ParcelRow, type ParcelValues, referenceTaken } from './parcels.queries.ts'
import { present } from './present.ts'

export interface Owner {
  readonly projectId: string
  readonly tenantId: number
}

/** Makes a parcel from an API call. Throws `conflict` for a taken reference, `invalid_phone`, `carrier_not_enabled`. */
export async function createParcel(
  tx: Queryable,
  owner: Owner,
  input: NewParcel,
  at = '/body',
  batchId: string | null = null,
): Promise<ParcelRow> {
  const reference = input.reference ?? randomBytes(8).toString('hex').toUpperCase()
  if (input.reference && (await referenceTaken(tx, owner.projectId, reference))) {
    throw new ApiError('conflict', `The project has a parcel with the reference "${reference}" already.`, {
      details: [{ path: `${at}/reference`, message: 'Taken.' }],
    })
  }
  if (input.submit && !input.carrierAccountId) throw invalid(`${at}/carrierAccountId`, 'Required to submit.')
  const destination = placeOf(input.destination)
  const { projectId, tenantId } = owner
  const cod = decimalText(amount(input.codAmount, `${at}/codAmount`))
  return insertNew(tx, {
    projectId,
    tenantId,
    reference,
    batchId,
    ...(await carrierOf(tx, owner, input.carrierAccountId ?? null, at)),
    recipient: recipientOf(input.recipient, destination.country, at),
    destination,
    codAmount: cod,
    declaredValue: input.declaredValue === undefined ? cod : decimalText(amount(input.declaredValue, `${at}/declaredValue`)),
    weightKg: decimalText(amount(input.weightKg ?? 0, `${at}/weightKg`, 4)),
    dimensions: input.dimensions ?? null,
    contents: input.contents ?? '',
    notes: input.notes ?? '',
    metadata: input.metadata ?? {},
  })
}

/** Writes a new parcel with its timeline and event. */
export async function insertNew(tx: Queryable, values: ParcelValues & Owner): Promise<ParcelRow> {
  const parcel = await insertParcel(tx, { ...values, id: newId('par'), status: 'created', sequence: 1 })
  const { projectId, id: parcelId, createdAt } = parcel
  await Promise.all([
    insertEvent(tx, {
      projectId,
      parcelId,
      id: newId('evt'),
      type: 'created',
      source: 'api',
      at: createdAt,
      fromStatus: null,
      toStatus: null,
      payload: {},
    }),
    emit(tx, [{ projectId, type: 'parcel.created', data: { parcel: present(parcel), sequence: 1 }, orderKey: parcelId }]),
  ])
  return parcel
}

/** Asks for a sending: what went wrong before is forgotten, so that whoever waits sees only what comes of this one. */
export async function requestSubmission(tx: Queryable, parcelIds: readonly string[]) {
  await clearErrors(tx, parcelIds)
  await enqueueSubmission(tx, parcelIds)
}

export const enqueueSubmission = (tx: Queryable, parcelIds: readonly string[], runAt?: Date) =>
  enqueue(
    tx,
    'parcels.submit',
    { parcelIds: [...parcelIds] },
    { ...(parcelIds.length === 1 && { key: `submit:${parcelIds[0]}` }), ...(runAt && { runAt }) },
  )

/** A connected carrier of the project's store. */
export async function carrierOf(
  tx: Queryable,
  owner: Owner,
  accountId: string | null,
  at: string,
): Promise<Pick<ParcelRow, 'carrierAccountId' | 'courierId'>> {
  if (accountId === null) return { carrierAccountId: null, courierId: null }
  const account = await findAccount(tx, accountId)
  if (!account || account.projectId !== owner.projectId)
    throw invalid(`${at}/carrierAccountId`, 'The project has no such carrier account. See GET /v1/stores/{id}/integrations.')
  if (!account.enabled) throw new ApiError('carrier_not_enabled', `The carrier ${account.key} is not enabled in this store.`)
  return { carrierAccountId: account.id, courierId: account.key }
}

export function recipientOf(input: NewParcel['recipient'], country: string, at: string): ParcelRow['recipient'] {
  return {
    name: input.name,
    phone: phoneNumber(input.phone, country, `${at}/recipient/phone`),
    phoneAlt: input.phoneAlt ? phoneNumber(input.phoneAlt, country, `${at}/recipient/phoneAlt`) : null,
  }
}
