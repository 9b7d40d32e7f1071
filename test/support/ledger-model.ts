import { decimal } from '../../core/lib/money/decimal.ts'

/** What the ledger should hold, in whole ten-thousandths, kept the simplest way there is. */
interface Row {
  onHand: bigint
  reserved: bigint
  readonly age: number
}
export interface Leg {
  readonly namespace: string
  readonly key: string
  readonly batch?: string
  readonly quantity: number
  readonly role?: 'in' | 'out'
  /** Puts what a transfer takes from any batch. */
  readonly follows?: true
}
interface Move {
  readonly name: string
  readonly quantity: bigint
}
export interface Posted {
  readonly id: string
  readonly legs: { name: string; quantity: bigint }[]
  isFinal: boolean
}
export interface Promised {
  readonly id: string
  status: string
  readonly lines: { name: string; quantity: bigint; left: bigint }[]
}

export const nameOf = (leg: { namespace: string; key: string; batch?: string }) => `${leg.namespace}/${leg.key}/${leg.batch ?? ''}`

export const signed = (leg: Leg) => (leg.role === 'in' ? -decimal(leg.quantity) : decimal(leg.quantity))

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

export class Model {
  readonly rows = new Map<string, Row>()
  readonly operations: Posted[] = []
  readonly reservations: Promised[] = []
  private age = 0

  /** The error code that the moves must be refused with, or null after making them. */
  apply(moves: readonly { name: string; quantity: bigint }[], refusal: string): string | null {
    const sums = new Map<string, bigint>()
    for (const { name, quantity } of moves) sums.set(name, (sums.get(name) ?? 0n) + quantity)
    for (const [name, sum] of sums) {
      const row = this.rows.get(name) ?? { onHand: 0n, reserved: 0n }
      if (row.onHand + sum < row.reserved) return refusal
    }
    this.age += 1
    for (const { name, quantity } of moves)
      if (quantity > 0n && !this.rows.has(name)) this.rows.set(name, { onHand: 0n, reserved: 0n, age: this.age })
    for (const [name, sum] of sums) if (this.rows.has(name)) this.rows.get(name)!.onHand += sum
    return null
  }

  /** The moves of an operation's legs, with batches for those that leave them open; null where one of those lacks something. */
  choose(legs: readonly Leg[]): Move[] | null {
    const isTaking = (leg: Leg) => leg.role === 'in' || leg.quantity < 0
    const moves = legs.some((leg) => leg.follows)
    const free = new Map([...this.rows].map(([name, row]) => [name, { left: row.onHand - row.reserved, age: row.age }]))
    for (const leg of legs.filter((one) => (isTaking(one) ? one.batch !== undefined : !moves))) {
      const row = free.get(nameOf(leg)) ?? { left: 0n, age: Number.POSITIVE_INFINITY }
      free.set(nameOf(leg), { ...row, left: row.left + signed(leg) })
    }
    const goods: { key: string; batch: string; left: bigint }[] = []
    const taken = new Map<Leg, Move[]>()
    for (const leg of legs.filter((one) => isTaking(one) && one.batch === undefined)) {
      let left = -signed(leg)
      const rows = [...free].filter(([name]) => name.startsWith(`${leg.namespace}/${leg.key}/`))
      for (const [name, row] of rows.sort(([a, x], [b, y]) => (x.age === y.age ? (a < b ? -1 : 1) : x.age - y.age))) {
        const part = lesser(row.left, left)
        if (part <= 0n) continue
        row.left -= part
        left -= part
        taken.set(leg, [...(taken.get(leg) ?? []), { name, quantity: -part }])
        goods.push({ key: leg.key, batch: name.split('/')[2]!, left: part })
      }
      if (left > 0n) return null
    }
    return legs.flatMap((leg) => {
      if (taken.has(leg)) return taken.get(leg)!
      if (!leg.follows) return [{ name: nameOf(leg), quantity: signed(leg) }]
      let left = signed(leg)
      return goods.flatMap((one) => {
        const part = one.key === leg.key ? lesser(one.left, left) : 0n
        one.left -= part
        left -= part
        return part > 0n ? [{ name: nameOf({ ...leg, batch: one.batch }), quantity: part }] : []
      })
    })
  }

  /** Which balances a reservation takes from; null where something lacks. */
  allocate(legs: readonly Leg[]): Map<string, bigint> | null {
    const taken = new Map<string, bigint>()
    for (const leg of [...legs.filter((one) => one.batch !== undefined), ...legs.filter((one) => one.batch === undefined)]) {
      let left = decimal(leg.quantity)
      const rows = [...this.rows].filter(([name]) =>
        leg.batch === undefined ? name.startsWith(`${leg.namespace}/${leg.key}/`) : name === nameOf(leg),
      )
      for (const [name, row] of rows.sort(([a, x], [b, y]) => x.age - y.age || (a < b ? -1 : 1))) {
        const free = row.onHand - row.reserved - (taken.get(name) ?? 0n)
        const part = free < left ? free : left
        if (part > 0n) taken.set(name, (taken.get(name) ?? 0n) + part)
        if (part > 0n) left -= part
      }
      if (left > 0n) return null
    }
    return taken
  }
}
