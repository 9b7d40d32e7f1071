import type { Sql } from '../../../core/data/sql.ts'
import { batchOf, type Crowd, keyOf, oldAccountOf, phoneOf, referenceOf, trackingOf } from './fill.ts'

/** Ids of rows that there are, from all over the table. */
export interface Known {
  readonly parcels: readonly string[]
  readonly operations: readonly string[]
}

/** What is read at an address, or written there. */
export type Asked = string | { readonly path: string; readonly body: object }

const SAMPLE = 200_000

const RECIPIENT = { name: 'Lina', phone: '0550123456' }
const DESTINATION = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue des Tests', deliveryType: 'home' }
const line = (n: number) => ({ namespace: 'main', key: keyOf(n), quantity: 1 })

/** What is written, beside all that there is. */
export const writings: Record<string, (n: number) => Asked> = {
  'a new parcel': () => ({ path: '/v1/parcels', body: { recipient: RECIPIENT, destination: DESTINATION, codAmount: 3200 } }),
  'stock that comes in': (n) => ({ path: '/v1/inventory/operations', body: { type: 'receive', legs: [line(n)] } }),
  'stock that is reserved': (n) => ({ path: '/v1/inventory/reservations', body: { legs: [line(n)] } }),
}

export async function sample(sql: Sql, { projectId, total }: Crowd): Promise<Known> {
  const share = Math.min(100, (110 * SAMPLE) / total)
  const ids = async (table: string) =>
    (
      await sql<
        { id: string }[]
      >`select id from ${sql(table)} tablesample bernoulli (${share}) where project_id = ${projectId} limit ${SAMPLE}`
    ).map(({ id }) => id)
  return { parcels: await ids('parcels'), operations: await ids('inventory_operations') }
}

/** What is asked, of the row of a number. */
export function readings(crowd: Crowd, { parcels, operations }: Known): Record<string, (n: number) => Asked> {
  const parcel = (n: number) => parcels[n % parcels.length] ?? ''
  const operation = (n: number) => operations[n % operations.length] ?? ''
  const of = (query: string) => () => `/v1/parcels?${query}`
  return {
    'a parcel': (n) => `/v1/parcels/${parcel(n)}`,
    'the timeline of a parcel': (n) => `/v1/parcels/${parcel(n)}/events`,
    'a parcel by its reference': (n) => `/v1/parcels?reference=${referenceOf(n)}`,
    'parcels, the newest': of(''),
    'parcels, the oldest': of('sort=createdAt'),
    'parcels, changed last': of('sort=-updatedAt'),
    'parcels, changed first': of('sort=updatedAt'),
    'parcels of a status': of('status=in_transit'),
    'parcels of a rare status': of('status=lost'),
    'parcels of a status, changed last': of('status=returned&sort=-updatedAt'),
    'parcels of a rare status, changed last': of('status=lost&sort=-updatedAt'),
    'parcels on their way, changed first': of('status=in_transit&sort=updatedAt'),
    'parcels of an account': of(`carrierAccountId=${crowd.carrierAccountId}`),
    'parcels of an account of before': of(`carrierAccountId=${oldAccountOf(crowd)}`),
    'parcels of an account of before, changed last': of(`carrierAccountId=${oldAccountOf(crowd)}&sort=-updatedAt`),
    'a parcel by its number': (n) => `/v1/parcels?trackingId=${trackingOf(n)}`,
    'parcels of a batch': (n) => `/v1/parcels?batchId=${batchOf(n)}`,
    'parcels of a phone': (n) => `/v1/parcels?phone=${phoneOf(n)}&limit=1`,
    'parcels, searched': (n) => `/v1/parcels?q=${referenceOf(n)}`,
    'operations, the newest': () => '/v1/inventory/operations',
    'operations, the oldest': () => '/v1/inventory/operations?sort=createdAt',
    'operations of a type': () => '/v1/inventory/operations?type=receive',
    'operations of a type, the oldest': () => '/v1/inventory/operations?type=receive&sort=createdAt',
    'operations of a rare type': () => '/v1/inventory/operations?type=supplier_return',
    'an operation by its reference': (n) => `/v1/inventory/operations?reference=${referenceOf(n)}`,
    'an operation': (n) => `/v1/inventory/operations/${operation(n)}`,
    'movements of an item': (n) => `/v1/inventory/movements?objectId=${keyOf(n)}&limit=5`,
    'movements of an item, the oldest': (n) => `/v1/inventory/movements?objectId=${keyOf(n)}&sort=createdAt&limit=5`,
    'movements of a namespace': () => '/v1/inventory/movements?holderRef=shop',
    'movements of an operation': (n) => `/v1/inventory/movements?operationId=${operation(n)}`,
    balances: () => '/v1/inventory/balances',
  }
}
