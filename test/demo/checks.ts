import type { CarrierFigures, StockFigures } from './figures.ts'
import type { HookFigures } from './hooks.ts'
import type { Import, ImportedOrder } from './orders.ts'
import type { Receiver } from './receiver.ts'
import type { Sending } from './rehearsals.ts'
import { addsUp, type Check } from './report.ts'
import { DELIVERY } from './shop.ts'
import type { SimulatedDays, Standing } from './simulate-carrier.ts'

export interface Facts {
  readonly rows: number
  readonly imported: Import
  readonly taken: readonly ImportedOrder[]
  readonly connected: boolean
  readonly sending: Sending
  readonly told: readonly SimulatedDays[]
  /** State of each parcel, by tracking number. */
  readonly stands: ReadonlyMap<string, Standing>
  readonly lagging: number
  readonly carriers: readonly CarrierFigures[]
  readonly stock: readonly StockFigures[]
  readonly hooks: HookFigures
  readonly hooksDone: boolean
  readonly seen: Receiver['seen']
}

/** Minimum share of correct addresses among those used without review. */
const ACCURACY = 0.98

const isPriced = ({ row, order: { totals } }: ImportedOrder) =>
  totals.subtotal === row.quantity * row.unitPrice && totals.total === totals.subtotal + DELIVERY[row.deliveryType ?? 'home']

const isSame = (end: Standing, now: Standing | undefined) => now?.status === end.status && now.failures === end.failures

export function checksOf(facts: Facts): Check[] {
  const { imported, sending, told, stands, carriers, stock, hooks, seen } = facts
  const { used, usedRight } = imported.accuracy
  const ends = new Map(told.flatMap((carrier) => [...carrier.ends]))
  const total = (of: (figures: CarrierFigures) => number) => carriers.reduce((sum, figures) => sum + of(figures), 0)
  const so = (name: string, isSo: boolean): Check => ({ name, isSo })
  return [
    so('each row of the spreadsheet became an order or needs attention', imported.taken.length + imported.asking.length === facts.rows),
    so('at least 98 % of the addresses used without review are correct', usedRight >= used * ACCURACY),
    so(
      'a second phone number in a cell became the second phone number of the order',
      facts.taken.every(({ row, order }) => / \/ | - /.test(row.phone) === (order.customer.phoneAlt !== null)),
    ),
    so('the total of each order matches the catalogue and the delivery prices', facts.taken.every(isPriced)),
    so('a repeated request with the same Idempotency-Key creates one order', imported.repeatedIsSame),
    so('both carriers accepted their keys, and Yalidine accepted the callback address', facts.connected),
    so('the outcome of each parcel is known', sending.outcomesKnown),
    so('the rehearsed refusal was reported and left the order unchanged', sending.refusedAsRehearsed),
    so('the server found the parcel whose answer was lost', sending.foundByItself),
    so('no order has two parcels, neither here nor at Yalidine', sending.noneTwice),
    so(
      'each order is sent or refused, and each sent order is delivered, returned or on its way',
      total(({ sent }) => sent) + total(({ refused }) => refused) === facts.taken.length,
    ),
    so(
      'all callbacks were accepted',
      told.every(({ refused }) => refused === 0),
    ),
    so(
      'forged callbacks were rejected with 401',
      told.every(({ forged }) => forged === 401),
    ),
    so(
      'each parcel has the status that its carrier reported last; repeated and late callbacks changed nothing',
      stands.size === ends.size && [...ends].every(([tracking, end]) => isSame(end, stands.get(tracking))),
    ),
    so('the status of each order matches its parcel', facts.lagging === 0),
    ...carriers.map(({ label, cash }) => so(`the cash owed by ${label} matches its delivered parcels`, addsUp(cash) && cash.server > 0)),
    so(
      'the stock of each product adds up',
      stock.every((row) => row.addsUp),
    ),
    so('all webhooks were delivered', facts.hooksDone && hooks.undelivered === 0),
    so('the receiver has exactly the delivered events, all with a valid signature', hooks.sameEvents && seen.forged === 0),
    so('the receiver has all events of each parcel', hooks.incomplete === 0),
    so('the event whose answer failed was delivered again and counted once', seen.dropped === 1 && seen.repeated >= 1),
  ]
}
