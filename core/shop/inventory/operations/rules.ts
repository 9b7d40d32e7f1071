import { ApiError, invalid } from '../../../http/errors/errors.ts'
import { type Decimal, parseDecimal } from '../../../lib/money/decimal.ts'
import type { NewLeg, NewOperation, OperationType } from '../inventory.model.ts'
import { LARGEST, type OpenLine } from './ledger.ts'

interface Rule {
  readonly quantities: 'positive' | 'negative' | 'any'
  /** Each leg says whether it is consumed or produced. */
  readonly roles?: true
  /** Nothing comes or goes: zero in sum for each (key, batch). */
  readonly netsToZero?: true
  readonly noteRequired?: true
  readonly takesReserved?: true
}

/** What each type of operation demands of its legs. */
const rules: Readonly<Record<OperationType, Rule>> = {
  receive: { quantities: 'positive' },
  supplier_return: { quantities: 'negative' },
  transfer: { quantities: 'any', netsToZero: true },
  convert: { quantities: 'positive', roles: true },
  fulfill: { quantities: 'negative', takesReserved: true },
  pos_sale: { quantities: 'negative' },
  customer_return: { quantities: 'positive' },
  adjust: { quantities: 'any', noteRequired: true },
}

/** The batch of what a conversion makes. */
export const freshBatch = (operationId: string) => `CVT-${operationId}`

/**
 * Legs to ledger lines, where they keep the rules of their type. A line that takes from any batch leaves its batch open, and so does
 * one that puts elsewhere what a transfer takes so.
 */
export function readLegs(input: NewOperation, operationId: string): OpenLine[] {
  const rule = rules[input.type]
  if (rule.noteRequired && !input.note?.trim())
    throw invalid('/body/note', `An operation of type ${input.type} needs a note that says why.`)
  if (input.reservationId && !rule.takesReserved)
    throw invalid('/body/reservationId', 'Only an operation of type fulfill takes from a reservation.')
  const read = input.legs.map((leg, at) => readLeg(leg, at, input.type, operationId))
  const taken = new Set(read.filter(({ batch, quantity }) => batch === null && quantity < 0n).map(({ key }) => key))
  const lines = read.map((line) =>
    line.batch !== null || line.quantity < 0n || (rule.netsToZero && taken.has(line.key)) ? line : { ...line, batch: '' },
  )
  if (rule.roles && new Set(input.legs.map((leg) => leg.role)).size < 2) {
    throw invalid('/body/legs', 'A conversion needs a leg with the role "in" and one with the role "out".')
  }
  if (rule.netsToZero) assertNetsToZero(lines)
  return lines
}

function readLeg(leg: NewLeg, at: number, type: OperationType, operationId: string): OpenLine {
  const place = `/body/legs/${at}`
  const rule = rules[type]
  const quantity = readQuantity(leg.quantity, `${place}/quantity`)
  if (rule.quantities === 'positive' && quantity < 0n)
    throw invalid(`${place}/quantity`, `Must be positive in an operation of type ${type}.`)
  if (rule.quantities === 'negative' && quantity > 0n)
    throw invalid(`${place}/quantity`, `Must be negative in an operation of type ${type}.`)
  if (rule.roles && leg.role === undefined) throw invalid(`${place}/role`, 'Must be "in" for what is consumed, "out" for what is produced.')
  if (!rule.roles && leg.role !== undefined) throw invalid(`${place}/role`, 'Only the legs of a conversion have roles.')
  const made = leg.role === 'out'
  if (made && leg.batch !== undefined) throw invalid(`${place}/batch`, 'What is produced gets a fresh batch; leave this out.')
  return {
    namespace: leg.namespace,
    key: leg.key,
    batch: made ? freshBatch(operationId) : (leg.batch ?? null),
    quantity: leg.role === 'in' ? -quantity : quantity,
    unitCost: leg.unitCost == null ? null : readCost(leg.unitCost, `${place}/unitCost`),
    at,
  }
}

/** Up to four decimals, not zero, not larger than a balance may be. */
export function readQuantity(value: number, path: string): Decimal {
  const quantity = parseDecimal(value)
  if (quantity === null) throw invalid(path, 'A number with up to 4 decimals.')
  if (quantity === 0n) throw invalid(path, 'Must not be zero.')
  if (quantity > LARGEST || quantity < -LARGEST) throw invalid(path, 'Larger than 99,999,999,999.9999.')
  return quantity
}

function readCost(value: number, path: string): Decimal {
  const cost = parseDecimal(value)
  if (cost === null || cost > LARGEST) throw invalid(path, 'A number with up to 4 decimals, at most 99,999,999,999.9999.')
  return cost
}

/** Lines without a batch among themselves: each batch that some take is put elsewhere by the others. */
function assertNetsToZero(lines: readonly OpenLine[]) {
  const goods = ({ key, batch }: OpenLine) => (batch === null ? key : `${key}\n${batch}`)
  const sums = new Map<string, Decimal>()
  for (const line of lines) sums.set(goods(line), (sums.get(goods(line)) ?? 0n) + line.quantity)
  const off = lines.filter((line) => sums.get(goods(line)) !== 0n)
  if (off.length === 0) return
  throw new ApiError('unbalanced_operation', 'A transfer takes as much of each (key, batch) as it puts elsewhere.', {
    details: off.map(({ key, batch, at }) => ({
      path: `/body/legs/${at}/quantity`,
      message: `Does not come to zero for key "${key}"${batch === null ? ' where no batch is named' : `, batch "${batch}"`}.`,
    })),
  })
}
