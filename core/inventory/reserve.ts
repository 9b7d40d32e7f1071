import { enqueue } from '../data/jobs.ts'
import type { Queryable } from '../data/sql.ts'
import type { Detail } from '../http/errors.ts'
import { type Decimal, decimalNumber } from '../lib/decimal.ts'
import { newId } from '../lib/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { lockFree, type Wanted } from './balances.queries.ts'
import type { Reservation } from './inventory.model.ts'
import { describe, lesser, type Stock, stockConflict } from './ledger.ts'
import { stockChanged } from './record.ts'
import { asReservation, type Held, insertReservation } from './reservations.queries.ts'
import { readQuantity } from './rules.ts'

export { releaseReservation } from './release.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'inventory.expireReservation': { readonly projectId: string; readonly reservationId: string }
  }
}

export interface ReservedLeg {
  readonly namespace: string
  readonly key: string
  readonly quantity: number
  /** Left out: from whichever batches have something free, the oldest first. */
  readonly batch?: string
}

export interface ReserveInput {
  readonly reference?: string | null
  /** Null: holds until it is fulfilled or released. */
  readonly expiresAt: string | null
  readonly legs: readonly ReservedLeg[]
}

/**
 * Sets stock aside, all of it or none. Throws `reserved_stock_conflict`, whose details name each leg that lacks something and how
 * much there is. Emits `inventory.stock.changed` for each balance, because what others can take has changed.
 */
export async function reserve(tx: Queryable, projectId: string, input: ReserveInput): Promise<Reservation> {
  const wanted = input.legs.map((leg, at) => ({
    ...leg,
    at,
    quantity: readQuantity(leg.quantity, `/body/legs/${at}/quantity`),
  }))
  const { balances, at } = await lockFree(tx, projectId, whatToLock(input.legs))
  const { taken, short } = allocate(wanted, [...balances.values()])
  if (short.length > 0) throw stockConflict(short)
  const held = [...taken].map(
    ([stock, quantity], line): Held => ({
      namespace: stock.namespace,
      key: stock.key,
      batch: stock.batch,
      line,
      quantity,
      fulfilled: 0n,
    }),
  )
  const head = {
    id: newId('res'),
    status: 'active' as const,
    reference: input.reference ?? null,
    expiresAt: input.expiresAt,
    createdAt: at,
    updatedAt: at,
  }
  await Promise.all([
    insertReservation(tx, projectId, head, held),
    emit(
      tx,
      [...taken].map(([stock, quantity]) => stockChanged(projectId, { ...stock, reserved: stock.reserved + quantity }, null)),
    ),
    input.expiresAt !== null &&
      enqueue(tx, 'inventory.expireReservation', { projectId, reservationId: head.id }, { runAt: new Date(input.expiresAt) }),
  ])
  return asReservation({ head, isDue: false, held })
}

/** Each item once, with the batches that are asked for: all of them as soon as one leg names none. */
function whatToLock(legs: readonly ReservedLeg[]): Wanted[] {
  return [...Map.groupBy(legs, ({ namespace, key }) => `${namespace}/${key}`).values()].map((same) => ({
    namespace: same[0]!.namespace,
    key: same[0]!.key,
    batches: same.some((leg) => leg.batch === undefined) ? null : same.map((leg) => leg.batch!),
  }))
}

type WantedLeg = Omit<ReservedLeg, 'quantity'> & { readonly quantity: Decimal; readonly at: number }

/** `stocks` are the oldest first. Legs that name their batch are served first: the others can go elsewhere. */
function allocate(legs: readonly WantedLeg[], stocks: readonly Stock[]) {
  const taken = new Map<Stock, Decimal>()
  const short: Detail[] = []
  const named = (leg: WantedLeg) => (leg.batch === undefined ? 1 : 0)
  for (const leg of legs.toSorted((a, b) => named(a) - named(b))) {
    let left = leg.quantity
    for (const stock of stocks) {
      if (stock.namespace !== leg.namespace || stock.key !== leg.key || (leg.batch !== undefined && stock.batch !== leg.batch)) continue
      const free = stock.onHand - stock.reserved - (taken.get(stock) ?? 0n)
      const part = lesser(free, left)
      if (part <= 0n) continue
      taken.set(stock, (taken.get(stock) ?? 0n) + part)
      left -= part
    }
    if (left > 0n) short.push(shortage(leg, left))
  }
  return { taken, short }
}

const shortage = ({ namespace, key, batch, quantity, at }: WantedLeg, left: Decimal): Detail => ({
  path: `/body/legs/${at}/quantity`,
  message: `${describe({ namespace, key, batch: batch ?? '' })} has ${decimalNumber(quantity - left)} free, ${decimalNumber(quantity)} asked.`,
})
