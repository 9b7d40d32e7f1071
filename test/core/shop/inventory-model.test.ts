import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decimal, decimalNumber } from '../../../core/lib/money/decimal.ts'
import { assignUnitCosts } from '../../../core/shop/inventory/operations/assign-unit-costs.ts'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { type Leg, Model, nameOf, type Posted, type Promised, signed } from '../../support/ledger-model.ts'
import { often } from '../../support/thorough.ts'

const { call, shop, context } = await startApp()
const main = await shop()
/** `INVENTORY_RUNS=80` looks longer, `INVENTORY_SEED` repeats a run. */
const RUNS = Number(process.env.INVENTORY_RUNS ?? often({ quick: 12, thorough: 40 }))
const SEED = Number(process.env.INVENTORY_SEED ?? 20_261_127)

const place = fc.record({
  namespace: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('x', 'y', 'z'),
  batch: fc.constantFrom('', 'L1', 'L2'),
})
const amount = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: 99_999 }).map((n) => n / 10_000),
)
const isNamed = fc.boolean()
const someLegs = fc.array(fc.record({ place, amount, isNamed }), { minLength: 1, maxLength: 4 })
const anyLegs = fc.array(fc.record({ place, amount, isNamed, isTaking: fc.boolean() }), { minLength: 1, maxLength: 4 })
const pick = fc.nat({ max: 1000 })
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('receive' as const, 'customer_return' as const), legs: someLegs }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('supplier_return' as const, 'fulfill' as const, 'pos_sale' as const),
      legs: someLegs,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('adjust' as const), legs: anyLegs }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('transfer' as const), legs: someLegs }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('convert' as const),
      from: someLegs,
      to: fc.uniqueArray(fc.record({ place, amount }), {
        minLength: 1,
        maxLength: 3,
        selector: (leg) => leg.place.namespace + leg.place.key,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      legs: fc.array(fc.record({ place, amount, isNamed }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), pick, part: fc.constantFrom(1n, 2n, 3n), inTwo: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

let runs = 0

/** Sends commands to the server and to the model, and holds their outcomes against each other. */
class Run {
  readonly model = new Model()
  constructor(readonly prefix: string) {}

  async send(path: string, body: unknown, expected: string | null) {
    const answer = await call('POST', `/v1/inventory/${path}`, { as: main.key, ...(body !== undefined && { body }) })
    expect(answer.body.error?.code ?? null).toBe(expected)
    return answer.body.data
  }

  async post(type: string, legs: readonly Leg[], more: { note?: string } = {}) {
    const before = this.model.choose(legs.filter((leg) => leg.role !== 'out'))
    const expected = before ? this.model.apply(before, 'reserved_stock_conflict') : 'reserved_stock_conflict'
    const data = await this.send('operations', { type, legs: legs.map(({ follows, ...leg }) => leg), ...more }, expected)
    if (expected || !before) return
    const made = legs
      .filter((leg) => leg.role === 'out')
      .map((leg) => ({ name: nameOf({ ...leg, batch: `CVT-${data.id}` }), quantity: signed(leg) }))
    this.model.apply(made, '')
    this.model.operations.push({ id: data.id, legs: [...before, ...made], isFinal: false })
  }

  async reserve(legs: readonly Leg[]) {
    const taken = this.model.allocate(legs)
    const data = await this.send('reservations', { legs }, taken ? null : 'reserved_stock_conflict')
    if (!taken) return
    expect(data.legs.map((leg: Leg) => [nameOf(leg), decimal(leg.quantity)])).toEqual([...taken])
    for (const [name, quantity] of taken) this.model.rows.get(name)!.reserved += quantity
    this.model.reservations.push({
      id: data.id,
      status: 'active',
      lines: [...taken].map(([name, quantity]) => ({ name, quantity, left: quantity })),
    })
  }

  async release(reservation: Promised) {
    await this.send(
      `reservations/${reservation.id}/release`,
      undefined,
      reservation.status === 'fulfilled' ? 'reservation_not_active' : null,
    )
    if (reservation.status !== 'active') return
    for (const line of reservation.lines) this.model.rows.get(line.name)!.reserved -= line.left
    reservation.status = 'released'
  }

  /** Takes one part in `part` of each line that a reservation still holds; `inTwo`: by two legs each. */
  async take(reservation: Promised, part: bigint, { inTwo }: { readonly inTwo: boolean }) {
    const open = reservation.lines.filter((line) => line.left >= part)
    const parts = open.flatMap((line) => {
      const quantity = line.left / part
      const halves = inTwo && quantity > 1n ? [quantity / 2n, quantity - quantity / 2n] : [quantity]
      return halves.map((half) => ({ line, quantity: half }))
    })
    if (reservation.status === 'active' && parts.length === 0) return
    const legs = (parts.length > 0 ? parts : reservation.lines.map((line) => ({ line, quantity: 1n }))).map(({ line, quantity }) => {
      const [namespace, key, batch] = line.name.split('/')
      return { namespace, key, batch, quantity: -decimalNumber(quantity) }
    })
    const data = await this.send(
      'operations',
      { type: 'fulfill', reservationId: reservation.id, legs },
      reservation.status === 'active' ? null : 'reservation_not_active',
    )
    if (reservation.status !== 'active') return
    for (const { line, quantity } of parts) {
      line.left -= quantity
      this.model.rows.get(line.name)!.reserved -= quantity
      this.model.rows.get(line.name)!.onHand -= quantity
    }
    if (reservation.lines.every((line) => line.left === 0n)) reservation.status = 'fulfilled'
    this.model.operations.push({
      id: data.id,
      legs: parts.map(({ line, quantity }) => ({ name: line.name, quantity: -quantity })),
      isFinal: false,
    })
  }

  async reverse(operation: Posted) {
    const legs = operation.legs.map(({ name, quantity }) => ({ name, quantity: -quantity }))
    const expected = operation.isFinal ? 'operation_not_reversible' : this.model.apply(legs, 'operation_not_reversible')
    const data = await this.send(`operations/${operation.id}/reverse`, undefined, expected)
    if (expected) return
    operation.isFinal = true
    this.model.operations.push({ id: data.id, legs, isFinal: true })
  }

  async step(todo: Command) {
    interface Drawn {
      readonly place: { readonly namespace: string; readonly key: string; readonly batch: string }
      readonly amount: number
      readonly isNamed: boolean
    }
    const leg = ({ place: { batch, ...of }, amount: quantity, isNamed: says }: Drawn, sign = 1): Leg => ({
      ...of,
      key: this.prefix + of.key,
      ...(says && { batch }),
      quantity: sign * quantity,
    })
    const chosen = <V>(from: readonly V[], at: number) => from[at % from.length]
    if (todo.do === 'reserve') return this.reserve(todo.legs.map((one) => leg(one)))
    if (todo.do === 'release' || todo.do === 'take') {
      const reservation = chosen(this.model.reservations, todo.pick)
      if (reservation) return todo.do === 'release' ? this.release(reservation) : this.take(reservation, todo.part, { inTwo: todo.inTwo })
      return
    }
    if (todo.do === 'reverse') {
      const operation = chosen(this.model.operations, todo.pick)
      return operation && this.reverse(operation)
    }
    if (todo.do === 'convert') {
      const out = todo.to.map((one) => ({
        namespace: one.place.namespace,
        key: this.prefix + one.place.key,
        quantity: one.amount,
        role: 'out' as const,
      }))
      return this.post('convert', [...todo.from.map((one) => ({ ...leg(one), role: 'in' as const })), ...out])
    }
    if (todo.do === 'transfer') {
      const other = { a: 'b', b: 'c' } as const
      return this.post(
        'transfer',
        todo.legs.flatMap((one) => [
          leg(one, -1),
          { ...leg(one), namespace: other[one.place.namespace as 'a' | 'b'], ...(!one.isNamed && { follows: true as const }) },
        ]),
      )
    }
    if (todo.do === 'adjust')
      return this.post(
        'adjust',
        todo.legs.map((one) => leg(one, one.isTaking ? -1 : 1)),
        { note: 'counted' },
      )
    const sign = todo.do === 'receive' || todo.do === 'customer_return' ? 1 : -1
    return this.post(
      todo.do,
      todo.legs.map((one) => leg(one, sign)),
    )
  }

  async compare() {
    const found = await context.sql<{ name: string; onHand: string; reserved: string }[]>`
      select concat_ws('/', namespace, key, batch) as name, on_hand, reserved from inventory_balances
      where project_id = ${main.projectId} and starts_with(key, ${this.prefix}) and created_at < 'infinity' order by namespace, key, batch`
    const expected = [...this.model.rows]
      .map(([name, { onHand, reserved }]) => ({ name, onHand, reserved }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const rows = found.map(({ name, onHand, reserved }) => ({
      name,
      onHand: decimal(onHand),
      reserved: decimal(reserved),
    }))
    expect(rows.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected)
    expect(await findDrift(context.sql, main.projectId)).toEqual([])
  }
}

test('any sequence of commands leaves what the model says', async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 60, size: 'max' }), async (commands) => {
    const run = new Run(`r${++runs}-`)
    for (const todo of commands) await run.step(todo)
    await run.compare()
  })
  await fc.assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false })
}, 300_000)

test('a conversion loses and makes no value, whatever does not divide', () => {
  const line = (key: string, quantity: bigint, unitCost: bigint | null, at: number) => ({
    namespace: 'a',
    key,
    batch: '',
    quantity,
    unitCost,
    at,
  })
  const positive = fc.bigInt({ min: 1n, max: 10n ** 10n })
  fc.assert(
    fc.property(fc.array(fc.tuple(positive, positive), { minLength: 1, maxLength: 5 }), positive, (consumed, quantity) => {
      const lines = [...consumed.map(([taken, cost], at) => line(`in${at}`, -taken, cost, at)), line('out', quantity, null, 9)]
      const costed = assignUnitCosts('convert', lines, new Map())
      expect(costed.reduce((sum, { quantity: of, unitCost }) => sum + of * unitCost!, 0n)).toBe(0n)
      expect(costed.filter(({ key }) => key === 'out').reduce((sum, { quantity: of }) => sum + of, 0n)).toBe(quantity)
      expect(costed.every(({ key, quantity: of }) => (key === 'out' ? of > 0n : of < 0n))).toBe(true)
    }),
    { seed: SEED, numRuns: 500 },
  )
})
