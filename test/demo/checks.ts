import type { CarrierFigures, StockFigures } from './figures.ts'
import type { HookFigures } from './hooks.ts'
import type { Import, Taken } from './orders.ts'
import type { Receiver } from './receiver.ts'
import type { Sending } from './rehearsals.ts'
import { addsUp, type Check } from './report.ts'
import { DELIVERY } from './shop.ts'
import type { Standing, Told } from './story.ts'

export interface Facts {
  readonly rows: number
  readonly imported: Import
  readonly taken: readonly Taken[]
  readonly connected: boolean
  readonly sending: Sending
  readonly told: readonly Told[]
  /** How each parcel stands, by tracking number. */
  readonly stands: ReadonlyMap<string, Standing>
  readonly lagging: number
  readonly carriers: readonly CarrierFigures[]
  readonly stock: readonly StockFigures[]
  readonly hooks: HookFigures
  readonly hooksDone: boolean
  readonly seen: Receiver['seen']
}

/** At least so much of the addresses that are used without asking must be right. */
const ACCURACY = 0.98

const isPriced = ({ row, order: { totals } }: Taken) =>
  totals.subtotal === row.quantity * row.unitPrice && totals.total === totals.subtotal + DELIVERY[row.deliveryType ?? 'home']

const isSame = (end: Standing, now: Standing | undefined) => now?.status === end.status && now.failures === end.failures

export function checksOf(facts: Facts): Check[] {
  const { imported, sending, told, stands, carriers, stock, hooks, seen } = facts
  const { used, usedRight } = imported.accuracy
  const ends = new Map(told.flatMap((carrier) => [...carrier.ends]))
  const total = (of: (figures: CarrierFigures) => number) => carriers.reduce((sum, figures) => sum + of(figures), 0)
  const so = (name: string, isSo: boolean): Check => ({ name, isSo })
  return [
    so('every row of the sheet became an order or waits for a person', imported.taken.length + imported.asking.length === facts.rows),
    so('98 % or more of the addresses used without asking are right', usedRight >= used * ACCURACY),
    so(
      'a second number in the cell became the second number of the order',
      facts.taken.every(({ row, order }) => / \/ | - /.test(row.phone) === (order.customer.phoneAlt !== null)),
    ),
    so('every order costs what the catalogue and the delivery prices say', facts.taken.every(isPriced)),
    so('the same order under the same Idempotency-Key is one order', imported.repeatedIsSame),
    so('both carriers accepted their keys, and Yalidine our address', facts.connected),
    so('of every parcel it is known whether its carrier took it', sending.outcomesKnown),
    so('the rehearsed refusal was said and left the order as it was', sending.refusedAsRehearsed),
    so('the parcel whose answer was lost was found by itself', sending.foundByItself),
    so('no order has two parcels, here or at Yalidine', sending.noneTwice),
    so(
      'every order is sent or refused, and every sent one delivered, returned or on its way',
      total(({ sent }) => sent) + total(({ refused }) => refused) === facts.taken.length,
    ),
    so(
      'every callback was taken',
      told.every(({ refused }) => refused === 0),
    ),
    so(
      'forged callbacks were refused with 401',
      told.every(({ forged }) => forged === 401),
    ),
    so(
      'every parcel stands where its carrier left it; repeated and late callbacks moved nothing',
      stands.size === ends.size && [...ends].every(([tracking, end]) => isSame(end, stands.get(tracking))),
    ),
    so('every order followed its parcel', facts.lagging === 0),
    ...carriers.map(({ label, cash }) => so(`cash due from ${label} is what its parcels say`, addsUp(cash) && cash.server > 0)),
    so(
      'stock adds up for every product',
      stock.every((row) => row.addsUp),
    ),
    so('all webhooks were delivered', facts.hooksDone && hooks.undelivered === 0),
    so('the receiver has exactly the events that were delivered, all with a right signature', hooks.sameEvents && seen.forged === 0),
    so('of every parcel the receiver has the whole story', hooks.incomplete === 0),
    so('the event whose answer was lost came again and counted once', seen.dropped === 1 && seen.repeated >= 1),
  ]
}
