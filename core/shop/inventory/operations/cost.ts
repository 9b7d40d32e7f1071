import { ApiError } from '../../../http/errors/errors.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { OperationType } from '../inventory.model.ts'
import { costConflict, type Line, nameOf, type Stock } from './ledger.ts'

/** Values are quantity × unit cost, in hundred-millionths: exact. */
const VALUE_PER_COST = 10_000n

/** Gives each line the cost at which it moves. `balances` are those that the lines take from. */
export function costLines(type: OperationType, lines: readonly Line[], balances: ReadonlyMap<string, Stock>): Line[] {
  const costed = lines.map((line) => (line.quantity < 0n ? costTaken(line, balances.get(nameOf(line))) : line))
  if (type === 'transfer') return carry(costed)
  if (type === 'convert') return balanceValue(costed)
  return costed
}

/** What goes out goes at the cost of its batch; a leg that says another is wrong. */
function costTaken(line: Line, stock: Stock | undefined): Line {
  const known = stock?.unitCost ?? null
  if (known !== null && line.unitCost !== null && known !== line.unitCost) throw costConflict(line, known)
  return { ...line, unitCost: known ?? line.unitCost }
}

/** The goods take their cost along: what comes together in one batch has the same. */
function carry(lines: readonly Line[]): Line[] {
  const costs = new Map<string, Decimal>()
  const costed = (line: Line): Line => {
    const goods = `${line.key}\n${line.batch}`
    const carried = costs.get(goods) ?? line.unitCost
    if (carried === null) return line
    if (line.unitCost !== null && line.unitCost !== carried) throw costConflict(line, carried)
    costs.set(goods, carried)
    return { ...line, unitCost: carried }
  }
  for (const line of lines) if (line.quantity < 0n && line.unitCost !== null) costed(line)
  return lines.map((line) => (line.quantity < 0n ? line : costed(line)))
}

/** What is produced is worth what is consumed. */
function balanceValue(lines: readonly Line[]): Line[] {
  const consumed = lines.filter((line) => line.quantity < 0n)
  const produced = lines.filter((line) => line.quantity > 0n)
  const open = produced.filter((line) => line.unitCost === null)
  if (open.length === produced.length && consumed.every((line) => line.unitCost === null)) return [...lines]
  const left = -worthOf(lines)
  const first = invariant(produced[0], 'What a conversion produces')
  const [filling, another] = open
  if (another) throw unbalanced(another, 'Only one leg may leave its unitCost out.')
  if (left < 0n) throw unbalanced(first, `What is produced is worth ${valueText(-left)} more than what is consumed.`)
  if (!filling && left > 0n) throw unbalanced(first, `What is produced is worth ${valueText(left)} less than what is consumed.`)
  return lines.flatMap((line) => (line === filling ? spread(line, left) : [line]))
}

/** `value` over the line's quantity, exactly: what does not divide goes, at one ten-thousandth more, to a second batch. */
function spread(line: Line, value: bigint): Line[] {
  const cost = value / line.quantity
  const dearer = value % line.quantity
  if (dearer === 0n) return [{ ...line, unitCost: cost }]
  return [
    { ...line, quantity: line.quantity - dearer, unitCost: cost },
    { ...line, batch: `${line.batch}-2`, quantity: dearer, unitCost: cost + 1n },
  ]
}

const worthOf = (lines: readonly Line[]) => lines.reduce((sum, { quantity, unitCost }) => sum + quantity * (unitCost ?? 0n), 0n)

/** Rounded down to four decimals: for people. */
const valueText = (value: bigint) => decimalNumber(value / VALUE_PER_COST)

const unbalanced = (line: Line, message: string) =>
  new ApiError('unbalanced_operation', 'A conversion must produce the value that it consumes; see details.', {
    details: [{ path: `/body/legs/${line.at}/unitCost`, message }],
  })
