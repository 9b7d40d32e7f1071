import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, List, Nullable, oneOf, pageQuery, Quantity, Text, Timestamp } from '../http/schema.ts'

export const operationTypes = [
  'receive',
  'supplier_return',
  'transfer',
  'convert',
  'fulfill',
  'pos_sale',
  'customer_return',
  'adjust',
] as const
export type OperationType = (typeof operationTypes)[number]

export const reservationStatuses = ['active', 'fulfilled', 'released', 'expired'] as const
export type ReservationStatus = (typeof reservationStatuses)[number]

export const LEGS_MAX = 200

const Namespace = T.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'where it lies: a warehouse, a shop, a courier',
})
const Key = T.String({
  pattern: '^[^/\\u0000-\\u001f\\u007f]{1,120}$',
  description: 'what it is: an item key, without "/"',
})
const Batch = T.String({
  pattern: '^[^\\u0000-\\u001f\\u007f]{0,120}$',
  description: 'a lot with a unit cost of its own; "" where none is named',
})
const UnitCost = T.Number({ minimum: 0, maximum: 1e11, description: 'cost of one unit, up to 4 decimals' })
const Reference = T.String({ pattern: '^[^\\u0000]+$', maxLength: 200, description: "the caller's own number for it" })
const Note = T.String({ pattern: '^[^\\u0000]*$', maxLength: 2000 })

const Role = oneOf(['in', 'out'], { description: 'on convert: "in" is consumed, "out" is produced' })

export const NewLeg = exact({
  namespace: Namespace,
  key: Key,
  quantity: Quantity,
  batch: T.Optional(Batch),
  unitCost: T.Optional(Nullable(UnitCost)),
  role: T.Optional(Role),
})
export type NewLeg = Static<typeof NewLeg>

export const NewOperation = exact(
  {
    type: oneOf(operationTypes),
    note: T.Optional(Nullable(Note)),
    reference: T.Optional(Nullable(Reference)),
    reservationId: T.Optional(Nullable(Id)),
    legs: T.Array(NewLeg, { minItems: 1, maxItems: LEGS_MAX }),
  },
  {
    description: `receive, customer_return: quantities are positive. supplier_return, fulfill, pos_sale: negative. adjust: any sign, and a note.
transfer: negative at the source, positive at the destination, zero in sum for each (key, batch); the cost goes with the goods, and the destination holds the weighted average if its stock of that batch cost something else.
convert: positive quantities with a role; what is produced gets the fresh batch CVT-{operation id} and is worth exactly what is consumed. One "out" leg without a unitCost takes what is left; where that does not divide to 4 decimals, its last part goes to the batch CVT-{operation id}-2 at 0.0001 more. Stock of unknown cost counts as worth nothing; if nothing consumed has a known cost, "out" legs without a unitCost stay unknown.
fulfill with a reservationId takes from what that reservation holds; a leg without a batch then takes from whichever batches it holds.
unitCost: on what comes in, the cost of the batch: refused with batch_cost_conflict if stock of that batch has another. On what goes out, a check: it must be the cost of the batch.
A batch that is empty, or whose cost is unknown, takes the cost of what comes in.`,
  },
)
export type NewOperation = Static<typeof NewOperation>

export const NewReversal = exact({ note: T.Optional(Nullable(Note)), reference: T.Optional(Nullable(Reference)) })
export type NewReversal = Static<typeof NewReversal>

export const Movement = T.Object({
  id: Id,
  operationId: Id,
  namespace: T.String(),
  key: T.String(),
  batch: T.String(),
  quantity: T.Number({ description: 'positive for what came, negative for what went' }),
  unitCost: Nullable(T.Number()),
  balanceAfter: T.Number({ description: 'on hand in this balance after this line' }),
  createdAt: Timestamp,
})
export type Movement = Static<typeof Movement>

const Leg = T.Object({
  namespace: T.String(),
  key: T.String(),
  batch: T.String(),
  quantity: T.Number(),
  unitCost: Nullable(T.Number()),
  role: T.Optional(Role),
})
export type Leg = Static<typeof Leg>

export const Operation = T.Object({
  id: Id,
  type: oneOf(operationTypes),
  note: Nullable(T.String()),
  reference: Nullable(T.String()),
  reservationId: Nullable(Id),
  reversesId: Nullable(T.String({ description: 'the operation that this one takes back; a reversal has the type of what it reverses' })),
  reversedById: Nullable(T.String({ description: 'the reversal of this operation' })),
  createdAt: Timestamp,
  legs: T.Array(Leg),
  movements: T.Array(Movement),
})
export type Operation = Static<typeof Operation>

export const Balance = T.Object({
  namespace: T.String(),
  key: T.String(),
  batch: T.String(),
  onHand: T.Number(),
  reserved: T.Number(),
  available: T.Number({ description: 'onHand - reserved' }),
  unitCost: Nullable(T.Number()),
})
export type Balance = Static<typeof Balance>

const NewReservationLeg = exact({
  namespace: Namespace,
  key: Key,
  quantity: T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'up to 4 decimals' }),
  batch: T.Optional({ ...Batch, description: 'left out: from whichever batches have free stock, the oldest first' }),
})

export const NewReservation = exact(
  {
    reference: T.Optional(Nullable(Reference)),
    ttlSeconds: T.Optional(T.Integer({ minimum: 1, maximum: 31_536_000 })),
    expiresAt: T.Optional(Nullable(Timestamp)),
    legs: T.Array(NewReservationLeg, { minItems: 1, maxItems: LEGS_MAX }),
  },
  { description: 'Either ttlSeconds or expiresAt; with neither it holds until it is fulfilled or released.' },
)
export type NewReservation = Static<typeof NewReservation>

export const Reservation = T.Object({
  id: Id,
  status: oneOf(reservationStatuses),
  reference: Nullable(T.String()),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  legs: T.Array(
    T.Object({
      namespace: T.String(),
      key: T.String(),
      batch: T.String(),
      quantity: T.Number(),
      fulfilled: T.Number({ description: 'how much of quantity has been taken by fulfill operations' }),
    }),
    { description: 'by the batches that hold the stock' },
  ),
})
export type Reservation = Static<typeof Reservation>

const period = {
  from: T.Optional({ ...Timestamp, description: 'at or after this time' }),
  to: T.Optional({ ...Timestamp, description: 'before this time' }),
}

export const OperationQuery = T.Object({
  ...pageQuery,
  ...period,
  type: T.Optional(oneOf(operationTypes)),
  reference: T.Optional(Text(200, 1)),
})
export type OperationQuery = Static<typeof OperationQuery>

export const MovementQuery = T.Object({
  ...pageQuery,
  ...period,
  objectId: T.Optional({ ...Text(120, 1), description: 'the item key' }),
  holderRef: T.Optional({ ...Text(64, 1), description: 'the namespace' }),
  operationId: T.Optional(Id),
})
export type MovementQuery = Static<typeof MovementQuery>

export const BalanceQuery = T.Object({
  ...pageQuery,
  namespace: T.Optional(Text(64)),
  key: T.Optional(Text(120)),
  batch: T.Optional(Text(120)),
})
export type BalanceQuery = Static<typeof BalanceQuery>

export const Operations = List(Operation)
export const Movements = List(Movement)
export const Balances = List(Balance)
