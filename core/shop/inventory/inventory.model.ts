import { type Static, Type as T } from '@sinclair/typebox'
import { listing } from '../../http/resource/list.ts'
import { exact, Id, List, Nullable, named, oneOf, Quantity, Text, Timestamp } from '../../http/schema.ts'

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

/** Namespaces, keys and batches are any text that a person can write on one line. */
const PART_MAX = 200
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
export const KEY = `^[^${CONTROLS}]{1,${PART_MAX}}$`

export const Namespace = T.String({
  pattern: `^[^/*${CONTROLS}]{1,${PART_MAX}}$`,
  description: 'where it lies: a warehouse, a shop, a courier. Any text without control characters, "/" and "*"',
})
export const Key = T.String({
  pattern: KEY,
  description:
    'what it is: an item key. Any text without control characters. It stands in queries alone, percent-encoded as any other value, never in a path: "." needs nothing',
})
const Batch = T.String({
  pattern: `^[^${CONTROLS}]{0,${PART_MAX}}$`,
  description:
    'a lot with a unit cost of its own; "" is the unnamed one. Left out: what is taken comes from any batch, the oldest first; what is put goes to ""',
})
const UnitCost = T.Number({ minimum: 0, maximum: 1e11, 'x-decimals': 4, description: 'cost of one unit, up to 4 decimals' })
const Reference = T.String({ pattern: '^[^\\u0000]+$', maxLength: 200, description: "the caller's own number for it" })
const Note = T.String({ pattern: '^[^\\u0000]*$', maxLength: 2000 })

const Role = oneOf(['in', 'out'], { description: 'on convert: "in" is consumed, "out" is produced' })

export const NewLeg = named(
  'NewInventoryLeg',
  exact({
    namespace: Namespace,
    key: Key,
    quantity: Quantity,
    batch: T.Optional(Batch),
    unitCost: T.Optional(Nullable(UnitCost)),
    role: T.Optional(Role),
  }),
)
export type NewLeg = Static<typeof NewLeg>

export const NewOperation = named(
  'NewInventoryOperation',
  exact(
    {
      type: oneOf(operationTypes),
      note: T.Optional(Nullable(Note)),
      reference: T.Optional(Nullable(Reference)),
      reservationId: T.Optional(Nullable(Id)),
      legs: T.Array(NewLeg, { minItems: 1, maxItems: LEGS_MAX }),
    },
    {
      description: `receive, customer_return: quantities are positive. supplier_return, fulfill, pos_sale: negative. adjust: any sign, and a note.
transfer: negative at the source, positive at the destination, zero in sum for each (key, batch); the cost goes with the goods. Where neither end names a batch, each batch that is taken arrives as what it was.
convert: positive quantities with a role; what is produced gets the fresh batch CVT-{operation id} and is worth exactly what is consumed. One "out" leg without a unitCost takes what is left; where that does not divide to 4 decimals, its last part goes to the batch CVT-{operation id}-2 at 0.0001 more. Stock of unknown cost counts as worth nothing; if nothing consumed has a known cost, "out" legs without a unitCost stay unknown.
fulfill with a reservationId takes from what that reservation holds; a leg without a batch then takes from whichever batches it holds.
unitCost: on what comes in, the cost of the batch. On what goes out, a check: it must be the cost of the batch.
A batch whose cost is unknown takes the cost of what comes in, and has it from then on: another one is refused with batch_cost_conflict, of a receipt and at the destination of a transfer, also while the batch is empty.
Legs without a batch take from at most 1,000 batches together: limit_reached where it would be more.`,
    },
  ),
)
export type NewOperation = Static<typeof NewOperation>

export const NewReversal = named(
  'NewInventoryReversal',
  exact({ note: T.Optional(Nullable(Note)), reference: T.Optional(Nullable(Reference)) }),
)
export type NewReversal = Static<typeof NewReversal>

export const Movement = named(
  'InventoryMovement',
  T.Object({
    id: Id,
    operationId: Id,
    namespace: T.String(),
    key: T.String(),
    batch: T.String(),
    quantity: T.Number({ description: 'positive for what came, negative for what went' }),
    unitCost: Nullable(T.Number()),
    balanceAfter: T.Number({ description: 'on hand in this balance after this line' }),
    createdAt: Timestamp,
  }),
)
export type Movement = Static<typeof Movement>

const Leg = named(
  'InventoryLeg',
  T.Object({
    namespace: T.String(),
    key: T.String(),
    batch: T.String(),
    quantity: T.Number(),
    unitCost: Nullable(T.Number()),
    role: T.Optional(Role),
  }),
)
export type Leg = Static<typeof Leg>

export const Operation = named(
  'InventoryOperation',
  T.Object({
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
  }),
)
export type Operation = Static<typeof Operation>

export const Balance = named(
  'InventoryBalance',
  T.Object({
    namespace: T.String(),
    key: T.String(),
    batch: T.String(),
    onHand: T.Number(),
    reserved: T.Number(),
    available: T.Number({ description: 'onHand - reserved' }),
    unitCost: Nullable(T.Number()),
  }),
)
export type Balance = Static<typeof Balance>

const NewReservationLeg = named(
  'NewReservationLeg',
  exact({
    namespace: Namespace,
    key: Key,
    quantity: T.Number({ exclusiveMinimum: 0, maximum: 1e11, 'x-decimals': 4, description: 'up to 4 decimals' }),
    batch: T.Optional({ ...Batch, description: 'left out: from whichever batches have free stock, the oldest first' }),
  }),
)

export const NewReservation = named(
  'NewReservation',
  exact(
    {
      reference: T.Optional(Nullable(Reference)),
      ttlSeconds: T.Optional(T.Integer({ minimum: 1, maximum: 31_536_000 })),
      expiresAt: T.Optional(Nullable(Timestamp)),
      legs: T.Array(NewReservationLeg, { minItems: 1, maxItems: LEGS_MAX }),
    },
    {
      description:
        'Either ttlSeconds or expiresAt; with neither it holds until it is fulfilled or released. It holds at most 1,000 batches.',
    },
  ),
)
export type NewReservation = Static<typeof NewReservation>

export const Reservation = named(
  'Reservation',
  T.Object({
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
  }),
)
export type Reservation = Static<typeof Reservation>

const period = {
  from: T.Optional({ ...Timestamp, description: 'at or after this time' }),
  to: T.Optional({ ...Timestamp, description: 'before this time' }),
}

/** Any text is a key, white space too. */
const sought = (maxLength: number) => T.String({ minLength: 1, maxLength })

export const operationList = listing({
  mayBeOld: true,
  isIndexed: true,
  sorts: { createdAt: 'o.created_at' },
  filters: { type: oneOf(operationTypes), reference: sought(200) },
  beside: period,
})

export const movementList = listing({
  mayBeOld: true,
  isIndexed: true,
  sorts: { createdAt: 'created_at' },
  beside: {
    ...period,
    objectId: T.Optional({ ...sought(PART_MAX), description: 'the item key' }),
    holderRef: T.Optional({ ...sought(PART_MAX), description: 'the namespace' }),
    operationId: T.Optional(Id),
  },
})

/** In the order of their addresses. */
export const balanceList = listing({
  sorts: null,
  filters: { namespace: Text(PART_MAX), key: Text(PART_MAX), batch: Text(PART_MAX) },
})

export const Operations = List(Operation)
export const Movements = List(Movement)
export const Balances = List(Balance)
