import { type Static, Type as T } from '@sinclair/typebox'
import { defineList } from '../../http/resource/list.ts'
import { exact, Id, List, Nullable, named, oneOf, Quantity, Text, Timestamp } from '../../http/schema.ts'

/** Types of operations. Each has rules for its legs. */
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
/** One of {@link operationTypes}. */
export type OperationType = (typeof operationTypes)[number]

/** Statuses of a reservation. Only an `active` one holds stock. */
export const reservationStatuses = ['active', 'fulfilled', 'released', 'expired'] as const
/** One of {@link reservationStatuses}. */
export type ReservationStatus = (typeof reservationStatuses)[number]

/** Legs of one operation or reservation. */
const LEGS_MAX = 200

/** Characters of a namespace, key or batch, each any text on one line. */
const PART_MAX = 200
const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f'
/** Pattern of an inventory key. */
export const KEY_PATTERN = `^[^${CONTROL_CHARACTERS}]{1,${PART_MAX}}$`

/** Place where stock lies. */
export const Namespace = T.String({
  pattern: `^[^/*${CONTROL_CHARACTERS}]{1,${PART_MAX}}$`,
  description: 'place of the stock: a warehouse, a shop, a courier. Any text without control characters, "/" and "*"',
})
/** Key of an item. */
export const Key = T.String({
  pattern: KEY_PATTERN,
  description: 'item key: any text without control characters. Routes accept it in queries only, percent-encoded like any other value',
})
const Batch = T.String({
  pattern: `^[^${CONTROL_CHARACTERS}]{0,${PART_MAX}}$`,
  description:
    'a lot with its own unit cost; "" is the unnamed one. By default, stock is taken from any batch, oldest first, and put into ""',
})
const UnitCost = T.Number({ minimum: 0, maximum: 1e11, 'x-decimals': 4, description: 'cost of one unit, up to 4 decimals' })
const Reference = T.String({ pattern: '^[^\\u0000]+$', maxLength: 200, description: "the caller's own number for it" })
const Note = T.String({ pattern: '^[^\\u0000]*$', maxLength: 2000 })

const Role = oneOf(['in', 'out'], { description: 'side of a conversion' })

/** Leg of an operation in a request. */
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
/** Type of {@link NewLeg}. */
export type NewLeg = Static<typeof NewLeg>

/** Body that posts an operation. */
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
      description: `receive, customer_return: quantities are positive. supplier_return, fulfill, pos_sale: negative. adjust: any sign, with a note.
transfer: negative at the source, positive at the destination, with a sum of zero for each (key, batch). The unit cost moves with the stock. If neither end names a batch, each batch taken arrives under its own name.
convert: positive quantities with a role. Produced stock gets the new batch CVT-{operation id} and has exactly the value of the consumed stock. One "out" leg without a unitCost receives the remaining value; if that does not divide to 4 decimals, its last part goes to the batch CVT-{operation id}-2 at 0.0001 more. Stock of unknown cost has no value; if no consumed stock has a known cost, "out" legs without a unitCost stay unknown.
fulfill with a reservationId takes from the stock of that reservation; a leg without a batch then takes from any of its batches.
unitCost: for incoming stock, the cost of the batch. For outgoing stock, a check: it must equal the cost of the batch.
A batch of unknown cost gets the cost of the first incoming stock and keeps it. Another cost is refused with batch_cost_conflict, for receipts and for destinations of transfers, even while the batch is empty.
Legs without a batch take from at most 1,000 batches together; more is refused with limit_reached.`,
    },
  ),
)
/** Type of {@link NewOperation}. */
export type NewOperation = Static<typeof NewOperation>

/** Body that reverses an operation. */
export const NewReversal = named(
  'NewInventoryReversal',
  exact({ note: T.Optional(Nullable(Note)), reference: T.Optional(Nullable(Reference)) }),
)
/** Type of {@link NewReversal}. */
export type NewReversal = Static<typeof NewReversal>

/** Ledger line: the change of one balance by an operation. */
export const Movement = named(
  'InventoryMovement',
  T.Object({
    id: Id,
    operationId: Id,
    namespace: T.String(),
    key: T.String(),
    batch: T.String(),
    quantity: T.Number({ description: 'positive for incoming stock, negative for outgoing stock' }),
    unitCost: Nullable(T.Number()),
    balanceAfter: T.Number({ description: 'on hand in this balance after this line' }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Movement}. */
export type Movement = Static<typeof Movement>

/** Leg of an operation as it was posted. */
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
/** Type of {@link Leg}. */
export type Leg = Static<typeof Leg>

/** Operation with its legs and movements. */
export const Operation = named(
  'InventoryOperation',
  T.Object({
    id: Id,
    type: oneOf(operationTypes),
    note: Nullable(T.String()),
    reference: Nullable(T.String()),
    reservationId: Nullable(Id),
    reversesId: Nullable(T.String({ description: 'the operation that this one reverses; both have the same type' })),
    reversedById: Nullable(T.String({ description: 'the reversal of this operation' })),
    createdAt: Timestamp,
    legs: T.Array(Leg),
    movements: T.Array(Movement),
  }),
)
/** Type of {@link Operation}. */
export type Operation = Static<typeof Operation>

/** Stock of one batch of an item in a namespace. */
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
/** Type of {@link Balance}. */
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

/** Body that reserves stock. */
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
        'Send either ttlSeconds or expiresAt; with neither, the reservation lasts until it is fulfilled or released. It holds at most 1,000 batches.',
    },
  ),
)
/** Type of {@link NewReservation}. */
export type NewReservation = Static<typeof NewReservation>

/** Reservation with the batches whose stock it holds. */
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
        fulfilled: T.Number({ description: 'part of quantity that fulfill operations have taken' }),
      }),
      { description: 'by the batches that hold the stock' },
    ),
  }),
)
/** Type of {@link Reservation}. */
export type Reservation = Static<typeof Reservation>

const period = {
  from: T.Optional({ ...Timestamp, description: 'at or after this time' }),
  to: T.Optional({ ...Timestamp, description: 'before this time' }),
}

/** Creates the schema of a key to search for. Any text is a key, white space too. */
const searchedText = (maxLength: number) => T.String({ minLength: 1, maxLength })

/** Sorts and filters of the list of operations. */
export const operationList = defineList({
  mayBeOld: true,
  isIndexed: true,
  sorts: { createdAt: 'o.created_at' },
  filters: { type: oneOf(operationTypes), reference: searchedText(200) },
  extraParameters: period,
})

/** Sorts and filters of the list of movements. */
export const movementList = defineList({
  mayBeOld: true,
  isIndexed: true,
  sorts: { createdAt: 'created_at' },
  extraParameters: {
    ...period,
    objectId: T.Optional({ ...searchedText(PART_MAX), description: 'the item key' }),
    holderRef: T.Optional({ ...searchedText(PART_MAX), description: 'the namespace' }),
    operationId: T.Optional(Id),
  },
})

/** Filters of the list of balances, which is ordered by their addresses. */
export const balanceList = defineList({
  sorts: null,
  filters: { namespace: Text(PART_MAX), key: Text(PART_MAX), batch: Text(PART_MAX) },
})

/** Page of operations. */
export const Operations = List(Operation)
/** Page of movements. */
export const Movements = List(Movement)
/** Page of balances. */
export const Balances = List(Balance)
