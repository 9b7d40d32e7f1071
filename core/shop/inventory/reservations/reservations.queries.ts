import type { Queryable, Tx } from '../../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../../lib/money/decimal.ts'
import { rowsParameter } from '../balances.queries.ts'
import type { Reservation, ReservationStatus } from '../inventory.model.ts'
import type { BalanceAddress } from '../operations/ledger.ts'

/** Reservation without its lines. */
export interface ReservationHead {
  readonly id: string
  readonly status: ReservationStatus
  readonly reference: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Line of a reservation: stock of one batch, and how much of it is fulfilled. */
export interface ReservationLine extends BalanceAddress {
  readonly line: number
  readonly quantity: Decimal
  readonly fulfilled: Decimal
}

/** Reservation with its lines. */
export interface ReservationRecord {
  readonly head: ReservationHead
  /** True once its time is over, even if its stock is not freed yet. */
  readonly isDue: boolean
  readonly lines: readonly ReservationLine[]
}

type ReservationLineRow = BalanceAddress & { readonly line: number; readonly quantity: string; readonly fulfilled: string }

const toReservationLine = ({ namespace, key, batch, line, quantity, fulfilled }: ReservationLineRow): ReservationLine => ({
  namespace,
  key,
  batch,
  line,
  quantity: decimal(quantity),
  fulfilled: decimal(fulfilled),
})

/** Presents a reservation. One that is due shows as expired, even before its stock is freed. */
export const presentReservation = ({ head, isDue, lines: held }: ReservationRecord): Reservation => ({
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

/** Inserts a reservation and its lines, and raises the reserved counters, in one statement. The caller has locked the balances. */
export async function insertReservation(
  tx: Tx,
  projectId: string,
  head: ReservationHead,
  held: readonly ReservationLine[],
  { ofOrder }: { readonly ofOrder: boolean },
) {
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
      select * from jsonb_to_recordset(${rowsParameter(tx, projectId, lines)}) as l (project_id text, line integer, namespace text, key text, batch text, quantity numeric)
      where project_id = ${projectId}
    ), raised as (
      update inventory_balances b set reserved = b.reserved + l.quantity from line l
      where b.project_id = l.project_id and b.namespace = l.namespace and b.key = l.key and b.batch = l.batch
    )
    insert into inventory_reservation_lines (project_id, reservation_id, line, namespace, key, batch, quantity)
    select project_id, ${head.id}, line, namespace, key, batch, quantity from line`
}

/**
 * Ends an active reservation and frees the stock it still holds, in one statement. The caller has locked the reservation and those
 * balances.
 */
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

const readHead = (sql: Queryable, projectId: string, id: string, { lock }: { readonly lock: boolean }) => sql<
  (ReservationHead & { isDue: boolean })[]
>`
  select id, status, reference, expires_at, created_at, updated_at, coalesce(expires_at <= clock_timestamp(), false) as is_due
  from inventory_reservations where project_id = ${projectId} and id = ${id} ${lock ? sql`for update` : sql``}`

const readLines = (sql: Queryable, projectId: string, id: string) => sql<ReservationLineRow[]>`
  select line, namespace, key, batch, quantity, fulfilled from inventory_reservation_lines
  where project_id = ${projectId} and reservation_id = ${id} order by line`

async function readReservation(
  sql: Queryable,
  projectId: string,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<ReservationRecord | undefined> {
  const [[row], held] = await Promise.all([readHead(sql, projectId, id, { lock }), readLines(sql, projectId, id)])
  if (!row) return undefined
  const { isDue, ...head } = row
  return { head, isDue, lines: held.map(toReservationLine) }
}

/** Returns true where an order holds the reservation; undefined where there is no such reservation. */
export const isHeldByOrder = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<{ ofOrder: boolean }[]>`select of_order from inventory_reservations where project_id = ${projectId} and id = ${id}`)[0]
    ?.ofOrder

/** Finds a reservation with its lines. Returns undefined where the project has none with this id. */
export const findReservation = (sql: Queryable, projectId: string, id: string) => readReservation(sql, projectId, id, { lock: false })

/** Locks a reservation for update and returns it with its lines. All writers lock reservations before balances. */
export const lockReservation = (tx: Tx, projectId: string, id: string) => readReservation(tx, projectId, id, { lock: true })

/** Lists active reservations of all projects whose time is over, the longest overdue first. */
export const listDueReservations = (sql: Queryable, take: number) => sql<{ projectId: string; id: string }[]>`
  select project_id, id from inventory_reservations where status = 'active' and expires_at <= now() order by expires_at limit ${take}`
