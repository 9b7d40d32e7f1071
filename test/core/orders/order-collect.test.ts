import { expect, test } from 'bun:test'
import { decimal, decimalText } from '../../../core/lib/money/decimal.ts'
import type { LineRow, OrderRow } from '../../../core/orders/orders.queries.ts'
import { codAmountOfNewPart, recalculateCodAmounts } from '../../../core/orders/parcels/collected-amounts.ts'
import { amountDueOf } from '../../../core/orders/parcels/parcel-values.ts'
import { type DividedOrder, type OrderPart, remainingOf } from '../../../core/orders/split/divided-order.ts'
import { random } from '../../support/random.ts'

const ORDERS = 500

/** Amounts with centimes, discounts that divide by nothing, money that was paid before. */
function anOrder(draw: (below: number) => number): DividedOrder {
  const lines = Array.from({ length: 1 + draw(4) }, () => ({ quantity: 1 + draw(5), unitPrice: `${draw(5000)}.${draw(100)}` }))
  const subtotal = lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)
  const delivery = decimal(draw(3) * 350)
  const discount = (subtotal * BigInt(draw(4))) / 7n
  const total = subtotal + delivery - discount
  const paid = draw(3) === 0 ? (total * BigInt(draw(5))) / 4n : 0n
  const texts = { subtotal, delivery, discount, total, paid }
  const order = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, decimalText(value)]))
  return { order: order as unknown as OrderRow, lines: lines as unknown as LineRow[], parts: [] }
}

function sendAll(divided: DividedOrder, draw: (below: number) => number): DividedOrder {
  let now = divided
  for (let id = 0; remainingOf(now).length > 0; id += 1) {
    const some = remainingOf(now).flatMap(({ line, quantity }) => {
      const taken = draw(quantity + 1)
      return taken > 0 ? [{ line, quantity: taken, back: 0 }] : []
    })
    if (some.length === 0) continue
    const codAmount = decimalText(codAmountOfNewPart(now, some, null))
    const part = { id: `${id}`, codAmount: null, lines: some, parcel: { codAmount, status: draw(2) === 0 ? 'created' : 'submitted' } }
    now = { ...now, parts: [...now.parts, part as unknown as OrderPart] }
  }
  return now
}

const collected = ({ parts }: DividedOrder) => parts.reduce((sum, { parcel }) => sum + decimal(parcel!.codAmount), 0n)

test(`what the parcels of ${ORDERS} orders collect comes to what each has left to collect, also when it comes to less meanwhile`, () => {
  const draw = random(20_261_123)
  for (let at = 0; at < ORDERS; at += 1) {
    const sent = sendAll(anOrder(draw), draw)
    expect(collected(sent)).toBe(amountDueOf(sent.order))
    expect(sent.parts.every(({ parcel }) => decimal(parcel!.codAmount) >= 0n)).toBe(true)
    const waiting = sent.parts.filter(({ parcel }) => parcel!.status === 'created')
    const there = collected({ ...sent, parts: sent.parts.filter((part) => !waiting.includes(part)) })
    // Somebody pays for all but one unit of what no carrier collects yet.
    const order = { ...sent.order, paid: decimalText(decimal(sent.order.total) - there - (waiting.length > 0 ? decimal(1) : 0n)) }
    if (decimal(order.paid) < 0n) continue
    const amounts = recalculateCodAmounts({ ...sent, order })
    expect([...amounts.keys()]).toEqual(waiting.map(({ id }) => id))
    const parts = sent.parts.map((part) => ({
      ...part,
      parcel: { ...part.parcel!, codAmount: amounts.get(part.id) ?? part.parcel!.codAmount },
    }))
    if (waiting.length > 0) expect(collected({ ...sent, parts })).toBe(amountDueOf(order))
  }
})
