import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { startApp } from '../../../support/app.ts'
import { type CashDesk, cashDesk, findCashDifferences, type Sent } from '../../../support/cash.ts'
import { allOf } from '../../../support/pages.ts'
import { often } from '../../../support/thorough.ts'

const app = await startApp()
await app.person('The administrator')
/** `CASH_RUNS=25` looks longer, `CASH_SEED` repeats a run. */
const RUNS = Number(process.env.CASH_RUNS ?? often({ quick: 3, thorough: 10 }))
const SEED = Number(process.env.CASH_SEED ?? 20_261_127)

/** Everything in centimes, kept the simplest way there is. */
interface Line {
  readonly parcel: Known | null
  readonly amount: number
  readonly fee: number
}
interface Known {
  readonly sent: Sent
  readonly cod: number
  delivered: boolean
  /** The fee that is known while nothing paid it. */
  fee: number
  paid: Payment | null
  /** Payments that were taken back, and by what. */
  taken: { readonly payout: Payout; readonly line: Line; readonly payment: Payment }[]
  charge: { readonly payout: Payout; readonly line: Line } | null
}
interface Payment {
  readonly payout: Payout
  readonly line: Line
  readonly wasDelivered: boolean
  readonly feeThen: number
}
interface Payout {
  readonly id: string
  readonly lines: readonly Line[]
  state: 'draft' | 'confirmed' | 'reversed'
}

const pick = fc.nat({ max: 1000 })
const line = fc.record({
  pick,
  off: fc.constantFrom(0, 0, 0, 1, -1, 12_345),
  fee: fc.constantFrom(0, 40_000, 33_33),
  isUnknown: fc.nat(9).map((n) => n === 0),
  does: fc.constantFrom('pay' as const, 'pay' as const, 'deduct' as const, 'charge' as const),
})
const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), cod: fc.integer({ min: 1, max: 500_000 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('learn' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('payout' as const), lines: fc.array(line, { minLength: 1, maxLength: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('confirm' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

let strangers = 0

class Run {
  readonly parcels: Known[] = []
  readonly payouts: Payout[] = []
  private now = Date.now()

  constructor(readonly desk: CashDesk) {}

  at() {
    this.now += 1000
    return new Date(this.now).toISOString()
  }

  one = <V>(from: readonly V[], at: number) => from[at % from.length]

  async step(todo: Command) {
    if (todo.do === 'send') {
      const sent = await this.desk.send(todo.cod / 100)
      return void this.parcels.push({ sent, cod: todo.cod, delivered: false, fee: 0, paid: null, taken: [], charge: null })
    }
    if (todo.do === 'payout') return this.payout(todo.lines)
    if (todo.do === 'confirm' || todo.do === 'reverse') {
      const payout = this.one(this.payouts, todo.pick)
      return payout && (todo.do === 'confirm' ? this.confirm(payout) : this.reverse(payout))
    }
    const parcel = this.one(this.parcels, todo.pick)
    if (parcel) await this[todo.do](parcel)
  }

  async deliver(parcel: Known) {
    await this.desk.say({ tracking: parcel.sent.trackingId, status: 'delivered', at: this.at() })
    if (parcel.delivered) return
    parcel.delivered = true
    parcel.fee = feeOf(parcel.paid)
  }

  async return(parcel: Known) {
    await this.desk.say({ tracking: parcel.sent.trackingId, status: 'returning', at: this.at() })
    parcel.delivered = false
  }

  /** The carrier says what it keeps, with the name of a payout of its own. */
  async learn(parcel: Known) {
    await this.desk.say({ tracking: parcel.sent.trackingId, payout: 'CARRIER', at: this.at() })
    if (parcel.delivered && !parcel.paid) parcel.fee = CARRIER_FEE
  }

  async payout(asked: readonly { pick: number; off: number; fee: number; isUnknown: boolean; does: 'pay' | 'deduct' | 'charge' }[]) {
    const lines = asked.map(({ pick: at, off, fee, isUnknown, does }): Line => {
      const parcel = isUnknown ? null : (this.one(this.parcels, at) ?? null)
      const amount = Math.max(0, (parcel?.cod ?? 1_000) + off)
      return { parcel, amount: does === 'pay' ? amount : does === 'deduct' ? 0 - amount : 0, fee }
    })
    const named = lines.filter(({ parcel }, at) => !parcel || lines.findIndex((other) => other.parcel === parcel) === at)
    const { id } = await this.desk.payoutOf(
      named.map(({ parcel, amount, fee }) => [parcel?.sent.trackingId ?? `STRANGER-${++strangers}`, amount / 100, fee / 100]),
    )
    this.payouts.push({ id, lines: named, state: 'draft' })
  }

  async confirm(payout: Payout) {
    await this.desk.confirm(payout.id)
    if (payout.state === 'confirmed') return
    payout.state = 'confirmed'
    for (const line of payout.lines) if (line.parcel) settle(line.parcel, line, payout)
  }

  async reverse(payout: Payout) {
    const { status } = await app.call('POST', `${this.desk.base}/encaissements/batches/reverse`, {
      as: this.desk.as,
      body: { batchId: payout.id },
    })
    const isStoodOn = ({ taken, paid }: Known) =>
      taken.some((each) => each.payment.payout === payout || (each.payout === payout && paid !== null))
    const isRefused = payout.state === 'draft' || (payout.state === 'confirmed' && this.parcels.some(isStoodOn))
    expect(status).toBe(isRefused ? 409 : 200)
    if (isRefused || payout.state !== 'confirmed') return
    payout.state = 'reversed'
    for (const parcel of this.parcels) {
      if (parcel.paid?.payout === payout) parcel.paid = null
      if (parcel.charge?.payout === payout) parcel.charge = null
      const undone = parcel.taken.find((each) => each.payout === payout)
      if (!undone) continue
      parcel.taken = parcel.taken.filter((each) => each !== undone)
      parcel.paid = undone.payment
      if (parcel.delivered) parcel.fee = feeOf(parcel.paid)
    }
  }

  /** What should stand on each account. */
  expected() {
    const sum = (of: (parcel: Known) => number) => this.parcels.reduce((total, parcel) => total + of(parcel), 0)
    const strays = this.payouts
      .filter(({ state }) => state === 'confirmed')
      .flatMap(({ lines }) => lines.filter(({ parcel }) => !parcel))
      .reduce((total, { amount, fee }) => total + amount - fee, 0)
    const all = (of: (line: Line) => number) =>
      sum(({ taken, charge }) =>
        taken.reduce((total, { line, payment }) => total + of(line) + of(payment.line), charge ? of(charge.line) : 0),
      )
    return {
      sales: sum(({ delivered, cod }) => (delivered ? cod : 0)),
      received: strays + sum(({ paid }) => (paid ? paid.line.amount - paid.line.fee : 0)) + all(({ amount, fee }) => amount - fee),
      fees:
        sum(({ paid, delivered, fee }) => (paid ? paid.line.fee - (delivered ? 0 : paid.feeThen) : delivered ? fee : 0)) +
        all(({ fee }) => fee),
      differences:
        sum(({ paid, delivered, cod }) => (paid && (paid.wasDelivered || delivered) ? cod - paid.line.amount : 0)) -
        strays -
        all(({ amount }) => amount),
      owed: sum(({ paid, delivered, cod, fee }) => {
        if (delivered) return paid ? 0 : cod - fee
        return paid ? -(paid.wasDelivered ? cod - paid.feeThen : paid.line.amount) : 0
      }),
    }
  }

  async compare() {
    const { sales, received, fees, differences, owed } = await this.desk.get('finance')
    const cents = (value: number) => Math.round(value * 100)
    expect({
      sales: cents(sales),
      received: cents(received),
      fees: cents(fees),
      differences: cents(differences),
      owed: cents(owed),
    }).toEqual(this.expected())
    const { cash } = await this.desk.get('statistics')
    expect(cash).toMatchObject({ collected: sales, owed, fees, received })
    const unpaid = this.parcels.filter(({ delivered, paid }) => delivered && !paid)
    const preview = await allOf<{ parcelId: string; net: number }>(app, `${this.desk.base}/encaissements/preview`, this.desk.as)
    const byId = (rows: [string, number][]) => rows.sort(([a], [b]) => (a < b ? -1 : 1))
    expect(byId(preview.map(({ parcelId, net }) => [parcelId, cents(net)]))).toEqual(
      byId(unpaid.map(({ sent, cod, fee }) => [sent.id, cod - fee])),
    )
  }
}

/** The fee that is known of a claim which a payment settled. */
const feeOf = (payment: Payment | null) => (payment?.wasDelivered ? payment.feeThen : 0)

function settle(parcel: Known, line: Line, payout: Payout) {
  const { paid, delivered, taken, charge } = parcel
  if (line.amount < 0 && paid && -line.amount >= paid.line.amount - paid.line.fee) {
    taken.push({ payout, line, payment: paid })
    parcel.paid = null
  } else if (line.amount < 0 || (line.amount === 0 && (paid || !delivered))) {
    const isKnown = charge !== null || (line.amount < 0 && !paid && taken.length > 0)
    if (!isKnown && line.amount !== line.fee) parcel.charge = { payout, line }
  } else if (!paid) parcel.paid = { payout, line, wasDelivered: delivered, feeThen: delivered ? parcel.fee : 0 }
}

/** What the sandbox keeps of a parcel to El Biar, in centimes. */
const CARRIER_FEE = await (async () => {
  const desk = await cashDesk(app)
  const { trackingId } = await desk.deliver(1000)
  await desk.post('sync/cashin')
  const [owed] = await desk.get('encaissements/preview')
  expect(owed.trackingId).toBe(trackingId)
  return owed.fee * 100
})()

test('any sequence of deliveries, returns, payouts, deductions, confirmations and reversals leaves what the model says', async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
    const run = new Run(await cashDesk(app))
    await run.step({ do: 'send', cod: 250_001 })
    for (const todo of commands) {
      await run.step(todo)
      await run.compare()
    }
    expect(await findCashDifferences(app.context.sql)).toEqual([])
    // What payouts say of themselves comes to what finance says.
    const { received } = await run.desk.get('finance')
    const details = await Promise.all(run.payouts.filter(({ state }) => state === 'confirmed').map(({ id }) => run.desk.batch(id)))
    const stated = details.reduce((total, { totals }) => total + Math.round((totals.received - totals.unposted) * 100), 0)
    expect(stated).toBe(Math.round(received * 100))
  })
  await fc.assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false })
}, 300_000)
