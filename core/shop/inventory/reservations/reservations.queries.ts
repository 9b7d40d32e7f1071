import type { Queryable, Tx } from '../../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../../lib/money/decimal.ts'
import { rowsOf } from '../balances.queries.ts'
import type { Reservation, ReservationStatus } from '../inventory.model.ts'
import type { Address } from '../operations/ledger.ts'

export interface ReservationHead {
  readonly id: string
  readonly status: ReservationStatus
  readonly reference: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Held extends Address {
  readonly line: number
  readonly quantity: Decimal
  readonly fulfilled: Decimal
}

export interface HeldReservation {
  readonly head: ReservationHead
  /** Its time is over, whether or not its stock was given back yet. */
  readonly isDue: boolean
  readonly held: readonly Held[]
}

type HeldRow = Address & { readonly line: number; readonly quantity: string; readonly fulfilled: string }

const toHeld = ({ namespace, key, batch, line, quantity, fulfilled }: HeldRow): Held => ({
  namespace,
  key,
  batch,
  line,
  quantity: decimal(quantity),
  fulfilled: decimal(fulfilled),
})

/** One that is due is expired for everybody who asks, also before its stock is given back. */
export const asReservation = ({ head, isDue, held }: HeldReservation): Reservation => ({
  id: head.id,
  status: isDue && head.status === 'active' ? 'expired' : head.status,
  reference: head.reference,
  expiresAt: head.expiresAt,
  createdAt: head.createdAt,
  updatedAt: head.updatedAt,
  legs: held.map(({ namespace, key, batch, quantity, fulfilled }) => ({
    namespace,
    key,
    batch,
    quantity: decimalNumber(quantity),
    fulfilled: decimalNumber(fulfilled),
  })),
})

/** The reservation, its lines and the reserved counters that they raise, in one statement. The balances must be locked. */
export async function insertReservation(tx: Tx, projectId: string, head: ReservationHead, held: readonly Held[], ofOrder: boolean) {
  const lines = held.map(({ line, namespace, key, batch, quantity }) => ({
    line,
    namespace,
    key,
    batch,
    quantity: decimalText(quantity),
  }))
  await tx`
    with made as (
      insert into inventory_reservations (project_id, id, status, reference, expires_at, created_at, updated_at, of_order)
      values (${projectId}, ${head.id}, ${head.status}, ${head.reference}, ${head.expiresAt}, ${head.createdAt}, ${head.updatedAt}, ${ofOrder})
    ), line as (
      select * from jsonb_to_recordset(${rowsOf(tx, projectId, lines)}) as l (project_id text, line integer, namespace text, key text, batch text, quantity numeric)
      where project_id = ${projectId}
    ), raised as (
      update inventory_balances b set reserved = b.reserved + l.quantity from line l
      where b.project_id = l.project_id and b.namespace = l.namespace and b.key = l.key and b.batch = l.batch
    )
    insert into inventory_reservation_lines (project_id, reservation_id, line, namespace, key, batch, quantity)
    select project_id, ${head.id}, line, namespace, key, batch, quantity from line`
}

/** Ends a reservation and gives back what it still holds, in one statement. The reservation and those balances must be locked. */
export async function closeReservation(tx: Tx, projectId: string, id: string, status: 'released' | 'expired', at: string) {
  await tx`
    with ended as (
      update inventory_reservations set status = ${status}, updated_at = ${at} where project_id = ${projectId} and id = ${id} and status = 'active' returning id
    )
    update inventory_balances b set reserved = b.reserved - l.open
    from (select namespace, key, batch, sum(quantity - fulfilled) as open from inventory_reservation_lines
      where project_id = ${projectId} and reservation_id = (select id from ended) and quantity > fulfilled group by namespace, key, batch) l
    where b.project_id = ${projectId} and b.namespace = l.namespace and b.key = l.key and b.batch = l.batch`
}

const read = (sql: Queryable, projectId: string, id: string, lock: boolean) => sql<(ReservationHead & { isDue: boolean })[]>`
  select id, status, reference, expires_at, created_at, updated_at, coalesce(expires_at <= clock_timestamp(), false) as is_due
  from inventory_reservations where project_id = ${projectId} and id = ${id} ${lock ? sql`for update` : sql``}`

const readHeld = (sql: Queryable, projectId: string, id: string) => sql<HeldRow[]>`
  select line, namespace, key, batch, quantity, fulfilled from inventory_reservation_lines
  where project_id = ${projectId} and reservation_id = ${id} order by line`

async function readWhole(sql: Queryable, projectId: string, id: string, lock: boolean): Promise<HeldReservation | undefined> {
  const [[row], held] = await Promise.all([read(sql, projectId, id, lock), readHeld(sql, projectId, id)])
  if (!row) return undefined
  const { isDue, ...head } = row
  return { head, isDue, held: held.map(toHeld) }
}

/** Whether an order holds it; undefined where there is none. */
export const isOfOrder = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<{ ofOrder: boolean }[]>`select of_order from inventory_reservations where project_id = ${projectId} and id = ${id}`)[0]
    ?.ofOrder

export const findReservation = (sql: Queryable, projectId: string, id: string) => readWhole(sql, projectId, id, false)

/** Reservations are locked before balances, by everybody. */
export const lockReservation = (tx: Tx, projectId: string, id: string) => readWhole(tx, projectId, id, true)

export const listDueReservations = (sql: Queryable, take: number) => sql<{ projectId: string; id: string }[]>`
  select project_id, id from inventory_reservations where status = 'active' and expires_at <= now() order by expires_at limit ${take}`
